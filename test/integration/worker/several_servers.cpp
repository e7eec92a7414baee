// SPDX-License-Identifier: MIT
#include "support/redis_test.hpp"

#include "coworker/list_queue.hpp"
#include "coworker/worker.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(several_servers)

namespace {

/// A worker with a single place takes jobs from two servers, of which one freezes while it is asked for a job.
struct frozen_server_test : redis_test
{
    redis_server other{};
    int running = 0, most_running = 0;
    std::vector<int> ended;

    /// Calls wait for longer than the test does.
    client_options patient(redis_server& which)
    {
        client_options result{.url = which.url()};
        result.command_timeout = 2min;
        result.health_check_interval = 2min;
        result.thread_safe = false; // one executor for both, and for the worker
        return result;
    }

    /// A handler that notes how many run.
    auto noting(std::function<asio::awaitable<void>(int)> body)
    {
        return [this, body](int job) -> asio::awaitable<void> {
            most_running = std::max(most_running, ++running);
            co_await body(job);
            --running;
            ended.push_back(job);
        };
    }

    /// Freezes the server in job 1, so that the call that takes the next job is not answered.
    void handle_until_frozen(worker& subject, const list_queue<int>& queue)
    {
        subject.handle(queue, noting([this](int job) -> asio::awaitable<void> {
                           if (job == 1)
                               server.freeze();
                           co_return;
                       }));
    }

    asio::awaitable<void> wait_for_ends(std::size_t count)
    {
        co_await events.wait_until(std::to_string(count) + " jobs to end",
                                   [this, count](const event_log&) { return ended.size() >= count; });
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_server_that_does_not_answer_keeps_no_job_of_another_waiting, frozen_server_test)
{
    run([&]() -> asio::awaitable<void> {
        client freezing{io.get_executor(), patient(server)}, answering{io.get_executor(), patient(other)};
        list_queue<int> away{freezing, "away"}, here{answering, "here"};
        const std::vector<int> two{1, 2};
        co_await away.async_push_many(two);
        worker subject{answering, {.concurrency = 1, .observers = {events.observe()}}};
        handle_until_frozen(subject, away);
        subject.handle(here, noting([](int) -> asio::awaitable<void> { co_return; }));
        background working{io.get_executor(), subject.async_run()};
        co_await wait_for_ends(1);
        for (int job = 3; job != 6; ++job) {
            co_await here.async_push(job);
            co_await wait_for_ends(static_cast<std::size_t>(job - 1));
        }
        server.thaw();
        co_await wait_for_ends(5);
        BOOST_TEST((ended == std::vector<int>{1, 3, 4, 5, 2}));
        subject.stop();
        co_await working.join();
        BOOST_TEST(most_running == 1);
        co_await freezing.async_stop();
        co_await answering.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_server_that_is_away_when_the_worker_begins_keeps_no_other_waiting,
                        frozen_server_test)
{
    run([&]() -> asio::awaitable<void> {
        client freezing{io.get_executor(), patient(server)}, answering{io.get_executor(), patient(other)};
        list_queue<int> away{freezing, "away"}, here{answering, "here"};
        co_await away.async_push(1);
        co_await here.async_push(2);
        server.freeze();
        worker subject{answering, {.concurrency = 1, .observers = {events.observe()}}};
        for (const auto& queue : {away, here})
            subject.handle(queue, noting([](int) -> asio::awaitable<void> { co_return; }));
        background working{io.get_executor(), subject.async_run()};
        co_await wait_for_ends(1);
        server.thaw();
        co_await wait_for_ends(2);
        BOOST_TEST((ended == std::vector<int>{2, 1}));
        subject.stop();
        co_await working.join();
        co_await freezing.async_stop();
        co_await answering.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_late_job_waits_for_a_place_or_goes_back, frozen_server_test)
{
    run([&]() -> asio::awaitable<void> {
        client freezing{io.get_executor(), patient(server)}, answering{io.get_executor(), patient(other)};
        list_queue<int> away{freezing, "away"}, here{answering, "here"};
        const std::vector<int> two{1, 2};
        co_await away.async_push_many(two);
        worker subject{answering, {.concurrency = 1, .observers = {events.observe()}}};
        handle_until_frozen(subject, away);
        subject.handle(here, noting([this](int) -> asio::awaitable<void> {
                           server.thaw();
                           co_await events.wait_for(event_kind::released); // the job that was taken late
                       }));
        background working{io.get_executor(), subject.async_run()};
        co_await here.async_push(3);
        co_await wait_for_ends(3);
        BOOST_TEST((ended == std::vector<int>{1, 3, 2}));
        subject.stop();
        co_await working.join();
        BOOST_TEST(most_running == 1);
        BOOST_TEST(events.count(event_kind::lease_lost) == 0U);
        co_await freezing.async_stop();
        co_await answering.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
