// SPDX-License-Identifier: MIT
#include "program/service/metrics_server.hpp"

#include "program/exit_code.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancel_after.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <chrono>
#include <cstddef>
#include <list>
#include <string_view>
#include <utility>

namespace coworker::program {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr std::chrono::seconds longest_step{1}; // with one client: to send its request, or to read
constexpr std::size_t longest_request = 8192;
constexpr std::size_t most_clients = 64;

std::string answer_with(std::string_view status, std::string_view body)
{
    std::string text = "HTTP/1.1 ";
    text.append(status).append("\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n");
    text.append("Cache-Control: no-store\r\nConnection: close\r\nContent-Length: ");
    return text.append(std::to_string(body.size())).append("\r\n\r\n").append(body);
}

bool asks_for_metrics(std::string_view request)
{
    return request.starts_with("GET /metrics ") || request.starts_with("GET /metrics?");
}

} // namespace

struct metrics_server::state
{
    explicit state(const asio::any_io_executor& executor) : acceptor{executor} {}

    tcp::acceptor acceptor;
    std::list<tcp::socket> clients; ///< the oldest first
    std::function<std::string()> page;

    static asio::awaitable<void> serve(std::shared_ptr<state> self)
    {
        while (self->acceptor.is_open()) {
            boost::system::error_code ec;
            tcp::socket client{self->acceptor.get_executor()};
            co_await self->acceptor.async_accept(client, asio::redirect_error(asio::use_awaitable, ec));
            if (!ec)
                self->let_in(self, std::move(client));
            else if (self->acceptor.is_open())
                co_await self->pause(); // no descriptor is free
        }
    }

    /// One that has come earlier has to go when there are many.
    void let_in(const std::shared_ptr<state>& self, tcp::socket client)
    {
        if (clients.size() >= most_clients)
            close(clients.front());
        const auto place = clients.insert(clients.end(), std::move(client));
        asio::co_spawn(acceptor.get_executor(), answer(*place),
                       [self, place](const std::exception_ptr&) { self->clients.erase(place); });
    }

    asio::awaitable<void> answer(tcp::socket& client)
    {
        boost::system::error_code ec;
        std::string request;
        co_await asio::async_read_until(
            client, asio::dynamic_buffer(request, longest_request), "\r\n\r\n",
            asio::cancel_after(longest_step, asio::redirect_error(asio::use_awaitable, ec)));
        if (!ec) {
            const auto text =
                asks_for_metrics(request)
                    ? answer_with("200 OK", page())
                    : answer_with("404 Not Found", "This process serves GET /metrics and nothing else.\n");
            co_await asio::async_write(
                client, asio::buffer(text),
                asio::cancel_after(longest_step, asio::redirect_error(asio::use_awaitable, ec)));
        }
        close(client);
    }

    static void close(tcp::socket& client)
    {
        boost::system::error_code ignored;
        client.shutdown(tcp::socket::shutdown_both, ignored);
        client.close(ignored);
    }

    asio::awaitable<void> pause()
    {
        boost::system::error_code ec;
        asio::steady_timer timer{acceptor.get_executor(), longest_step};
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ec));
    }
};

metrics_server::metrics_server(asio::any_io_executor executor, const listen_place& place,
                               std::function<std::string()> page)
    : place_{place}, state_{std::make_shared<state>(executor)}
{
    state_->page = std::move(page);
    try {
        const tcp::endpoint here{asio::ip::make_address(place.address), place.port};
        state_->acceptor.open(here.protocol());
        state_->acceptor.set_option(tcp::acceptor::reuse_address{true});
        state_->acceptor.bind(here);
        state_->acceptor.listen();
        place_.port = state_->acceptor.local_endpoint().port();
    } catch (const boost::system::system_error& error) {
        throw failure{exit_code::failed, "cannot serve metrics on " + to_string(place) + ": " +
                                             error.code().message() +
                                             "; --metrics HOST:PORT names another place"};
    }
    asio::co_spawn(executor, state::serve(state_), [](std::exception_ptr) {});
}

metrics_server::~metrics_server()
{
    stop();
}

std::string metrics_server::url() const
{
    return "http://" + to_string(place_) + "/metrics";
}

void metrics_server::stop()
{
    boost::system::error_code ignored;
    state_->acceptor.close(ignored);
    for (auto& client : state_->clients)
        state::close(client);
}

void add_metrics_option(command_options command, std::string& place)
{
    command
        .add_option(
            "--metrics", place,
            "Serve metrics of this process for Prometheus at http://HOST:PORT/metrics, to everybody who "
            "can connect. Default: none")
        .value_name("HOST:PORT");
}

} // namespace coworker::program
