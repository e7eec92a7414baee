// SPDX-License-Identifier: MIT
#include "redis/cluster/cluster.hpp"

#include "redis/counted_call.hpp"

#include <boost/asio/post.hpp>
#include <boost/redis/error.hpp>
#include <boost/redis/request.hpp>

#include <algorithm>
#include <utility>

/// How requests find their nodes.
namespace coworker::detail {
namespace {

namespace redis = boost::redis;

/// Before a command is repeated whose slot is on its way, or not served: the first time, and at most.
constexpr std::chrono::milliseconds first_pause{20}, longest_pause{250};

/// How long a node may leave calls without an answer before others are asked whether it has been replaced.
constexpr std::chrono::milliseconds longest_silence{500};

/// Whether an error says that nothing was written, so that the request can be sent to another node.
bool says_not_written(const error_code& ec)
{
    return ec == redis::error::not_connected || ec == errc::unavailable;
}

} // namespace

cluster::cluster(asio::any_io_executor executor, client_options options, address seed,
                 std::vector<node_address> seeds, cluster_identity identity)
    : executor_{std::move(executor)}, options_{std::move(options)}, seed_{std::move(seed)}, seeds_{std::move(
                                                                                                seeds)},
      state_changed_{executor_}, calls_timer_{executor_}, identity_{std::move(identity)}
{}

cluster::node_ptr cluster::node_at(const node_address& where)
{
    auto& node = nodes_[where];
    if (!node) {
        auto identity = identity_;
        identity.hears = [weak = weak_from_this(), where](std::string_view channel) {
            const auto self = weak.lock();
            return self && self->has(where, slot_of(channel));
        };
        node = std::make_shared<cluster_node>(executor_, options_, seed_, where, listener_of(where),
                                              std::move(identity));
        spawn(node, node->begin());
    }
    return node;
}

/// The node to which a part is to be sent, connected or not; null: nobody is known.
cluster::node_ptr cluster::node_for(const routed_part& part)
{
    if (part.ask)
        return node_at(*part.ask);
    if (part.what.slot) {
        used_.set(*part.what.slot);
        const auto* const owner = slots_.owner(*part.what.slot);
        return owner == nullptr ? nullptr : node_at(*owner);
    }
    for (const auto& [where, node] : nodes_)
        if (node->is_up())
            return node;
    return nullptr;
}

void cluster::want_refresh()
{
    pace_.want();
    if (!std::exchange(is_refresh_wanted_, true))
        changed();
}

asio::awaitable<void> cluster::wait_until(clock::time_point deadline)
{
    asio::steady_timer timeout{executor_, deadline};
    if (deadline != clock::time_point::max())
        timeout.async_wait([self = shared_from_this()](error_code ec) {
            if (!ec)
                self->changed();
        });
    co_await state_changed_.wait();
}

asio::awaitable<cluster::node_ptr> cluster::wait_for_node(const routed_part& part, clock::time_point deadline)
{
    for (;;) {
        if (is_stopping_)
            throw system_error{errc::stopped};
        if (failure_)
            std::rethrow_exception(failure_);
        auto node = node_for(part);
        if (node && node->is_up())
            co_return node;
        // A node that has become a replica is no failure: another one has its slots.
        if (node && node->failure() && node->failure_code() != errc::read_only_server)
            std::rethrow_exception(node->failure());
        if (!node)
            throw_if_hopeless();
        if (clock::now() >= deadline && node)
            throw system_error{errc::unavailable, node->trouble()};
        if (clock::now() >= deadline)
            throw_unavailable();
        if (!node || node->is_lost())
            want_refresh();
        co_await wait_until(deadline);
    }
}

cluster::clock::time_point cluster::deadline_of(patience how_long) const
{
    const auto limit = options_.command_timeout;
    return how_long == patience::unlimited || limit.count() == 0 ? clock::time_point::max()
                                                                 : clock::now() + limit;
}

reconnect_backoff cluster::pauses()
{
    return {first_pause, longest_pause};
}

asio::awaitable<void> cluster::pause(reconnect_backoff& pauses, clock::time_point deadline,
                                     std::string_view why)
{
    asio::steady_timer timer{executor_, std::min(deadline, clock::now() + pauses.next(random_))};
    co_await timer.async_wait(asio::use_awaitable);
    if (clock::now() >= deadline)
        throw system_error{errc::unavailable, std::string{why}};
}

asio::awaitable<void> cluster::exec(const redis::request& request, reply& answers, patience how_long,
                                    std::optional<std::uint16_t> home)
{
    return exec_routed(request, answers, how_long, deadline_of(how_long), home, nullptr);
}

asio::awaitable<void> cluster::exec_routed(const redis::request& request, reply& answers, patience how_long,
                                           clock::time_point deadline, std::optional<std::uint16_t> home,
                                           const confirmed_call* confirmed)
{
    const auto self = shared_from_this();
    start();
    const counted_call under_way{under_way_, state_changed_};
    routed_request route{request, home};
    auto between = pauses();
    int rounds = 0;
    while (const auto* part = route.next()) {
        auto node = co_await wait_for_node(*part, deadline);
        const auto& sub = route.begin([&](const routed_part& other) { return node_for(other) == node; });
        reply got;
        error_code not_written;
        std::exception_ptr unconfirmed;
        try {
            const counted_call sent{node->calls, state_changed_};
            watch_calls();
            if (confirmed == nullptr)
                co_await node->link()->exec_by(deadline, sub, got, how_long);
            else
                unconfirmed = co_await exec_confirmed_at(node, sub, got, confirmed->wanted, deadline);
            ++node->answers;
        } catch (const system_error& error) {
            if (!says_not_written(error.code()) && error.code() != errc::stopped) {
                want_refresh(); // a node that does not answer may have been replaced long before its connection ends
                throw;
            }
            if (error.code() == errc::stopped)
                std::rethrow_exception(reason(error, *node));
            not_written = error.code();
        }
        if (not_written) {
            if (confirmed == nullptr) {
                node->note_lost();
                continue;
            }
            // The node may be up, and only this connection to it is not.
            want_refresh();
            co_await pause(between, deadline,
                           node->where().host + ':' + node->where().port +
                               ": no connection for confirmed writes");
            continue;
        }
        const auto found = route.end(std::move(got), node->where());
        note(found);
        if (unconfirmed && found.is_any_done)
            confirmed->why_not = unconfirmed;
        const bool goes_round = !found.moved.empty() && ++rounds > 3; // two nodes that name each other
        if (found.is_to_wait || goes_round)
            co_await pause(between, deadline, found.why);
    }
    route.take_answers(answers);
}

void cluster::note(const routed_request::findings& found)
{
    if (!found.moved.empty()) {
        const auto before = slots_;
        for (const auto& each : found.moved)
            if (!each.where.host.empty())
                slots_.assign(each.slot, each.slot, each.where);
        tell_of_move(before);
    }
    if (!found.moved.empty() || found.is_to_wait)
        want_refresh();
}

/// Why a call has failed: that the connection to a node was ended, which has left the cluster or was replaced, is not
/// the end of all.
std::exception_ptr cluster::reason(const system_error& error, const cluster_node& from) const
{
    if (error.code() != errc::stopped || is_stopping_)
        return std::make_exception_ptr(error);
    return std::make_exception_ptr(system_error{errc::in_doubt, from.where().host + ':' + from.where().port});
}

/// Has the calls looked at as long as there are some.
void cluster::watch_calls()
{
    if (std::exchange(is_watching_calls_, true))
        return;
    calls_timer_.expires_after(longest_silence);
    calls_timer_.async_wait([weak = weak_from_this()](error_code ec) {
        const auto self = weak.lock();
        if (!self)
            return;
        self->is_watching_calls_ = false;
        if (!ec && !self->is_stopping_)
            self->look_at_calls();
    });
}

/// A node that does not answer may have been replaced, long before its connection ends. If it has, the calls to it are
/// given up: when it goes on, it may still carry them out and hand out jobs that its successor hands out as well.
void cluster::look_at_calls()
{
    bool is_any = false, is_silent = false;
    for (const auto& [where, node] : nodes_) {
        node->watch();
        is_any = is_any || node->calls != 0;
        is_silent = is_silent || node->is_silent();
    }
    if (is_silent) {
        retire_unused();
        want_refresh();
    }
    if (is_any)
        watch_calls();
}

void cluster::abandon()
{
    if (is_stopping_.exchange(true) || !is_started_)
        return;
    // Not from here; see `server_connection::abandon`.
    asio::post(executor_, [self = shared_from_this()] {
        for (const auto& [where, node] : self->nodes_)
            node->link()->abandon();
        self->changed();
        if (self->identity_.watches)
            self->identity_.watches->notify_all();
        self->calls_timer_.cancel();
    });
}

asio::awaitable<void> cluster::stop()
{
    const auto self = shared_from_this();
    is_stopping_ = true;
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    calls_timer_.cancel();
    auto nodes = nodes_;
    for (const auto& [where, node] : nodes)
        node->link()->abandon();
    changed();
    if (identity_.watches)
        identity_.watches->notify_all();
    for (const auto& [where, node] : nodes)
        co_await node->link()->stop();
    while (under_way_ != 0)
        co_await state_changed_.wait();
    nodes_.clear();
}

} // namespace coworker::detail
