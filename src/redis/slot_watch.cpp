// SPDX-License-Identifier: MIT
#include "redis/slot_watch.hpp"

#include "redis/until_one_ends.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace coworker::detail {
namespace {

/// Where many workers come or go at the same time, the mark changes as often: that is one question of each of them.
constexpr std::chrono::milliseconds pause_after_mark{500};

asio::awaitable<void> wait_for_keys(key_watch& keys, key_watch::clock::time_point deadline, bool& has_changed)
{
    has_changed = co_await keys.wait_until(deadline);
}

} // namespace

slot_watch::slot_watch(const connection& redis, std::string mark)
    : executor_{redis.get_executor()}, mark_{std::move(mark)}
{
    if (redis.in_cluster())
        watch_.emplace(redis.watches(), executor_, std::vector{mark_});
}

void slot_watch::arm()
{
    is_doubtful_ = false;
    if (watch_)
        watch_->arm();
}

asio::awaitable<void> slot_watch::wait_for_mark(clock::time_point deadline)
{
    const bool has_changed = co_await watch_->wait_until(deadline);
    if (!has_changed)
        co_return;
    asio::steady_timer pause{executor_, pause_after_mark};
    co_await pause.async_wait(asio::use_awaitable);
    is_doubtful_ = true;
}

asio::awaitable<bool> slot_watch::wait_until(key_watch& keys, clock::time_point deadline)
{
    bool has_changed = false;
    if (watch_)
        co_await until_one_ends(wait_for_keys(keys, deadline, has_changed), wait_for_mark(deadline));
    else
        has_changed = co_await keys.wait_until(deadline);
    co_return has_changed;
}

} // namespace coworker::detail
