// SPDX-License-Identifier: MIT
#include "fuzz/answer_check.hpp"
#include "fuzz/fuzz_target.hpp"

#include "coworker/gateway.hpp"
#include "support/redis_server.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

namespace coworker::test {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using asio::ip::tcp;

class gateway_target final : public fuzz_target
{
public:
    gateway_target()
    {
        gateway_.listen();
        gateway_.async_run([this](error_code) { has_ended_ = true; });
    }

    ~gateway_target() override
    {
        gateway_.stop();
        run_until(has_ended_);
        bool is_stopped = false;
        redis_.async_stop([&](error_code) { is_stopped = true; });
        run_until(is_stopped);
    }

    std::string feed(std::string_view bytes) override
    {
        if (++fed_ % 5000 == 0)
            store_("FLUSHALL");
        std::string received;
        bool is_over = false;
        asio::co_spawn(io_, talk(bytes, received), [&](std::exception_ptr) { is_over = true; });
        if (!run_until(is_over))
            throw std::runtime_error{"a request has not been answered for 20 s"};
        return check_answers(received);
    }

private:
    /// Sends it all in two parts, and reads what comes until the gateway closes the connection.
    asio::awaitable<void> talk(std::string_view bytes, std::string& received)
    {
        tcp::socket socket{io_};
        co_await socket.async_connect({asio::ip::address_v4::loopback(), gateway_.port()},
                                      asio::use_awaitable);
        boost::system::error_code ec; // the gateway may close first
        const auto half = bytes.empty() ? 0 : static_cast<unsigned char>(bytes.back()) % bytes.size();
        for (const auto part : {bytes.substr(0, half), bytes.substr(half)}) {
            co_await asio::async_write(socket, asio::buffer(part),
                                       asio::redirect_error(asio::use_awaitable, ec));
            co_await asio::post(asio::use_awaitable); // lets the gateway read it
        }
        socket.shutdown(tcp::socket::shutdown_send, ec);
        char buffer[4096];
        for (ec = {}; !ec;) {
            const auto size = co_await socket.async_read_some(asio::buffer(buffer),
                                                              asio::redirect_error(asio::use_awaitable, ec));
            received.append(buffer, size);
        }
    }

    bool run_until(const bool& happened)
    {
        const auto end = std::chrono::steady_clock::now() + 20s;
        while (!happened && std::chrono::steady_clock::now() < end)
            io_.run_one_until(end);
        return happened;
    }

    redis_server store_;
    asio::io_context io_{1};
    client redis_{io_.get_executor(), {.url = store_.url()}};
    gateway gateway_{redis_, {.port = 0, .body_limit = 16 * 1024, .header_limit = 2048}};
    std::size_t fed_ = 0;
    bool has_ended_ = false;
};

} // namespace

std::unique_ptr<fuzz_target> make_gateway_target()
{
    return std::make_unique<gateway_target>();
}

} // namespace coworker::test
