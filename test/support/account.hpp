// SPDX-License-Identifier: MIT
#pragma once

#include "support/nanoseconds.hpp"
#include "support/world_of_jobs.hpp"

#include <coworker/event.hpp>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coworker::test {

/// What is known of one job.
struct job_record
{
    std::string queue, id;
    int number = 0;
    nanoseconds pushed = never;     ///< when its push was acknowledged
    nanoseconds told = never;       ///< when an observer heard of its end
    nanoseconds cancelled = never;  ///< when its cancellation was acknowledged
    nanoseconds first_run = never;  ///< when a handler first began, by the clock of Redis
    nanoseconds retention = never;  ///< for how long its record is kept; never: nothing is said
    bool may_be_missing = false;    ///< its push may have been undone: Redis has lost its last writes
    bool may_be_told_again = false; ///< an answer of before such a loss may still be on its way
    bool may_go = false;            ///< it may be given up without a run, as jobs that expire are
    bool is_managed = false;

    const process_of_handlers* runner = nullptr; ///< where the handler of the last run still runs
    nanoseconds began = 0;                       ///< when it did
    bool is_interfered_with =
        false; ///< somebody has asked for its cancellation, or for its removal from its queue

    int runs = 0;                             ///< handlers that began
    int last = 0;                             ///< the run that had the job's last lease, as far as is known
    unsigned last_attempt = 0;                ///< that run's, unless Redis has lost its last writes since
    std::map<unsigned, int> run_of_attempt{}; ///< the last one
    int conclusive = 0;                       ///< the last run whose handler returned an end
    nanoseconds concluded = 0;                ///< when it did, by the clock of Redis
    bool succeeds = false;                    ///< that end is a success
    bool was_released = false;                ///< by a handler; it will not do that again
    bool has_effect = false; ///< each success counts itself in Redis, in the step that acknowledges it

    nanoseconds delay = 0;                         ///< of its push
    nanoseconds not_before = 0, not_after = never; ///< its first run; all its runs. By the clock of Redis
    double priority = 0;
    bool is_plain = false; ///< nothing holds it back, so its priority alone says when it is taken
    std::vector<std::string> parents{}; ///< that were there before it was pushed

    std::string line{};   ///< its order key: jobs of a line are numbered in the order of their pushes
    std::string unique{}; ///< no two jobs with this key are leased at the same time
    std::vector<std::pair<std::string, int>> limits{}; ///< and how many units it takes
    std::string batch{}, next{};                       ///< next: the queue where it goes on
    bool is_moved = false; ///< to another queue, perhaps after it has ended in its own

    /// Redis has to have its end, and it was none of a run that had lost its lease.
    bool has_ended() const noexcept { return runs != 0 && conclusive == last; }
};

/// Every job of a scene, and what must be true of it, whatever goes wrong. What is not is a violation.
class account
{
public:
    explicit account(world_of_jobs& all) : all_{all} {}

    /// A job by its queue and id. A new one, if there was none.
    job_record& of(std::string_view queue, std::string_view id);
    const std::map<std::string, job_record>& jobs() const noexcept { return jobs_; }
    /// How many units of a limit may be held at a time.
    void limit(const std::string& name, int units) { limits_[name] = units; }

    void acknowledge_push(job_record& job);
    void acknowledge_cancellation(job_record& job);
    /// Nothing of the queue may be taken until it is resumed.
    void acknowledge_pause(const std::string& queue);
    void resume(const std::string& queue) { paused_.erase(queue); }
    /// A handler begins; where is null if nobody knows that. @return the number of the run
    int begin(job_record& job, unsigned attempt, const process_of_handlers* where = nullptr);
    /// The handler of that run has returned, or was destroyed.
    static void leave(job_record& job, int run);
    /// A handler has returned an end of the job.
    void conclude(job_record& job, int run, bool succeeds);
    /// What an observer of a worker in that process hears. Null: nobody knows in which one.
    void hear(const event& what, const process_of_handlers* where);
    /// What Redis has acknowledged since then may be lost.
    void forget_since(nanoseconds since);

    /// Nothing is left to do: what was acknowledged has ended, once.
    void check_ends();
    /// Effects were carried out exactly as often as jobs succeeded.
    void check_effects();
    /// What Redis has counted: as many ends as jobs, however often they were run.
    void check_counts();
    /// The words of the command by which a run counts itself, which may be `unknown_run`.
    static std::vector<std::string> effect_of(std::string_view queue, std::string_view id, int run)
    {
        auto name = std::string{queue} + ' ' + std::string{id} + ' ' + std::to_string(run);
        return {"HINCRBY", "effects", std::move(name), "1"};
    }
    /// A process that is none of a simulation does not know which one it carries out.
    static constexpr int unknown_run = 0;

    void violate(const std::string& what);
    const std::vector<std::string>& violations() const noexcept { return violations_; }

    struct
    {
        int runs = 0, retried = 0, lost_leases = 0, recovered = 0, told = 0, in_doubt = 0, checks = 0,
            orders = 0;
    } count;

private:
    nanoseconds time_of(const std::string& id);
    void check_begin(const job_record& job);
    void check_late(const job_record& job, const process_of_handlers* where);
    bool was_given_again(const std::string& id);
    void check_order(const job_record& job, nanoseconds taken);
    void check_leases(const job_record& job);
    void hear_success(const event& what);
    void hear_loss(const event& what, const process_of_handlers* where);
    bool is_held_well(const job_record& job) const;
    bool is_leased_there(const job_record& job) const;
    void check_history(const job_record& job);

    world_of_jobs& all_;
    std::map<std::string, job_record> jobs_;    ///< by queue, blank, id
    std::map<std::string, int> limits_, lines_; ///< lines: the number of the job that began last
    std::map<std::string, nanoseconds> paused_; ///< by queue: since when, by the clock of Redis
    std::vector<std::string> violations_;
    bool has_forgotten_ = false;
};

} // namespace coworker::test
