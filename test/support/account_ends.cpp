// SPDX-License-Identifier: MIT

// What has to be true of all jobs when nothing is left to do.
#include "support/account.hpp"

#include <cstdlib>

namespace coworker::test {

namespace {

/// For how long records are kept of which nothing else is said.
constexpr nanoseconds retention_of_all = 7 * day;

/// When the job has ended, by its history: in whole seconds since 1970.
std::vector<double> ends_of(const std::vector<std::string>& history)
{
    std::vector<double> times;
    for (const auto& entry : history) // ["when", "what"] or [when, "what", …]
        if (entry.find("\"done\"") != entry.npos || entry.find("\"failed\"") != entry.npos)
            times.push_back(std::atof(entry.c_str() + entry.find_first_of("0123456789")));
    return times;
}

} // namespace

void account::check_ends()
{
    for (const auto& [name, job] : jobs_) {
        const bool was_pushed = job.pushed != never || job.runs != 0;
        const bool is_owed = was_pushed && !job.may_be_missing && !job.may_go && job.cancelled == never;
        if (is_owed && job.runs == 0)
            violate("its push was acknowledged, and it never ran: " + name);
        else if (is_owed && job.conclusive == 0)
            violate("it is gone, and none of its runs has ended it: " + name);
        else if (job.runs != 0 && job.conclusive != 0 && job.conclusive != job.last && !job.may_go)
            violate("it is gone while run " + std::to_string(job.last) + " had it: run " +
                    std::to_string(job.conclusive) + " has ended it: " + name);
    }
}

void account::check_effects()
{
    std::map<std::string, std::string> carried_out; ///< by job: the run
    const auto all = all_.ask({"HGETALL", "effects"});
    for (std::size_t i = 0; i + 1 < all.size(); i += 2) {
        const auto blank = all[i].rfind(' ');
        const auto [place, is_first] = carried_out.emplace(all[i].substr(0, blank), all[i].substr(blank + 1));
        if (!is_first || all[i + 1] != "1")
            violate("its effect was carried out more than once: " + all[i]);
    }
    for (const auto& [name, job] : jobs_) {
        if (!job.has_effect || job.may_be_missing)
            continue;
        const auto found = carried_out.find(name);
        const bool is_owed = job.has_ended() && job.succeeds && !job.may_go && job.cancelled == never;
        if (is_owed && found == carried_out.end())
            violate("it succeeded without its effect: " + name);
        if (found == carried_out.end() || found->second == std::to_string(unknown_run))
            continue;
        if (found->second != std::to_string(job.last))
            violate("the effect is that of run " + found->second + ", and " + std::to_string(job.last) +
                    " was the last one: " + name);
    }
}

void account::check_counts()
{
    std::map<std::string, std::pair<int, int>> expected; ///< by list queue: at least, at most
    for (const auto& [name, job] : jobs_) {
        const bool may_count = job.has_ended();
        const bool is_owed = may_count && !job.may_be_missing;
        if (!job.is_managed) {
            expected[job.queue].first += is_owed ? 1 : 0;
            expected[job.queue].second += may_count ? 1 : 0;
            continue;
        }
        check_history(job);
    }
    for (const auto& [queue, counts] : expected) {
        int ends = 0;
        for (const auto& part : all_.ask({"HMGET", "hworker-counters-" + queue, "success", "failure"}))
            ends += std::atoi(part.c_str());
        // Of a job whose last lease was lost with Redis' last writes, the end may count, and it runs again all the same.
        if (ends < counts.first || (ends > counts.second && !has_forgotten_))
            violate("jobs of " + queue + " have ended " + std::to_string(ends) + " times; there are " +
                    std::to_string(counts.first) + " to " + std::to_string(counts.second));
    }
}

void account::check_history(const job_record& job)
{
    const auto name = job.queue + ' ' + job.id;
    const auto key = "ql:j:" + job.id;
    const auto ends = ends_of(all_.ask({"LRANGE", key + "-history", "0", "-1"}));
    const bool was_forwarded = job.next == "parcels" || job.queue == "parcels" || job.is_moved;
    if (ends.size() > (was_forwarded ? 2U : 1U))
        violate("it has ended " + std::to_string(ends.size()) + " times: " + name);
    const bool has_own_end = job.has_ended() && !job.may_go && job.cancelled == never && !was_forwarded;
    const bool may_be_gone = job.may_be_missing || job.retention != never ||
                             all_.wall_time() - job.concluded > retention_of_all - hour;
    if (has_own_end && !may_be_gone && ends.empty())
        violate("it has ended, and its record does not say so: " + name);
    if (has_own_end && !ends.empty() && ends.back() < static_cast<double>(job.concluded / second))
        violate("it has the end of a run before the last one: " + name);
}

} // namespace coworker::test
