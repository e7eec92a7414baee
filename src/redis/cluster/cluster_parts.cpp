// SPDX-License-Identifier: MIT
#include "redis/cluster/cluster.hpp"
#include "redis/counted_call.hpp"
#include "tell.hpp"

#include <algorithm>
#include <utility>

/// What the users of a cluster hear of its nodes.
namespace coworker::detail {

asio::awaitable<void> cluster::ready(patience how_long)
{
    const auto self = shared_from_this();
    start();
    const counted_call under_way{under_way_, state_changed_};
    const auto limit = options_.connect_timeout;
    const auto deadline = how_long == patience::unlimited || limit.count() == 0 ? clock::time_point::max()
                                                                                : clock::now() + limit;
    while (is_stopping_ || failure_ || slots_.served() == 0) {
        if (failure_)
            std::rethrow_exception(failure_);
        if (is_stopping_)
            throw system_error{errc::stopped};
        throw_if_hopeless();
        if (clock::now() >= deadline)
            throw_unavailable();
        co_await wait_until(deadline);
    }
}

/// Nobody knows who serves what, and none of the nodes to ask will ever do: throws what is wrong with the first of them.
void cluster::throw_if_hopeless() const
{
    const auto is_hopeless = [&](const node_address& where) {
        const auto found = nodes_.find(where);
        return found != nodes_.end() && found->second->failure() &&
               found->second->failure_code() != errc::read_only_server; // a replica knows who serves what
    };
    if (slots_.served() == 0 && std::all_of(seeds_.begin(), seeds_.end(), is_hopeless))
        std::rethrow_exception(nodes_.at(seeds_.front())->failure());
}

/// Throws what is wrong with those that have been asked.
void cluster::throw_unavailable() const
{
    for (const auto& [where, node] : nodes_)
        if (node->failure())
            std::rethrow_exception(node->failure());
    std::string text;
    for (const auto& [where, node] : nodes_)
        if (!node->is_up())
            text += (text.empty() ? "" : "; ") + node->trouble();
    throw system_error{errc::unavailable, text.empty() ? seed_.display() : text};
}

// --- parts ---------------------------------------------------------------------------

std::shared_ptr<slot_connection> cluster::part_of(const cluster_connection& whole, std::uint16_t slot)
{
    const std::lock_guard lock{parts_mutex_};
    auto& known = parts_[slot];
    auto part = known.lock();
    if (!part) {
        part = std::make_shared<slot_connection>(whole, slot);
        known = part;
    }
    return part;
}

std::shared_ptr<slot_connection> cluster::known_part(std::uint16_t slot) const
{
    const std::lock_guard lock{parts_mutex_};
    const auto known = parts_.find(slot);
    return known == parts_.end() ? nullptr : known->second.lock();
}

std::vector<std::shared_ptr<slot_connection>> cluster::parts() const
{
    const std::lock_guard lock{parts_mutex_};
    std::vector<std::shared_ptr<slot_connection>> all;
    for (const auto& [slot, known] : parts_)
        if (auto part = known.lock())
            all.push_back(std::move(part));
    return all;
}

bool cluster::has(const node_address& where, std::uint16_t slot) const
{
    const auto* const owner = slots_.owner(slot);
    return owner != nullptr && *owner == where;
}

std::vector<std::shared_ptr<slot_connection>> cluster::parts_at(const node_address& where) const
{
    auto all = parts();
    std::erase_if(all, [&](const auto& part) { return !has(where, *part->slot()); });
    return all;
}

cluster::clock::time_point cluster::connecting_since(std::uint16_t slot) const
{
    const auto* const owner = slots_.owner(slot);
    const auto node = owner == nullptr ? nodes_.end() : nodes_.find(*owner);
    return node == nodes_.end() ? clock::time_point::min() : node->second->link()->connecting_since();
}

cluster_node::listener cluster::listener_of(const node_address& where)
{
    const auto weak = weak_from_this();
    return {.changed =
                [weak] {
                    if (const auto self = weak.lock())
                        self->changed();
                },
            .told =
                [weak, where](const event& what) {
                    if (const auto self = weak.lock())
                        self->tell_of(where, what);
                },
            .new_connection =
                [weak, where] {
                    if (const auto self = weak.lock())
                        for (const auto& part : self->parts_at(where))
                            part->hear_new_connection();
                }};
}

void cluster::tell_of(const node_address& where, const event& what)
{
    const auto message = where.host + ':' + where.port + ": " + std::string{what.message};
    const event here{.kind = what.kind, .message = message};
    if (what.kind == event_kind::reconnected) // much may have changed meanwhile, also the layout of the keys
        want_refresh();
    const bool is_back = what.kind != event_kind::warning && rested_.erase(where) != 0;
    if (!is_back || what.kind == event_kind::disconnected) // nobody was told that it rested
        tell(options_.on_event, here);
    for (const auto& part : parts_at(where))
        part->hear(here);
}

/// Those whose slot another node has taken over look after what they have there.
void cluster::tell_of_move(const slot_map& before)
{
    bool is_any = false;
    for (const auto& part : parts()) {
        const auto* const old = before.owner(*part->slot());
        const auto* const now = slots_.owner(*part->slot());
        if (old == nullptr || now == nullptr || *old == *now)
            continue;
        is_any = true;
        part->note_move();
        node_at(*now)->link()->resubscribe();
    }
    if (is_any && identity_.watches)
        identity_.watches->notify_all(); // what had been armed is not armed at the new node
}

// --- listening -----------------------------------------------------------------------

asio::awaitable<void> cluster::listen(channel_watch& watch, patience how_long)
{
    const auto self = shared_from_this();
    start();
    const counted_call under_way{under_way_, state_changed_};
    routed_part first;
    first.what.slot = slot_of(watch.channels().front());
    const auto node = co_await wait_for_node(first, deadline_of(how_long));
    const counted_call sent{node->calls, state_changed_};
    watch_calls();
    try {
        co_await node->link()->listen(watch, how_long);
        ++node->answers;
    } catch (const system_error& error) {
        std::rethrow_exception(reason(error, *node));
    }
}

asio::awaitable<void> cluster::unlisten(channel_watch& watch)
{
    drop(watch);
    co_return;
}

void cluster::drop(channel_watch& watch)
{
    watch.withdraw();
    for (const auto& [where, node] : nodes_)
        node->link()->drop(watch);
}

} // namespace coworker::detail
