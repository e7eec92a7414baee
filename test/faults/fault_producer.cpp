// SPDX-License-Identifier: MIT

// A producer for the fault tests, made to be killed. It queues numbers one after another, from FIRST on, and leaves a
// line for an account in a file for each that Redis has accepted. What became of a number without a line nobody knows.
//
//   fault_producer URL QUEUE FIRST FILE [confirmed]
//
// QUEUE is a list queue, or "managed:" and the name of a managed queue. Every seventh job is delayed a little. confirmed:
// the list queue is in partitions, and counts as accepted what a replica has, too.
#include "account_lines.hpp"
#include "fault_process.hpp"

#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <csignal>
#include <exception>
#include <functional>
#include <iostream>

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

/// How jobs are queued.
struct way_in
{
    std::string queue; ///< its name
    std::chrono::milliseconds delay_of_seventh{100};
    /// Queues one number, or throws.
    std::function<asio::awaitable<void>(std::int64_t number, std::chrono::milliseconds delay)> push{};
};

std::string id_of(std::int64_t number)
{
    return "job-" + std::to_string(number);
}

way_in push_to(coworker::client& redis, std::string_view queue, bool is_confirmed)
{
    constexpr std::string_view managed = "managed:";
    if (queue.starts_with(managed)) {
        way_in way{std::string{queue.substr(managed.size())}};
        auto to = std::make_shared<coworker::managed_queue>(redis, way.queue);
        way.push = [to](std::int64_t number, std::chrono::milliseconds delay) -> asio::awaitable<void> {
            const auto jid = id_of(number);
            coworker::managed_push_options options;
            options.jid = jid;
            options.delay = delay;
            options.retries = 1000; // each may be lost with its worker many times
            co_await to->async_push("Job", number, options);
        };
        return way;
    }
    way_in way{std::string{queue}};
    if (is_confirmed)
        way.delay_of_seventh = 1s; // time to lose those that Redis has and nobody has run
    coworker::list_queue_options how;
    how.partitions = is_confirmed ? 12 : 0;
    const coworker::list_queue<std::int64_t> numbers{redis, way.queue, how};
    const auto replicated = coworker::durability::replicated(1, 1s);
    auto to = std::make_shared<coworker::list_queue<std::int64_t>>(is_confirmed ? numbers.with(replicated)
                                                                                : numbers);
    way.push = [to](std::int64_t number, std::chrono::milliseconds delay) -> asio::awaitable<void> {
        const auto id = id_of(number);
        coworker::push_options options;
        options.id = id;
        options.delay = delay;
        co_await to->async_push(number, options);
    };
    return way;
}

/// Queues every `step`th number from there on, until it is told to stop.
asio::awaitable<void> push_numbers(const way_in& way, std::int64_t number, std::int64_t step, int file,
                                   const bool& is_stopped)
{
    asio::steady_timer pause{co_await asio::this_coro::executor};
    while (!is_stopped) {
        const auto delay = number % 7 == 0 ? way.delay_of_seventh : 0ms;
        const auto not_before = coworker::test::real_time() + delay.count() * coworker::test::millisecond;
        try {
            co_await way.push(number, delay);
            coworker::test::write_pushed(file, way.queue, id_of(number), not_before);
        } catch (const boost::system::system_error& error) {
            coworker::test::tell_test("push " + std::to_string(number) + ": " + error.what());
        }
        number += step;
        pause.expires_after(3ms);
        co_await pause.async_wait(asio::use_awaitable);
    }
}

asio::awaitable<void> run(std::string url, std::string queue, std::int64_t first, int file, bool is_confirmed)
{
    const auto executor = co_await asio::this_coro::executor;
    coworker::client_options options;
    options.url = url;
    options.connect_timeout = 0ms; // the server may be away at that moment
    options.command_timeout = 2s;
    coworker::client redis{executor, options};
    const auto way = push_to(redis, queue, is_confirmed);

    bool is_stopped = false;
    asio::signal_set signals{executor, SIGTERM};
    signals.async_wait([&](const boost::system::error_code& ec, int) { is_stopped = is_stopped || !ec; });
    coworker::test::tell_test("listens");
    // One waits for its node for long where others go on with theirs.
    const std::int64_t at_once = is_confirmed ? 12 : 1;
    std::int64_t running = at_once;
    std::exception_ptr failure;
    asio::steady_timer all_ended{executor, asio::steady_timer::time_point::max()};
    for (std::int64_t i = 0; i != at_once; ++i)
        asio::co_spawn(executor, push_numbers(way, first + i, at_once, file, is_stopped),
                       [&](std::exception_ptr error) {
                           if (error) {
                               failure = error;
                               is_stopped = true;
                           }
                           if (--running == 0)
                               all_ended.cancel();
                       });
    boost::system::error_code ignored; // it is always cancelled
    co_await all_ended.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    signals.cancel();
    if (failure)
        std::rethrow_exception(failure);
    co_await redis.async_stop();
}

} // namespace

int main(int count, char** words)
{
    if (count != 5 && count != 6) {
        std::cerr << "usage: fault_producer URL QUEUE FIRST FILE [confirmed]\n";
        return 2;
    }
    const bool is_confirmed = count == 6 && std::string_view{words[5]} == "confirmed";
    asio::io_context io{1};
    return coworker::test::run_process(io, run(words[1], words[2], std::stoll(words[3]),
                                               coworker::test::open_record(words[4]), is_confirmed));
}
