// SPDX-License-Identifier: MIT
#include "redis/cluster/cluster.hpp"
#include "redis/cluster/key_slot.hpp"
#include "redis/confirmed_writes.hpp"
#include "redis/connection/connection.hpp"
#include "tell.hpp"

#include <boost/asio/cancel_after.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/redis/connection.hpp>

#include <utility>

/// A connection that follows a cluster.
namespace coworker::detail {
namespace {

namespace redis = boost::redis;

/// How long other clients may need to learn that a slot has moved, and to connect to its new node.
constexpr std::chrono::seconds time_to_follow{5};

/// How long something is waited for on which nothing depends.
constexpr std::chrono::seconds time_aside{1};

} // namespace

connection::connection(const connection& whole, std::uint16_t slot)
    : options_{whole.options_}, executor_{whole.executor_},
      one_thread_{whole.one_thread_}, address_{whole.address_}, name_{whole.name_},
      control_channel_{whole.control_channel_}, backoff_{options_.reconnect_delay_minimum,
                                                         options_.reconnect_delay_maximum},
      backoff_timer_{executor_}, state_changed_{executor_}, gate_{executor_},
      limits_{std::make_shared<time_limits>(executor_)}, roll_{whole.roll_}, watches_{whole.watches_},
      channels_{whole.channels_}, cluster_{whole.cluster_}, slot_{slot}
{}

connection::connection(const connection& part, const durability& wanted) : connection{part, 0}
{
    slot_ = part.slot_;
    confirmed_ = std::make_unique<confirmed_writes>(wanted);
}

std::shared_ptr<connection> connection::for_queue(const std::string& name)
{
    if (!cluster_)
        return shared_from_this();
    if (!has_hash_tag(name))
        throw system_error{
            errc::invalid_queue_name,
            "'" + name.substr(0, 64) +
                "': in a Redis Cluster a list queue's name, or a part of it, stands in braces: '{" +
                name.substr(0, 64) + "}'"};
    return cluster_->part_of(*this, slot_of(name));
}

std::shared_ptr<connection> connection::for_prefix(const std::string& prefix)
{
    if (!cluster_)
        return shared_from_this();
    if (!has_hash_tag(prefix))
        throw explained_error{
            errc::invalid_option,
            "the prefix '" + prefix.substr(0, 64) +
                "': in a Redis Cluster the prefix of managed queues has a part in braces, as in "
                "'{tenant-1}ql:'"};
    return cluster_->part_of(*this, slot_of(prefix));
}

connection::clock::time_point connection::connecting_since_in_cluster() const noexcept
{
    return slot_ ? cluster_->connecting_since(*slot_) : clock::time_point::min();
}

bool connection::has_just_moved() const noexcept
{
    return moved_at_ != clock::time_point::min() && clock::now() < moved_at_ + time_to_follow;
}

void connection::note_move()
{
    moved_at_ = clock::now();
    away_ = false;
    hear_new_connection();
}

void connection::hear(const event& what)
{
    if (what.kind == event_kind::disconnected)
        away_ = true;
    else if (what.kind == event_kind::connected || what.kind == event_kind::reconnected)
        away_ = false;
    for (auto* who : listeners_)
        who->connection_event(what);
}

void connection::hear_new_connection()
{
    for (auto* who : listeners_)
        who->new_connection();
}

asio::awaitable<bool> connection::exec_aside(const redis::request& request, reply& answers, patience how_long)
{
    const auto self = shared_from_this();
    if (!cluster_) {
        co_await exec(request, answers, how_long);
        co_return true;
    }
    const auto send = [](std::shared_ptr<cluster> to, redis::request what) -> asio::awaitable<reply> {
        reply got;
        co_await to->exec(what, got);
        co_return got;
    };
    bool is_answered = false;
    try {
        auto sending = send(cluster_, request);
        answers = co_await asio::co_spawn(executor_, std::move(sending),
                                          asio::cancel_after(time_aside, asio::use_awaitable));
        is_answered = true;
    } catch (const system_error&) { // the node is away, or too slow
    }
    const auto state = co_await asio::this_coro::cancellation_state;
    if (!is_answered && state.cancelled() != asio::cancellation_type::none)
        throw system_error{asio::error::operation_aborted};
    co_return is_answered;
}

} // namespace coworker::detail
