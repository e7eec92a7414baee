// SPDX-License-Identifier: MIT
#include "gateway/timed_socket.hpp"

#include <algorithm>

namespace coworker::detail {

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

void timed_socket::expires_after(std::chrono::steady_clock::duration limit)
{
    latest_ = time_point::max();
    expires_at(std::chrono::steady_clock::now() + limit);
}

void timed_socket::expires_without_progress(std::chrono::steady_clock::duration limit)
{
    constexpr std::chrono::seconds grace{5};
    const auto now = std::chrono::steady_clock::now();
    latest_ = now + limit;
    expires_at(std::min(latest_, now + grace));
}

void timed_socket::moved(std::size_t bytes) noexcept
{
    constexpr std::size_t bytes_a_second = 1024, worth_a_day = 86'400 * bytes_a_second;
    if (latest_ == time_point::max())
        return;
    const std::chrono::seconds earned{std::min(bytes, worth_a_day) / bytes_a_second};
    const std::chrono::microseconds rest{1'000'000 / bytes_a_second * (bytes % bytes_a_second)};
    limit_ = std::min<time_point>(latest_, limit_ + earned + rest);
}

void timed_socket::expires_at(time_point limit)
{
    limit_ = limit;
    // A timer that fires earlier will see that there is more time: most requests start no timer at all.
    if (limit_ < wakes_at_)
        wait();
}

void timed_socket::expires_never() noexcept
{
    latest_ = time_point::max();
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
        if (std::chrono::steady_clock::now() < self->limit_) {
            self->wait();
            return;
        }
        self->timed_out_ = true;
        error_code ignored;
        self->socket_.close(ignored);
    });
}

} // namespace coworker::detail
