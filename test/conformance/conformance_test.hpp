// SPDX-License-Identifier: MIT
#pragma once

#include "conformance/source_kind.hpp"
#include "support/expect.hpp"
#include "support/side_by_side.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace coworker::test {

/// Runs a test once for each kind of source that fits, side by side.
template<class Test>
void for_each_kind(Test test, bool needs_server = false)
{
    struct run
    {
        static asio::awaitable<void> with(source_kind& subject, Test& body)
        {
            co_await body(subject);
            co_await subject.end();
        }
    };
    std::vector<std::unique_ptr<source_kind>> kinds;
    side_by_side all;
    for (const auto& each : source_kinds())
        if (each.has_server || !needs_server) {
            auto& kind = *kinds.emplace_back(each.make());
            all.add(each.name, kind.io, run::with(kind, test));
        }
    all.run();
}

/// The same for those that are kept in Redis.
template<class Test>
void for_each_kind_in_redis(Test test)
{
    for_each_kind(std::move(test), true);
}

/// A worker's side of a queue, without the worker.
struct member
{
    std::unique_ptr<job_source> source;
    std::size_t number;

    explicit member(source_kind& kind) : source{kind.make_source()}, number{kind.sources()} {}

    asio::awaitable<void> open()
    {
        co_await source->open();
        source->lease_time(std::chrono::minutes{2});
    }

    asio::awaitable<std::vector<fetched_job>> take(std::size_t count)
    {
        auto answer = co_await source->ack_and_fetch({}, count);
        co_return std::move(answer.fetched);
    }

    asio::awaitable<fetched_job> take_one()
    {
        auto jobs = co_await take(1);
        BOOST_REQUIRE(jobs.size() == 1u);
        co_return std::move(jobs.front());
    }

    /// Returns whether the lease was held.
    asio::awaitable<bool> settle(const fetched_job& job, outcome result, bool repeated = false)
    {
        std::vector<acknowledgement> one;
        one.push_back({&job, &result, repeated});
        const auto answer = co_await source->ack_and_fetch(one, 0);
        co_return answer.lost.empty();
    }

    asio::awaitable<std::vector<std::size_t>> renew(fetched_job* first, fetched_job* second = nullptr,
                                                    fetched_job* third = nullptr)
    {
        std::vector<fetched_job*> jobs;
        for (auto* job : {first, second, third})
            if (job != nullptr)
                jobs.push_back(job);
        co_return co_await source->renew(jobs);
    }

    /// Its process is killed.
    asio::awaitable<void> die(source_kind& kind)
    {
        source.reset();
        co_await kind.kill(number);
    }

    asio::awaitable<void> recover()
    {
        co_await source->recover(std::chrono::minutes{2}, std::chrono::hours{1});
    }

    /// Takes a job whose lease has ended, or whose worker is dead. Another worker may be the monitor at the moment.
    asio::awaitable<fetched_job> take_over()
    {
        for (;;) {
            co_await recover();
            auto jobs = co_await take(1);
            if (!jobs.empty())
                co_return std::move(jobs.front());
            co_await let_pass(std::chrono::milliseconds{10});
        }
    }
};

/// Runs a test with a worker's side of each kind of queue, on which these jobs wait.
template<class Test>
void with_jobs(std::vector<std::string> jobs, Test test)
{
    for_each_kind([&](source_kind& kind) -> asio::awaitable<void> {
        member one{kind};
        co_await one.open();
        for (const auto& each : jobs)
            kind.push(each);
        co_await test(kind, one);
    });
}

inline std::vector<std::string> ids(const std::vector<fetched_job>& jobs)
{
    std::vector<std::string> all;
    for (const auto& each : jobs)
        all.emplace_back(each.id());
    return all;
}

} // namespace coworker::test
