// SPDX-License-Identifier: MIT
#include "taken_job_test.hpp"

#include <boost/asio/use_awaitable.hpp>

/// Steps that those who run jobs elsewhere have carried out, for whoever runs them next.
BOOST_AUTO_TEST_SUITE(steps_of_taken_jobs)

using namespace coworker::test;
using namespace coworker;
using namespace std::chrono_literals;

namespace {

struct taken_steps_test : taken_job_test
{
    asio::awaitable<taken_job> take(bool with_steps = true)
    {
        take_options options;
        options.steps = with_steps;
        co_return co_await take_one(options);
    }

    static done_step step(const std::string& token, const std::string& name, const std::string& value)
    {
        done_step done;
        done.token = token;
        done.name = name;
        done.value = value;
        return done;
    }

    asio::awaitable<result<void>> store(done_step one)
    {
        std::vector<done_step> steps;
        steps.push_back(std::move(one));
        const auto results = co_await subject.async_store_steps(queue, std::move(steps));
        co_return results.at(0);
    }

    bool has_steps() { return server("HEXISTS", "ql:j:a", "steps").integer == 1; }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(the_next_attempt_finds_them_and_success_removes_them, taken_steps_test)
{
    put("a", "Order");
    run([&]() -> asio::awaitable<void> {
        auto job = co_await take();
        BOOST_TEST(job.steps.empty());
        auto stored = co_await store(step(job.token, "charge", R"({"id": 1.50})"));
        BOOST_TEST(stored.has_value());
        stored = co_await store(step(job.token, "charge", R"({"id": 1.50})")); // as after a lost answer
        BOOST_TEST(stored.has_value());
        stored = co_await store(step(job.token, "charge", "2"));
        BOOST_TEST((stored.error() == errc::not_unique));
        co_await end(job.token, release());
        job = co_await take(false);
        BOOST_TEST(job.steps.empty()); // nobody asked
        co_await end(job.token, retry("again", 0ms));
        job = co_await take();
        BOOST_TEST((job.steps == std::map<std::string, std::string>{{"charge", R"({"id": 1.50})"}}));
        co_await end(job.token, success());
    });
    BOOST_TEST(state("a") == "complete");
    BOOST_TEST(!has_steps());
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(a_worker_finds_those_that_were_carried_out_elsewhere, taken_steps_test)
{
    put("a", "Order");
    int charged = 0;
    run([&]() -> asio::awaitable<void> {
        auto job = co_await take();
        const auto stored = co_await store(step(job.token, "charge", "7"));
        BOOST_TEST(stored.has_value());
        co_await end(job.token, retry("again", 0ms));
        worker other{redis, observed()};
        const auto order = [&](raw_json, job_context& context) -> asio::awaitable<outcome> {
            const auto number = co_await context.step("charge", [&] { return ++charged; });
            co_await context.step("ship", [] {});
            co_return failure(std::to_string(number));
        };
        other.handle(mail, order, {.backoff = no_backoff});
        auto running = start(other);
        co_await events.wait_for(event_kind::failed);
        co_await stop(other, running);
    });
    BOOST_TEST(charged == 0);
    BOOST_TEST(field("a", "step:charge") == "7");
    BOOST_TEST(field("a", "step:ship") == "null");
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(only_who_has_the_lease_may_store_one, taken_steps_test)
{
    put("a", "Order");
    put("b", "Order");
    run([&]() -> asio::awaitable<void> {
        const auto lost = co_await take(), held = co_await take();
        co_await end(lost.token, retry("again", 1h));
        std::vector<done_step> both{step(lost.token, "s", "1"), step(held.token, "s", "2")};
        const auto results = co_await subject.async_store_steps(queue, both);
        BOOST_TEST_REQUIRE(results.size() == 2u);
        BOOST_TEST((results[0].error() == errc::lease_lost));
        BOOST_TEST(results[1].has_value());
    });
    BOOST_TEST(!has_steps());
    BOOST_TEST(field("b", "step:s") == "2");
}

BOOST_FIXTURE_TEST_CASE(a_job_goes_back_whose_steps_cannot_be_read, taken_steps_test)
{
    put("a", "Order");
    run([&]() -> asio::awaitable<void> {
        auto job = co_await take();
        const auto stored = co_await store(step(job.token, "s", "1"));
        BOOST_TEST(stored.has_value());
        co_await end(job.token, release());
        server("ACL", "SETUSER", "default", "-hkeys");
        const auto refused = co_await error_of([&] { return take(); });
        server("ACL", "SETUSER", "default", "+hkeys");
        BOOST_TEST((refused.code == errc::command_refused));
        job = co_await take();
        BOOST_TEST(job.attempt == 1u);
        BOOST_TEST(job.steps.size() == 1u);
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(refuses_what_cannot_be_stored, taken_steps_test)
{
    put("a", "Order");
    run([&]() -> asio::awaitable<void> {
        const auto job = co_await take();
        const auto error_with = [&](const done_step& one) { return error_of(store(one)); };
        for (const auto& name : {std::string{}, std::string(257, 'x'), std::string{"caf\xe9"}}) {
            const auto error = co_await error_with(step(job.token, name, "1"));
            BOOST_TEST(error == errc::invalid_option, name);
        }
        for (const auto& value : {std::string{}, std::string{"{"}}) {
            const auto error = co_await error_with(step(job.token, "s", value));
            BOOST_TEST(error == errc::invalid_option, value);
        }
        const auto large = co_await error_with(step(job.token, "s", std::string(1024 * 1024, '1')));
        BOOST_TEST(large == errc::job_too_large);
        const auto strange = co_await error_with(step("nonsense", "s", "1"));
        BOOST_TEST(strange == errc::invalid_option);
        const auto half = '"' + std::string(600 * 1024, 'x') + '"';
        std::vector<done_step> two{step(job.token, "s", half), step(job.token, "t", half)};
        const auto results = co_await subject.async_store_steps(queue, two);
        BOOST_TEST(results.at(0).has_value());
        BOOST_TEST((results.at(1).error() == errc::job_too_large));
        take_options options;
        options.steps = true;
        const auto list = queue_ref::list("numbers");
        const auto taking = co_await error_of([&] { return subject.async_take(list, options); });
        BOOST_TEST(taking == errc::invalid_option);
        const std::vector<done_step> none;
        const auto storing = co_await error_of([&] { return subject.async_store_steps(list, none); });
        BOOST_TEST(storing == errc::invalid_option);
    });
}

BOOST_AUTO_TEST_SUITE_END()
