// SPDX-License-Identifier: MIT
#include "support/account.hpp"

#include <algorithm>
#include <utility>

namespace coworker::test {

namespace {

std::string key_of(std::string_view queue, std::string_view id)
{
    return std::string{queue} + ' ' + std::string{id};
}

std::string name_of(const job_record& job)
{
    return key_of(job.queue, job.id);
}

} // namespace

job_record& account::of(std::string_view queue, std::string_view id)
{
    auto& job = jobs_[key_of(queue, id)];
    if (job.id.empty()) {
        job.queue = queue;
        job.id = id;
    }
    return job;
}

void account::violate(const std::string& what)
{
    violations_.push_back(what);
    all_.tell("VIOLATION", what);
}

void account::acknowledge_push(job_record& job)
{
    if (job.pushed == never)
        job.pushed = all_.now();
}

void account::acknowledge_cancellation(job_record& job)
{
    job.cancelled = all_.now();
}

void account::acknowledge_pause(const std::string& queue)
{
    paused_.emplace(queue, all_.wall_time());
}

int account::begin(job_record& job, unsigned attempt, const process_of_handlers* where)
{
    ++count.runs;
    ++job.runs;
    job.run_of_attempt[attempt] = job.runs;
    all_.tell("job", name_of(job) + " begins run " + std::to_string(job.runs));
    // Another push with its key may begin its attempts anew.
    if (attempt < job.last_attempt && job.unique.empty()) {
        check_late(job, where);
        return job.runs;
    }
    if (is_held_well(job))
        violate("it begins while a worker has it that nothing has disturbed: " + name_of(job));
    job.last = job.runs;
    job.last_attempt = attempt;
    job.runner = where;
    job.began = all_.now();
    job.first_run = std::min(job.first_run, all_.wall_time());
    if (job.told != never)
        violate("it begins although its end was told: " + name_of(job));
    if (job.cancelled != never && is_leased_there(job)) // otherwise its worker was told before
        violate("it begins although its cancellation was acknowledged: " + name_of(job));
    if (!job.line.empty()) {
        auto& last = lines_[job.line];
        if (job.number < last)
            violate("it begins although a later one of its order key began: " + name_of(job));
        last = std::max(last, job.number);
    }
    check_begin(job);
    if (!job.limits.empty() || !job.unique.empty() || !job.line.empty())
        check_leases(job);
    return job.runs;
}

void account::leave(job_record& job, int run)
{
    if (run == job.last)
        job.runner = nullptr;
}

/// Redis has given it out in its queue.
bool account::is_leased_there(const job_record& job) const
{
    return all_.ask({"HMGET", "ql:j:" + job.id, "state", "queue"}) ==
           std::vector{std::string{"running"}, job.queue};
}

/// Its handler runs, and nothing has gone wrong since before its worker took it: nobody may take it away.
bool account::is_held_well(const job_record& job) const
{
    constexpr nanoseconds before = 10 * second;
    const auto disturbed =
        job.runner != nullptr ? std::max(job.runner->disturbed_until, all_.redis_disturbed_until()) : never;
    return disturbed != never && disturbed + before < job.began && !job.is_interfered_with;
}

/// Redis says who holds a lease; how many may, the account knows.
void account::check_leases(const job_record& begun)
{
    std::map<std::string, int> held, keys;
    ++count.checks;
    for (const auto& id : all_.ask({"ZRANGE", "ql:q:" + begun.queue + "-locks", "0", "-1"})) {
        const auto found = jobs_.find(key_of(begun.queue, id));
        if (found == jobs_.end())
            continue;
        const auto& job = found->second;
        for (const auto& [limit, units] : job.limits)
            held[limit] += units;
        if (!job.unique.empty() && ++keys["unique key " + job.unique] > 1)
            violate("two jobs with one unique key are leased: " + name_of(job));
        if (!job.line.empty() && ++keys["order key " + job.line] > 1)
            violate("two jobs with one order key are leased: " + name_of(job));
    }
    for (const auto& [name, units] : held)
        if (units > limits_[name])
            violate("limit " + name + " is exceeded: " + std::to_string(units));
}

void account::conclude(job_record& job, int run, bool succeeds)
{
    if (run == job.conclusive)
        violate("run " + std::to_string(run) + " has ended twice: " + name_of(job));
    if (run > job.conclusive && run <= job.last) { // any other has lost its lease
        job.conclusive = run;
        job.concluded = all_.wall_time();
        job.succeeds = succeeds;
    }
    all_.tell("job", name_of(job) + " ends run " + std::to_string(run));
}

void account::hear(const event& what, const process_of_handlers* where)
{
    const auto name = key_of(what.queue, what.job_id);
    switch (what.kind) {
    case event_kind::succeeded:
        hear_success(what);
        break;
    case event_kind::lease_lost:
        hear_loss(what, where);
        break;
    case event_kind::in_doubt:
        ++count.in_doubt;
        break;
    case event_kind::retried:
        ++count.retried;
        break;
    case event_kind::recovered:
        count.recovered += static_cast<int>(what.count);
        break;
    case event_kind::fallback_poll_found_work:
        violate("a notification was missed: " + name);
        break;
    case event_kind::broken:
        violate("it is broken: " + name);
        break;
    default:
        break;
    }
}

void account::hear_loss(const event& what, const process_of_handlers* where)
{
    ++count.lost_leases;
    const auto& job = of(what.queue, what.job_id);
    const auto run = job.run_of_attempt.find(what.attempt);
    if (where != nullptr && job.runner == where && run != job.run_of_attempt.end() &&
        run->second == job.last && is_held_well(job))
        violate("its lease is lost, and nothing has disturbed its worker: " + name_of(job));
}

void account::hear_success(const event& what)
{
    ++count.told;
    auto& job = of(what.queue, what.job_id);
    if (!job.has_effect || std::exchange(job.may_be_told_again, false))
        return; // without effects it is told before Redis has answered
    const auto words = effect_of(job.queue, job.id, job.run_of_attempt[what.attempt]);
    const auto answer = all_.ask({"HEXISTS", words[1], words[2]});
    // an answer that the network has held back may come when Redis is dead
    if (!answer.empty() && answer != std::vector<std::string>{"1"})
        violate("its success was told, and Redis has not carried it out: " + name_of(job));
    if (job.told != never)
        violate("its end is told twice: " + name_of(job));
    job.told = all_.now();
}

void account::forget_since(nanoseconds since)
{
    has_forgotten_ = true;
    for (auto& [name, job] : jobs_) {
        // Of what nothing was heard yet, the answer may be on its way.
        job.may_be_missing = job.may_be_missing || job.pushed >= since;
        job.may_be_told_again = job.may_be_told_again || job.told >= since;
        if (job.told >= since)
            job.told = never;
        if (job.cancelled >= since)
            job.cancelled = never;
        job.last_attempt = 0;
    }
    lines_.clear();
}

} // namespace coworker::test
