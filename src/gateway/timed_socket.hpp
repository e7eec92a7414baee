// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <memory>
#include <utility>

namespace coworker::detail {

namespace asio = boost::asio;

/// A TCP socket that is closed when its time limit has passed.
///
/// The lowest layer below `asio::ssl::stream`. Completion handlers are type-erased, so that the operations above are
/// compiled once each, and not once more for each of this socket's. Make it with `make_shared`.
class timed_socket : public std::enable_shared_from_this<timed_socket>
{
public:
    using executor_type = asio::any_io_executor;
    using lowest_layer_type = timed_socket;

    explicit timed_socket(asio::ip::tcp::socket socket);

    executor_type get_executor() { return socket_.get_executor(); }
    lowest_layer_type& lowest_layer() noexcept { return *this; }
    asio::ip::tcp::socket& socket() noexcept { return socket_; }

    /// Allows this much time from now on, instead of what was allowed before.
    void expires_after(std::chrono::steady_clock::duration limit);
    /// The same for what is read or written step by step: five seconds at first and a second more for each KiB that
    /// moves, and `limit` altogether. So nobody holds a connection by moving a byte now and then.
    void expires_without_progress(std::chrono::steady_clock::duration limit);
    /// So many bytes have moved.
    void moved(std::size_t bytes) noexcept;
    void expires_never() noexcept;
    /// Whether the socket has been closed because its time was over.
    bool has_timed_out() const noexcept { return timed_out_; }

    template<class Buffers, class Token>
    auto async_read_some(const Buffers& buffers, Token&& token)
    {
        return asio::async_initiate<Token, void(error_code, std::size_t)>(
            [](auto handler, timed_socket* self, asio::mutable_buffer buffer) {
                self->read_some(buffer, completion{std::move(handler)});
            },
            token, this, asio::mutable_buffer{*asio::buffer_sequence_begin(buffers)});
    }

    template<class Buffers, class Token>
    auto async_write_some(const Buffers& buffers, Token&& token)
    {
        return asio::async_initiate<Token, void(error_code, std::size_t)>(
            [](auto handler, timed_socket* self, asio::const_buffer buffer) {
                self->write_some(buffer, completion{std::move(handler)});
            },
            token, this, asio::const_buffer{*asio::buffer_sequence_begin(buffers)});
    }

private:
    using completion = asio::any_completion_handler<void(error_code, std::size_t)>;
    using time_point = std::chrono::steady_clock::time_point;

    void read_some(asio::mutable_buffer buffer, completion handler);
    void write_some(asio::const_buffer buffer, completion handler);
    void expires_at(time_point limit);
    void wait();

    asio::ip::tcp::socket socket_;
    asio::steady_timer timer_;
    time_point limit_ = time_point::max();
    time_point latest_ =
        time_point::max(); ///< up to which progress extends the limit; the maximum: it does not
    time_point wakes_at_ = time_point::max(); ///< when the timer fires, which may be before the limit
    bool timed_out_ = false;
};

} // namespace coworker::detail
