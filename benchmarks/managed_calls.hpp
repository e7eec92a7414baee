// SPDX-License-Identifier: MIT
#pragma once

#include "redis/connection/connection.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>
#include <vector>

namespace bench {

namespace asio = boost::asio;

/// Calls of the managed queue's scripts, without anything around them, and the time they cost Redis. All
/// figures are microseconds per job as Redis itself counts them (`INFO commandstats`).
class managed_calls
{
public:
    /// How many jobs a batch has.
    static constexpr std::size_t batch = 50;

    explicit managed_calls(coworker::detail::connection& redis) : redis_{redis} {}

    /// Gives Redis the scripts, and makes locks and completed jobs last.
    asio::awaitable<void> prepare();

    asio::awaitable<double> put(std::size_t count); ///< by `put`, each by a call of its own
    asio::awaitable<double> pop(std::size_t count); ///< by `pop`, one by one
    asio::awaitable<double> complete();             ///< by `complete`, what was popped
    asio::awaitable<double> put_batches(std::size_t count);
    asio::awaitable<double>
    cycle(std::size_t count); ///< put, taken and completed, by `put_many` and `ack_and_fetch`

private:
    using command = std::vector<std::string>;

    /// Sends the calls together; returns what the server took for all of them, in microseconds.
    asio::awaitable<double> send(std::vector<command> calls, coworker::detail::reply& answers);
    asio::awaitable<double> time_in_scripts();
    asio::awaitable<double> ack_and_fetch(std::size_t count);
    command call(std::string_view script) const;
    void add_put(command& to);

    coworker::detail::connection& redis_;
    std::vector<std::string> held_; ///< the jobs that were taken and are not yet complete
    std::size_t jobs_ = 0;          ///< put so far
};

} // namespace bench
