// SPDX-License-Identifier: MIT
#include "benchmark.hpp"
#include "managed_calls.hpp"
#include "stage.hpp"
#include "workload.hpp"

#include <array>

namespace bench {
namespace {

constexpr long single_jobs = 5'000;
constexpr long cycle_jobs = 20'000;

} // namespace

figures managed_costs(stage& on)
{
    using costs = std::array<double, 4>;
    const auto found = run<costs>(on.socket_url(), [&](coworker::client& redis) -> asio::awaitable<costs> {
        managed_calls calls{coworker::detail::connection_of(redis)};
        co_await calls.prepare();
        costs cost{};
        cost[0] = co_await calls.put(static_cast<std::size_t>(on.some(single_jobs)));
        cost[1] = co_await calls.pop(static_cast<std::size_t>(on.some(single_jobs)));
        cost[2] = co_await calls.complete();
        cost[3] = co_await calls.cycle(static_cast<std::size_t>(on.some(cycle_jobs)));
        co_return cost;
    });
    on.empty();
    return {{"managed.put", "us/job", found[0]},
            {"managed.pop", "us/job", found[1]},
            {"managed.complete", "us/job", found[2]},
            {"managed.cycle", "us/job", found[3]}};
}

} // namespace bench
