// SPDX-License-Identifier: MIT
#include "benchmark.hpp"
#include "stage.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

/// What it costs that jobs survive more than the process of Redis.
namespace bench {
namespace {

constexpr long many = 400'000;
constexpr long concurrent = 200'000;

task list_task(stage& on, std::string what, long count, std::string how, long replicas = 0)
{
    task result{.kind = "list",
                .url = on.tcp_url(),
                .what = std::move(what),
                .count = on.some(count),
                .how = std::move(how)};
    result.replicas = replicas;
    return result;
}

void measure(stage& on, const std::string& how, long replicas, figures& found)
{
    const auto name = "durable." + how + '.';
    found.push_back({name + "push.concurrent", "jobs/s",
                     push_rate(on, list_task(on, "push", concurrent, "flight", replicas))});
    found.push_back(
        {name + "push.bulk", "jobs/s", push_rate(on, list_task(on, "push", many, "bulk", replicas))});
    found.push_back({name + "drain", "jobs/s", drain(on, list_task(on, "work", many, "drain")).rate});
}

/// An append-only file for as long as this lives.
class append_only_file
{
public:
    append_only_file(redis_server& server, const std::string& appendfsync) : server_{server}
    {
        server_("CONFIG", "SET", "appendfsync", appendfsync);
        server_("CONFIG", "SET", "appendonly", "yes");
    }
    ~append_only_file() { server_.raw().try_command({"CONFIG", "SET", "appendonly", "no"}); }
    append_only_file(const append_only_file&) = delete;
    append_only_file& operator=(const append_only_file&) = delete;

private:
    redis_server& server_;
};

/// A replica of the stage's server that has caught up.
std::unique_ptr<redis_server> add_replica(stage& on)
{
    using namespace std::chrono_literals;
    on.redis()("CONFIG", "SET", "repl-diskless-sync-delay", "0");
    auto replica = std::make_unique<redis_server>();
    (*replica)("REPLICAOF", "127.0.0.1", on.redis().tcp_port());
    const auto until = std::chrono::steady_clock::now() + 30s;
    while (on.redis().raw().info("replication", "slave0").find("state=online") == std::string::npos) {
        if (std::chrono::steady_clock::now() > until)
            throw std::runtime_error{"durable: the replica does not follow"};
        std::this_thread::sleep_for(1ms);
    }
    return replica;
}

} // namespace

figures durable_figures(stage& on)
{
    figures found;
    measure(on, "memory", 0, found);
    for (const std::string appendfsync : {"everysec", "always"}) {
        const append_only_file file{on.redis(), appendfsync};
        measure(on, appendfsync, 0, found);
    }
    const auto replica = add_replica(on);
    measure(on, "replicated", 1, found);
    return found;
}

} // namespace bench
