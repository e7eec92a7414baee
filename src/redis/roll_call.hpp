// SPDX-License-Identifier: MIT
#pragma once

#include "signal.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace coworker::detail {

class connection;

/// Who was connected at a moment.
struct roll
{
    std::set<std::string> names; ///< of connections
    std::size_t connections = 0; ///< those without a name as well
    std::string flaw;            ///< why nobody can be taken for dead by it; empty: they can
    std::chrono::steady_clock::time_point begun{}; ///< it tells of a moment after this

    /// For how long a list as long as this one is to do: half a second, and more beyond 250 connections, up to 2 s.
    std::chrono::milliseconds pause() const noexcept;

    /// How soon to look again whether those of a round are still there: a quarter of a second, and more beyond 50
    /// connections. From 100 on only the next round looks.
    std::chrono::milliseconds look_pause() const noexcept;

    /// Whether any of these has no connection, as far as that can be said.
    bool misses_any(const std::vector<std::string>& workers) const;
};

/// Asks a server, or all primaries of a cluster that can be reached, for all connections. The monitors of all queues of a
/// client share what was answered.
class roll_call
{
public:
    explicit roll_call(const asio::any_io_executor& executor) : answered_{executor} {}

    /// Returns a roll that is not older than its `look_pause`, and not older than half of `grace`: a worker is dead only if it
    /// is missing twice, in rolls that are further apart than that. It was begun at the time `since` or later.
    asio::awaitable<std::shared_ptr<const roll>> take(std::shared_ptr<connection> redis,
                                                      std::chrono::milliseconds grace,
                                                      std::chrono::steady_clock::time_point since = {});

    /// Waits for so long, or until one of these workers has no connection.
    asio::awaitable<void> watch(std::shared_ptr<connection> redis, std::vector<std::string> workers,
                                std::chrono::milliseconds time);

    /// Whether this one of the client's monitors looks soon whether the leader that `key` names is still there: one
    /// does so for all, the first that asks; another one if that has not asked for a while.
    bool looks_for_all(const std::string& key, const void* monitor);

private:
    struct turn
    {
        const void* monitor = nullptr;
        std::chrono::steady_clock::time_point until{};
    };

    std::shared_ptr<const roll> latest_;
    std::map<std::string, turn> turns_; ///< who looks for the leader under which key
    bool is_asking_ = false;
    signal answered_;
};

} // namespace coworker::detail
