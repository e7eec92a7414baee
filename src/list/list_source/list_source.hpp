// SPDX-License-Identifier: MIT
#pragma once

#include "bounds.hpp"
#include "coworker/job_source.hpp"
#include "coworker/list_queue.hpp"
#include "list/keys.hpp"
#include "list/list_source/recovery.hpp"
#include "list/partitions.hpp"
#include "redis/connection/connection.hpp"
#include "redis/poll_schedule.hpp"
#include "redis/slot_watch.hpp"
#include "schedule/schedule_runner.hpp"
#include "signal.hpp"

#include <array>
#include <memory>

namespace coworker::detail {

struct roll;

/// Who holds the jobs that a source fetches.
enum class holder
{
    worker, ///< this process' worker: it has a number in the queue, and its jobs return when its connection is gone
    nobody, ///< nobody who has a connection: jobs return when their leases end. Somebody waits for each call
};

/// A list queue as the worker sees it.
class list_source final : public job_source
{
public:
    list_source(std::shared_ptr<detail::connection> redis, std::string name, list_queue_options options,
                holder who = holder::worker);

    /// The first source of a queue that is, or may become, divided: of the one that is not, or where there cannot be
    /// one, of the first partition. Those of the others follow: `wait_for_parts`.
    ///
    /// @param redis  the client's connection, not that of a part of a cluster
    /// @param asked  how many partitions there shall be at least
    static std::unique_ptr<list_source> of_divided(std::shared_ptr<detail::connection> redis,
                                                   const std::string& queue,
                                                   const list_queue_options& options, unsigned asked);

    /// A partition goes by the name of the whole queue.
    const std::string& name() const noexcept override { return divided_.empty() ? name_ : divided_; }
    std::string identity() const override { return name_; }
    asio::awaitable<void> open() override;
    std::shared_ptr<source_connection> connection() override { return redis_; }
    std::chrono::milliseconds lease_time(std::chrono::milliseconds asked) noexcept override
    {
        return lease_ = asked;
    }
    asio::awaitable<fetch_result> ack_and_fetch(std::span<const acknowledgement> acks,
                                                std::size_t count) override;
    void check_effect(const effect& what) const override;
    asio::awaitable<std::vector<std::size_t>> renew(std::span<fetched_job* const> jobs) override;
    asio::awaitable<void> reconcile(std::span<const fetched_job* const> held) override;
    asio::awaitable<recovery> recover(std::chrono::milliseconds lease,
                                      std::chrono::milliseconds grace) override;
    asio::awaitable<void> wait_for_round(std::chrono::milliseconds pause) override;
    asio::awaitable<wake_up> wait_for_jobs() override;
    asio::awaitable<void> wait_for_leases() override;
    asio::awaitable<std::vector<std::string>> wait_for_losses() override;
    asio::awaitable<std::vector<std::unique_ptr<job_source>>> wait_for_parts() override;
    std::string schedules() const override { return schedules_.key(); }
    asio::awaitable<void> run_schedules() override { return schedules_.run_due(); }
    asio::awaitable<void> close() override;

private:
    /// What the monitor learns at the beginning of a round.
    struct survey
    {
        timestamp now;
        absence absent;
        worker_registry workers;               ///< all that are registered
        bool shares = false;                   ///< leases stand beside those of peers
        std::shared_ptr<const roll> connected; ///< null: it is not known who is

        std::vector<std::string> present() const;
    };

    asio::awaitable<void> enlist();
    asio::awaitable<survey> survey_workers(std::chrono::milliseconds grace);
    asio::awaitable<void> note_absence(const survey& found);
    asio::awaitable<void> strike_off(survey& found);
    /// Judges all leases in the key `leases`, in parts. Returns how many jobs went back.
    asio::awaitable<std::size_t> sweep(const std::string& leases, const survey& found,
                                       std::chrono::milliseconds lease);
    asio::awaitable<std::set<std::uint32_t>> own_numbers();
    asio::awaitable<void> forget_workers(const std::map<std::uint32_t, timestamp>& dead);
    script_arguments what_to_tidy() const;
    asio::awaitable<std::int64_t> tidy();
    /// A run whose lease was lost, and its start time.
    struct lost_run
    {
        const fetched_job* job;
        std::shared_ptr<const std::string> lease;
    };
    /// Counts runs that were lost to a peer as attempts.
    asio::awaitable<void> count_lost(std::vector<lost_run> runs);
    void note_loss(std::string_view message);
    /// Keeps so many jobs.
    struct full_record
    {
        std::string state;
        std::size_t limit;
        std::int64_t dropped; ///< older jobs, since that was told last
        std::chrono::steady_clock::time_point silent_until;
    };
    void note_dropped(full_record& record, std::int64_t count);
    void note_sizes(std::span<const fetched_job> taken) noexcept;
    asio::awaitable<fetch_result> ack_and_fetch_now(std::span<const acknowledgement> acks, std::size_t count);

    std::shared_ptr<detail::connection> redis_;
    std::string name_;
    std::string divided_;                    ///< the queue of which this is a partition, or empty
    std::unique_ptr<partition_watch> parts_; ///< null: this queue is never divided
    list_queue_options options_;
    std::string holder_; ///< its name in the registry; empty: none
    patience how_long_;  ///< calls wait for Redis
    list_keys keys_;
    bool may_be_known_ = false;          ///< Redis may have a record of this worker
    std::int64_t worker_ = 0;            ///< this worker's number in the queue; 0: none yet
    std::chrono::milliseconds lease_{0}; ///< how long leases last, once that is known
    std::chrono::milliseconds round_pause_{
        monitor_pause};                  ///< the monitor's, which grows with the number of connections
    std::chrono::milliseconds round_{0}; ///< how long the monitor's last round took
    std::vector<std::string> present_;   ///< workers that were connected in the last round of this monitor
    bool one_at_a_time_ = false; ///< two answers with large jobs may have been too much for the connection
    bool taking_ = false;        ///< a call that takes jobs is under way
    int careful_ = 1; ///< how many takes in a row must bring small jobs before more are looked at together
    std::array<full_record, 2> records_{full_record{"failed", options_.failed_limit, 0, {}},
                                        full_record{"broken", options_.broken_limit, 0, {}}};
    key_watch jobs_watch_;
    slot_watch slot_watch_;
    key_watch leases_watch_;
    poll_schedule polls_;
    schedule_runner schedules_;
    channel_watch losses_watch_;
    std::vector<std::string> losses_; ///< ids of jobs that were cancelled
    signal loss_noted_;
};

} // namespace coworker::detail
