// SPDX-License-Identifier: MIT
#include "gateway/answer_sender.hpp"

#include "gateway/answer_head.hpp"
#include "gateway/departure.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace coworker::detail {

asio::awaitable<void> answer_sender::send(const answer& what, bool is_head, bool again, error_code& ec)
{
    socket_.expires_after(limit_);
    std::string text = format_head(what, again);
    if (!is_head)
        text += what.body;
    co_await stream_.write(text, ec);
    if (!ec && what.next_part && !is_head)
        co_await send_parts(what, ec);
}

/// Until there are no more, or the client has gone, or reads too slowly.
asio::awaitable<void> answer_sender::send_parts(const answer& what, error_code& ec)
{
    const departure leaving{socket_.shared_from_this()};
    while (!ec) {
        socket_.expires_never();
        const auto part = co_await asio::co_spawn(
            socket_.get_executor(), what.next_part(),
            asio::bind_cancellation_slot(leaving.ends_waiting(), asio::use_awaitable));
        if (part.empty())
            break;
        socket_.expires_after(limit_);
        co_await stream_.write(part, ec);
    }
}

} // namespace coworker::detail
