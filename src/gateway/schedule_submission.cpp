// SPDX-License-Identifier: MIT
#include "gateway/schedule_submission.hpp"

#include "text/times.hpp"

#include <algorithm>
#include <array>

namespace coworker::detail {
namespace {

constexpr std::array<std::string_view, 3> policies = {"skip", "once", "all"}; // in the order of missed_runs

std::chrono::seconds read_whole_seconds(const std::string& name, std::string_view json)
{
    const auto time = member_time(name, json);
    if (time % std::chrono::seconds{1} != std::chrono::milliseconds{0})
        refuse_member(name, R"(a time of whole seconds, such as 30, "5m" or "1d")");
    return std::chrono::duration_cast<std::chrono::seconds>(time);
}

timestamp read_anchor(const std::string& name, std::string_view json)
{
    const auto anchor = parse_rfc3339(member_text(name, json));
    if (!anchor)
        refuse_member(name, R"(a time as RFC 3339 has it, such as "2026-11-22T06:30:00Z")");
    return *anchor;
}

missed_runs read_policy(const std::string& name, std::string_view json)
{
    const auto policy = std::find(policies.begin(), policies.end(), member_text(name, json));
    if (policy == policies.end())
        refuse_member(name, "one of skip, once and all");
    return static_cast<missed_runs>(policy - policies.begin());
}

const member_readers<schedule_submission>& schedule_members()
{
    using item = schedule_submission&;
    using word = const std::string&;
    using json_text = std::string_view;
    static const member_readers<schedule_submission> readers = [] {
        member_readers<schedule_submission> all{
            {"cron", [](item into, word name, json_text json) { into.when.cron = member_text(name, json); }},
            {"zone", [](item into, word name, json_text json) { into.when.zone = member_text(name, json); }},
            {"every",
             [](item into, word name, json_text json) { into.when.every = read_whole_seconds(name, json); }},
            {"anchor",
             [](item into, word name, json_text json) { into.when.anchor = read_anchor(name, json); }},
            {"missed",
             [](item into, word name, json_text json) { into.when.missed = read_policy(name, json); }},
            {"queue", [](item into, word name, json_text json) { into.queue = member_text(name, json); }},
        };
        for (const auto& [name, read] : job_option_members())
            all.emplace(name, read);
        return all;
    }();
    return readers;
}

} // namespace

schedule_submission read_schedule_submission(const std::string& body)
{
    auto result = read_object(body, "a schedule", schedule_members());
    check_job(result.job);
    if (result.queue.empty())
        refuse_body("The member 'queue' is missing; it says which managed queue the jobs are pushed to.");
    return result;
}

std::string_view word_for(missed_runs missed) noexcept
{
    return policies[static_cast<std::size_t>(missed)];
}

} // namespace coworker::detail
