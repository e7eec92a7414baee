// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/batches.hpp"
#include "coworker/gateway.hpp"
#include "coworker/inspector.hpp"
#include "coworker/schedules.hpp"
#include "gateway/page.hpp"
#include "gateway/turns.hpp"

#include <chrono>
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

    // managed_act.cpp
    asio::awaitable<answer> retry(const routed& where);
    asio::awaitable<answer> remove(const routed& where);
    asio::awaitable<answer> run(const routed& where);
    asio::awaitable<answer> release(const routed& where);

    // managed_push.cpp
    asio::awaitable<answer> push(const routed& where);

    // schedules.cpp
    asio::awaitable<answer> all_schedules(const routed& where);
    asio::awaitable<answer> schedule(const routed& where);
    asio::awaitable<answer> set_schedule(const routed& where);
    asio::awaitable<answer> run_schedule(const routed& where);
    asio::awaitable<answer> pause_schedule(const routed& where);
    asio::awaitable<answer> resume_schedule(const routed& where);
    asio::awaitable<answer> remove_schedule(const routed& where);

    // batches.cpp
    asio::awaitable<answer> all_batches(const routed& where);
    asio::awaitable<answer> batch(const routed& where);
    asio::awaitable<answer> batch_jobs(const routed& where);
    asio::awaitable<answer> open_batch(const routed& where);
    asio::awaitable<answer> seal_batch(const routed& where);
    asio::awaitable<answer> cancel_batch(const routed& where);

    // limits.cpp
    asio::awaitable<answer> all_limits(const routed& where);
    asio::awaitable<answer> limit(const routed& where);
    asio::awaitable<answer> set_limit(const routed& where);
    asio::awaitable<answer> remove_limit(const routed& where);
    asio::awaitable<answer> queue_limits(const routed& where);
    asio::awaitable<answer> set_queue_limits(const routed& where);
    asio::awaitable<answer> group_weights(const routed& where);
    asio::awaitable<answer> set_group_weight(const routed& where);

    // queue_settings.cpp
    asio::awaitable<answer> settings(const routed& where);
    asio::awaitable<answer> set_settings(const routed& where);

private:
    asio::awaitable<answer> recurring(const routed& where);
    asio::awaitable<void> wait_for_end(const std::string& jid, std::chrono::seconds longest);

    client redis_;
    gateway_options options_;
    inspector inspector_;
    coworker::schedules schedules_;
    coworker::batches batches_;
    turns* large_looks_;
};

} // namespace coworker::detail
