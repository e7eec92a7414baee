// SPDX-License-Identifier: MIT
#include "redis/server_connection/call_gate.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace coworker::detail {

void call_gate::open()
{
    open_ = true;
    if (!waiting_.empty())
        waiting_.front()->timer_.cancel();
}

void call_gate::wake_all()
{
    for (auto* each : waiting_)
        each->timer_.cancel();
}

call_gate::place::place(call_gate& gate, clock::time_point deadline)
    : gate_{gate}, timer_{gate.executor_, deadline}, at_{gate.waiting_.insert(gate.waiting_.end(), this)}
{}

call_gate::place::~place()
{
    gate_.waiting_.erase(at_);
    if (gate_.open_ && !gate_.waiting_.empty())
        gate_.waiting_.front()->timer_.cancel();
}

asio::awaitable<void> call_gate::place::wait()
{
    boost::system::error_code ignored; // to be woken is told as operation_aborted
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
        throw boost::system::system_error{asio::error::operation_aborted};
}

} // namespace coworker::detail
