// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspector.hpp"
#include "coworker/managed_client.hpp"
#include "http/page.hpp"
#include "http/turns.hpp"

#include <string>
#include <utility>
#include <vector>

namespace coworker::detail {

/// Answers requests about managed queues.
class managed_api
{
public:
    /// @param shows  has the same prefix
    /// @throws system_error  `errc::invalid_option`
    managed_api(const client& redis, inspector shows, const std::string& prefix, turns& large_looks)
        : redis_{share(redis)}, client_{redis, {.prefix = prefix}}, inspector_{std::move(shows)},
          large_looks_{&large_looks}
    {}

    /// For what the inspector does not show.
    const managed_client& commands() const noexcept { return client_; }

    // What the table of routes names. The request outlives the call.

    // managed_look.cpp
    asio::awaitable<answer> queues(const routed& where);
    asio::awaitable<answer> queue(const routed& where);
    asio::awaitable<answer> history(const routed& where);
    asio::awaitable<answer> statistics(const routed& where);
    asio::awaitable<answer> jobs(const routed& where);
    asio::awaitable<answer> groups(const routed& where);
    asio::awaitable<answer> failed(const routed& where);
    asio::awaitable<answer> job(const routed& where);
    asio::awaitable<answer> workers(const routed& where);

    // managed_act.cpp
    asio::awaitable<answer> pause(const routed& where);
    asio::awaitable<answer> resume(const routed& where);
    asio::awaitable<answer> retry(const routed& where);
    asio::awaitable<answer> remove(const routed& where);

private:
    asio::awaitable<answer> schedules(const routed& where);
    asio::awaitable<void> add_jobs(page_writer& page, std::vector<std::string> jids);

    client redis_;
    managed_client client_;
    inspector inspector_;
    turns* large_looks_;
};

} // namespace coworker::detail
