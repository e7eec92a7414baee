// SPDX-License-Identifier: MIT
#include "gateway/answer_sender.hpp"

#include "support/coroutine.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

/// An answer has to be read at some speed, however long it may take altogether.
BOOST_AUTO_TEST_SUITE(progress_of_answers)

using namespace coworker;
using namespace coworker::detail;
using namespace coworker::test;
using namespace std::chrono_literals;
using asio::ip::tcp;
using steady = std::chrono::steady_clock;

namespace {

constexpr std::size_t body_size = 192 * 1024;

/// A connection of which the system keeps little, and of that nothing is free: what is sent from now on has to be read.
class full_connection
{
public:
    explicit full_connection(asio::io_context& io) : client_{io, tcp::v4()}
    {
        tcp::acceptor acceptor{io, {asio::ip::address_v4::loopback(), 0}};
        client_.set_option(asio::socket_base::receive_buffer_size{8192});
        client_.connect(acceptor.local_endpoint());
        tcp::socket accepted = acceptor.accept();
        accepted.set_option(asio::socket_base::send_buffer_size{1});
        fill(accepted);
        socket_ = std::make_shared<timed_socket>(std::move(accepted));
        stream_ = byte_stream::make(socket_, nullptr);
    }

    /// Sends an answer that may take an hour. Returns how long it took.
    asio::awaitable<steady::duration> send(error_code& ec)
    {
        answer_sender sender{*stream_, *socket_, 1h};
        answer what;
        what.body = std::string(body_size, 'x');
        const auto begin = steady::now();
        co_await sender.send(what, false, {}, ec);
        co_return steady::now() - begin;
    }

    /// Reads so many bytes at most, now and then, until the other side has closed.
    asio::awaitable<void> read(std::size_t at_once, std::chrono::milliseconds pause)
    {
        std::string bytes(at_once, '\0');
        for (error_code ec; !ec;) {
            co_await client_.async_read_some(asio::buffer(bytes),
                                             asio::redirect_error(asio::use_awaitable, ec));
            co_await let_pass(pause);
        }
    }

    bool has_timed_out() const { return socket_->has_timed_out(); }
    void close()
    {
        stream_.reset();
        socket_.reset();
    }

private:
    static void fill(tcp::socket& socket)
    {
        const std::string bytes(1024, 'x');
        socket.non_blocking(true);
        error_code ec;
        while (!ec)
            socket.write_some(asio::buffer(bytes), ec);
        BOOST_TEST(ec == asio::error::would_block);
    }

    tcp::socket client_;
    std::shared_ptr<timed_socket> socket_;
    std::unique_ptr<byte_stream> stream_;
};

struct reader_test
{
    asio::io_context io{1};
    full_connection connection{io};
};

} // namespace

BOOST_FIXTURE_TEST_CASE(who_reads_a_byte_now_and_then_is_disconnected_after_five_seconds, reader_test)
{
    run_coroutine(io, [&]() -> asio::awaitable<void> {
        background reading{io.get_executor(), connection.read(1, 100ms)};
        error_code ec;
        const auto took = co_await connection.send(ec);
        BOOST_TEST(connection.has_timed_out());
        BOOST_TEST(ec.failed());
        BOOST_TEST((took >= 4900ms));
        BOOST_TEST((took < 5s + coworker::test::patience));
        reading.cancel();
        co_await reading.join_and_tell();
    }());
}

BOOST_FIXTURE_TEST_CASE(who_goes_on_reading_may_take_longer, reader_test)
{
    run_coroutine(io, [&]() -> asio::awaitable<void> {
        // 20 KiB a second at most.
        background reading{io.get_executor(), connection.read(2048, 100ms)};
        error_code ec;
        const auto took = co_await connection.send(ec);
        BOOST_TEST(!connection.has_timed_out());
        BOOST_TEST(!ec.failed(), ec.message());
        BOOST_TEST((took > 5s));
        connection.close();
        co_await reading.join();
    }());
}

BOOST_AUTO_TEST_SUITE_END()
