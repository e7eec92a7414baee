// SPDX-License-Identifier: MIT
#include "benchmark.hpp"
#include "stage.hpp"

/// Figures in the setting that users have (Redis over TCP, processes of their own, default options), and beside them
/// those of one process with a unix socket.
namespace bench {
namespace {

constexpr long push_count = 200'000;
constexpr long one_count = 20'000;
constexpr long bulk_count = 1'000'000;
constexpr long drain_count = 400'000;
constexpr long managed_count = 50'000;
constexpr long idle_count = 2'000;

task list_task(const std::string& url, std::string what, long count, std::string how)
{
    return {.kind = "list", .url = url, .what = std::move(what), .count = count, .how = std::move(how)};
}

/// Figures of a drain beside those of its bare loop.
figures beside_its_ceiling(stage& on, const std::string& name, const task& work)
{
    task bare = work;
    bare.kind += ".bare";
    const auto limit = drain(on, bare), own = drain(on, work);
    return {{"drain." + name + ".tcp", "jobs/s", own.rate, limit.rate},
            {"cpu.redis." + name, "us/job", own.redis_us, limit.redis_us},
            {"cpu.worker." + name, "us/job", own.worker_us, limit.worker_us}};
}

} // namespace

figures push_figures(stage& on)
{
    figures found;
    const auto add = [&](const std::string& name, const std::string& kind, const std::string& how,
                         long count) {
        auto what = list_task(on.tcp_url(), "push", on.some(count), how);
        what.kind = kind;
        found.push_back({"push." + name + ".tcp", "jobs/s", push_rate(on, what, true)});
        if (kind == "list") {
            what.url = on.socket_url();
            found.push_back({"push." + name, "jobs/s", push_rate(on, what, false)});
        }
    };
    add("one", "list", "one", one_count);
    add("concurrent", "list", "flight", push_count);
    add("bulk", "list", "bulk", bulk_count);
    add("managed.one", "managed", "one", one_count / 2);
    add("managed.concurrent", "managed", "flight", managed_count);
    add("managed.bulk", "managed", "bulk", managed_count);
    return found;
}

figures drain_here(stage& on)
{
    figures found;
    for (const std::string kind : {"list", "managed"}) {
        auto work =
            list_task(on.socket_url(), "work", on.some(kind == "list" ? bulk_count : managed_count), "drain");
        work.kind = kind + ".bare";
        const double limit = drain(on, work, false).rate;
        work.kind = kind;
        found.push_back({"drain." + kind, "jobs/s", drain(on, work, false).rate, limit});
    }
    return found;
}

figures drain_list(stage& on)
{
    return beside_its_ceiling(on, "list", list_task(on.tcp_url(), "work", on.some(drain_count), "drain"));
}

figures drain_managed(stage& on)
{
    auto work = list_task(on.tcp_url(), "work", on.some(managed_count), "drain");
    work.kind = "managed";
    return beside_its_ceiling(on, "managed", work);
}

figures latency_tcp(stage& on)
{
    const auto of = [&](const std::string& kind, long partitions = 0) {
        on.empty();
        auto work = list_task(on.tcp_url(), "work", on.some(idle_count), "latency");
        work.kind = kind;
        work.partitions = partitions;
        return idle_latency(work);
    };
    const auto bare = of("pop.bare"), list = of("list"), managed = of("managed"), parted = of("list", 16);
    on.empty();
    return {{"latency.idle.tcp", "us", list.p50, bare.p50},
            {"latency.idle.tcp.p99", "us", list.p99, bare.p99},
            {"latency.idle.partitions.tcp", "us", parted.p50, list.p50},
            {"latency.idle.managed.tcp", "us", managed.p50, bare.p50},
            {"latency.idle.managed.tcp.p99", "us", managed.p99, bare.p99}};
}

} // namespace bench
