// SPDX-License-Identifier: MIT
#include "schedule/turn.hpp"

#include <algorithm>

namespace coworker::detail {
namespace {

using std::chrono::sys_seconds;

/// The last run that is not later than `now`. It looks back further and further, so that a time long ago costs little.
sys_seconds last_run(const schedule_rule& rule, sys_seconds due, sys_seconds now)
{
    auto last = due;
    for (auto span = std::chrono::seconds{64}; last == due; span *= 2) {
        const auto from = std::max(due, now - span);
        for (auto next = rule.next(from); next && *next <= now; next = rule.next(last))
            last = *next;
        if (from == due)
            break;
    }
    return last;
}

} // namespace

turn take_turn(const schedule_rule& rule, missed_runs missed, sys_seconds due, sys_seconds now)
{
    turn result;
    if (missed == missed_runs::all) {
        for (std::optional<sys_seconds> next = due; next && *next <= now && result.runs.size() != max_runs;
             next = rule.next(*next))
            result.runs.push_back(*next);
        result.next = rule.next(result.runs.back());
        return result;
    }
    const auto last = last_run(rule, due, now);
    if (missed == missed_runs::once || now - last <= lateness_allowed)
        result.runs.push_back(last);
    result.next = rule.next(now);
    return result;
}

} // namespace coworker::detail
