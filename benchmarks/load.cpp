// SPDX-License-Identifier: MIT
#include "benchmark.hpp"
#include "stage.hpp"

#include <algorithm>

/// Producers and workers together, end to end.
namespace bench {
namespace {

struct variant
{
    const char* name;
    long count;       ///< of jobs that are worked off to learn the rate
    std::size_t size; ///< of a job, in bytes
    long queues;
    double handler_ms;
};

constexpr variant variants[] = {
    {"plain", 200'000, 0, 1, 0},    {"timer", 100'000, 0, 1, 1},     {"1k", 100'000, 1'000, 1, 0},
    {"100k", 4'000, 100'000, 1, 0}, {"10queues", 200'000, 0, 10, 0}, {"100queues", 200'000, 0, 100, 0},
};
constexpr double seconds = 4;

} // namespace

/// For each variant the rate at which waiting jobs are worked off; then, at shares of that rate, how long jobs take
/// from when they are due to be pushed to the start of their handler.
figures load_figures(stage& on)
{
    figures found;
    for (const auto& each : variants) {
        const auto name = std::string{"load."} + each.name;
        task work{.kind = "list",
                  .url = on.tcp_url(),
                  .what = "work",
                  .count = on.some(each.count),
                  .how = "drain"};
        work.size = each.size;
        work.queues = each.queues;
        work.handler_ms = each.handler_ms;
        const double rate = drain(on, work).rate;
        found.push_back({name + ".drain", "jobs/s", rate});
        for (const int percent : {10, 50, 90}) {
            task push = work;
            push.rate = rate * percent / 100;
            push.count = work.count = std::max(on.some(static_cast<long>(push.rate * seconds)), 100L);
            push.what = "push";
            push.how = "rate";
            work.how = "latency";
            const auto took = latency(work.words(), push.words());
            const auto at = name + '.' + std::to_string(percent);
            found.push_back({at + ".p50", "us", took.p50});
            found.push_back({at + ".p99", "us", took.p99});
            found.push_back({at + ".p999", "us", took.p999});
            on.empty();
        }
    }
    return found;
}

} // namespace bench
