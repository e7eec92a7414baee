// SPDX-License-Identifier: MIT
#pragma once

#include "support/cuttable_network.hpp"
#include "support/temporary_folder.hpp"

#include <chrono>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace coworker::test {

/// For how long a node may not answer before the others count it as failed, and its replica takes its place: no busy
/// machine is silent for that long.
inline constexpr std::chrono::seconds long_node_timeout{10};
/// The same for tests that wait for a replica to do so.
inline constexpr std::chrono::seconds node_timeout_for_failovers{3};

/// A private Redis Cluster of three primaries on free ports of the loopback device. Each serves a third of the slots:
/// up to 5460, to 10922, to 16383.
class cluster_servers
{
public:
    /// In a network of the test's, the servers can be cut from each other. With an append-only file, they survive
    /// `redis_server::kill` and `restart`.
    explicit cluster_servers(std::vector<std::vector<std::string>> config = {},
                             cuttable_network* network = nullptr,
                             std::chrono::milliseconds node_timeout = long_node_timeout,
                             bool append_only = false);

    redis_server& operator[](std::size_t i) { return servers_[i]; }
    std::size_t size() const noexcept { return servers_.size(); }

    /// The one that has the slot at first.
    redis_server& first_owner(std::uint16_t slot)
    {
        return servers_[slot <= 5460 ? 0 : slot <= 10922 ? 1 : 2];
    }

    /// Where others and clients reach it.
    int port_of(const redis_server& server) const;
    /// In the network.
    const cuttable_network::place& place_of(const redis_server& server) const { return *places_.at(&server); }

    /// The first steps of moving a slot: its new owner takes it in, its old one gives it away.
    void open_slot(std::uint16_t slot, redis_server& from, redis_server& to);
    /// Moves the keys that are in the slot.
    void move_keys(std::uint16_t slot, redis_server& from, redis_server& to);
    /// The last step.
    void close_slot(std::uint16_t slot, redis_server& from, redis_server& to);

    /// Whether all nodes know the same of each other. If slots move before that, Redis may undo it.
    bool agree();

    /// Until each node says that all is well.
    void wait_until_well();

    /// Adds a primary that has no slots.
    redis_server& add_primary();

    /// Adds a replica of one of the primaries, which has all that is there when this returns.
    redis_server& add_replica_of(redis_server& primary);

private:
    redis_server& start_node(std::deque<redis_server>& among);
    void introduce(redis_server& node);
    /// News spread the faster, the sooner nodes count as failed. So they do it soon while there is something new, and
    /// no replica takes a place because of it.
    void begin_to_change();
    void end_change();
    void set_everywhere(const std::string& option, const std::string& value);
    redis_server& add_node();

    temporary_folder knowledge_{memory_if_possible()}; ///< of each node, about the others
    std::vector<std::vector<std::string>> config_;
    cuttable_network* network_;
    std::chrono::milliseconds node_timeout_;
    bool append_only_;
    std::map<const redis_server*, const cuttable_network::place*> places_;
    std::map<const redis_server*, int> bus_ports_; ///< where others reach it
    std::deque<redis_server> servers_;
    std::deque<redis_server> added_;
};

} // namespace coworker::test
