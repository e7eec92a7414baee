// SPDX-License-Identifier: MIT
#include "redis/key_watch.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>

namespace coworker::detail {

void key_watches::notify(std::string_view key)
{
    for (auto* watch : watches_)
        if (watch->watches(key))
            watch->notify();
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
}

key_watch::~key_watch()
{
    all_->watches_.erase(this);
}

void key_watch::notify()
{
    changed_ = true;
    timer_.cancel();
}

bool key_watch::watches(std::string_view key) const noexcept
{
    return std::find(keys_.begin(), keys_.end(), key) != keys_.end();
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
