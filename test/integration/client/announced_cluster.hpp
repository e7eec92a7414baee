// SPDX-License-Identifier: MIT
#pragma once

#include "support/client_test.hpp"
#include "support/cluster_servers.hpp"
#include "support/process.hpp"
#include "support/tcp_relay.hpp"
#include "support/temporary_folder.hpp"

#include "redis/cluster/key_slot.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace coworker::test {

/// A certificate that all nodes of a cluster show, and its key.
class certificate
{
public:
    /// @param names  such as "DNS:localhost"
    explicit certificate(const std::string& names)
    {
        process::run({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                      "-nodes", "-days", "2", "-subj", "/CN=cluster", "-addext", "subjectAltName=" + names,
                      "-keyout", folder_.file("key.pem"), "-out", file()});
    }

    std::string file() const { return folder_.file("certificate.pem"); }

    std::vector<std::vector<std::string>> config() const
    {
        return {{"tls-cert-file", file()},
                {"tls-key-file", folder_.file("key.pem")},
                {"tls-ca-cert-file", file()}};
    }

private:
    temporary_folder folder_;
};

/// A Redis Cluster as behind containers: its nodes listen on 127.0.0.2, where nobody is sent to. They announce ports of
/// 127.0.0.1, from which everything is passed on to them, also what they say to each other. So who uses a port that a
/// node listens on, at the host that it announces, finds nobody there.
class announced_cluster
{
public:
    using lines = std::vector<std::vector<std::string>>;

    /// @param speaks_tls  among themselves and to clients, and nothing else
    /// @param config  of each node
    /// @param node_timeout  for how long a node may not answer before it counts as failed
    explicit announced_cluster(bool speaks_tls, lines config = {},
                               std::chrono::milliseconds node_timeout = long_node_timeout)
        : speaks_tls_{speaks_tls}, config_{std::move(config)}, node_timeout_{node_timeout}
    {
        for (int i = 0; i != 3; ++i)
            start_node();
        nodes_[0].server("CLUSTER", "ADDSLOTSRANGE", 0, 5460);
        nodes_[1].server("CLUSTER", "ADDSLOTSRANGE", 5461, 10922);
        nodes_[2].server("CLUSTER", "ADDSLOTSRANGE", 10923, 16383);
        introduce(nodes_[1]);
        introduce(nodes_[2]);
        wait_until_well();
    }

    redis_server& operator[](std::size_t i) { return nodes_[i].server; }
    redis_server& home_of(const std::string& key)
    {
        const auto slot = detail::slot_of(key);
        return nodes_[slot <= 5460 ? 0 : slot <= 10922 ? 1 : 2].server;
    }
    /// Where clients reach a node.
    std::string port(std::size_t i) const { return std::to_string(nodes_[i].clients->port()); }
    /// How many have.
    std::size_t connections(std::size_t i) const { return nodes_[i].clients->connections(); }

    redis_server& add_replica_of(redis_server& primary)
    {
        auto& replica = start_node();
        introduce(replica);
        wait_until_well();
        replica.server("CLUSTER", "REPLICATE", primary("CLUSTER", "MYID").text);
        wait_for("the replica follows its primary",
                 [&] { return replica.server.raw().info("replication", "master_link_status") == "up"; });
        return replica.server;
    }

    /// Moves all of a slot.
    void move(std::uint16_t slot, std::size_t from, std::size_t to)
    {
        auto& old_home = nodes_[from].server;
        auto& new_home = nodes_[to].server;
        const auto id = new_home("CLUSTER", "MYID").text;
        new_home("CLUSTER", "SETSLOT", slot, "IMPORTING", old_home("CLUSTER", "MYID").text);
        old_home("CLUSTER", "SETSLOT", slot, "MIGRATING", id);
        for (const auto& key : old_home("CLUSTER", "GETKEYSINSLOT", slot, 1000).texts())
            old_home("MIGRATE", "127.0.0.1", port(to), key, 0, 5000);
        new_home("CLUSTER", "SETSLOT", slot, "NODE", id);
        old_home("CLUSTER", "SETSLOT", slot, "NODE", id);
    }

private:
    struct node
    {
        explicit node(redis_server_options how) : server{std::move(how)} {}

        redis_server server;
        std::unique_ptr<tcp_relay> clients, bus;
    };

    static std::string listening_port(const redis_server& server, bool speaks_tls)
    {
        const auto url = speaks_tls ? server.tls_url() : server.tcp_url();
        return url.substr(url.rfind(':') + 1);
    }

    node& start_node()
    {
        std::string bus_port;
        const auto start = [&]() -> node& {
            bus_port = std::to_string(find_free_port());
            return nodes_.emplace_back(options_with(bus_port));
        };
        auto& added = with_free_ports(start);
        const auto own_port = std::stoi(listening_port(added.server, speaks_tls_));
        added.clients = std::make_unique<tcp_relay>("127.0.0.2", own_port);
        added.bus = std::make_unique<tcp_relay>("127.0.0.2", std::stoi(bus_port));
        added.server("CONFIG", "SET", speaks_tls_ ? "cluster-announce-tls-port" : "cluster-announce-port",
                     added.clients->port(), "cluster-announce-bus-port", added.bus->port());
        return added;
    }

    redis_server_options options_with(const std::string& bus_port) const
    {
        redis_server_options how{.tcp = !speaks_tls_, .tls = speaks_tls_};
        how.config = {{"bind", "127.0.0.2"},
                      {"cluster-enabled", "yes"},
                      {"cluster-config-file", knowledge_.file(bus_port)},
                      {"cluster-node-timeout", std::to_string(node_timeout_.count())},
                      {"cluster-require-full-coverage", "no"},
                      {"cluster-announce-ip", "127.0.0.1"},
                      {"cluster-port", bus_port}};
        if (speaks_tls_)
            how.config.insert(how.config.end(), {{"tls-cluster", "yes"}, {"tls-replication", "yes"}});
        how.config.insert(how.config.end(), config_.begin(), config_.end());
        return how;
    }

    void introduce(const node& added)
    {
        nodes_[0].server("CLUSTER", "MEET", "127.0.0.1", added.clients->port(), added.bus->port());
    }

    static bool has_number(const redis_value& answer, std::int64_t number)
    {
        return (answer.type == redis_value::kind::integer && answer.integer == number) ||
               std::any_of(answer.elements.begin(), answer.elements.end(),
                           [&](const redis_value& part) { return has_number(part, number); });
    }

    bool is_well(redis_server& server)
    {
        const auto info = server("CLUSTER", "INFO").text;
        const auto known = server("CLUSTER", "NODES").text;
        return info.find("cluster_state:ok") != info.npos &&
               info.find("cluster_slots_ok:16384") != info.npos && known.find("handshake") == known.npos &&
               std::all_of(nodes_.begin(), nodes_.end(), [&](const node& each) {
                   const auto port = std::to_string(each.clients->port());
                   const auto bus = '@' + std::to_string(each.bus->port());
                   // Where there is no port without TLS, later servers show 0 to who is connected without it.
                   return known.find(':' + port + bus) != known.npos ||
                          (known.find(":0" + bus) != known.npos &&
                           has_number(server("CLUSTER", "SHARDS"), each.clients->port()));
               });
    }

    void wait_until_well()
    {
        for (auto& each : nodes_)
            wait_for("the nodes come together", [&] { return is_well(each.server); });
    }

    template<class Condition>
    static void wait_for(const std::string& what, Condition condition)
    {
        const auto give_up = std::chrono::steady_clock::now() + patience;
        while (!condition()) {
            if (std::chrono::steady_clock::now() > give_up)
                throw std::runtime_error{"in vain: " + what};
            std::this_thread::sleep_for(std::chrono::milliseconds{5});
        }
    }

    bool speaks_tls_;
    temporary_folder knowledge_{memory_if_possible()}; ///< of each node, about the others
    lines config_;
    std::chrono::milliseconds node_timeout_;
    std::deque<node> nodes_;
};

/// What clients and workers do on such a cluster.
struct announced_cluster_test
{
    asio::io_context io{1};
    event_log events{io.get_executor()};

    /// A queue at each node.
    const std::vector<std::string> queues{"{bar}", "{zzz}", "{foo}"};

    template<class Test>
    void run(Test test)
    {
        const auto whole = [&]() -> asio::awaitable<void> { co_await test(); };
        run_coroutine(io, whole(), 2 * patience);
    }

    /// Pushes a job to each queue, and waits until all that were pushed have been worked off.
    asio::awaitable<void> push_to_each(const client& redis)
    {
        for (const auto& name : queues) {
            const list_queue<int> queue{redis, name};
            co_await queue.async_push(1);
            ++pushed;
        }
        co_await events.wait_for(event_kind::succeeded, pushed);
    }

    /// Runs a worker for all queues while a test goes on.
    template<class Test>
    void run_with_worker(client_options options, Test test)
    {
        run([&]() -> asio::awaitable<void> {
            client redis{io.get_executor(), options};
            worker_options how;
            how.observers = {events.observe()};
            worker subject{redis, how};
            for (const auto& name : queues) {
                const list_queue<int> queue{redis, name};
                subject.handle(queue, [](int) {});
            }
            background working{io.get_executor(), subject.async_run()};
            co_await push_to_each(redis);
            co_await test(redis);
            subject.stop();
            co_await working.join();
            co_await redis.async_stop();
        });
    }

    std::size_t pushed = 0;
};

} // namespace coworker::test
