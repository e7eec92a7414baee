// SPDX-License-Identifier: MIT
#include "redis/key_watch.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>

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

key_watch::key_watch(std::shared_ptr<key_watches> all, const asio::any_io_executor& executor,
                     std::vector<std::string> keys)
    : all_{std::move(all)}, keys_{std::move(keys)}, timer_{executor}
{
    all_->watches_.insert(this);
    for (const auto& key : keys_)
        all_->by_key_.emplace(key, this);
}

key_watch::~key_watch()
{
    all_->watches_.erase(this);
    auto& by_key = all_->by_key_;
    for (const auto& key : keys_) {
        const auto [first, last] = by_key.equal_range(key);
        by_key.erase(std::find_if(first, last, [this](const auto& each) { return each.second == this; }));
    }
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
    timer_.expires_at(deadline);
    boost::system::error_code ignored; // a change is told as operation_aborted
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
        throw boost::system::system_error{asio::error::operation_aborted};
    co_return changed_;
}

} // namespace coworker::detail
