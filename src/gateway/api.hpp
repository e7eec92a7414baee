// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/durability.hpp"
#include "coworker/gateway.hpp"
#include "coworker/inspector.hpp"
#include "coworker/job_taker.hpp"
#include "coworker/list_queue.hpp"
#include "gateway/event_stream.hpp"
#include "gateway/guard.hpp"
#include "gateway/managed_api.hpp"
#include "gateway/remote_text.hpp"
#include "gateway/route.hpp"
#include "gateway/turns.hpp"
#include "submission/effect_maker.hpp"
#include "submission/known_list_queues.hpp"
#include "text/prometheus.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace coworker::detail {

/// Names of nodes of a cluster.
using node_set = std::set<std::string>;

/// What the gateway has done, for its metrics.
struct gateway_counts
{
    std::map<unsigned, std::uint64_t> answers; ///< by status
    std::uint64_t connections = 0;             ///< open now
    std::uint64_t accepted = 0;                ///< since the start
    std::uint64_t timeouts = 0;                ///< clients that were too slow
    std::uint64_t evicted = 0;                 ///< idle connections closed to let others in
};

/// Answers requests. Knows nothing of sockets.
class api
{
public:
    api(const client& redis, const gateway_options& options);

    /// Looks at the header only, so that a body that nobody wants need not be read.
    /// @throws refusal
    routed admit(const request_data& header) const;

    /// Does what is asked. Throws only when it is cancelled.
    ///
    /// @param held  where the bytes of a large answer are counted; null: nowhere
    asio::awaitable<answer> handle(routed where, request_data request, memory_share* held = nullptr);

    /// What a client may do who sends this.
    guard::right right_of(const request_data& header) const { return guard_.right_of(header.authorization); }

    /// Who may use it from now on.
    void let_in(guard visitors) { guard_ = std::move(visitors); }

    gateway_counts& counts() noexcept { return counts_; }
    managed_api& managed() noexcept { return managed_; }
    /// Ends all waiting for jobs, and all streams of events.
    void stop();

    // What the table of routes names. The request outlives the call.

    asio::awaitable<answer> health(const routed& where);
    asio::awaitable<answer> description(const routed& where);
    asio::awaitable<answer> access(const routed& where);
    asio::awaitable<answer> file(const routed& where);
    asio::awaitable<answer> metrics(const routed& where); // metrics.cpp
    asio::awaitable<answer> push(const routed& where);    // push.cpp
    asio::awaitable<answer> events(const routed& where);  // event_stream.cpp

    // look.cpp
    asio::awaitable<answer> ready(const routed& where);
    asio::awaitable<answer> queues(const routed& where);
    asio::awaitable<answer> queue(const routed& where);
    asio::awaitable<answer> partitions(const routed& where);
    asio::awaitable<answer> history(const routed& where, queue_kind kind);
    asio::awaitable<answer> jobs(const routed& where, job_state state);
    asio::awaitable<answer> job(const routed& where);
    asio::awaitable<answer> failures(const routed& where, queue_kind kind);
    asio::awaitable<answer> workers(const routed& where);

    // act.cpp
    asio::awaitable<answer> set_paused(const routed& where, queue_kind kind, bool paused);
    asio::awaitable<answer> act(const routed& where, job_state state, job_action action);

    // remote.cpp
    asio::awaitable<answer> take(const routed& where, queue_kind kind);
    asio::awaitable<answer> renew(const routed& where, queue_kind kind);
    asio::awaitable<answer> tell_progress(const routed& where);
    asio::awaitable<answer> save_checkpoints(const routed& where);
    asio::awaitable<answer> acknowledge(const routed& where, queue_kind kind);

private:
    using describe_push = answer (*)(const push_result&, bool is_confirmed);
    asio::awaitable<answer> push_one(list_submission job, durability wanted, describe_push describe);
    asio::awaitable<std::vector<answer>> push_part(std::string type, std::vector<raw_push> jobs,
                                                   durability wanted, describe_push describe);

    // Throws what keeps any of the jobs away before it does anything.
    asio::awaitable<std::vector<answer>> end_each(queue_ref queue, std::vector<told_end> told);
    asio::awaitable<void> give_back(queue_ref queue, std::vector<ended_job> jobs);

    /// A part of the list queues that this gateway shows.
    asio::awaitable<queue_page> list_queues(std::string cursor, std::size_t count);
    asio::awaitable<std::vector<queue_info>> measured_queues(queue_kind kind, node_set& missing);
    asio::awaitable<prometheus_text> measure_list_queues(node_set& missing);
    asio::awaitable<prometheus_text> measure_managed_queues(node_set& missing);
    asio::awaitable<prometheus_text> measure_limits_and_schedules();

    client redis_;
    gateway_options options_;
    guard guard_;
    inspector inspector_;
    turns large_looks_;
    managed_api managed_;
    job_taker taker_;
    std::vector<std::weak_ptr<event_stream>> streams_;
    gateway_counts counts_;
    known_list_queues lists_;
    effect_maker effects_;
};

/// What workers over HTTP take jobs with.
job_taker make_taker(const client& redis, const gateway_options& options);

/// What a client is told of an error of Redis, or of the connection to it.
answer problem_of(const system_error& error);

} // namespace coworker::detail
