// SPDX-License-Identifier: MIT
#include "redis/cluster/cluster.hpp"

#include <boost/asio/co_spawn.hpp>

#include <algorithm>
#include <utility>

/// How a cluster begins, and how it rests while nobody needs it.
namespace coworker::detail {
namespace {

/// How often it is looked whether somebody needs it, and whether it may come to be.
constexpr std::chrono::seconds between_looks{5};
constexpr std::chrono::milliseconds between_looks_without_nodes{250};

} // namespace

void cluster::start()
{
    is_used_ = true;
    if (is_started_.exchange(true) || is_stopping_)
        return;
    next_look_ = clock::now() + between_looks_without_nodes;
    ++under_way_;
    ++own_;
    asio::co_spawn(
        executor_, [self = shared_from_this()] { return self->refresh_loop(); },
        [self = shared_from_this()](std::exception_ptr why) {
            if (why && !self->failure_) // without it, nothing would be found again
                self->failure_ = std::move(why);
            --self->under_way_;
            --self->own_;
            self->changed();
        });
}

/// Something that serves no call, and that `stop` waits for.
void cluster::spawn(node_ptr owner, asio::awaitable<void> task)
{
    ++under_way_;
    ++own_;
    asio::co_spawn(executor_, std::move(task),
                   [self = shared_from_this(), owner = std::move(owner)](std::exception_ptr) {
                       --self->under_way_;
                       --self->own_;
                       self->changed();
                   });
}

void cluster::retire(node_ptr node)
{
    auto stopped = node->link()->stop();
    spawn(std::move(node), std::move(stopped));
}

bool cluster::is_to_rest()
{
    const auto now = clock::now();
    if (now < next_look_)
        return false;
    const bool is_any_up =
        std::any_of(nodes_.begin(), nodes_.end(), [](const auto& each) { return each.second->is_up(); });
    next_look_ = now + (is_any_up ? clock::duration{between_looks} : between_looks_without_nodes);
    return !std::exchange(is_used_, false) && !is_needed();
}

/// Whether somebody calls, waits, listens or works.
bool cluster::is_needed() const
{
    const auto all = parts();
    return under_way_ != own_ || (identity_.watches && identity_.watches->is_awaited()) ||
           (identity_.channels && !identity_.channels->is_empty()) ||
           std::any_of(all.begin(), all.end(), [](const auto& part) { return part->is_attended(); });
}

/// Connections would keep the program's context running. What is known of the slots stays.
void cluster::rest()
{
    is_started_ = false;
    for (auto& [where, node] : std::exchange(nodes_, {})) {
        if (node->is_up())
            rested_.insert(where);
        retire(node);
    }
}

} // namespace coworker::detail
