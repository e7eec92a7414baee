// SPDX-License-Identifier: MIT
#include "perform.hpp"

#include "redis/connection/connection.hpp"

#include <boost/redis/request.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

/// How jobs are pushed: see `task::how`.
namespace bench {
namespace {

constexpr long in_flight = 100;

struct list_way
{
    list_way(coworker::client& redis, long number, const task& what)
        : queue{open_list_queue(redis, number, what)}
    {}
    auto push(const letter& job) { return queue.async_push(job); }
    auto push_many(const std::vector<letter>& jobs) { return queue.async_push_many(jobs); }
    coworker::list_queue<letter> queue;
};

struct managed_way
{
    managed_way(coworker::client& redis, long number, const task&) : queue{redis, queue_name(number)} {}
    auto push(const letter& job) { return queue.async_push("Letter", job); }
    auto push_many(const std::vector<letter>& jobs) { return queue.async_push_many("Letter", jobs); }
    coworker::managed_queue queue;
};

/// LPUSH of the time alone: the ceiling of latencies.
struct bare_way
{
    bare_way(coworker::client& client, long, const task&) : redis{coworker::detail::connection_of(client)} {}
    asio::awaitable<void> push(const letter& job)
    {
        boost::redis::request request;
        request.push("LPUSH", "bare", std::to_string(job.number));
        coworker::detail::reply answer;
        co_await redis.exec(request, answer);
        answer.throw_if_error();
    }
    asio::awaitable<void> push_many(const std::vector<letter>& jobs)
    {
        for (const auto& job : jobs)
            co_await push(job);
    }
    coworker::detail::connection& redis;
};

template<class Way>
asio::awaitable<void> push_singly(Way& to, const task& what, long count)
{
    for (long i = 0; i != count; ++i) {
        const auto job = make_letter(i, what.size);
        co_await to.push(job);
    }
}

template<class Way>
asio::awaitable<void> push_at_once(std::vector<Way>& to, const task& what)
{
    const auto queues = static_cast<long>(to.size());
    for (long i = 0; i != queues; ++i) {
        const auto jobs = make_letters(what.count / queues + (i < what.count % queues ? 1 : 0), what.size);
        co_await to[static_cast<std::size_t>(i)].push_many(jobs);
    }
}

/// One job at a time, at times that fit to nothing, and so that a worker is idle again before the next one.
template<class Way>
asio::awaitable<void> push_now_and_then(Way& to, const task& what)
{
    std::mt19937 random;
    std::uniform_int_distribution<int> microseconds{2'000, 3'000};
    for (long i = 0; i != what.count; ++i) {
        const auto next = clock::now() + std::chrono::microseconds{microseconds(random)};
        co_await pause_until(next);
        const auto job = make_letter(latencies::now(), what.size);
        co_await to.push(job);
    }
}

/// At times that are fixed beforehand: a producer that falls behind pushes what is overdue at once, and those jobs
/// count as pushed when they were due.
template<class Way>
asio::awaitable<void> push_at_a_rate(std::vector<Way>& to, const task& what)
{
    const auto begin = clock::now();
    const auto started = latencies::now();
    std::size_t turn = 0;
    for (long pushed = 0; pushed < what.count;) {
        const auto due = std::min(what.count, static_cast<long>(seconds_since(begin) * what.rate) + 1);
        std::vector<letter> jobs;
        for (; pushed < due; ++pushed)
            jobs.push_back(
                make_letter(started + std::lround(static_cast<double>(pushed) * 1e9 / what.rate), what.size));
        co_await to[turn++ % to.size()].push_many(jobs);
        const std::chrono::duration<double> next{static_cast<double>(pushed) / what.rate};
        const auto when = begin + std::chrono::duration_cast<clock::duration>(next);
        if (when > clock::now())
            co_await pause_until(when);
    }
}

template<class Way>
asio::awaitable<measured> push(coworker::client& redis, const task& what)
{
    std::vector<Way> to;
    for (long i = 0; i != what.queues; ++i)
        to.emplace_back(redis, i, what);
    const meter counting;
    if (what.how == "one") {
        co_await push_singly(to[0], what, what.count);
    } else if (what.how == "flight") {
        std::vector<asio::awaitable<void>> pushers;
        for (long i = 0; i != in_flight; ++i)
            pushers.push_back(push_singly(to[0], what, what.count / in_flight));
        co_await run_all(std::move(pushers));
    } else if (what.how == "bulk") {
        co_await push_at_once(to, what);
    } else if (what.how == "paced") {
        co_await push_now_and_then(to[0], what);
    } else if (what.how == "rate") {
        co_await push_at_a_rate(to, what);
    } else {
        throw std::runtime_error{"there is no way to push called " + what.how};
    }
    co_return counting.stop();
}

} // namespace

asio::awaitable<measured> push_to_list(coworker::client& redis, const task& what)
{
    return push<list_way>(redis, what);
}

asio::awaitable<measured> push_to_managed(coworker::client& redis, const task& what)
{
    return push<managed_way>(redis, what);
}

asio::awaitable<measured> push_barely(coworker::client& redis, const task& what)
{
    return push<bare_way>(redis, what);
}

} // namespace bench
