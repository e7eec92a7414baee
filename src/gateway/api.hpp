// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/batches.hpp"
#include "coworker/durability.hpp"
#include "coworker/gateway.hpp"
#include "coworker/inspector.hpp"
#include "coworker/job_taker.hpp"
#include "coworker/list_queue.hpp"
#include "coworker/schedules.hpp"
#include "gateway/event_stream.hpp"
#include "gateway/guard.hpp"
#include "gateway/remote_text.hpp"
#include "gateway/route.hpp"
#include "gateway/turns.hpp"
#include "text/prometheus.hpp"
#include "json/effect_maker.hpp"
#include "json/known_list_queues.hpp"

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
    guard::visitor visitor_of(const request_data& header) const
    {
        return guard_.visitor_of(header.authorization);
    }

    /// Who may use it from now on.
    void let_in(guard visitors) { guard_ = std::move(visitors); }

    gateway_counts& counts() noexcept { return counts_; }
    /// Ends all waiting for jobs, and all streams of events.
    void stop();

    // What the table of routes names. The request outlives the call.

    asio::awaitable<answer> health(const routed& where);
    asio::awaitable<answer> description(const routed& where);
    asio::awaitable<answer> access(const routed& where);
    asio::awaitable<answer> file(const routed& where);
    asio::awaitable<answer> metrics(const routed& where); // metrics.cpp
    asio::awaitable<answer> events(const routed& where);  // event_stream.cpp

    // push.cpp
    asio::awaitable<answer> push(const routed& where);
    asio::awaitable<answer> push_to_queue(const routed& where);

    // look_queues.cpp
    asio::awaitable<answer> ready(const routed& where);
    asio::awaitable<answer> queues(const routed& where);
    asio::awaitable<answer> queue(const routed& where);
    asio::awaitable<answer> partitions(const routed& where);
    asio::awaitable<answer> history(const routed& where);
    asio::awaitable<answer> total_history(const routed& where);
    asio::awaitable<answer> server(const routed& where);
    asio::awaitable<answer> statistics(const routed& where);
    asio::awaitable<answer> failures(const routed& where);
    asio::awaitable<answer> failures_anywhere(const routed& where);
    asio::awaitable<answer> failure_groups(const routed& where);
    asio::awaitable<answer> workers(const routed& where);

    // look_jobs.cpp
    asio::awaitable<answer> jobs(const routed& where);
    asio::awaitable<answer> job(const routed& where);
    asio::awaitable<answer> job_anywhere(const routed& where);
    asio::awaitable<answer> failed_of_group(const routed& where);

    // act.cpp
    asio::awaitable<answer> set_paused(const routed& where, bool paused);
    asio::awaitable<answer> set_notices(const routed& where);
    asio::awaitable<answer> delete_queue(const routed& where);
    asio::awaitable<answer> act(const routed& where, job_action action);
    asio::awaitable<answer> act_anywhere(const routed& where, job_action action);
    asio::awaitable<answer> send_signal(const routed& where);

    // remote.cpp
    asio::awaitable<answer> take(const routed& where);
    asio::awaitable<answer> renew(const routed& where);
    asio::awaitable<answer> tell_progress(const routed& where);
    asio::awaitable<answer> tell_log(const routed& where);
    asio::awaitable<answer> save_checkpoints(const routed& where);
    asio::awaitable<answer> store_steps(const routed& where);
    asio::awaitable<answer> acknowledge(const routed& where);

    // schedules.cpp
    asio::awaitable<answer> all_schedules(const routed& where);
    asio::awaitable<answer> schedules_of_queue(const routed& where);
    asio::awaitable<answer> schedule(const routed& where);
    asio::awaitable<answer> set_schedule(const routed& where);
    asio::awaitable<answer> set_list_schedule(const routed& where);
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
    asio::awaitable<answer> hold(const routed& where);
    asio::awaitable<answer> queue_limits(const routed& where);
    asio::awaitable<answer> set_queue_limits(const routed& where);
    asio::awaitable<answer> group_weights(const routed& where);
    asio::awaitable<answer> set_group_weight(const routed& where);

    // queue_settings.cpp
    asio::awaitable<answer> settings(const routed& where);
    asio::awaitable<answer> set_settings(const routed& where);

private:
    using describe_push = answer (*)(const push_result&, bool is_confirmed);
    asio::awaitable<answer> push_one(list_submission job, durability wanted, describe_push describe);
    asio::awaitable<std::vector<answer>> push_part(std::string type, std::vector<raw_push> jobs,
                                                   durability wanted, describe_push describe);

    // Throws what keeps any of the jobs away before it does anything.
    asio::awaitable<std::vector<answer>> end_each(queue_ref queue, std::vector<told_end> told);
    asio::awaitable<void> give_back(queue_ref queue, std::vector<ended_job> jobs);

    asio::awaitable<answer> push_to_list(const routed& where);
    asio::awaitable<answer> push_to_managed(const routed& where); // managed_push.cpp

    /// Throws a `refusal` with 404 for a queue that is not there.
    asio::awaitable<void> expect_queue(queue_ref queue);
    /// A part of the list queues that this gateway shows.
    asio::awaitable<queue_page> list_queues(std::string cursor, std::size_t count);
    /// A part of the queues of a kind.
    asio::awaitable<queue_page> queues_of(queue_kind kind, std::string cursor, std::size_t count);
    asio::awaitable<answer> show_failures(const routed& where, queue_ref queue);

    schedule_book schedules_at(const routed& where);

    asio::awaitable<answer> recurring(const routed& where);
    asio::awaitable<answer> list_job(const routed& where);
    asio::awaitable<answer> managed_job(const routed& where, queue_ref queue, std::string id);
    asio::awaitable<void> wait_for_end(const std::string& id, std::chrono::seconds longest);

    asio::awaitable<std::vector<queue_info>> measured_queues(queue_kind kind, node_set& missing);
    asio::awaitable<prometheus_text> measure_list_queues(node_set& missing);
    asio::awaitable<prometheus_text> measure_managed_queues(node_set& missing);
    asio::awaitable<prometheus_text> measure_limits_and_schedules();

    client redis_;
    gateway_options options_;
    guard guard_;
    inspector inspector_;
    turns large_looks_;
    coworker::schedules schedules_;
    coworker::batches batches_;
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
