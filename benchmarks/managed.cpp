// SPDX-License-Identifier: MIT
#include "benchmark.hpp"
#include "managed_calls.hpp"
#include "workload.hpp"

#include <boost/redis/request.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace bench {
namespace {

constexpr std::size_t single_jobs = 5'000;
constexpr std::size_t cycle_jobs = 20'000;
constexpr int repeats = 9; // of growth, where the two sizes take turns

asio::awaitable<void> empty_database(coworker::detail::connection& redis)
{
    boost::redis::request request;
    request.push("FLUSHDB", "ASYNC");
    coworker::detail::reply answers;
    co_await redis.exec(request, answers, coworker::detail::patience::unlimited);
}

/// Puts, pops and completes jobs, each by a call of its own; returns the three costs.
asio::awaitable<std::array<double, 3>> singles(managed_calls& calls, std::size_t count)
{
    std::array<double, 3> cost{};
    cost[0] = co_await calls.put(count);
    cost[1] = co_await calls.pop(count);
    cost[2] = co_await calls.complete();
    co_return cost;
}

template<std::size_t What>
asio::awaitable<double> cost_of_single(coworker::client& redis)
{
    managed_calls calls{coworker::detail::connection_of(redis)};
    co_await calls.prepare();
    const auto cost = co_await singles(calls, single_jobs);
    co_await empty_database(coworker::detail::connection_of(redis));
    co_return cost[What];
}

asio::awaitable<double> cost_of_cycle(coworker::client& redis)
{
    managed_calls calls{coworker::detail::connection_of(redis)};
    co_await calls.prepare();
    const double cost = co_await calls.cycle(cycle_jobs);
    co_await empty_database(coworker::detail::connection_of(redis));
    co_return cost;
}

/// The costs of put, pop, complete and a cycle with one number of jobs in the database.
using costs = std::array<std::vector<double>, 4>;

asio::awaitable<void> measure(managed_calls& calls, costs& to)
{
    constexpr std::size_t some = 200;
    const auto cost = co_await singles(calls, some);
    for (std::size_t i = 0; i != cost.size(); ++i)
        to[i].push_back(cost[i]);
    to[3].push_back(co_await calls.cycle(some));
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// The URL of another database of the same server.
std::string second_database(const std::string& url)
{
    return url + (url.starts_with("unix:") ? "?db=1" : "/1");
}

/// One database of a thousand jobs and one of a million, in turns, since the machine's speed changes.
asio::awaitable<double> ratio_of_growth(coworker::client& redis)
{
    const auto executor = co_await asio::this_coro::executor;
    const auto other = second_database(coworker::detail::connection_of(redis).options().url);
    coworker::client second{executor, {.url = other}};
    co_await second.async_connect();
    managed_calls large{coworker::detail::connection_of(second)};
    co_await large.prepare();
    co_await large.fill(800'000, 100'000, 100'000);

    costs with_few, with_many;
    for (int i = 0; i != repeats; ++i) {
        managed_calls small{coworker::detail::connection_of(redis)};
        co_await small.prepare();
        co_await small.fill(600, 200, 200);
        co_await measure(small, with_few);
        co_await measure(large, with_many);
        co_await empty_database(coworker::detail::connection_of(redis));
    }
    co_await empty_database(coworker::detail::connection_of(second));
    co_await second.async_stop();

    double largest = 0;
    constexpr std::array names{"put", "pop", "complete", "cycle"};
    for (std::size_t i = 0; i != names.size(); ++i) {
        const double few = median(with_few[i]), many = median(with_many[i]);
        std::printf("  %-10s %6.1f us with 10^3 jobs, %6.1f us with 10^6: %.2f\n", names[i], few, many,
                    many / few);
        largest = std::max(largest, many / few);
    }
    co_return largest;
}

} // namespace

figure managed_put(const std::string& url)
{
    return {run(url, &cost_of_single<0>)};
}

figure managed_pop(const std::string& url)
{
    return {run(url, &cost_of_single<1>)};
}

figure managed_complete(const std::string& url)
{
    return {run(url, &cost_of_single<2>)};
}

figure managed_cycle(const std::string& url)
{
    return {run(url, &cost_of_cycle)};
}

figure managed_growth(const std::string& url)
{
    return {run(url, &ratio_of_growth)};
}

} // namespace bench
