// SPDX-License-Identifier: MIT
#pragma once

#include "support/expect.hpp"
#include "support/redis_test.hpp"

#include "coworker/inspector.hpp"
#include "coworker/list_queue.hpp"
#include "coworker/worker.hpp"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace coworker::test {

/// What an attempt to connect throws, given half a second, and then more until it tells what it has found. A busy
/// machine may not have found anything after a short time, and this one is waited for to its end.
template<std::invocable<std::chrono::milliseconds> Attempt>
thrown error_found_by(Attempt attempt)
{
    for (std::chrono::milliseconds limit{500};; limit *= 2) {
        const thrown result = attempt(limit);
        if (!result.says("no answer") || limit > patience)
            return result;
    }
}

/// A server, and clients of it whose connections tell `events`.
struct connection_test : redis_test
{
    /// Runs a test with a client that has these options, and with a queue on it.
    template<class Test>
    void run_with(client_options how, Test test)
    {
        run([&]() -> asio::awaitable<void> {
            client redis{io.get_executor(), how};
            list_queue<int> numbers{redis, "numbers"};
            co_await test(redis, numbers);
            co_await redis.async_stop();
        });
    }
    template<class Test>
    void run_with_client(Test test)
    {
        run_with(observed_options(), std::move(test));
    }

    /// Of a client that does not wait for long.
    client_options impatient() const
    {
        auto result = observed_options();
        result.command_timeout = std::chrono::milliseconds{300};
        return result;
    }
};

/// A server with a client, and a queue of numbers on it.
struct client_test : redis_test
{
    client redis{io.get_executor(), options()};
    list_queue<int> numbers{redis, "numbers"};

    /// Runs a test and stops the client, so once only.
    template<class Test>
    void run(Test test)
    {
        redis_test::run([&]() -> asio::awaitable<void> {
            co_await test();
            co_await redis.async_stop();
        });
    }

    /// The number of waiting payloads, behind coworker's back.
    std::int64_t length() { return server("LLEN", "hworker-jobs-numbers").integer; }

    /// Waiting payloads, next to run first.
    std::vector<std::string> payloads()
    {
        auto all = server("LRANGE", "hworker-jobs-numbers", 0, -1).texts();
        return {all.rbegin(), all.rend()};
    }

    /// Queues a payload as a program does that knows nothing of coworker.
    void push_raw(const std::string& payload) { server("LPUSH", "hworker-jobs-numbers", payload); }

    /// All jobs of the queue in a state, as an inspector shows them.
    asio::awaitable<std::vector<job_info>> jobs_in(job_state state)
    {
        const inspector look{redis};
        std::vector<job_info> jobs;
        std::string cursor;
        do {
            auto page = co_await look.async_jobs(queue_ref::list("numbers"), state, std::move(cursor), 1000);
            std::move(page.jobs.begin(), page.jobs.end(), std::back_inserter(jobs));
            cursor = std::move(page.next);
        } while (!cursor.empty());
        co_return jobs;
    }

    /// Acts on all of them; returns how many there were.
    asio::awaitable<std::size_t> act_on_all(job_action action, job_state state)
    {
        const inspector act{redis};
        job_filter which;
        which.state = state;
        co_return co_await act.async_act_on_all(action, queue_ref::list("numbers"), std::move(which));
    }

    /// Another worker of coworker's holds what is in progress from now on.
    void take_away()
    {
        for (const auto& payload : server("HKEYS", "hworker-progress-numbers").texts())
            server("HSET", "hworker-progress-numbers", payload, R"("2999-01-01T00:00:00.000000000099Z")");
    }

    // --- with a worker ---

    /// Options under which the worker's events go to `events`.
    worker_options observed(worker_options options = {}) const
    {
        options.observers.push_back(events.observe());
        return options;
    }

    background start(worker& subject) { return {io.get_executor(), subject.async_run()}; }

    asio::awaitable<void> stop(worker& subject, background& run)
    {
        subject.stop();
        co_await run.join();
    }

    /// Runs a worker until `count` jobs have ended, in whatever way, and stops it.
    asio::awaitable<void> work(worker& subject, std::size_t count)
    {
        auto run = start(subject);
        co_await events.wait_until(std::to_string(count) + " jobs to end", [=](const event_log& log) {
            return log.count(event_kind::succeeded) + log.count(event_kind::failed) +
                       log.count(event_kind::broken) >=
                   count;
        });
        co_await stop(subject, run);
    }
};

} // namespace coworker::test
