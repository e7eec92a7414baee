// SPDX-License-Identifier: MIT
#pragma once

#include "redis/cluster/cluster_node.hpp"
#include "redis/cluster/refresh_pace.hpp"
#include "redis/cluster/routed_request.hpp"
#include "redis/connection.hpp"

#include <bitset>
#include <map>
#include <memory>
#include <vector>

namespace coworker::detail {

/// A Redis Cluster: sends each command to the node that serves its key, over one connection for each primary that is
/// needed, and follows slots that move.
///
/// Everything happens on one executor, which runs one handler at a time.
class cluster : public std::enable_shared_from_this<cluster>
{
public:
    using clock = std::chrono::steady_clock;

    /// @param seed  scheme, user and password for all nodes.
    /// @param seeds  where to ask first; some.
    cluster(asio::any_io_executor executor, client_options options, address seed,
            std::vector<node_address> seeds);

    /// Sends the commands of a request to where their keys are, and waits for their answers, which stand in the order of
    /// the request. A command that was refused because its slot is elsewhere, on its way or not served was not carried
    /// out, and is repeated until the time limit.
    ///
    /// Throws `system_error`: `errc::in_doubt` when the connection was lost before an answer came; `errc::unavailable` when
    /// the nodes that are needed were not there in time.
    asio::awaitable<void> exec(const boost::redis::request& request, reply& answers,
                               patience how_long = patience::command_timeout);

    /// Calls a script on the node of its first key, which is given it if it does not have it. Throws for an error answered.
    asio::awaitable<reply> call(const script& what, const script_arguments& arguments,
                                patience how_long = patience::command_timeout);

    /// Ends all connections and waits for that. Calls under way fail with `errc::stopped`.
    asio::awaitable<void> stop();

    /// How often the nodes have been asked who serves what.
    std::size_t refreshes() const noexcept { return refreshes_; }
    /// Connections there are, up or not.
    std::size_t nodes() const noexcept { return nodes_.size(); }

private:
    using node_ptr = std::shared_ptr<cluster_node>;

    void start();
    void changed() { state_changed_.notify(); }
    void want_refresh();
    node_ptr node_at(const node_address& where);
    node_ptr node_for(const routed_part& part);
    asio::awaitable<node_ptr> wait_for_node(const routed_part& part, clock::time_point deadline);
    asio::awaitable<void> wait_until(clock::time_point deadline);
    asio::awaitable<void> pause(clock::time_point deadline, std::string_view why);
    asio::awaitable<void> send(routed_request& what, node_ptr to, patience how_long);
    void note(const routed_request::findings& found);

    asio::awaitable<void> refresh_loop();
    asio::awaitable<bool> refresh();
    asio::awaitable<bool> ask(node_ptr who);
    asio::awaitable<node_ptr> first_node_up();
    bool use(slot_map found);
    void retire_unused();

    asio::any_io_executor executor_;
    client_options options_;
    address seed_;
    std::vector<node_address> seeds_;
    std::size_t next_seed_ = 0;
    signal state_changed_;
    refresh_pace pace_;
    bool is_refresh_wanted_ = false;
    slot_map slots_;
    std::bitset<slot_count> used_; ///< slots of which there have been calls: their nodes are connected to
    std::map<node_address, node_ptr> nodes_;
    std::exception_ptr failure_; ///< the seeds are no cluster
    std::size_t refreshes_ = 0;
    std::size_t under_way_ = 0; ///< coroutines
    bool is_started_ = false;
    bool is_stopping_ = false;
};

} // namespace coworker::detail
