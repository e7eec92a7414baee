// SPDX-License-Identifier: MIT
#include "support/cluster_servers.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace coworker::test {
namespace {

redis_server_options cluster_node_options(const std::vector<std::vector<std::string>>& config, int bus_port,
                                          const std::string& knowledge,
                                          std::chrono::milliseconds node_timeout,
                                          const cuttable_network::place* place, bool append_only)
{
    redis_server_options how{.append_only = append_only, .tcp = true};
    how.config = {{"cluster-enabled", "yes"},
                  {"cluster-node-timeout", std::to_string(node_timeout.count())},
                  {"cluster-require-full-coverage", "no"},
                  {"repl-diskless-sync-delay", "0"}, // so that replicas are there soon
                  {"cluster-config-file", knowledge},
                  {"cluster-port", std::to_string(bus_port)}};
    if (place != nullptr)
        how.config.insert(how.config.end(), {{"bind-source-addr", place->address},
                                             {"cluster-announce-ip", "127.0.0.1"},
                                             {"cluster-announce-port", std::to_string(place->port)},
                                             {"cluster-announce-bus-port", std::to_string(place->bus_port)}});
    how.config.insert(how.config.end(), config.begin(), config.end());
    return how;
}

std::string node_id(redis_server& server)
{
    return server("CLUSTER", "MYID").text;
}

/// Of each node: its id, the epoch of its slots, and these, as one node knows them.
std::set<std::string> known_slots(redis_server& server)
{
    std::set<std::string> known;
    std::istringstream lines{server("CLUSTER", "NODES").text};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words{line};
        std::string id, skipped, epoch, slots;
        words >> id;
        for (int i = 0; i != 5; ++i)
            words >> skipped;
        words >> epoch >> skipped;
        std::getline(words, slots);
        known.insert(id + ' ' + epoch + slots);
    }
    return known;
}

bool is_well(redis_server& server, std::size_t nodes)
{
    const auto info = server("CLUSTER", "INFO").text;
    return info.find("cluster_state:ok") != info.npos && info.find("cluster_slots_ok:16384") != info.npos &&
           info.find("cluster_known_nodes:" + std::to_string(nodes)) != info.npos;
}

template<class Condition>
void wait_for(const std::string& what, Condition condition)
{
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    while (!condition()) {
        if (std::chrono::steady_clock::now() > give_up)
            throw std::runtime_error{"in vain: " + what};
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
}

} // namespace

cluster_servers::cluster_servers(std::vector<std::vector<std::string>> config, cuttable_network* network,
                                 std::chrono::milliseconds node_timeout, bool append_only)
    : config_{std::move(config)}, network_{network}, node_timeout_{node_timeout}, append_only_{append_only}
{
    for (int i = 0; i != 3; ++i)
        start_node(servers_);
    begin_to_change();
    servers_[0]("CLUSTER", "ADDSLOTSRANGE", 0, 5460);
    servers_[1]("CLUSTER", "ADDSLOTSRANGE", 5461, 10922);
    servers_[2]("CLUSTER", "ADDSLOTSRANGE", 10923, 16383);
    introduce(servers_[1]);
    introduce(servers_[2]);
    end_change();
}

redis_server& cluster_servers::start_node(std::deque<redis_server>& among)
{
    const auto* const place = network_ == nullptr ? nullptr : &network_->add_place();
    int bus_port = 0;
    const auto start = [&]() -> redis_server& {
        bus_port = find_free_port();
        const auto knowledge = knowledge_.file(std::to_string(bus_port));
        return among.emplace_back(
            cluster_node_options(config_, bus_port, knowledge, node_timeout_, place, append_only_));
    };
    auto& node = with_free_ports(start);
    bus_ports_[&node] = place == nullptr ? bus_port : place->bus_port;
    if (place != nullptr) {
        places_[&node] = place;
        network_->open(*place, node.tcp_port(), bus_port);
    }
    return node;
}

void cluster_servers::introduce(redis_server& node)
{
    servers_[0]("CLUSTER", "MEET", "127.0.0.1", port_of(node), bus_ports_[&node]);
}

void cluster_servers::set_everywhere(const std::string& option, const std::string& value)
{
    for (auto* some : {&servers_, &added_})
        for (auto& node : *some)
            node("CONFIG", "SET", option, value);
}

void cluster_servers::begin_to_change()
{
    set_everywhere("cluster-replica-no-failover", "yes");
    set_everywhere("cluster-node-timeout", "1000");
}

void cluster_servers::end_change()
{
    wait_until_well(); // what counts as failed does so for longer from now on
    set_everywhere("cluster-node-timeout", std::to_string(node_timeout_.count()));
    set_everywhere("cluster-replica-no-failover", "no");
}

int cluster_servers::port_of(const redis_server& server) const
{
    return network_ == nullptr ? server.tcp_port() : place_of(server).port;
}

bool cluster_servers::agree()
{
    const auto known = known_slots(servers_.front());
    return std::all_of(servers_.begin(), servers_.end(),
                       [&](redis_server& server) { return known_slots(server) == known; });
}

void cluster_servers::wait_until_well()
{
    for (auto& server : servers_)
        wait_for("the nodes come together",
                 [&] { return is_well(server, servers_.size() + added_.size()) && agree(); });
}

redis_server& cluster_servers::add_node()
{
    auto& node = start_node(added_);
    begin_to_change();
    introduce(node);
    wait_until_well();
    wait_for("the new node knows the cluster",
             [&] { return is_well(node, servers_.size() + added_.size()); });
    return node;
}

redis_server& cluster_servers::add_primary()
{
    auto& node = add_node();
    end_change();
    return node;
}

redis_server& cluster_servers::add_replica_of(redis_server& primary)
{
    auto& replica = add_node();
    replica("CLUSTER", "REPLICATE", node_id(primary));
    wait_for("the replica follows its primary", [&] {
        return replica("INFO", "replication").text.find("master_link_status:up") != std::string::npos;
    });
    const auto replica_id = node_id(replica), primary_id = node_id(primary);
    for (auto& server : servers_) // else they let no replica take over that they do not know
        wait_for("the nodes know the replica", [&] {
            const auto known = server("CLUSTER", "REPLICAS", primary_id).texts();
            return std::any_of(known.begin(), known.end(),
                               [&](const auto& line) { return line.starts_with(replica_id); });
        });
    end_change();
    return replica;
}

void cluster_servers::open_slot(std::uint16_t slot, redis_server& from, redis_server& to)
{
    to("CLUSTER", "SETSLOT", slot, "IMPORTING", node_id(from));
    from("CLUSTER", "SETSLOT", slot, "MIGRATING", node_id(to));
}

void cluster_servers::move_keys(std::uint16_t slot, redis_server& from, redis_server& to)
{
    for (const auto& key : from("CLUSTER", "GETKEYSINSLOT", slot, 1000).texts())
        from("MIGRATE", "127.0.0.1", port_of(to), key, 0, 5000);
}

void cluster_servers::close_slot(std::uint16_t slot, redis_server& from, redis_server& to)
{
    const auto owner = node_id(to);
    to("CLUSTER", "SETSLOT", slot, "NODE", owner);
    from("CLUSTER", "SETSLOT", slot, "NODE", owner);
}

} // namespace coworker::test
