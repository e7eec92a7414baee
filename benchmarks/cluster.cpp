// SPDX-License-Identifier: MIT
#include "benchmark.hpp"
#include "stage.hpp"
#include "support/cluster_servers.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

/// One queue over the three nodes of a cluster, beside one that is not divided, on a single server. All of them share
/// this machine's cores, so more nodes cannot be faster here: what counts is what a job costs each side. Three nodes
/// that work at the same time take caches from each other as well, so that is also measured of one node after the other.
namespace bench {
namespace {

constexpr long partitions = 12;
constexpr long jobs = 400'000;
constexpr long spread_jobs = 100'000;

class cluster
{
public:
    std::string url() { return "redis+cluster://127.0.0.1:" + std::to_string(nodes_[0].tcp_port()); }

    double cpu()
    {
        double sum = 0;
        for (std::size_t i = 0; i != nodes_.size(); ++i)
            sum += cpu_of(nodes_[i]);
        return sum;
    }

    void empty()
    {
        for (std::size_t i = 0; i != nodes_.size(); ++i)
            nodes_[i]("FLUSHALL");
    }

    std::size_t size() const { return nodes_.size(); }

    /// Leaves the jobs of one node only. Returns how many these are.
    long leave(std::size_t node)
    {
        for (std::size_t i = 0; i != nodes_.size(); ++i)
            if (i != node)
                nodes_[i]("FLUSHALL");
        const auto left = sizes();
        return static_cast<long>(std::accumulate(left.begin(), left.end(), std::int64_t{0}));
    }

    /// The largest partition, in parts of the mean.
    double spread()
    {
        const auto sizes = this->sizes();
        const auto sum = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
        if (sizes.size() != partitions || sum == 0)
            throw std::runtime_error{"cluster: jobs are in " + std::to_string(sizes.size()) + " partitions"};
        return static_cast<double>(*std::max_element(sizes.begin(), sizes.end()) * partitions) /
               static_cast<double>(sum);
    }

private:
    /// Of all partitions with jobs.
    std::vector<std::int64_t> sizes()
    {
        std::vector<std::int64_t> found;
        for (std::size_t i = 0; i != nodes_.size(); ++i)
            for (const auto& key : nodes_[i]("KEYS", "hworker-jobs-{bench:*}").texts())
                found.push_back(nodes_[i]("LLEN", key).integer);
        return found;
    }

    coworker::test::cluster_servers nodes_;
};

task list_task(const std::string& url, long divided_by, std::string what, long count, std::string how)
{
    task result{.kind = "list", .url = url, .what = std::move(what), .count = count, .how = std::move(how)};
    result.partitions = divided_by;
    return result;
}

/// Works jobs off that were pushed before.
template<class Cpu>
drained work_off(stage& on, const std::string& url, long divided_by, long count, Cpu redis_cpu)
{
    const auto number = static_cast<double>(count);
    const double before = redis_cpu();
    const auto worked = on.apart(list_task(url, divided_by, "work", count, "drain"));
    return {number / worked.seconds, (redis_cpu() - before) * 1e6 / number, worked.cpu * 1e6 / number};
}

/// Pushes the jobs, and works them off.
struct rates
{
    double push = 0; ///< jobs per second
    drained work;
};

template<class Cpu>
rates measure(stage& on, const std::string& url, long divided_by, Cpu redis_cpu)
{
    const auto count = on.some(jobs);
    const auto pushed = on.apart(list_task(url, divided_by, "push", count, "bulk"));
    return {static_cast<double>(count) / pushed.seconds, work_off(on, url, divided_by, count, redis_cpu)};
}

/// The nodes' jobs are worked off while the other nodes have none.
drained node_by_node(stage& on, cluster& nodes)
{
    double count = 0;
    drained sum;
    for (std::size_t i = 0; i != nodes.size(); ++i) {
        nodes.empty();
        on.apart(list_task(nodes.url(), partitions, "push", on.some(jobs), "bulk"));
        const long left = nodes.leave(i);
        const auto work = work_off(on, nodes.url(), partitions, left, [&] { return nodes.cpu(); });
        const auto number = static_cast<double>(left);
        sum.redis_us += work.redis_us * number;
        sum.worker_us += work.worker_us * number;
        count += number;
    }
    return {.redis_us = sum.redis_us / count, .worker_us = sum.worker_us / count};
}

} // namespace

figures cluster_figures(stage& on)
{
    cluster three;
    on.empty();
    const auto one = measure(on, on.tcp_url(), 0, [&] { return on.redis_cpu(); });
    const auto divided = measure(on, three.url(), partitions, [&] { return three.cpu(); });
    const auto apart = node_by_node(on, three);
    on.empty();
    three.empty();
    on.apart(list_task(three.url(), partitions, "push", on.some(spread_jobs), "flight"));
    const auto spread = three.spread();
    three.empty();
    const auto idle = [&](const std::string& url, long divided_by) {
        return idle_latency(list_task(url, divided_by, "work", on.some(2'000), "latency")).p50;
    };
    return {{"cluster.push.bulk", "jobs/s", divided.push, one.push},
            {"cluster.drain", "jobs/s", divided.work.rate, one.work.rate},
            {"cluster.cpu.redis", "us/job", divided.work.redis_us, one.work.redis_us},
            {"cluster.cpu.worker", "us/job", divided.work.worker_us, one.work.worker_us},
            {"cluster.node.cpu.redis", "us/job", apart.redis_us, one.work.redis_us},
            {"cluster.node.cpu.worker", "us/job", apart.worker_us, one.work.worker_us},
            {"cluster.spread", "largest/mean", spread},
            {"cluster.latency.idle", "us", idle(three.url(), partitions), idle(on.tcp_url(), 0)}};
}

} // namespace bench
