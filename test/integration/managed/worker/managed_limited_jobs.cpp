// SPDX-License-Identifier: MIT
#include "support/managed_worker_test.hpp"

#include "coworker/managed_client.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <list>
#include <map>
#include <optional>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Workers whose jobs are held back by limits, order keys and groups.
BOOST_AUTO_TEST_SUITE(managed_limited_jobs)

namespace {

/// The prefix, work, scheduled, recur, paused_queues, config and open lanes; and `workers` of the monitor.
constexpr std::size_t keys_per_queue = 8;

struct limited_test : managed_worker_test
{
    managed_client jobs{redis};
    std::vector<std::string> ran;
    std::map<std::string, int> running, most; ///< by what the job's data say
    int running_in_all = 0, most_in_all = 0;

    struct one_worker
    {
        std::optional<client> redis;
        std::optional<worker> subject;
        std::optional<background> running;
    };
    std::list<one_worker> workers;

    asio::awaitable<void> handle(raw_json data, job_context& context)
    {
        const std::string id{context.id()}, key = data.text;
        most[key] = std::max(most[key], ++running[key]);
        most_in_all = std::max(most_in_all, ++running_in_all);
        co_await let_pass(1ms);
        --running_in_all;
        --running[key];
        ran.push_back(id);
    }

    /// A worker with a client, and so a connection, of its own.
    void start_worker(const std::string& queue = "mail", unsigned concurrency = 10)
    {
        auto& one = workers.emplace_back();
        one.redis.emplace(io.get_executor(), observed_options());
        auto how = observed();
        how.concurrency = concurrency;
        one.subject.emplace(*one.redis, how);
        const managed_queue from{*one.redis, queue};
        one.subject->handle(from,
                            [this](raw_json data, job_context& context) { return handle(data, context); });
        one.running.emplace(start(*one.subject));
    }

    asio::awaitable<void> finish()
    {
        BOOST_TEST(events.count(event_kind::fallback_poll_found_work) == 0u);
        for (auto& one : workers) {
            co_await stop(*one.subject, *one.running);
            co_await one.redis->async_stop();
        }
        BOOST_TEST(broken() == "");
        BOOST_TEST(server("KEYS", "ql:coworker:held:*").texts().empty());
        BOOST_TEST(server("KEYS", "ql:coworker:used:*").texts().empty());
        BOOST_TEST(server("KEYS", "ql:coworker:line:*").texts().empty());
        BOOST_TEST(server("KEYS", "ql:coworker:parked:*").texts().empty());
    }

    asio::awaitable<void> expect_runs(std::size_t count)
    {
        co_await events.wait_for(event_kind::succeeded, count);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(workers_that_race_never_exceed_a_limit, limited_test)
{
    constexpr int count = 120;
    run([&]() -> asio::awaitable<void> {
        const limit_settings three{.max_running = 3}, two{.max_running = 2};
        co_await jobs.async_set_limit("all", three);
        co_await jobs.async_set_limit("tenant:*", two);
        for (int i = 0; i != count; ++i) {
            const auto tenant = std::to_string(i % 3);
            managed_push_options options;
            options.limits = {"tenant:" + tenant, "all"};
            co_await mail.async_push("Job", raw_json{tenant}, options);
        }
        for (int i = 0; i != 3; ++i)
            start_worker();
        co_await expect_runs(count);
        co_await finish();
    });
    BOOST_TEST(ran.size() == static_cast<std::size_t>(count));
    BOOST_TEST(most_in_all == 3);
    for (const auto& [tenant, at_once] : most)
        BOOST_TEST(at_once <= 2, tenant << ": " << at_once);
}

BOOST_FIXTURE_TEST_CASE(jobs_of_a_key_run_one_after_the_other_in_the_order_put, limited_test)
{
    constexpr int count = 60;
    std::map<int, std::vector<std::string>> pushed, done;
    run([&]() -> asio::awaitable<void> {
        for (int i = 0; i != count; ++i) {
            const int key = i % 4;
            managed_push_options options;
            options.order_key = "key " + std::to_string(key);
            options.priority = i % 7;
            options.jid = std::to_string(i);
            co_await mail.async_push("Job", raw_json{std::to_string(key)}, options);
            pushed[key].push_back(std::to_string(i));
        }
        for (int i = 0; i != 3; ++i)
            start_worker();
        co_await expect_runs(count);
        co_await finish();
    });
    for (const auto& jid : ran)
        done[std::stoi(jid) % 4].push_back(jid);
    BOOST_TEST((done == pushed));
    for (const auto& [key, at_once] : most)
        BOOST_TEST(at_once == 1, key << ": " << at_once);
}

BOOST_FIXTURE_TEST_CASE(what_is_given_back_in_one_queue_wakes_the_worker_of_another, limited_test)
{
    run([&]() -> asio::awaitable<void> {
        const limit_settings one{.max_running = 1};
        co_await jobs.async_set_limit("gpu", one);
        qless("put", "", "press", "first", "Job", "0", "0", "limits", R"(["gpu"])");
        qless("ack_and_fetch", "press", "someone", 1);
        put("second", "Job", "0", "limits", R"(["gpu"])");
        start_worker();
        co_await wait_until_armed(keys_per_queue);
        BOOST_TEST(ran.empty());
        qless("complete", "first", "someone", "press", "{}");
        co_await expect_runs(1);
        co_await finish();
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_wakes_when_the_lock_of_another_queue_ends_that_holds_the_limit, limited_test)
{
    run([&]() -> asio::awaitable<void> {
        const limit_settings one{.max_running = 1};
        co_await jobs.async_set_limit("gpu", one);
        qless("config_set", "press-heartbeat", "1");
        qless("config_set", "grace-period", "0");
        qless("put", "", "press", "first", "Job", "0", "0", "limits", R"(["gpu"])");
        qless("ack_and_fetch", "press", "someone who has vanished", 1);
        put("second", "Job", "0", "limits", R"(["gpu"])");
        start_worker();
        co_await expect_runs(1);
        co_await finish();
    });
    BOOST_TEST((ran == std::vector<std::string>{"second"}));
}

BOOST_FIXTURE_TEST_CASE(a_worker_wakes_when_the_job_expires_that_has_the_turn, limited_test)
{
    run([&]() -> asio::awaitable<void> {
        put("first", "Job", "0", "order", "x", "options", R"({"expiry":1})");
        qless("ack_and_fetch", "mail", "someone", 1);
        qless("retry", "first", "mail", "someone", "600");
        put("second", "Job", "0", "order", "x");
        start_worker();
        co_await expect_runs(1);
        co_await finish();
    });
    BOOST_TEST((ran == std::vector<std::string>{"second"}));
}

BOOST_FIXTURE_TEST_CASE(a_worker_wakes_when_the_period_allows_the_next_job, limited_test)
{
    run([&]() -> asio::awaitable<void> {
        const limit_settings ten_a_second{.rate = 10};
        co_await jobs.async_set_limit("api", ten_a_second);
        co_await mail.async_set_limits("api");
        start_worker();
        co_await wait_until_armed(keys_per_queue);
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i != 5; ++i)
            put(std::to_string(i), "Job", "0");
        co_await expect_runs(5);
        BOOST_TEST((std::chrono::steady_clock::now() - begin >= 400ms - 20ms));
        co_await finish();
    });
}

BOOST_FIXTURE_TEST_CASE(a_higher_limit_wakes_the_worker, limited_test)
{
    run([&]() -> asio::awaitable<void> {
        const limit_settings none{.max_running = 0}, one{.max_running = 1};
        co_await jobs.async_set_limit("tenant:*", none);
        put("a", "Job", "0", "limits", R"(["tenant:1"])");
        start_worker();
        co_await wait_until_armed(keys_per_queue);
        BOOST_TEST(ran.empty());
        co_await jobs.async_set_limit("tenant:*", one);
        co_await expect_runs(1);
        co_await finish();
    });
}

BOOST_FIXTURE_TEST_CASE(many_jobs_of_one_group_do_not_delay_another, limited_test)
{
    constexpr int count = 300;
    run([&]() -> asio::awaitable<void> {
        managed_push_options large, small;
        large.group = "large";
        small.group = "small";
        small.jid = "small one";
        const std::vector<raw_json> many(count, raw_json{"1"});
        co_await mail.async_push_many("Job", many, large);
        co_await mail.async_push("Job", raw_json{"2"}, small);
        start_worker("mail", 1);
        co_await expect_runs(count + 1);
        co_await finish();
    });
    const auto place = std::find(ran.begin(), ran.end(), "small one") - ran.begin();
    BOOST_TEST(place <= 3);
}

BOOST_AUTO_TEST_SUITE_END()
