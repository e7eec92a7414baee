// SPDX-License-Identifier: MIT
#include "support/coroutine.hpp"
#include "support/redis_test.hpp"

#include "coworker/list_queue.hpp"
#include "coworker/managed_queue.hpp"
#include "coworker/worker.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// A worker goes on where Redis sets limits: to its memory, and to the answers that wait for a client.
BOOST_AUTO_TEST_SUITE(limits_of_redis)

namespace {

constexpr int large_jobs = 40;

/// Together more than the 32 MB of answers that Redis lets wait for a subscriber.
asio::awaitable<void> push_large(list_queue<std::string>& queue)
{
    const std::string megabyte(1024 * 1024, 'x');
    for (int i = 0; i != large_jobs; ++i)
        co_await queue.async_push(megabyte);
}

/// Lets a worker run all large jobs.
asio::awaitable<void> run_all(client& redis, list_queue<std::string>& queue)
{
    worker all{redis};
    int handled = 0;
    all.handle(queue, [&](std::string) {
        if (++handled == large_jobs)
            all.stop();
    });
    co_await all.async_run();
    BOOST_TEST(handled == large_jobs);
}

/// A job as a worker leaves it that was killed. Its lease will not end by itself.
void leave_leased_to_a_dead_worker(redis_server& server, const std::string& payload)
{
    server("HSET", "hworker-workers-q", "42", "coworker:gone");
    server("HSET", "hworker-progress-q", payload, "\"2999-11-21T09:54:29.612715000042Z\"");
}

} // namespace

BOOST_FIXTURE_TEST_CASE(many_large_jobs_are_taken_in_parts, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), observed_options()};
        list_queue<std::string> queue{redis, "q"};
        co_await push_large(queue);
        co_await run_all(redis, queue);
        BOOST_TEST(events.count(event_kind::disconnected) == 0U);
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(many_large_jobs_of_a_managed_queue_are_taken_in_parts, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), observed_options()};
        managed_queue queue{redis, "q"};
        const std::string megabyte(1024 * 1024, 'x');
        std::vector<std::string> put, ran;
        for (int i = 0; i != large_jobs; ++i) {
            auto jid = co_await queue.async_push("Large", megabyte);
            put.push_back(std::move(jid));
        }
        worker all{redis, {.observers = {events.observe()}}};
        all.handle(queue, [&](raw_json, job_context& context) {
            ran.emplace_back(context.id());
            if (ran.size() == put.size())
                all.stop();
        });
        co_await all.async_run();
        BOOST_TEST(ran == put, boost::test_tools::per_element());
        BOOST_TEST(events.of(event_kind::fetched).at(0).count ==
                   7u); // eight would be more than 8 MiB, with their quotes
        BOOST_TEST(events.count(event_kind::disconnected) == 0U);
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(many_large_jobs_of_a_dead_worker_return_in_parts, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), observed_options()};
        list_queue<std::string> queue{redis, "q"};
        const std::string text(1024 * 1024, 'x');
        for (int i = 0; i != large_jobs; ++i)
            leave_leased_to_a_dead_worker(server, "[\"" + std::to_string(i) + "\",\"" + text + "\"]");
        co_await run_all(redis, queue);
        BOOST_TEST(events.count(event_kind::disconnected) == 0U);
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_of_a_dead_worker_return_while_memory_is_full, redis_test)
{
    leave_leased_to_a_dead_worker(server, R"(["a","job"])");
    server("CONFIG", "SET", "maxmemory", "1");
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), options()};
        list_queue<std::string> queue{redis, "q"};
        worker survivor{redis};
        bool handled = false;
        survivor.handle(queue, [&](std::string) {
            handled = true;
            survivor.stop();
        });
        co_await survivor.async_run();
        BOOST_TEST(handled);
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
