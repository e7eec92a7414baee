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

    /// How many keys of its schedules Redis tracks for a worker or monitor of a list queue: version 7.0 those that a script is
    /// given, later ones those that it reads.
    std::size_t schedule_keys()
    {
        return server.raw().info("server", "redis_version").starts_with("7.0.") ? 2 : 1;
    }

    /// Waits until Redis will announce changes of at least that many keys: a worker waits for jobs with three
    /// per queue, an idle monitor for leases with three.
    /// @param list_queues  of how many schedules are carried out
    asio::awaitable<void> wait_until_armed(std::size_t keys, std::size_t list_queues = 0)
    {
        keys += list_queues * schedule_keys();
        co_await eventually("changes of " + std::to_string(keys) + " keys are announced", [this, keys] {
            return std::stoul(server.raw().info("stats", "tracking_total_keys")) >= keys;
        });
    }
};

} // namespace coworker::test
