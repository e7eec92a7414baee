// SPDX-License-Identifier: MIT

// A producer for the fault tests, made to be killed. It queues numbers one after another, from FIRST on, and leaves a
// line in a file for each that Redis has accepted. What became of a number without a line nobody knows.
//
//   fault_producer URL QUEUE FIRST FILE
//
// QUEUE is a list queue, or "managed:" and the name of a managed queue. Every seventh job is delayed a little.
#include "fault_process.hpp"
#include "record_lines.hpp"

#include <coworker/coworker.hpp>

#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <csignal>
#include <functional>
#include <iostream>
#include <unistd.h>

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

/// Queues one number, or throws.
using push_function = std::function<asio::awaitable<void>(std::int64_t number)>;

std::chrono::milliseconds delay_of(std::int64_t number)
{
    return number % 7 == 0 ? 100ms : 0ms;
}

push_function push_to(coworker::client& redis, std::string_view queue)
{
    constexpr std::string_view managed = "managed:";
    if (queue.starts_with(managed)) {
        auto to = std::make_shared<coworker::managed_queue>(redis, std::string{queue.substr(managed.size())});
        return [to](std::int64_t number) -> asio::awaitable<void> {
            const auto jid = "job-" + std::to_string(number);
            coworker::managed_push_options options;
            options.jid = jid;
            options.delay = delay_of(number);
            options.retries = 1000; // each may be lost with its worker many times
            co_await to->async_push("Job", number, options);
        };
    }
    auto to = std::make_shared<coworker::list_queue<std::int64_t>>(redis, std::string{queue});
    return [to](std::int64_t number) -> asio::awaitable<void> {
        const auto id = "job-" + std::to_string(number);
        coworker::push_options options;
        options.id = id;
        options.delay = delay_of(number);
        co_await to->async_push(number, options);
    };
}

asio::awaitable<void> run(std::string url, std::string queue, std::int64_t number, int file)
{
    const auto executor = co_await asio::this_coro::executor;
    coworker::client_options options;
    options.url = url;
    options.connect_timeout = 0ms; // the server may be away at that moment
    options.command_timeout = 2s;
    coworker::client redis{executor, options};
    const auto push = push_to(redis, queue);

    bool stopped = false;
    asio::signal_set signals{executor, SIGTERM};
    signals.async_wait([&](const boost::system::error_code& ec, int) { stopped = stopped || !ec; });
    std::cerr << ::getpid() << " listens" << std::endl;
    asio::steady_timer pause{executor};
    while (!stopped) {
        try {
            co_await push(number);
            coworker::test::write_down(file, std::to_string(number));
        } catch (const boost::system::system_error& error) {
            std::cerr << ::getpid() << " push " << number << ": " << error.what() << std::endl;
        }
        pause.expires_after(3ms);
        co_await pause.async_wait(asio::use_awaitable);
        ++number;
    }
    signals.cancel();
    co_await redis.async_stop();
}

} // namespace

int main(int count, char** words)
{
    if (count != 5) {
        std::cerr << "usage: fault_producer URL QUEUE FIRST FILE\n";
        return 2;
    }
    asio::io_context io{1};
    return coworker::test::run_process(
        io, run(words[1], words[2], std::stoll(words[3]), coworker::test::open_record(words[4])));
}
