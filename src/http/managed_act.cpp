// SPDX-License-Identifier: MIT
#include "http/managed_api.hpp"

#include "http/submission.hpp"
#include "text/json_spans.hpp"

#include <algorithm>

/// What can be done to managed queues and their jobs through the gateway.
namespace coworker::detail {
namespace {

constexpr std::size_t most_ids = 1000, longest_id = 1024, jobs_in_a_step = 1000;

/// Which jobs a request means.
struct job_selection
{
    std::vector<std::string> jids; ///< each once
    std::string group;             ///< all of it; empty: those above
};

[[noreturn]] void refuse_selection()
{
    throw refusal{400, R"(Say which jobs are meant: {"ids": ["…"]} with up to 1000 ids of jobs, or )"
                       R"({"group": "…", "all": true} for all failed jobs of a group.)"};
}

std::string read_name(std::string_view json)
{
    auto name = json.front() == '"' ? string_of(json) : std::string{};
    if (name.empty() || name.size() > longest_id)
        refuse_selection();
    return name;
}

job_selection read_selection(std::string_view body)
{
    check_body(body);
    const auto json = trimmed(body);
    const auto members = json.front() == '{' ? members_of(json) : std::vector<json_member>{};
    job_selection selected;
    if (members.size() == 1 && members[0].name == "ids" && members[0].value.front() == '[') {
        for (const auto element : elements_of(members[0].value))
            selected.jids.push_back(read_name(element));
        if (selected.jids.empty() || selected.jids.size() > most_ids)
            refuse_selection();
        std::sort(selected.jids.begin(), selected.jids.end());
        selected.jids.erase(std::unique(selected.jids.begin(), selected.jids.end()), selected.jids.end());
        return selected;
    }
    if (members.size() != 2)
        refuse_selection();
    const auto& [first, second] = std::pair{members[0], members[1]};
    const bool is_in_order = first.name == "group";
    const auto& group = is_in_order ? first : second;
    const auto& all = is_in_order ? second : first;
    if (group.name != "group" || all.name != "all" || all.value != "true")
        refuse_selection();
    selected.group = read_name(group.value);
    return selected;
}

/// What became of the jobs that were meant.
struct tally
{
    std::size_t done = 0, missing = 0, refused = 0;

    answer text() const
    {
        std::string body = "{\"done\":";
        body += std::to_string(done);
        body += ",\"missing\":";
        body += std::to_string(missing);
        body += ",\"refused\":";
        body += std::to_string(refused);
        return {.body = body + "}\n"};
    }
};

asio::awaitable<tally> act_on_each(const inspector& jobs, job_action what, std::vector<std::string> jids)
{
    const auto results = co_await jobs.async_act(what, queue_ref::managed({}), std::move(jids), awaited);
    tally outcome;
    for (const auto result : results) {
        if (result == action_result::done)
            ++outcome.done;
        else
            ++(result == action_result::not_found ? outcome.missing : outcome.refused);
    }
    co_return outcome;
}

asio::awaitable<tally> act_on_group(const inspector& jobs, job_action what, std::string group)
{
    job_filter which;
    which.group = std::move(group);
    tally outcome;
    std::string cursor;
    do {
        auto part = co_await jobs.async_act_on_some(what, queue_ref::managed({}), which, std::move(cursor),
                                                    jobs_in_a_step, awaited);
        outcome.done += part.ids.size();
        outcome.refused += part.refused;
        cursor = std::move(part.next);
    } while (!cursor.empty());
    co_return outcome;
}

asio::awaitable<answer> act_on_jobs(const inspector& jobs, job_action what, const routed& where)
{
    auto selected = read_selection(where.request.body);
    tally outcome;
    if (selected.group.empty())
        outcome = co_await act_on_each(jobs, what, std::move(selected.jids));
    else
        outcome = co_await act_on_group(jobs, what, std::move(selected.group));
    co_return outcome.text();
}

} // namespace

asio::awaitable<answer> managed_api::retry(const routed& where)
{
    return act_on_jobs(inspector_, job_action::retry, where);
}

asio::awaitable<answer> managed_api::remove(const routed& where)
{
    return act_on_jobs(inspector_, job_action::remove, where);
}

} // namespace coworker::detail
