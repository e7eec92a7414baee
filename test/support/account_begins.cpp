// SPDX-License-Identifier: MIT

// What has to be true of a job when one of its runs begins.
#include "support/account.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace coworker::test {

namespace {

/// How long a job may be on its way between Redis and its handler: its lease, of which a worker uses nine tenths.
constexpr nanoseconds on_its_way = 25 * second;
/// And for how long after something has gone wrong that may go on.
constexpr nanoseconds lease_and_more = 35 * second;

} // namespace

/// A time in a job's hash, since 1970; never: it has none.
nanoseconds account::time_of(const std::string& id)
{
    const auto text = all_.ask({"HGET", "ql:j:" + id, "time"});
    const auto seconds = text.empty() || text[0].empty() ? 0 : std::atof(text[0].c_str());
    return seconds > 0 ? static_cast<nanoseconds>(std::llround(seconds * 1e6)) * microsecond : never;
}

/// It begins with a lease that was lost on its way, since a run with a later attempt has begun.
void account::check_late(const job_record& job, const process_of_handlers* where)
{
    const bool is_disturbed =
        where == nullptr ||
        std::max(where->disturbed_until, all_.redis_disturbed_until()) >= all_.now() - lease_and_more;
    if (!is_disturbed)
        violate("it begins with a lease that was lost, and nothing has disturbed its worker: " + job.queue +
                ' ' + job.id);
}

/// An answer that brought it to a worker was lost, and another one brings it again: such jobs come before all that wait,
/// and the hash has the time of the later answer.
bool account::was_given_again(const std::string& id)
{
    const auto history = all_.ask({"LRANGE", "ql:j:" + id + "-history", "0", "-1"});
    return std::ranges::count_if(
               history, [](const auto& entry) { return entry.find("\"popped\"") != entry.npos; }) > 1;
}

void account::check_begin(const job_record& job)
{
    const auto name = job.queue + ' ' + job.id;
    if (job.runs == 1 && all_.wall_time() < job.not_before - millisecond) // as exactly as Redis has it
        violate("it begins before its delay is over: " + name);
    if (!job.is_managed)
        return;
    if (job.not_after != never && all_.wall_time() > job.not_after + on_its_way)
        violate("it begins although it has expired: " + name);
    for (const auto& parent : job.parents) {
        const auto state = all_.ask({"HGET", "ql:j:" + parent, "state"});
        if (!state.empty() && !state[0].empty() && state[0] != "complete" && state[0] != "failed")
            violate("it begins while what it waits for is " + state[0] + ": " + name + ", " + parent);
    }
    const auto paused = paused_.find(job.queue);
    const bool is_plain = job.is_plain && job.runs == 1;
    if (paused == paused_.end() && !is_plain)
        return;
    const auto taken = time_of(job.id);
    if (taken == never || was_given_again(job.id))
        return;
    if (paused != paused_.end() && taken > paused->second)
        violate("it was taken although its queue is paused: " + name);
    if (is_plain)
        check_order(job, taken);
}

/// Of jobs that nothing holds back, the one with the largest priority is taken first.
void account::check_order(const job_record& job, nanoseconds taken)
{
    ++count.orders;
    for (const auto& id :
         all_.ask({"ZRANGEBYSCORE", "ql:q:" + job.queue + "-work", std::to_string(job.priority),
                   "(+inf"})) { // these come later by their times alone
        const auto found = jobs_.find(job.queue + ' ' + id);
        if (found == jobs_.end() || !found->second.is_plain || found->second.runs != 0 ||
            found->second.priority <= job.priority)
            continue;
        if (const auto put = time_of(id); put != never && put < taken)
            violate("it was taken before one with a larger priority: " + job.queue + ' ' + job.id + ", " +
                    id);
    }
}

} // namespace coworker::test
