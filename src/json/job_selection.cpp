// SPDX-License-Identifier: MIT
#include "json/job_selection.hpp"

#include "text/base64.hpp"
#include "json/members.hpp"

#include <algorithm>

namespace coworker::detail {
namespace {

constexpr std::size_t most_jobs = 1000, longest_name = 1024;

std::vector<std::string> read_names(member_name name, json_text json, std::size_t longest)
{
    constexpr auto wanted = "an array of 1 to 1000 strings, as the list of jobs had them";
    if (json.front() != '[')
        refuse_member(name, wanted);
    std::vector<std::string> names;
    for (const auto element : elements_of(json)) {
        auto text = element.front() == '"' ? string_of(element) : std::string{};
        if (text.empty() || text.size() > longest)
            refuse_member(name, wanted);
        names.push_back(std::move(text));
    }
    if (names.empty() || names.size() > most_jobs)
        refuse_member(name, wanted);
    return names;
}

void read_keys(job_selection& into, member_name name, json_text json)
{
    for (const auto& each : read_names(name, json, std::string::npos)) {
        auto key = from_base64url(each);
        if (!key)
            refuse_body("One of the keys is not valid; pass them as the list of jobs had them.");
        into.keys.push_back(std::move(*key));
    }
}

void read_ids(job_selection& into, member_name name, json_text json)
{
    into.ids = read_names(name, json, longest_name);
    std::ranges::sort(into.ids);
    into.ids.erase(std::unique(into.ids.begin(), into.ids.end()), into.ids.end());
}

void read_all(job_selection& into, member_name name, json_text json)
{
    if (json != "true")
        refuse_member(name, "true");
    into.all = true;
}

void read_state(job_selection& into, member_name name, json_text json)
{
    const auto state = parse_job_state(member_text(name, json));
    if (!state)
        refuse_member(name, "a state of jobs, such as waiting, scheduled, running or failed");
    into.which.state = *state;
    into.has_state = true;
}

/// A text that jobs have to match.
std::string read_text(member_name name, json_text json)
{
    auto value = member_text(name, json);
    if (value.size() > longest_name)
        refuse_member(name, "a string of 1 to 1024 bytes");
    return value;
}

const member_readers<job_selection>& selection_members()
{
    static const member_readers<job_selection> readers{
        {"keys", read_keys},
        {"ids", read_ids},
        {"all", read_all},
        {"state", read_state},
        {"text", read_into<read_text, &job_selection::which, &job_filter::contains>},
        {"message", read_into<read_text, &job_selection::which, &job_filter::message>},
        {"group", read_into<read_text, &job_selection::which, &job_filter::group>},
        {"tag", read_into<read_text, &job_selection::which, &job_filter::tag>},
        {"kind", read_into<read_text, &job_selection::which, &job_filter::kind>},
        {"worker", read_into<read_text, &job_selection::which, &job_filter::worker>},
        {"batch", read_into<read_text, &job_selection::which, &job_filter::batch>},
        {"since", read_into<member_point_in_time, &job_selection::which, &job_filter::since>},
        {"until", read_into<member_point_in_time, &job_selection::which, &job_filter::until>},
    };
    return readers;
}

/// @param wanted  what is said to one that is none
job_selection read(std::string_view body, const std::string& wanted)
{
    check_body(body);
    const auto json = trimmed(body);
    if (json.front() != '{')
        refuse_body(wanted);
    job_selection result;
    read_members(json, "a selection of jobs", selection_members(), result);
    result.is_whole_state = result.has_state && members_of(json).size() == 2;
    const bool is_named = !result.keys.empty() || !result.ids.empty();
    if (is_named == result.all || (is_named && members_of(json).size() != 1))
        refuse_body(wanted);
    return result;
}

} // namespace

job_selection read_selection(std::string_view body)
{
    static const std::string wanted =
        R"(Say which jobs are meant: {"keys": ["…"]} or {"ids": ["…"]} with up to 1000 of the jobs listed, or )"
        R"({"all": true, "state": "…"} for all jobs in a state, also with "text", "message", "group", "tag", )"
        R"("kind", "worker", "batch", "since" or "until".)";
    auto result = read(body, wanted);
    if (result.all && !result.has_state)
        refuse_body(wanted);
    return result;
}

job_selection read_selection_anywhere(std::string_view body)
{
    static const std::string wanted =
        R"(Say which jobs are meant: {"ids": ["…"]} with up to 1000 ids of jobs; {"all": true, "group": "…"} for )"
        R"(all failed jobs of a group, also with their "message"; or {"all": true, "batch": "…"} for all failed )"
        R"(jobs of a batch. For other jobs use /v1/queues/{queue}/jobs/….)";
    auto result = read(body, wanted);
    const bool has_group = !result.which.group.empty(), has_batch = !result.which.batch.empty();
    if (!result.keys.empty() || result.has_state || (result.all && has_group == has_batch))
        refuse_body(wanted);
    return result;
}

} // namespace coworker::detail
