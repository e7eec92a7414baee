// SPDX-License-Identifier: MIT
#include "redis/cluster/cluster_node.hpp"

#include "redis/cluster/node_options.hpp"

#include <utility>

namespace coworker::detail {

client_options options_of_node(const client_options& cluster, const address& seed, const node_address& node)
{
    auto here = seed;
    here.host = node.host;
    here.port = node.port;
    here.nodes.clear();
    auto how = cluster;
    how.url = here.display();
    how.user = cluster.user.empty() ? seed.user : cluster.user.str();
    how.password = cluster.password.empty() ? seed.password : cluster.password.str();
    how.thread_safe = false;   // the cluster's executor runs one handler at a time
    how.on_event = observer{}; // the cluster tells, with the node's address
    return how;
}

cluster_node::cluster_node(asio::any_io_executor executor, const client_options& how, const address& seed,
                           node_address where, listener who, cluster_identity identity)
    : where_{std::move(where)}, listener_{std::move(who)}, link_{std::make_shared<server_connection>(
                                                               std::move(executor),
                                                               options_of_node(how, seed, where_),
                                                               std::move(identity))}
{
    link_->attach(*this);
}

cluster_node::~cluster_node()
{
    link_->detach(*this);
}

error_code cluster_node::failure_code() const
{
    if (!failure_)
        return {};
    try {
        std::rethrow_exception(failure_);
    } catch (const system_error& error) {
        return error.code();
    } catch (...) {
        return errc::stopped;
    }
}

asio::awaitable<void> cluster_node::begin()
{
    try {
        co_await link_->ready(patience::unlimited);
    } catch (...) {
        failure_ = std::current_exception();
    }
    listener_.changed();
}

void cluster_node::connection_event(const event& what)
{
    if (what.kind != event_kind::warning) {
        is_lost_ = what.kind == event_kind::disconnected;
        is_up_ = !is_lost_;
        if (is_lost_)
            trouble_ = what.message;
        listener_.changed();
    }
    if (listener_.told)
        listener_.told(what);
}

void cluster_node::new_connection()
{
    if (listener_.new_connection)
        listener_.new_connection();
}

} // namespace coworker::detail
