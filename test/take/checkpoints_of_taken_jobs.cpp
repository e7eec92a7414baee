// SPDX-License-Identifier: MIT
#include "taken_job_test.hpp"

#include <boost/asio/use_awaitable.hpp>

/// What those who run jobs elsewhere store of them, for whoever runs them next.
BOOST_AUTO_TEST_SUITE(checkpoints_of_taken_jobs)

using namespace coworker::test;
using namespace coworker;
using namespace std::chrono_literals;

namespace {

struct taken_checkpoints_test : taken_job_test
{
    asio::awaitable<taken_job> take(bool with_checkpoints = true)
    {
        take_options options;
        options.checkpoints = with_checkpoints;
        co_return co_await take_one(options);
    }

    asio::awaitable<result<void>> save(std::string token, std::string checkpoint)
    {
        std::vector<saved_checkpoint> jobs(1);
        jobs[0].token = token;
        jobs[0].checkpoint = checkpoint;
        const auto results = co_await subject.async_save(queue, std::move(jobs));
        co_return results.at(0);
    }

    bool has_checkpoint() { return server("HEXISTS", "ql:j:a", "checkpoint").integer == 1; }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(the_next_attempt_finds_what_was_stored_and_success_removes_it, taken_checkpoints_test)
{
    put("a", "Count");
    run([&]() -> asio::awaitable<void> {
        auto job = co_await take();
        BOOST_TEST(job.checkpoint == "");
        for (const auto* const text : {R"({"row": 1})", R"({"row": 1.50})"}) {
            const auto saved = co_await save(job.token, text);
            BOOST_TEST(saved.has_value());
        }
        co_await end(job.token, retry("again", 0ms));
        job = co_await take(false);
        BOOST_TEST(job.checkpoint == ""); // nobody asked
        co_await end(job.token, release());
        job = co_await take();
        BOOST_TEST(job.attempt == 2u);
        BOOST_TEST(job.checkpoint == R"({"row": 1.50})");
        // A renewed token knows of it, too.
        const text_list tokens{job.token};
        const auto renewed = co_await subject.async_renew(queue, tokens);
        BOOST_TEST_REQUIRE(renewed.at(0).has_value());
        co_await end(renewed[0]->token, success());
    });
    BOOST_TEST(state("a") == "complete");
    BOOST_TEST(!has_checkpoint());
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(a_job_goes_back_whose_checkpoint_cannot_be_read, taken_checkpoints_test)
{
    put("a", "Count");
    run([&]() -> asio::awaitable<void> {
        server("ACL", "SETUSER", "default", "-hget");
        const auto refused = co_await error_of([&] { return take(); });
        server("ACL", "SETUSER", "default", "+hget");
        BOOST_TEST((refused.code == errc::command_refused));
        BOOST_TEST(state("a") == "stalled"); // waits in front of its queue
        const auto job = co_await take();
        BOOST_TEST(job.attempt == 1u);
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(success_removes_what_the_attempt_itself_has_stored, taken_checkpoints_test)
{
    put("a", "Count");
    run([&]() -> asio::awaitable<void> {
        const auto job = co_await take();
        const auto saved = co_await save(job.token, "7");
        BOOST_TEST(saved.has_value());
        BOOST_TEST(has_checkpoint());
        co_await end(job.token, success());
        BOOST_TEST(!has_checkpoint());
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_goes_on_where_it_was_run_elsewhere_and_back, taken_checkpoints_test)
{
    put("a", "Count");
    std::optional<int> found;
    run([&]() -> asio::awaitable<void> {
        auto job = co_await take();
        const auto saved = co_await save(job.token, "7");
        BOOST_TEST(saved.has_value());
        co_await end(job.token, retry("again", 0ms));
        worker other{redis, observed()};
        const auto count = [&](raw_json, job_context& context) -> asio::awaitable<outcome> {
            found = co_await context.async_checkpoint<int>();
            co_await context.async_save(8);
            co_return failure("no");
        };
        other.handle(mail, count, {.backoff = no_backoff});
        auto running = start(other);
        co_await events.wait_for(event_kind::failed);
        co_await stop(other, running);
    });
    BOOST_TEST((found == 7));
    BOOST_TEST(field("a", "checkpoint") == "8");
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(only_who_has_the_lease_may_store_one, taken_checkpoints_test)
{
    put("a", "Count");
    put("b", "Count");
    run([&]() -> asio::awaitable<void> {
        const auto lost = co_await take(), held = co_await take();
        co_await end(lost.token, retry("again", 1h));
        std::vector<saved_checkpoint> both(2);
        both[0].token = lost.token;
        both[0].checkpoint = "1";
        both[1].token = held.token;
        both[1].checkpoint = "2";
        const auto results = co_await subject.async_save(queue, both);
        BOOST_TEST_REQUIRE(results.size() == 2u);
        BOOST_TEST((results[0].error() == errc::lease_lost));
        BOOST_TEST(results[1].has_value());
    });
    BOOST_TEST(!has_checkpoint());
    BOOST_TEST(field("b", "checkpoint") == "2");
}

BOOST_FIXTURE_TEST_CASE(stores_many_large_ones, taken_checkpoints_test)
{
    for (int i = 0; i != 10; ++i)
        put("j" + std::to_string(i), "Count");
    run([&]() -> asio::awaitable<void> {
        take_options options;
        options.checkpoints = true;
        options.count = 10;
        auto jobs = co_await subject.async_take(queue, options);
        const auto large = '"' + std::string(1024 * 1024 - 2, 'x') + '"';
        std::vector<saved_checkpoint> all(jobs.size());
        std::vector<ended_job> ended;
        for (std::size_t i = 0; i != jobs.size(); ++i) {
            all[i].token = jobs[i].token;
            all[i].checkpoint = large;
            ended.emplace_back(jobs[i].token, release());
        }
        const auto saved = co_await subject.async_save(queue, all);
        BOOST_TEST(std::ranges::count_if(saved, [](const auto& each) { return each.has_value(); }) == 10);
        co_await subject.async_acknowledge(queue, std::move(ended));
        jobs = co_await subject.async_take(queue, options);
        BOOST_TEST(std::ranges::count_if(jobs, [&](const auto& job) { return job.checkpoint == large; }) ==
                   10);
    });
}

BOOST_FIXTURE_TEST_CASE(refuses_what_cannot_be_stored, taken_checkpoints_test)
{
    put("a", "Count");
    run([&]() -> asio::awaitable<void> {
        auto job = co_await take();
        const auto error_with = [&](const std::string& token, const std::string& text) {
            return error_of(save(token, text));
        };
        for (const auto& text : {std::string{}, std::string{"{"}, std::string{" null "}}) {
            const auto error = co_await error_with(job.token, text);
            BOOST_TEST(error == errc::invalid_option, text);
        }
        const auto large = co_await error_with(job.token, std::string(1024 * 1024 + 1, '1'));
        BOOST_TEST(large == errc::job_too_large);
        const auto strange = co_await error_with("nonsense", "1");
        BOOST_TEST(strange == errc::invalid_option);
        co_await end(job.token, release());
        job = co_await take(false);
        const auto unasked = co_await error_with(job.token, "1");
        BOOST_TEST(unasked == errc::invalid_option);
        BOOST_TEST(unasked.says("taken without checkpoints"));
        take_options options;
        options.checkpoints = true;
        const auto list = queue_ref::list("numbers");
        const auto taking = co_await error_of([&] { return subject.async_take(list, options); });
        BOOST_TEST(taking == errc::invalid_option);
        const std::vector<saved_checkpoint> none;
        const auto saving = co_await error_of([&] { return subject.async_save(list, none); });
        BOOST_TEST(saving == errc::invalid_option);
    });
    BOOST_TEST(!has_checkpoint());
}

BOOST_AUTO_TEST_SUITE_END()
