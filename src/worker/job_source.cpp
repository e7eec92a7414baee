// SPDX-License-Identifier: MIT
#include "coworker/job_source.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace coworker {

asio::awaitable<std::vector<std::string>> job_source::wait_for_losses()
{
    // Nobody tells, so this waits until it is cancelled.
    asio::steady_timer never{co_await asio::this_coro::executor, clock::time_point::max()};
    co_await never.async_wait(asio::use_awaitable);
    co_return std::vector<std::string>{};
}

} // namespace coworker
