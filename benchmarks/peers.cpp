// SPDX-License-Identifier: MIT
#include "peers.hpp"
#include "stage.hpp"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <stdexcept>

/// Other queues of jobs, measured in the same way: server, producer and worker in processes of their own. Their drivers
/// are in the folder peers; scripts/bench --peers installs what they need.
namespace bench {
namespace {

struct peer
{
    const char* name;
    const char* driver; ///< a file of build/peers, or one of our own kinds of tasks
    enum
    {
        on_redis,
        on_beanstalkd,
        on_nats,
        on_postgres
    } server;
    long jobs; ///< that are drained; about a second of work
    const char* when_killed;
};

constexpr peer peers[] = {
    {"coworker", "list", peer::on_redis, 400'000, "run again after 2 s"},
    {"coworker_managed", "managed", peer::on_redis, 50'000, "run again after 2 s"},
    {"bullmq", "bullmq.js", peer::on_redis, 30'000, "run again after 30 to 60 s"},
    {"bee-queue", "bee-queue.js", peer::on_redis, 30'000, "run again if the program calls checkStalledJobs"},
    {"sidekiq", "sidekiq.rb", peer::on_redis, 20'000, "are lost"},
    {"beanstalkd", "beanstalkd", peer::on_beanstalkd, 100'000,
     "run again at once; a killed server loses all (no -b)"},
    {"jetstream", "jetstream.js", peer::on_nats, 50'000, "run again after 30 s"},
    {"graphile-worker", "graphile-worker.js", peer::on_postgres, 10'000, "run again after 4 hours"},
};

/// What a peer's processes talk to.
struct server
{
    std::string url;
    std::optional<temporary_folder> folder{};
    std::optional<part> running{}; ///< none: the Redis that is there
};

void start(server& it, stage& on, const peer& what)
{
    it.folder.emplace();
    const auto port = std::to_string(coworker::test::find_free_port());
    const auto here = [&](const char* scheme) { return scheme + std::string{"://127.0.0.1:"} + port; };
    switch (what.server) {
    case peer::on_redis:
        on.empty();
        it.url = on.tcp_url();
        return;
    case peer::on_beanstalkd:
        it.url = here("tcp");
        it.running.emplace(std::vector<std::string>{
            "sh", "-c", "(sleep 0.5; echo ready) & exec beanstalkd -l 127.0.0.1 -p " + port});
        break;
    case peer::on_nats:
        it.url = here("nats");
        it.running.emplace(std::vector<std::string>{"nats-server", "-js", "-sd", it.folder->path().string(),
                                                    "-a", "127.0.0.1", "-p", port});
        break;
    case peer::on_postgres:
        it.url = "postgres://postgres@localhost/postgres?host=" + it.folder->path().string();
        it.running.emplace(
            std::vector<std::string>{BENCH_FOLDER "/peers/postgres", it.folder->path().string()});
        break;
    }
    it.running->wait_until_ready();
}

std::vector<std::string> command_of(const peer& what, const std::string& url, const char* part, long count,
                                    const char* how)
{
    const std::string driver = what.driver;
    if (!driver.ends_with(".js") && !driver.ends_with(".rb"))
        return task{.kind = driver, .url = url, .what = part, .count = count, .how = how}.words();
    const auto file = BENCH_FOLDER "/../build/peers/" + driver;
    if (!std::filesystem::exists(file))
        throw std::runtime_error{"its driver is not installed: scripts/bench --peers does that"};
    return {driver.ends_with(".js") ? "node" : "ruby", file, url, part, std::to_string(count), how};
}

figures measure(stage& on, const peer& what)
{
    server at;
    start(at, on, what);
    const auto name = std::string{"peers."} + what.name;
    const auto command = [&](const char* part, long count, const char* how) {
        return command_of(what, at.url, part, count, how);
    };
    figures found;
    const auto push_rate = [&](const char* how, long count) {
        const auto took = part{command("push", count, how)}.result();
        return static_cast<double>(count) / took.seconds;
    };
    // What these push is worked off first, so that the drain begins with what was pushed for it.
    const long one = on.some(5'000), flight = on.some(20'000) / 100 * 100;
    found.push_back({name + ".push.one", "jobs/s", push_rate("one", one)});
    if (flight > 0)
        found.push_back({name + ".push.flight", "jobs/s", push_rate("flight", flight)});
    part{command("work", one + flight, "drain")}.result();

    const long count = on.some(what.jobs);
    found.push_back({name + ".push.bulk", "jobs/s", push_rate("bulk", count)});
    const double before = on.redis_cpu();
    const auto drained = part{command("work", count, "drain")}.result();
    found.push_back({name + ".drain", "jobs/s", static_cast<double>(count) / drained.seconds});
    found.push_back({name + ".cpu.worker", "us/job", drained.cpu * 1e6 / static_cast<double>(count)});
    if (what.server == peer::on_redis)
        found.push_back(
            {name + ".cpu.redis", "us/job", (on.redis_cpu() - before) * 1e6 / static_cast<double>(count)});

    const auto idle =
        latency(command("work", on.some(1'000), "latency"), command("push", on.some(1'000), "paced"));
    found.push_back({name + ".latency.p50", "us", idle.p50});
    found.push_back({name + ".latency.p99", "us", idle.p99});
    if (at.running)
        at.running->stop();
    on.empty();
    return found;
}

} // namespace

figures peer_figures(stage& on)
{
    figures found;
    for (const auto& each : peers) {
        try {
            for (auto& figure : measure(on, each))
                found.push_back(std::move(figure));
            std::fprintf(stderr, "bench: %s is done\n", each.name);
        } catch (const std::exception& error) {
            skip(each.name, error.what());
        }
    }
    return found;
}

std::vector<compared> list_peers()
{
    std::vector<compared> found;
    for (const auto& each : peers)
        found.push_back({each.name, each.when_killed});
    return found;
}

} // namespace bench
