#pragma once

#include "conformance/source_kind.hpp"
#include "support/expect.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace coworker::test {

/// Runs a test once for each kind of source.
template<class Test>
void for_each_kind(Test test)
{
    for (const auto& each : source_kinds())
        BOOST_TEST_CONTEXT(each.name)
        {
            const auto kind = each.make();
            run_coroutine(kind->io, [](source_kind& subject, Test& body) -> asio::awaitable<void> {
                co_await body(subject);
                co_await subject.end();
            }(*kind, test));
        }
}

/// A worker's side of a queue, without the worker.
struct member
{
    std::unique_ptr<job_source> source;

    explicit member(source_kind& kind) : source{kind.make_source()} {}

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

    asio::awaitable<void> recover()
    {
        co_await source->recover(std::chrono::minutes{2}, std::chrono::hours{1});
    }

    /// Takes a job whose lease has ended. Another worker may be the monitor at the moment.
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

inline std::vector<std::string> ids(const std::vector<fetched_job>& jobs)
{
    std::vector<std::string> all;
    for (const auto& each : jobs)
        all.emplace_back(each.id());
    return all;
}

} // namespace coworker::test
