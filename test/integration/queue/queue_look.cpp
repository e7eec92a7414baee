// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/expect.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <set>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(queue_look)

BOOST_FIXTURE_TEST_CASE(sizes_count_every_part, client_test)
{
    server("RPUSH", "hworker-jobs-numbers", "a", "b", "c", "d", "e");
    server("HSET", "hworker-progress-numbers", "f", "x", "g", "x", "false", "x");
    server("HSET", "hworker-broken-numbers", "h", "x", "i", "x", "j", "x");
    server("RPUSH", "hworker-failed-numbers", "k", "l", "m", "n");
    server("HSET", "hworker-duplicates-numbers", R"(["b",1])", 3, R"(["c",1])", 1); // each waits for itself
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1, {.delay = 1h});
        co_await numbers.async_pause();
        const auto sizes = co_await numbers.async_sizes();
        BOOST_TEST(sizes.waiting == 9u);
        BOOST_TEST(sizes.running == 2u); // hworker's field `false` is no job
        BOOST_TEST(sizes.broken == 3u);
        BOOST_TEST(sizes.failed == 4u);
        BOOST_TEST(sizes.scheduled == 1u);
        BOOST_TEST(sizes.paused);
    });
}

BOOST_FIXTURE_TEST_CASE(totals_count_what_became_of_jobs, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::vector<int> jobs{0, 0, 0, 1, 1, 2};
        co_await numbers.async_push_many(jobs);
        push_raw("no job");
        worker subject{redis, observed()};
        subject.handle(numbers, [](int n, job_context& context) {
            if (n == 1)
                return failure("one");
            return n == 2 && context.attempt() < 3 ? retry("two", 0ms) : success();
        });
        co_await work(subject, 7);
        const auto sizes = co_await numbers.async_sizes();
        BOOST_TEST(sizes.total_succeeded == 4u);
        BOOST_TEST(sizes.total_failed == 2u);
        BOOST_TEST(sizes.total_retried == 2u);
        BOOST_TEST(sizes.total_broken == 1u);
        BOOST_TEST(sizes.total_recovered == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(the_oldest_waiting_job_has_an_age, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::string long_ago = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"; // version 7, of 2022
        co_await numbers.async_push(1, {.id = long_ago});
        co_await numbers.async_push(2);
        const auto age = (co_await numbers.async_sizes()).oldest_waiting_age;
        BOOST_REQUIRE(age.has_value());
        BOOST_TEST(*age / std::chrono::years{1} >= 4);

        server("RPOP", "hworker-jobs-numbers");
        const auto young = (co_await numbers.async_sizes()).oldest_waiting_age;
        BOOST_REQUIRE(young.has_value());
        BOOST_TEST((*young < *age - std::chrono::years{4}));

        co_await numbers.async_destroy();
        BOOST_TEST(!(co_await numbers.async_sizes()).oldest_waiting_age.has_value());
    });
}

BOOST_FIXTURE_TEST_CASE(failed_jobs_tell_message_time_and_attempts_newest_first, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto before = std::chrono::system_clock::now() - 5s;
        for (int i = 0; i != 12; ++i)
            co_await numbers.async_push(i);
        worker subject{redis, observed({.concurrency = 1})};
        subject.handle(numbers, [](int n, job_context& context) {
            return context.attempt() < 2 ? retry("again", 0ms)
                                         : failure("no\n\"" + std::to_string(n) + "\" ");
        });
        co_await work(subject, 12);
        server("LPUSH", "hworker-failed-numbers", R"(["peer",99])");

        const auto page = co_await jobs_in(job_state::failed);
        BOOST_REQUIRE(page.size() == 13u);
        BOOST_TEST(page[0].data == "99"); // a peer tells nothing
        BOOST_TEST(page[0].message.empty());
        BOOST_TEST(!page[0].ended_at.has_value());
        BOOST_TEST(page[0].attempts == 0u);
        BOOST_TEST(page[1].data == "11");
        BOOST_TEST(page[1].message == "no\n\"11\" ");
        BOOST_TEST(page[1].attempts == 2u);
        BOOST_REQUIRE(page[1].ended_at.has_value());
        BOOST_TEST((*page[1].ended_at > before && *page[1].ended_at < std::chrono::system_clock::now() + 5s));
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_in_progress_tell_holder_and_start, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto before = std::chrono::system_clock::now() - 5s;
        co_await numbers.async_push(1);
        worker subject{redis, observed()};
        handle_options alone; // a monitor would return what is added below
        alone.monitor = false;
        subject.handle(
            numbers, [](int) -> asio::awaitable<void> { co_await let_pass(1h); }, alone);
        auto running = start(subject);
        co_await events.wait_for(event_kind::started);
        server("HSET", "hworker-progress-numbers", R"(["p",2])", R"("2020-02-29T12:34:56.5Z")", R"(["p",3])",
               "unreadable", "false", R"("2020-02-29T12:34:56.5Z")");

        std::map<std::string, job_info> jobs;
        for (const auto& job : co_await jobs_in(job_state::running))
            jobs.emplace(job.data, job);
        BOOST_REQUIRE(jobs.size() == 3u);
        BOOST_TEST(jobs["1"].worker == redis.client_name());
        BOOST_REQUIRE(jobs["1"].started_at.has_value());
        BOOST_TEST((*jobs["1"].started_at > before));
        BOOST_TEST(jobs["2"].worker == "");
        BOOST_TEST(
            (jobs["2"].started_at ==
             timestamp{std::chrono::sys_days{std::chrono::year{2020} / 2 / 29} + 12h + 34min + 56s + 500ms}));
        BOOST_TEST(!jobs["3"].started_at.has_value());

        server("DEL", "hworker-progress-numbers");
        running.cancel();
        co_await running.join_and_tell();
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_without_an_order_are_all_shown, client_test)
{
    for (int i = 0; i != 1000; ++i) {
        const auto payload = "[\"" + std::to_string(i) + "\",1]";
        server("HSET", "hworker-progress-numbers", payload, R"("2020-01-01T00:00:00Z")");
        server("HSET", "hworker-broken-numbers", payload, R"("2020-01-01T00:00:00Z")");
    }
    run([&]() -> asio::awaitable<void> {
        std::set<std::string> running, broken;
        for (const auto& job : co_await jobs_in(job_state::running))
            running.insert(job.id);
        BOOST_TEST(running.size() == 1000u);
        for (const auto& job : co_await jobs_in(job_state::broken)) {
            broken.insert(job.id);
            BOOST_TEST(job.ended_at.has_value());
        }
        BOOST_TEST(broken.size() == 1000u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
