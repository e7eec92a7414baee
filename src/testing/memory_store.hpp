// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/testing.hpp"
#include "signal.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

namespace coworker::detail {

using testing::ended_run;
using testing::job_conditions;
using testing::manual_clock;
using testing::raw_memory_queue;
using testing::stored_job;

/// What a queue in memory has in it. Knows jobs, leases and times; `memory_source` is the worker's view of it.
class memory_store : public std::enable_shared_from_this<memory_store>
{
public:
    using duration = std::chrono::microseconds;

    /// A job, under a number that no other has: ids may be equal.
    struct entry
    {
        std::uint64_t number = 0;
        stored_job job{};
        std::shared_ptr<const job_details> details{};
        double priority = 0;                    ///< the larger ones first
        std::optional<unsigned> retries_left{}; ///< empty: the worker counts them

        /// What a wait is known by: what for, name, and the how manyth of these in a run.
        using wait_key = std::tuple<wait_kind, std::string, unsigned>;
        std::map<wait_key, timestamp> deadlines{}; ///< of waits that runs have come to
        std::map<wait_key, wait_state> decided{};  ///< what waits came to: every run is told the same
        std::map<std::string, std::size_t> read{}; ///< how many signals of a name runs have got
        std::optional<job_wait> sleeps_for{};      ///< while it is suspended
    };

    /// A job that a worker has.
    struct lease
    {
        entry what;
        std::uint64_t worker = 0;
        std::shared_ptr<const std::string> token;
        timestamp ends{};
    };

    memory_store(std::string name, manual_clock time);
    ~memory_store();

    static memory_store& of(const raw_memory_queue& queue) { return *queue.store_; }

    const std::string& name() const noexcept { return name_; }
    const manual_clock& time() const noexcept { return time_; }

    std::string push(const raw_json& job, const push_options& options);
    std::string push(const raw_json& job, const job_conditions& conditions);
    /// In place of what waits under its jid, and is not running.
    ///
    /// @param job  as a `managed_queue` would push it, with a jid
    std::string push(const new_managed_job& job);

    result<void> send_signal(std::string_view id, std::string_view name, const raw_json& value);

    /// Its jobs have as many retries as they were pushed with, whatever the worker's options say.
    void count_attempts() { counts_attempts_ = true; }
    bool counts_attempts() const noexcept { return counts_attempts_; }

    // --- for a worker ---

    std::uint64_t add_worker();
    void remove_worker(std::uint64_t worker);
    /// How a wait of a job stands that a worker holds.
    wait_state begin_wait(std::uint64_t number, const std::string& token, bool in_doubt, std::uint64_t worker,
                          const job_wait& wait);
    /// It ended without saying so.
    void worker_died(std::uint64_t worker);

    /// Ends a lease. False if it is not held with this token.
    bool acknowledge(std::uint64_t number, const std::string& token, bool in_doubt, std::uint64_t worker,
                     const outcome& result, const job_effects* effects);
    std::vector<const lease*> take(std::uint64_t worker, std::size_t count, duration length);
    /// For a job that will be pushed.
    std::string make_id() { return "job-" + std::to_string(++last_id_); }
    /// The new token; null if it is not held with this one.
    std::shared_ptr<const std::string> renew(std::uint64_t number, const std::string& token, bool in_doubt,
                                             std::uint64_t worker, duration length);
    /// The job, to be changed; null if it is not held with this token.
    stored_job* held_job(std::uint64_t number, const std::string& token, bool in_doubt, std::uint64_t worker);
    /// Puts back what a worker has and does not know of.
    void reconcile(std::uint64_t worker, const std::set<std::uint64_t>& held);
    std::size_t recover(duration grace);

    // --- to look at ---

    const std::deque<entry>& waiting();
    const std::vector<entry>& scheduled() const noexcept { return scheduled_; }
    const std::map<std::uint64_t, lease>& leases() const noexcept { return leases_; }
    const std::vector<stored_job>& pushed() const noexcept { return pushed_; }
    const std::vector<new_managed_job>& pushed_managed() const noexcept { return pushed_managed_; }
    const std::vector<stored_job>& failed() const noexcept { return failed_; }
    const std::vector<stored_job>& broken() const noexcept { return broken_; }
    const std::vector<ended_run>& ended() const noexcept { return ended_; }

    void take_away_leases();

    /// Hands out this many jobs at most from now on.
    void limit_takes(std::size_t most) { most_takes_ = most; }

    bool takes_nothing() const noexcept { return most_takes_ == 0; }

    /// Nothing is due, and nothing in progress.
    bool is_drained();

    /// Returns when anything is different, or the clock was moved.
    asio::awaitable<void> changed();
    void notify();

private:
    std::string push(entry what);
    void promote();
    void schedule(entry what);
    enum class side
    {
        behind,
        in_front
    };
    /// Of those with its priority.
    void let_wait(entry what, side which);
    /// Takes one of its retries. False: it has none left.
    bool may_run_again(entry& what);
    void put_back(lease&& held, bool counts);
    /// Until the time of its wait, unless that is over.
    void suspend(entry what, const job_wait& wait);
    /// Those that sleep, and for which `is_over` holds of what they sleep for, may run.
    void wake(const std::function<bool(const entry&)>& is_over);
    bool has_come(const entry& what, const job_wait& wait) const;
    /// How a job has ended; nothing if it has not.
    std::optional<awaited_job<>> end_of(const std::string& id) const;
    entry* find_job(std::string_view id);
    std::map<std::uint64_t, lease>::iterator find(std::uint64_t number, const std::string& token,
                                                  bool in_doubt, std::uint64_t worker);
    std::shared_ptr<const std::string> make_token(std::uint64_t worker);

    std::string name_;
    manual_clock time_;
    std::deque<entry> waiting_;
    std::vector<entry> scheduled_; ///< the next one first
    std::map<std::uint64_t, lease> leases_;
    std::map<std::uint64_t, std::optional<timestamp>> workers_; ///< and since when they are gone
    std::map<std::string, timestamp> remembered_; ///< ids that may not be pushed again, and until when
    std::vector<stored_job> pushed_, failed_, broken_;
    std::vector<new_managed_job> pushed_managed_;
    bool counts_attempts_ = false;
    std::vector<ended_run> ended_;
    std::list<signal*> listeners_;
    std::uint64_t last_number_ = 0, last_worker_ = 0, last_token_ = 0, last_id_ = 0;
    std::size_t most_takes_ = static_cast<std::size_t>(-1);
};

} // namespace coworker::detail
