// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/gateway.hpp"
#include "coworker/inspector.hpp"
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
    managed_api(const client& redis, const gateway_options& options, inspector shows, turns& large_looks);

    // What the table of routes names. The request outlives the call.

    // managed_look.cpp
    asio::awaitable<answer> queues(const routed& where);
    asio::awaitable<answer> queue(const routed& where);
    asio::awaitable<answer> statistics(const routed& where);
    asio::awaitable<answer> jobs(const routed& where);
    asio::awaitable<answer> groups(const routed& where);
    asio::awaitable<answer> failed(const routed& where);
    asio::awaitable<answer> job(const routed& where);
    asio::awaitable<answer> workers(const routed& where);

    // managed_act.cpp
    asio::awaitable<answer> retry(const routed& where);
    asio::awaitable<answer> remove(const routed& where);

    // managed_push.cpp
    asio::awaitable<answer> push(const routed& where);

private:
    asio::awaitable<answer> schedules(const routed& where);

    client redis_;
    gateway_options options_;
    inspector inspector_;
    turns* large_looks_;
};

} // namespace coworker::detail
