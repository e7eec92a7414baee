// SPDX-License-Identifier: MIT
#include "support/expect.hpp"
#include "support/managed_worker_test.hpp"

#include "coworker/managed_client.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What handlers hand over to be carried out with the acknowledgement.
BOOST_AUTO_TEST_SUITE(managed_effects)

namespace {

struct managed_effects_test : managed_worker_test
{
    managed_queue later{redis, "later"};

    /// Runs a worker until so many jobs of "mail" have ended.
    template<class Handler>
    void run_jobs(Handler handler, std::size_t count, handle_options how = {})
    {
        run([&]() -> asio::awaitable<void> {
            worker subject{redis, observed({.concurrency = 10})};
            how.backoff = no_backoff;
            subject.handle(mail, handler, how);
            co_await work(subject, count);
        });
        BOOST_TEST(broken() == "");
    }

    std::string counter() { return server("GET", "counter").text; }
    std::int64_t waiting_later() { return server("ZCARD", "ql:q:later-work").integer; }

    /// Hands over one command and one job.
    void hand_over(job_context& context)
    {
        context.effects().add({"INCR", "counter"});
        (void)context.effects().push(later, "Later", raw_json{"{}"});
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(are_carried_out_with_a_success, managed_effects_test)
{
    put("a", "Order");
    std::string child, number;
    run_jobs(
        [&](raw_json, job_context& context) -> asio::awaitable<outcome> {
            auto& effects = context.effects();
            effects.add({"HINCRBY", "stats", "orders", "2"});
            child = effects.push(later, "Receipt", raw_json{R"({"n":1})"}, {.priority = 7, .tags = {"t"}});
            number = effects.push(numbers, 5);
            BOOST_TEST(server("EXISTS", "stats", "ql:j:" + child).integer == 0, "not before");
            co_return success_with(41);
        },
        1);
    BOOST_TEST(server("HGET", "stats", "orders").text == "2");
    BOOST_TEST(state(child) == "waiting");
    BOOST_TEST(field(child, "queue") == "later");
    BOOST_TEST(field(child, "klass") == "Receipt");
    BOOST_TEST(field(child, "data") == R"({"n":1})");
    BOOST_TEST(field(child, "priority") == "7");
    BOOST_TEST(field(child, "tags") == R"(["t"])");
    BOOST_TEST(payloads() == std::vector<std::string>{R"([")" + number + R"(",5])"});
    BOOST_TEST(state("a") == "complete");
    BOOST_TEST(server("GET", "ql:coworker:result:a").text.ends_with(" 41"));
}

BOOST_FIXTURE_TEST_CASE(are_carried_out_once_however_often_the_job_runs, managed_effects_test)
{
    put("a", "Order");
    run_jobs(
        [&](raw_json, job_context& context) -> outcome {
            hand_over(context);
            switch (context.attempt()) {
            case 1:
                throw std::runtime_error{"thrown"};
            case 2:
                return retry("not yet");
            case 3:
                context.effects().clear();
                hand_over(context);
                [[fallthrough]];
            default:
                return success();
            }
        },
        1);
    BOOST_TEST(counter() == "1");
    BOOST_TEST(waiting_later() == 1);
}

BOOST_FIXTURE_TEST_CASE(are_dropped_with_a_failure_and_a_release, managed_effects_test)
{
    put("a", "Order");
    put("b", "Order");
    bool released = false;
    run_jobs(
        [&](raw_json, job_context& context) -> outcome {
            hand_over(context);
            if (context.id() == "a")
                return failure("no");
            if (!std::exchange(released, true))
                return release();
            context.effects().clear();
            return success();
        },
        2);
    BOOST_TEST(counter() == "");
    BOOST_TEST(waiting_later() == 0);
}

BOOST_FIXTURE_TEST_CASE(are_dropped_when_the_lease_is_lost, managed_effects_test)
{
    put("a", "Order");
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        const auto handler = [&](raw_json, job_context& context) {
            hand_over(context);
            server("HSET", "ql:j:a", "worker", "another");
        };
        subject.handle(mail, handler);
        auto running = start(subject);
        co_await events.wait_for(event_kind::lease_lost);
        co_await stop(subject, running);
    });
    BOOST_TEST(counter() == "");
    BOOST_TEST(waiting_later() == 0);
    BOOST_TEST(state("a") == "running");
    BOOST_TEST(events.count(event_kind::succeeded) == 0U);
}

BOOST_FIXTURE_TEST_CASE(belong_to_the_run_that_handed_them_over, managed_effects_test)
{
    put("a", "Order");
    std::size_t runs = 0;
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed({.concurrency = 1})};
        const auto handler = [&](raw_json, job_context& context) {
            context.effects().add({"RPUSH", "runs", std::to_string(++runs)});
            if (runs == 1)
                put("a", "Order"); // moves the job: what comes of this run is worth nothing
        };
        subject.handle(mail, handler);
        auto running = start(subject);
        co_await events.wait_for(event_kind::succeeded);
        co_await stop(subject, running);
    });
    BOOST_TEST(server("LRANGE", "runs", 0, -1).texts() == std::vector<std::string>{"2"});
}

BOOST_FIXTURE_TEST_CASE(fail_the_job_when_one_cannot_be_carried_out, managed_effects_test)
{
    server("SET", "text", "x");
    put("a", "Order");
    put("b", "Order");
    run_jobs(
        [&](raw_json, job_context& context) {
            hand_over(context);
            if (context.id() == "a")
                context.effects().add({"HINCRBY", "text", "field", "1"});
        },
        2);
    BOOST_TEST(counter() == "1");
    BOOST_TEST(waiting_later() == 1);
    BOOST_TEST(state("b") == "complete");
    BOOST_TEST(failed("Order:effects") == std::vector<std::string>{"a"});
    BOOST_TEST(failure_of("a").at("message").as_string() ==
               "effect HINCRBY text: the key holds a string, not a hash");
    BOOST_TEST(events.count(event_kind::succeeded) == 1U);
    BOOST_TEST(events.of(event_kind::failed).at(0).message ==
               "effect HINCRBY text: the key holds a string, not a hash");
}

BOOST_FIXTURE_TEST_CASE(need_the_worker_s_permissions, managed_effects_test)
{
    server("ACL", "SETUSER", "default", "-xadd");
    put("a", "Order");
    run_jobs(
        [&](raw_json, job_context& context) {
            context.effects().add({"XADD", "news", "*", "a", "b"});
        },
        1);
    BOOST_TEST(failure_of("a").at("message").as_string() ==
               "effect XADD news: NOPERM: this user may not do that");
}

BOOST_FIXTURE_TEST_CASE(of_many_jobs_are_carried_out_together, managed_effects_test)
{
    constexpr std::size_t count = 500;
    for (std::size_t i = 0; i != count; ++i)
        put("job-" + std::to_string(i), "Order");
    run_jobs(
        [&](raw_json, job_context& context) {
            if (context.id().back() != '7') // these have none
                context.effects().add({"INCR", "counter"});
        },
        count);
    BOOST_TEST(counter() == "450");
    BOOST_TEST(server("ZCARD", "ql:completed").integer == 500);
}

BOOST_FIXTURE_TEST_CASE(that_cannot_be_meant_are_refused_at_once, managed_effects_test)
{
    client other{io.get_executor(), options()};
    const managed_queue stranger{other, "later"};
    const managed_queue prefixed{redis, "later", {.prefix = "other:"}};
    put("a", "Order");
    run_jobs(
        [&](raw_json, job_context& context) {
            auto& effects = context.effects();
            const auto refused = [&](auto add) {
                try {
                    add();
                } catch (const system_error& error) {
                    return error.code();
                }
                return error_code{};
            };
            const raw_json job{"{}"};
            BOOST_TEST((refused([&] { effects.add({"GET", "x"}); }) == errc::invalid_option));
            BOOST_TEST((refused([&] { effects.add({"BLPOP", "x", "0"}); }) == errc::invalid_option));
            BOOST_TEST((refused([&] { effects.add({"INCR"}); }) == errc::invalid_option));
            BOOST_TEST((refused([&] { effects.add({"DEL", "ql:j:a"}); }) == errc::invalid_option));
            BOOST_TEST((refused([&] { (void)effects.push(stranger, "K", job); }) == errc::invalid_option));
            BOOST_TEST((refused([&] { (void)effects.push(prefixed, "K", job); }) == errc::invalid_option));
            BOOST_TEST((refused([&] { (void)effects.push(later, "", job); }) == errc::invalid_option));
            BOOST_TEST(
                (refused([&] { (void)effects.push(later, "K", raw_json{"{"}); }) == errc::not_serializable));
            const managed_push_options unique{.unique = {.key = "k", .conflict = on_conflict::refuse}};
            BOOST_TEST(
                (refused([&] { (void)effects.push(later, "K", job, unique); }) == errc::invalid_option));
            BOOST_TEST((refused([&] { (void)effects.push(numbers, 1, push_options{.delay = 1s}); }) ==
                        errc::not_supported));
            BOOST_TEST(effects.empty());
        },
        1);
    BOOST_TEST(state("a") == "complete");
}

BOOST_AUTO_TEST_SUITE_END()
