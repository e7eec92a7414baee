// SPDX-License-Identifier: MIT
#include "redis/cluster/cluster_connection.hpp"

#include "redis/cluster/cluster.hpp"
#include "redis/cluster/key_slot.hpp"

#include <boost/asio/cancel_after.hpp>
#include <boost/asio/co_spawn.hpp>

#include <utility>

/// A client's connection that follows a cluster.
namespace coworker::detail {
namespace {

namespace redis = boost::redis;

/// How long something is waited for on which nothing depends.
constexpr std::chrono::seconds time_aside{1};

/// A cluster whose nodes' connections have the name of these, and tell their watches.
std::shared_ptr<cluster> make_cluster(const connection& redis, const address& where, client_identity who)
{
    std::vector<node_address> seeds;
    for (const auto& [host, port] : where.nodes)
        seeds.push_back({host, port});
    cluster_identity identity{{std::move(who)}};
    return std::make_shared<cluster>(redis.get_executor(), redis.options(), where, std::move(seeds),
                                     std::move(identity));
}

} // namespace

cluster_connection::cluster_connection(asio::any_io_executor executor, client_options options,
                                       const address& where)
    : connection{std::move(executor), std::move(options), {}}, cluster_{
                                                                   make_cluster(*this, where, identity())}
{}

cluster_connection::cluster_connection(const cluster_connection& same, std::optional<std::uint16_t> home)
    : connection{same.get_executor(), same.options(), same.identity()}, cluster_{same.cluster_}, slot_{home}
{}

std::shared_ptr<connection> cluster_connection::for_queue(const std::string& name)
{
    if (!has_hash_tag(name))
        throw explained_error{
            errc::invalid_queue_name,
            "'" + name.substr(0, 64) +
                "': in a Redis Cluster a list queue's name, or a part of it, stands in braces, such as '{" +
                name.substr(0, 64) + "}'"};
    return cluster_->part_of(*this, slot_of(name));
}

std::shared_ptr<connection> cluster_connection::for_prefix(const std::string& prefix)
{
    if (!has_hash_tag(prefix))
        throw explained_error{
            errc::invalid_option,
            "the prefix '" + prefix.substr(0, 64) +
                "': in a Redis Cluster the prefix of managed queues has a part in braces, as in "
                "'{tenant-1}ql:'"};
    return cluster_->part_of(*this, slot_of(prefix));
}

asio::awaitable<void> cluster_connection::ready(patience how_long)
{
    return cluster_->ready(how_long);
}

asio::awaitable<void> cluster_connection::exec(const redis::request& request, reply& answers,
                                               patience how_long)
{
    const auto self = shared_from_this(); // the client may be destroyed meanwhile
    check_thread();
    co_await cluster_->exec(request, answers, how_long, slot_);
}

asio::awaitable<bool> cluster_connection::exec_aside(const redis::request& request, reply& answers, patience)
{
    const auto self = shared_from_this();
    const auto send = [](std::shared_ptr<cluster> to, redis::request what) -> asio::awaitable<reply> {
        reply got;
        co_await to->exec(what, got);
        co_return got;
    };
    bool is_answered = false;
    try {
        auto sending = send(cluster_, request);
        answers = co_await asio::co_spawn(get_executor(), std::move(sending),
                                          asio::cancel_after(time_aside, asio::use_awaitable));
        is_answered = true;
    } catch (const system_error&) { // the node is away, or too slow
    }
    const auto state = co_await asio::this_coro::cancellation_state;
    if (!is_answered && state.cancelled() != asio::cancellation_type::none)
        throw system_error{asio::error::operation_aborted};
    co_return is_answered;
}

connection::clock::time_point cluster_connection::connecting_since() const noexcept
{
    return slot_ ? cluster_->connecting_since(*slot_) : clock::time_point::min();
}

// --- listening -------------------------------------------------------------------------

asio::awaitable<void> cluster_connection::listen(channel_watch& watch, patience how_long)
{
    return cluster_->listen(watch, how_long);
}

asio::awaitable<void> cluster_connection::unlisten(channel_watch& watch)
{
    return cluster_->unlisten(watch);
}

void cluster_connection::drop(channel_watch& watch)
{
    cluster_->drop(watch);
}

// --- ending ----------------------------------------------------------------------------

void cluster_connection::abandon()
{
    if (begin_to_stop())
        cluster_->abandon();
}

asio::awaitable<void> cluster_connection::stop()
{
    const auto self = shared_from_this();
    abandon();
    co_await stop_confirming();
    co_await cluster_->stop();
}

} // namespace coworker::detail
