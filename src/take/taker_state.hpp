// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job_taker.hpp"
#include "take/lease_token.hpp"
#include "take/lent_queue.hpp"

#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coworker::detail {

/// The end of a run, as it was told.
struct finished_run
{
    leased_job of;
    outcome result;
    job_effects effects{};
    finished_run(leased_job job, outcome how) : of{std::move(job)}, result{std::move(how)} {}
};

/// How far a run is, or where a later one may go on, as it was told.
struct told_run
{
    leased_job of;
    std::optional<job_progress> progress{};
    std::optional<std::string> checkpoint{};
    std::vector<noted_line> log{};
    explicit told_run(leased_job job) : of{std::move(job)} {}
};

/// A step that a run has carried out, as it was told.
struct step_of_run
{
    leased_job of;
    std::string name{}, value{};
    explicit step_of_run(leased_job job) : of{std::move(job)} {}
};

/// Jobs that were taken, and what earlier attempts have stored of them, as JSON; empty: nothing, or nobody wants it.
struct jobs_at_hand
{
    std::vector<fetched_job> jobs{};
    std::vector<std::string> checkpoints{};
    std::vector<std::map<std::string, std::string>> steps{};
    std::vector<job_signals> signals{};
    std::size_t waiting = 0;           ///< how many are left where they come from, as far as is known
    std::shared_ptr<lent_part> from{}; ///< all of them
    std::exception_ptr error{};        ///< if there are none: of a part that could not be asked
};

/// What a job taker has: its rules, and the queues that it was asked to take from.
class taker_state
{
public:
    taker_state(std::shared_ptr<connection> redis, job_taker_options options)
        : redis_{std::move(redis)}, options_{std::move(options)}
    {}

    asio::any_io_executor get_executor() const { return redis_->get_executor(); }
    void stop();

    // The coroutines keep the state: the job taker may be gone.

    static asio::awaitable<std::vector<taken_job>> take(std::shared_ptr<taker_state> self, queue_ref queue,
                                                        take_options options);
    static asio::awaitable<std::vector<result<renewed_lease>>>
    renew(std::shared_ptr<taker_state> self, queue_ref queue, std::vector<leased_job> jobs);
    static asio::awaitable<std::vector<result<void>>> tell(std::shared_ptr<taker_state> self, queue_ref queue,
                                                           std::vector<told_run> runs);
    static asio::awaitable<std::vector<result<void>>>
    store_steps(std::shared_ptr<taker_state> self, queue_ref queue, std::vector<step_of_run> steps);
    static asio::awaitable<std::vector<result<acknowledged_job>>>
    acknowledge(std::shared_ptr<taker_state> self, queue_ref queue, std::vector<finished_run> runs);

private:
    std::shared_ptr<lent_queue> find(const queue_ref& queue, lent_kinds kinds = {});
    struct fetch_under_way;

    bool has_others(const lent_queue& queue, const std::exception_ptr& error) const;
    /// Fetches from the first of these parts that has jobs. When it is cancelled, the call goes on without it, and the
    /// jobs go back: else some would be leased of which nobody knows.
    static asio::awaitable<jobs_at_hand> fetch_whole(std::shared_ptr<taker_state> self,
                                                     std::shared_ptr<lent_queue> queue,
                                                     std::vector<std::shared_ptr<lent_part>> parts,
                                                     take_options options);
    static asio::awaitable<void> fetch_to_the_end(std::shared_ptr<taker_state> self,
                                                  std::shared_ptr<lent_queue> queue,
                                                  std::vector<std::shared_ptr<lent_part>> parts,
                                                  take_options options,
                                                  std::shared_ptr<fetch_under_way> call);
    asio::awaitable<jobs_at_hand> fetch_first(const lent_queue& queue,
                                              std::vector<std::shared_ptr<lent_part>> parts,
                                              const take_options& options);
    asio::awaitable<jobs_at_hand> fetch(std::shared_ptr<lent_part> part, const take_options& options);
    static asio::awaitable<void> read_stored(job_source& source, const take_options& options,
                                             jobs_at_hand& found);
    asio::awaitable<void> fetch_fit(job_source& source, std::size_t count, jobs_at_hand& found);
    static asio::awaitable<void> release(std::shared_ptr<taker_state> self, jobs_at_hand jobs,
                                         std::string worker);
    asio::awaitable<void> release_now(const jobs_at_hand& jobs, const std::string& worker);
    handle_options rules_of(const fetched_job& job, const job_source& source) const;
    outcome conclude_run(const finished_run& run, const job_source& source) const;
    taken_job describe(queue_kind kind, const jobs_at_hand& found, std::size_t i,
                       std::string_view worker) const;

    std::shared_ptr<connection> redis_;
    job_taker_options options_;
    std::map<std::pair<queue_ref, lent_kinds>, std::shared_ptr<lent_queue>> queues_;
    bool is_stopped_ = false;
};

} // namespace coworker::detail
