// SPDX-License-Identifier: MIT
#include "redis/key_watch.hpp"

#include "counted.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <utility>

namespace coworker::detail {

void key_watches::notify(std::string_view key)
{
    const auto [first, last] = by_key_.equal_range(key);
    for (auto each = first; each != last; ++each)
        each->second->notify();
}

void key_watches::notify_all()
{
    for (auto* watch : watches_)
        watch->notify();
}

void key_watches::add(key_watch& watch)
{
    watches_.insert(watch);
    for (const auto& key : watch.keys_)
        by_key_.emplace(key, &watch);
}

void key_watches::remove(key_watch& watch)
{
    watches_.erase(watch);
    for (const auto& key : watch.keys_) {
        const auto [first, last] = by_key_.equal_range(key);
        by_key_.erase(std::find_if(first, last, [&](const auto& each) { return each.second == &watch; }));
    }
}

key_watch::key_watch(std::shared_ptr<key_watches> all, const asio::any_io_executor& executor,
                     std::vector<std::string> keys)
    : all_{std::move(all)}, keys_{std::move(keys)}, timer_{executor}
{}

key_watch::~key_watch()
{
    if (is_enlisted_)
        all_->remove(*this);
}

void key_watch::arm()
{
    changed_ = false;
    if (!std::exchange(is_enlisted_, true))
        all_->add(*this);
}

void key_watch::notify()
{
    changed_ = true;
    timer_.cancel();
}

asio::awaitable<bool> key_watch::wait_until(clock::time_point deadline)
{
    if (changed_)
        co_return true;
    const auto all = all_; // the watch may be gone when this frame is destroyed unfinished
    const counted waiting{all->waiting_, true};
    timer_.expires_at(deadline);
    boost::system::error_code ignored; // a change is told as operation_aborted
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
        throw boost::system::system_error{asio::error::operation_aborted};
    co_return changed_;
}

} // namespace coworker::detail
