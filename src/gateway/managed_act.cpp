// SPDX-License-Identifier: MIT
#include "gateway/managed_api.hpp"

#include "gateway/job_pages.hpp"
#include "submission/members.hpp"
#include "text/json_spans.hpp"

#include <algorithm>

/// What can be done to managed queues and their jobs through the gateway.
namespace coworker::detail {
namespace {

constexpr std::size_t most_ids = 1000, longest_id = 1024, jobs_in_a_step = 1000;

/// Which jobs a request means.
struct job_selection
{
    std::vector<std::string> jids; ///< each once; empty: those of a queue or group that match
    queue_ref queue = queue_ref::managed({});
    job_filter which{};
};

[[noreturn]] void refuse_selection()
{
    throw refusal{
        400, R"(Say which jobs are meant: {"ids": ["…"]} with up to 1000 ids of jobs; )"
             R"({"all": true, "group": "…"} for all failed jobs of a group, also with their "message"; )"
             R"({"all": true, "batch": "…"} for all failed jobs of a batch; or )"
             R"({"all": true, "queue": "…", "state": "…"} for all jobs of a queue in a state, also with )"
             R"("text", "tag", "kind", "worker", "since" or "until".)"};
}

std::string read_name(std::string_view json)
{
    auto name = json.front() == '"' ? string_of(json) : std::string{};
    if (name.empty() || name.size() > longest_id)
        refuse_selection();
    return name;
}

std::vector<std::string> read_ids(std::string_view json)
{
    std::vector<std::string> ids;
    if (json.front() != '[')
        refuse_selection();
    for (const auto element : elements_of(json))
        ids.push_back(read_name(element));
    if (ids.empty() || ids.size() > most_ids)
        refuse_selection();
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

/// The members beside "all": true.
void read_member(job_selection& selected, const json_member& member, bool& has_state)
{
    const auto value = read_name(member.value);
    if (member.name == "group")
        selected.which.group = value;
    else if (member.name == "message")
        selected.which.message = value;
    else if (member.name == "text")
        selected.which.contains = value;
    else if (member.name == "tag")
        selected.which.tag = value;
    else if (member.name == "kind")
        selected.which.kind = value;
    else if (member.name == "worker")
        selected.which.worker = value;
    else if (member.name == "batch")
        selected.which.batch = value;
    else if (member.name == "since")
        selected.which.since = read_point_in_time(member.name, value);
    else if (member.name == "until")
        selected.which.until = read_point_in_time(member.name, value);
    else if (member.name == "queue")
        selected.queue = queue_ref::managed(value);
    else if (const auto state = parse_job_state(value); member.name == "state" && state) {
        has_state = true;
        selected.which.state = *state;
    } else
        refuse_selection();
}

job_selection read_selection(std::string_view body)
{
    check_body(body);
    const auto json = trimmed(body);
    const auto members = json.front() == '{' ? members_of(json) : std::vector<json_member>{};
    job_selection selected;
    if (members.size() == 1 && members[0].name == "ids") {
        selected.jids = read_ids(members[0].value);
        return selected;
    }
    bool all = false, has_state = false;
    for (const auto& member : members) {
        if (member.name == "all")
            all = member.value == "true";
        else
            read_member(selected, member, has_state);
    }
    const bool has_queue = !selected.queue.name().empty(), has_group = !selected.which.group.empty(),
               has_batch = !selected.which.batch.empty();
    if (!all || has_queue != has_state || has_queue + has_group + has_batch != 1 ||
        (has_queue && !selected.which.message.empty()))
        refuse_selection();
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

asio::awaitable<tally> act_on_all(const inspector& jobs, job_action what, queue_ref queue, job_filter which)
{
    tally outcome;
    std::string cursor;
    do {
        auto part =
            co_await jobs.async_act_on_some(what, queue, which, std::move(cursor), jobs_in_a_step, awaited);
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
    if (!selected.jids.empty()) {
        outcome = co_await act_on_each(jobs, what, std::move(selected.jids));
        co_return outcome.text();
    }
    try {
        outcome = co_await act_on_all(jobs, what, std::move(selected.queue), std::move(selected.which));
    } catch (const system_error& error) {
        if (error.code() != errc::invalid_option)
            throw;
        throw refusal{400, "This cannot be done to jobs in that state."};
    }
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

asio::awaitable<answer> managed_api::run(const routed& where)
{
    return act_on_jobs(inspector_, job_action::run_now, where);
}

asio::awaitable<answer> managed_api::release(const routed& where)
{
    return act_on_jobs(inspector_, job_action::release, where);
}

} // namespace coworker::detail
