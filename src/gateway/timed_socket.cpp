// SPDX-License-Identifier: MIT
#include "gateway/timed_socket.hpp"

namespace coworker::detail {

using clock = std::chrono::steady_clock;

timed_socket::timed_socket(asio::ip::tcp::socket socket)
    : socket_{std::move(socket)}, timer_{socket_.get_executor()}
{}

void timed_socket::read_some(asio::mutable_buffer buffer, completion handler)
{
    socket_.async_read_some(buffer, std::move(handler));
}

void timed_socket::write_some(asio::const_buffer buffer, completion handler)
{
    socket_.async_write_some(buffer, std::move(handler));
}

void timed_socket::expires_after(clock::duration limit)
{
    limit_ = clock::now() + limit;
    // A timer that fires earlier will see that there is more time: most requests start no timer at all.
    if (limit_ < wakes_at_)
        wait();
}

void timed_socket::expires_never() noexcept
{
    limit_ = time_point::max();
}

void timed_socket::wait()
{
    wakes_at_ = limit_;
    timer_.expires_at(limit_);
    timer_.async_wait([weak = weak_from_this()](error_code ec) {
        const auto self = weak.lock();
        if (ec || !self)
            return;
        self->wakes_at_ = time_point::max();
        if (self->limit_ == time_point::max())
            return;
        if (clock::now() < self->limit_) {
            self->wait();
            return;
        }
        self->timed_out_ = true;
        error_code ignored;
        self->socket_.close(ignored);
    });
}

} // namespace coworker::detail
