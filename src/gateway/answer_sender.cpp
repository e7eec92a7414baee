// SPDX-License-Identifier: MIT
#include "gateway/answer_sender.hpp"

#include "gateway/departure.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace coworker::detail {

asio::awaitable<void> answer_sender::send(const answer& what, bool is_head, head_facts facts, error_code& ec)
{
    constexpr std::size_t small = 16 * 1024; // goes in one step with the head; more is not copied
    socket_.expires_without_progress(limit_);
    std::string text = format_head(what, facts);
    const bool is_sent_apart = !is_head && what.body.size() > small;
    if (!is_head && !is_sent_apart)
        text += what.body;
    co_await stream_.write(text, ec);
    if (!ec && is_sent_apart)
        co_await stream_.write(what.body, ec);
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
