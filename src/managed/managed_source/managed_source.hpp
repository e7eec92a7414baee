// SPDX-License-Identifier: MIT
#pragma once

#include "bounds.hpp"
#include "coworker/job_source.hpp"
#include "coworker/managed_details.hpp"
#include "coworker/managed_options.hpp"
#include "managed/managed_source/absences.hpp"
#include "managed/managed_source/active_minute.hpp"
#include "redis/connection/connection.hpp"
#include "redis/lead.hpp"
#include "redis/poll_schedule.hpp"
#include "redis/slot_watch.hpp"
#include "schedule/schedule_runner.hpp"
#include "signal.hpp"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace coworker::detail {

/// A managed queue as the worker sees it. The worker's name in the database is its connection's, or that of somebody
/// elsewhere for whom jobs are taken.
class managed_source final : public job_source
{
public:
    managed_source(std::shared_ptr<detail::connection> redis, std::string name,
                   const managed_options& options, const std::string& worker_elsewhere = {});

    const std::string& name() const noexcept override { return name_; }
    std::string identity() const override { return prefix_ + '\n' + name_; }
    void handle_only(const std::vector<handled_kind>& kinds) override;
    abilities can() const noexcept override
    {
        return {.counts_attempts = true,
                .forwards = true,
                .keeps_notes = true,
                .keeps_steps = true,
                .suspends = true,
                .tokens_stay = true};
    }
    asio::awaitable<void> open() override;
    std::shared_ptr<source_connection> connection() override { return redis_; }
    std::chrono::milliseconds lease_time(std::chrono::milliseconds) noexcept override { return lease_time_; }
    asio::awaitable<fetch_result> ack_and_fetch(std::span<const acknowledgement> acks,
                                                std::size_t count) override;
    void check_effect(const effect& what) const override;
    asio::awaitable<std::vector<std::size_t>> renew(std::span<fetched_job* const> jobs) override;
    asio::awaitable<void> reconcile(std::span<const fetched_job* const> held) override;
    asio::awaitable<recovery> recover(std::chrono::milliseconds lease,
                                      std::chrono::milliseconds grace) override;
    asio::awaitable<void> wait_for_round(std::chrono::milliseconds pause) override;
    asio::awaitable<std::vector<std::size_t>> store_notes(std::span<const job_note> notes) override;
    asio::awaitable<std::string> read_checkpoint(const fetched_job& job) override;
    asio::awaitable<std::vector<result<void>>> store_steps(std::span<const job_step> steps) override;
    asio::awaitable<std::map<std::string, std::string>> read_steps(const fetched_job& job) override;
    asio::awaitable<wait_state> begin_wait(const fetched_job& job, const job_wait& wait) override;
    asio::awaitable<job_signals> read_signals(const fetched_job& job) override;
    asio::awaitable<std::string> read_result(std::string id, bool needed) override;
    asio::awaitable<wake_up> wait_for_jobs() override;
    asio::awaitable<void> wait_for_leases() override;
    asio::awaitable<std::vector<std::string>> wait_for_losses() override;
    std::string schedules() const override { return prefix_; }
    asio::awaitable<void> run_schedules() override { return schedules_.run_due(); }
    asio::awaitable<void> close() override;

private:
    /// What keeps the monitor awake.
    struct monitor_work
    {
        bool holders = false; ///< workers hold jobs
        bool ended_parents =
            false; ///< children of jobs that failed or were cancelled have not all been seen to

        bool any() const noexcept { return holders || ended_parents; }
    };

    /// A call's arguments so far: the prefix, and the server's own time for `now`.
    script_arguments begin() const;
    std::string key(std::string_view rest) const { return prefix_ + std::string{rest}; }
    asio::awaitable<void> sign_in();
    asio::awaitable<reply> ask_whether_to_take(bool watch_locks);
    /// A worker has several sources, of which one leads.
    std::string leader_name() const { return *worker_ + " " + name_; }
    asio::awaitable<leadership> lead(std::chrono::milliseconds term);
    asio::awaitable<std::chrono::milliseconds> time_of_leader();
    asio::awaitable<monitor_work> look_for_work(bool watch);
    struct dead_workers
    {
        std::set<std::string> names;
        std::chrono::milliseconds looked_at{0}; ///< when they were missing, by Redis' clock
    };
    asio::awaitable<std::size_t> recover_jobs(const dead_workers& dead);
    asio::awaitable<void> settle_parents(patience how_long = patience::unlimited);
    asio::awaitable<dead_workers> find_dead_workers(std::chrono::milliseconds grace);
    asio::awaitable<void> store_absences(const std::string& gone, const absences& seen);
    /// Notes in the histories of all queues what became of jobs since the last time. No error matters but a lost
    /// connection.
    asio::awaitable<void> note_minute(patience how_long = patience::unlimited);
    asio::awaitable<void> sleep_as_leader();
    asio::awaitable<void> sleep_beside_leader();
    void note_loss(std::string_view message);

    std::shared_ptr<detail::connection> redis_;
    std::string name_;
    std::string prefix_;
    std::size_t largest_;                       ///< bytes of a job that can be delivered
    std::size_t taking_ = 0;                    ///< calls under way that take jobs
    clock::time_point careful_until_{};         ///< until then only one such call at a time
    std::optional<std::string> kinds_;          ///< of jobs that are handled; empty: all
    bool is_lent_;                              ///< the worker is elsewhere
    patience how_long_;                         ///< calls wait for Redis
    std::shared_ptr<const std::string> worker_; ///< this worker's name
    std::chrono::milliseconds lease_time_{60'000};
    std::vector<std::string> watched_keys_; ///< in the order of wait.lua
    std::string locks_key_;                 ///< watched while the queue is full
    key_watch jobs_watch_;
    slot_watch slot_watch_;
    key_watch workers_watch_;
    channel_watch losses_watch_;
    std::vector<std::string> losses_;
    signal loss_noted_;
    clock::time_point looked_at_{}; ///< when this monitor last looked for missing workers
    std::int64_t others_ = 0;       ///< how many it has passed over of those that were not seen for long
    std::string leader_;            ///< the key that says who looks for them
    key_watch leader_watch_;
    bool leads_ = false;                      ///< this one does
    bool is_anybody_missing_ = false;         ///< when it last looked; then it does not sleep
    std::vector<std::string> present_;        ///< workers that were connected then
    std::chrono::milliseconds until_dead_{0}; ///< the first of those that were missing
    bool may_be_known_ = false;               ///< Redis may have a record of this worker
    clock::time_point signed_in_{};           ///< when it told that it is there
    std::chrono::milliseconds round_{0};      ///< how long it takes
    std::chrono::milliseconds round_pause_{
        monitor_pause};               ///< between rounds; grows with the number of connections
    clock::time_point awake_until_{}; ///< a leader goes on for a while after the last job
    clock::time_point leads_until_{}; ///< how long a leader may sleep
    active_minute minute_;
    poll_schedule polls_;
    schedule_runner schedules_;
};

/// Whether a worker's name is that of a connection, as coworker's are: those of other clients are not, so
/// their connections say nothing about them.
bool is_connection_name(std::string_view worker) noexcept;

} // namespace coworker::detail
