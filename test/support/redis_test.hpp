// SPDX-License-Identifier: MIT
#pragma once

#include "support/coroutine.hpp"
#include "support/event_log.hpp"
#include "support/redis_server.hpp"

#include "coworker/client.hpp"

#include <boost/asio/io_context.hpp>

namespace coworker::test {

/// What most tests need: a server, a context, and something to run coroutines with.
struct redis_test
{
    redis_server server;
    asio::io_context io{1};
    event_log events{io.get_executor()};

    redis_test() = default;
    explicit redis_test(redis_server_options options) : server{std::move(options)} {}

    /// How to reach the server, which may be slow on a busy machine.
    client_options options() const { return {.url = server.url(), .command_timeout = patience}; }
    /// The same, with connection events going to `events`.
    client_options observed_options() const
    {
        auto result = options();
        result.on_event = events.observe();
        return result;
    }

    /// The same, as this user, who has the password "secret".
    client_options observed_options(const std::string& user) const
    {
        auto result = observed_options();
        result.user = user;
        result.password = "secret";
        return result;
    }

    /// Runs a coroutine function to its end. Captures by reference are safe: it ends within this call.
    template<class Test>
    void run(Test test)
    {
        run_coroutine(io, test());
    }

    /// Waits until Redis will announce changes of at least that many keys: a worker waits for jobs with three
    /// per queue, an idle monitor for leases with three.
    asio::awaitable<void> wait_until_armed(std::size_t keys)
    {
        co_await eventually("changes of " + std::to_string(keys) + " keys are announced", [this, keys] {
            return std::stoul(server.raw().info("stats", "tracking_total_keys")) >= keys;
        });
    }
};

} // namespace coworker::test
