// SPDX-License-Identifier: MIT
#include "json/schedule_submission.hpp"

namespace coworker::detail {
namespace {

std::chrono::seconds read_whole_seconds(const std::string& name, std::string_view json)
{
    const auto time = member_time(name, json);
    if (time % std::chrono::seconds{1} != std::chrono::milliseconds{0})
        refuse_member(name, R"(a time of whole seconds, such as 30, "5m" or "1d")");
    return std::chrono::duration_cast<std::chrono::seconds>(time);
}

missed_runs read_policy(const std::string& name, std::string_view json)
{
    const auto policy = parse_missed_runs(member_text(name, json));
    if (!policy)
        refuse_member(name, "one of skip, once and all");
    return *policy;
}

const member_readers<schedule_submission>& schedule_members()
{
    using item = schedule_submission&;
    static const member_readers<schedule_submission> readers = [] {
        member_readers<schedule_submission> all{
            {"cron",
             [](item into, member_name name, json_text json) { into.when.cron = member_text(name, json); }},
            {"zone",
             [](item into, member_name name, json_text json) { into.when.zone = member_text(name, json); }},
            {"every", [](item into, member_name name,
                         json_text json) { into.when.every = read_whole_seconds(name, json); }},
            {"anchor", [](item into, member_name name,
                          json_text json) { into.when.anchor = member_point_in_time(name, json); }},
            {"missed",
             [](item into, member_name name, json_text json) { into.when.missed = read_policy(name, json); }},
            {"queue", [](item into, member_name name,
                         json_text json) { into.queue = member_managed_queue(name, json).name(); }},
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

} // namespace coworker::detail
