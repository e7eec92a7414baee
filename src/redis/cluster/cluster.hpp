// SPDX-License-Identifier: MIT
#pragma once

#include "redis/cluster/cluster_node.hpp"
#include "redis/cluster/cluster_view.hpp"
#include "redis/cluster/refresh_pace.hpp"
#include "redis/cluster/routed_request.hpp"
#include "redis/cluster/slot_connection.hpp"
#include "redis/missing_nodes.hpp"
#include "redis/server_connection/server_connection.hpp"

#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <bitset>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

namespace coworker::detail {

/// A Redis Cluster: sends each command to the node that serves its key, over one connection for each primary that is
/// needed, and follows slots that move.
///
/// Everything happens on one executor, which runs one handler at a time. When nobody needs it for a while, it ends its
/// connections until somebody does.
class cluster : public std::enable_shared_from_this<cluster>
{
public:
    using clock = std::chrono::steady_clock;

    /// @param seed  scheme, user and password for all nodes.
    /// @param seeds  where to ask first; some.
    /// @param identity  of the connections; those without a name get names of their own.
    cluster(asio::any_io_executor executor, client_options options, address seed,
            std::vector<node_address> seeds, cluster_identity identity = {});

    /// Begins to find out who serves what, unless that has been done.
    void start();

    /// Waits until some node has told who serves what. Throws what is wrong with all of them.
    asio::awaitable<void> ready(patience how_long);

    /// Sends the commands of a request to where their keys are, and waits for their answers, which stand in the order
    /// of the request. A command that was refused because its slot is elsewhere, on its way or not served was not
    /// carried out, and is repeated until the time limit.
    ///
    /// Throws `system_error`: `errc::in_doubt` when the connection was lost before an answer came; `errc::unavailable`
    /// when the nodes that are needed were not there in time.
    ///
    /// @param home  the slot to which commands without a key go; none: that of the request's first key, or any.
    asio::awaitable<void> exec(const boost::redis::request& request, reply& answers,
                               patience how_long = patience::command_timeout,
                               std::optional<std::uint16_t> home = {});

    /// The same, for writes that are to be as durable as `wanted`: each node confirms what it has carried out.
    ///
    /// @param unconfirmed  why something that was carried out is not confirmed; null: all is
    asio::awaitable<void> exec_confirmed(const boost::redis::request& request, reply& answers,
                                         const durability& wanted, std::exception_ptr& unconfirmed,
                                         std::optional<std::uint16_t> home);

    /// Sends a request to each primary but those that are `missing`, and returns their answers. One that cannot be
    /// reached soon, or does not answer soon, is added to those.
    asio::awaitable<std::vector<reply>> exec_on_each(const boost::redis::request& request,
                                                     node_names& missing);
    /// The same to the primary of that number, in the order of their addresses.
    asio::awaitable<node_answer> exec_on_nth(std::size_t which, const boost::redis::request& request,
                                             reply& answers, node_names& missing);
    /// Sends the commands of a request, each of which has a key, to where their keys are. The answer to those whose
    /// node is missing, as above, is `missing_node_error` and the node's name.
    asio::awaitable<void> exec_where_reached(const boost::redis::request& request, reply& answers,
                                             node_names& missing);

    /// Ends all connections and waits for that. Calls under way fail with `errc::stopped`.
    asio::awaitable<void> stop();
    /// Ends them without waiting for it. May be called on any thread.
    void abandon();

    /// Subscribes to a watch's channels at the node that has their slot, and enlists it. The other nodes do it when
    /// they are connected to, or take over the slot.
    asio::awaitable<void> listen(channel_watch& watch, patience how_long);
    asio::awaitable<void> unlisten(channel_watch& watch);
    void drop(channel_watch& watch);

    /// Connects to the nodes of these parts, and waits a little for them: those that are away then are noted to be.
    asio::awaitable<void> look_for(const std::vector<std::shared_ptr<connection>>& parts);

    /// The part of `whole` in a slot: one for each slot, as long as somebody has it. May be called on any thread.
    std::shared_ptr<slot_connection> part_of(const cluster_connection& whole, std::uint16_t slot);

    /// When the connection to a slot's node began; see `source_connection`.
    clock::time_point connecting_since(std::uint16_t slot) const;

    /// How often the nodes have been asked who serves what.
    std::size_t refreshes() const noexcept { return refreshes_; }
    /// Connections there are, up or not.
    std::size_t nodes() const noexcept { return nodes_.size(); }

private:
    using node_ptr = std::shared_ptr<cluster_node>;
    /// Sends `CLUSTER` and a word, and `CLUSTER INFO`, to a node; its answers are the reply's last two.
    using topology_source = std::function<asio::awaitable<reply>(std::string_view form)>;

    void changed() { state_changed_.notify(); }
    void spawn(node_ptr owner, asio::awaitable<void> task);
    void retire(node_ptr node);
    bool is_to_rest();
    bool is_needed() const;
    void rest();
    void want_refresh();
    void throw_if_hopeless() const;
    [[noreturn]] void throw_unavailable() const;
    node_ptr node_at(const node_address& where);
    node_ptr node_for(const routed_part& part);
    asio::awaitable<node_ptr> wait_for_node(const routed_part& part, clock::time_point deadline);
    asio::awaitable<void> wait_until(clock::time_point deadline);
    clock::time_point deadline_of(patience how_long) const;
    /// Between attempts to carry out one request.
    static reconnect_backoff pauses();
    /// The next one of these. Throws `errc::unavailable` behind the deadline, and says why.
    asio::awaitable<void> pause(reconnect_backoff& pauses, clock::time_point deadline, std::string_view why);
    /// What is to be confirmed, and what came of it.
    struct confirmed_call
    {
        const durability& wanted;
        std::exception_ptr& why_not;
    };

    asio::awaitable<void> exec_routed(const boost::redis::request& request, reply& answers, patience how_long,
                                      clock::time_point deadline, std::optional<std::uint16_t> home,
                                      const confirmed_call* confirmed);
    asio::awaitable<std::exception_ptr> exec_confirmed_at(node_ptr node, const boost::redis::request& request,
                                                          reply& answers, const durability& wanted,
                                                          clock::time_point deadline);
    void note(const routed_request::findings& found);
    void watch_calls();
    void look_at_calls();
    std::exception_ptr reason(const system_error& error, const cluster_node& from) const;
    std::vector<node_address> sorted_primaries() const;
    asio::awaitable<bool> is_up_by(node_ptr node, clock::time_point deadline);
    asio::awaitable<bool> exec_soon(node_ptr node, const boost::redis::request& request, reply& answers);
    cluster_node::listener listener_of(const node_address& where);
    bool has(const node_address& where, std::uint16_t slot) const;
    std::shared_ptr<slot_connection> known_part(std::uint16_t slot) const;
    std::vector<std::shared_ptr<slot_connection>> parts() const;
    std::vector<std::shared_ptr<slot_connection>> parts_at(const node_address& where) const;
    void tell_of(const node_address& where, const event& what);
    void tell_of_move(const slot_map& before);

    asio::awaitable<void> refresh_loop();
    asio::awaitable<bool> refresh();
    asio::awaitable<bool> ask(node_address where, topology_source from, view_choice& views);
    asio::awaitable<bool> ask_node(node_ptr who, view_choice& views);
    asio::awaitable<void> ask_unfit_nodes(view_choice& views);
    asio::awaitable<node_ptr> first_node_up();
    std::vector<node_address> whom_to_ask() const;
    asio::awaitable<void> check_layout(slot_map found);
    void use(slot_map found);
    void retire_unused();

    asio::any_io_executor executor_;
    client_options options_;
    address seed_;
    std::vector<node_address> seeds_;
    std::size_t next_to_ask_ = 0;
    std::mt19937_64 random_{std::random_device{}()}; ///< for pauses
    signal state_changed_;
    refresh_pace pace_;
    bool is_refresh_wanted_ = false;
    slot_map slots_;
    std::uint64_t epoch_ = 0;      ///< of the cluster, when it told of these
    std::bitset<slot_count> used_; ///< slots of which there have been calls: their nodes are connected to
    std::map<node_address, node_ptr> nodes_;
    std::exception_ptr failure_; ///< the seeds are no cluster
    std::size_t refreshes_ = 0;
    asio::steady_timer calls_timer_;
    bool is_watching_calls_ = false;
    std::size_t under_way_ = 0; ///< coroutines
    std::size_t own_ = 0;       ///< of these, those that serve no call
    bool is_used_ = false;      ///< since `is_to_rest` looked last
    clock::time_point next_look_{};
    std::set<node_address>
        rested_; ///< nodes to which there was a connection when it was ended, since nobody needed it
    // `abandon` may be called on any thread.
    std::atomic<bool> is_started_ = false;
    std::atomic<bool> is_stopping_ = false;
    cluster_identity identity_;
    mutable std::mutex parts_mutex_;
    std::map<std::uint16_t, std::weak_ptr<slot_connection>> parts_; ///< by slot
};

} // namespace coworker::detail
