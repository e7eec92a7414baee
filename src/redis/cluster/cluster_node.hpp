// SPDX-License-Identifier: MIT
#pragma once

#include "redis/cluster/slot_map.hpp"
#include "redis/server_connection/server_connection.hpp"

#include <exception>
#include <functional>
#include <memory>

namespace coworker::detail {

/// The connection to one node of a cluster, and whether it is up.
class cluster_node final : connection_listener
{
public:
    /// Who is told what happens to it.
    struct listener
    {
        std::function<void()> changed;            ///< the node comes, goes, or is found unfit
        std::function<void(const event&)> told{}; ///< of its connection
        std::function<void()> new_connection{};
    };

    /// @param how  those of the whole cluster, with the scheme, user and password of its URL.
    cluster_node(asio::any_io_executor executor, const client_options& how, const address& seed,
                 node_address where, listener who, cluster_identity identity = {});
    ~cluster_node();
    cluster_node(const cluster_node&) = delete;
    cluster_node& operator=(const cluster_node&) = delete;

    const node_address& where() const noexcept { return where_; }
    const std::shared_ptr<server_connection>& link() const noexcept { return link_; }

    /// A request that is sent now goes out at once.
    bool is_up() const noexcept { return is_up_; }
    /// There was a connection, or an attempt to make one, and there is none: another node may have taken over.
    bool is_lost() const noexcept { return is_lost_ || failure_; }
    /// What a request has just shown.
    void note_lost() noexcept
    {
        is_up_ = false;
        is_lost_ = true;
    }

    /// Why it is of no use, and will not be; null: it may be.
    const std::exception_ptr& failure() const noexcept { return failure_; }
    /// The same with its code; no error if there is none.
    error_code failure_code() const;

    /// Its name, and why there is no connection.
    std::string trouble() const { return where_.host + ':' + where_.port + ": " + trouble_; }

    /// Requests that are under way: while there are some, and they are answered, the connection is not ended.
    std::size_t calls = 0;
    /// Requests that have been answered, up to any number.
    std::size_t answers = 0;

    /// Looks whether requests are answered. Asked now and then.
    void watch() noexcept
    {
        was_silent_ = calls != 0 && had_calls_ && answers == answers_before_;
        had_calls_ = calls != 0;
        answers_before_ = answers;
    }
    /// Between the last two looks there were requests under way, and none has been answered since the first of them.
    bool is_silent() const noexcept { return was_silent_ && calls != 0 && answers == answers_before_; }

    /// Connects, and returns when it is known whether the node is fit.
    asio::awaitable<void> begin();

private:
    void connection_event(const event& what) override;
    void new_connection() override;

    node_address where_;
    listener listener_;
    std::shared_ptr<server_connection> link_;
    bool is_up_ = false;
    bool is_lost_ = false;
    std::exception_ptr failure_;
    std::string trouble_ = "no answer"; ///< why the last connection, or attempt to make one, ended
    bool had_calls_ = false, was_silent_ = false;
    std::size_t answers_before_ = 0;
};

} // namespace coworker::detail
