// SPDX-License-Identifier: MIT

// A web server that does its background work itself: the HTTP server and the worker share one io_context and
// one thread, and neither keeps the other waiting.
//
//   5_http_server [URL [PORT]]      PORT: any free one if none is given
//
//   curl localhost:PORT -d '{"title":"2026","milliseconds":500}'     queues a job
//   curl localhost:PORT/4711 -d …                                    queues it once, however often it is asked for
//   curl localhost:PORT                                              says how the jobs are doing
#include <coworker/coworker.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/describe.hpp>
#include <boost/json.hpp>

#include <csignal>
#include <iostream>
#include <list>

namespace asio = boost::asio;
namespace http = boost::beast::http;
namespace json = boost::json;
using asio::ip::tcp;
using boost::system::error_code;
using request = http::request<http::string_body>;
using response = http::response<http::string_body>;
using namespace std::chrono_literals;

struct report
{
    std::string title;
    unsigned milliseconds; // how long it takes to write
};
BOOST_DESCRIBE_STRUCT(report, (), (title, milliseconds))

asio::awaitable<void> write_report(report job)
{
    asio::steady_timer timer{co_await asio::this_coro::executor, std::chrono::milliseconds{job.milliseconds}};
    co_await timer.async_wait(asio::use_awaitable);
}

// What the requests and the jobs work with.
struct application
{
    explicit application(const asio::any_io_executor& executor, const std::string& url)
        : redis{executor, {.url = url, .command_timeout = 2s}}, // nobody waits for longer for a page
          reports{redis, "reports"}, worker{redis, {.shutdown_timeout = 500ms}}
    {
        worker.handle(reports, write_report);
    }

    coworker::client redis;
    coworker::list_queue<report> reports;
    coworker::worker worker;
};

// --- requests --------------------------------------------------------------------------

response answer(const request& asked, http::status status, const json::value& body)
{
    response reply{status, asked.version()};
    reply.set(http::field::content_type, "application/json");
    reply.keep_alive(asked.keep_alive());
    reply.body() = json::serialize(body) + '\n';
    reply.prepare_payload();
    return reply;
}

asio::awaitable<response> queue_report(const request& asked, application& app)
{
    auto job = coworker::decode<report>(asked.body());
    if (!job) {
        const json::value why = {{"error", coworker::why_not_decodable<report>(asked.body())}};
        co_return answer(asked, http::status::bad_request, why);
    }
    coworker::push_options how;
    if (const auto path = std::string_view{asked.target()}.substr(1); !path.empty()) {
        how.id = path; // the job is queued once, though the request may come again
        how.unique_for = 24h;
    }
    const auto id = co_await app.reports.async_push(*job, how); // from here on the job is safe
    const json::value queued = {{"id", id}};
    co_return answer(asked, http::status::accepted, queued);
}

asio::awaitable<response> tell_state(const request& asked, application& app)
{
    const auto sizes = co_await app.reports.async_sizes();
    const json::value state = {
        {"waiting", sizes.waiting}, {"running", app.worker.running()}, {"done", sizes.total_succeeded}};
    co_return answer(asked, http::status::ok, state);
}

asio::awaitable<response> handle(const request& asked, application& app)
{
    json::value why;
    try {
        auto reply = asked.method() == http::verb::post ? queue_report(asked, app) : tell_state(asked, app);
        co_return co_await std::move(reply);
    } catch (const coworker::system_error& error) {
        why = {{"error", error.what()}};
    }
    co_return answer(asked, http::status::service_unavailable, why); // a push may be there nevertheless
}

// --- connections -----------------------------------------------------------------------

asio::awaitable<void> serve(tcp::socket socket, application& app)
{
    boost::beast::tcp_stream stream{std::move(socket)};
    boost::beast::flat_buffer buffer;
    for (bool again = true; again;) {
        request asked;
        stream.expires_after(30s);
        error_code ec;
        co_await http::async_read(stream, buffer, asked, asio::redirect_error(asio::use_awaitable, ec));
        if (ec) // the other side has gone, or was silent for too long
            co_return;
        const auto reply = co_await handle(asked, app);
        again = reply.keep_alive();
        co_await http::async_write(stream, reply, asio::use_awaitable);
    }
}

// The coroutines that serve connections, so that none is left when the server ends.
class connections
{
public:
    explicit connections(const asio::any_io_executor& executor)
        : ended_{executor, asio::steady_timer::time_point::max()}
    {}

    void add(asio::awaitable<void> connection)
    {
        const auto signal = signals_.emplace(signals_.end());
        auto ended = [this, signal](std::exception_ptr) {
            signals_.erase(signal);
            ended_.cancel();
        };
        asio::co_spawn(ended_.get_executor(), std::move(connection),
                       asio::bind_cancellation_slot(signal->slot(), ended));
    }

    asio::awaitable<void> end()
    {
        for (auto signal = signals_.begin(); signal != signals_.end();)
            (signal++)->emit(asio::cancellation_type::terminal);
        error_code ignored;
        while (!signals_.empty())
            co_await ended_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }

private:
    std::list<asio::cancellation_signal> signals_;
    asio::steady_timer ended_; // never expires; cancelled whenever a connection ends
};

asio::awaitable<void> listen(tcp::acceptor& acceptor, application& app)
{
    connections open{acceptor.get_executor()};
    error_code ec;
    while (ec != asio::error::operation_aborted) { // until the acceptor is closed
        auto socket = co_await acceptor.async_accept(asio::redirect_error(asio::use_awaitable, ec));
        if (!ec)
            open.add(serve(std::move(socket), app));
    }
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    co_await open.end();
}

// --- the program -----------------------------------------------------------------------

asio::awaitable<void> run(std::string url, unsigned short port)
{
    using namespace asio::experimental::awaitable_operators;
    auto executor = co_await asio::this_coro::executor;
    application app{executor, url};
    tcp::acceptor acceptor{executor, tcp::endpoint{asio::ip::address_v4::loopback(), port}};
    std::cout << "listening on port " << acceptor.local_endpoint().port() << std::endl;

    asio::signal_set signals{executor, SIGINT, SIGTERM};
    signals.async_wait([&](const error_code& ec, int) {
        if (ec)
            return;
        acceptor.close();
        app.worker.stop();
    });
    co_await (listen(acceptor, app) && app.worker.async_run(asio::use_awaitable));
    std::cout << "stopped" << std::endl;
}

int main(int argc, char** argv)
{
    const std::string url = argc > 1 ? argv[1] : "redis://localhost";
    const auto port = static_cast<unsigned short>(argc > 2 ? std::stoi(argv[2]) : 0);
    asio::io_context io;
    auto end = asio::co_spawn(io, run(url, port), asio::use_future);
    io.run();
    end.get();
}
