// SPDX-License-Identifier: MIT
#include "gateway/managed_api.hpp"

#include "coworker/managed_client.hpp"
#include "gateway/job_pages.hpp"
#include "gateway/managed_text.hpp"
#include "gateway/queue_text.hpp"
#include "text/json_object.hpp"
#include "text/times.hpp"

#include <boost/asio/cancel_after.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <array>
#include <optional>

/// What can be seen of managed queues through the gateway.
namespace coworker::detail {
namespace {

/// The state of the jobs that are asked for; nothing for recurring ones.
std::optional<job_state> read_state(const routed& where)
{
    constexpr std::array states = {job_state::waiting,   job_state::running, job_state::stalled,
                                   job_state::scheduled, job_state::depends, job_state::failed};
    const auto found = where.query.find("state");
    if (found == where.query.end())
        return where.query.contains("worker") ? job_state::running : job_state::waiting;
    if (found->second == "recurring")
        return std::nullopt;
    const auto state = parse_job_state(found->second);
    if (!state || std::find(states.begin(), states.end(), *state) == states.end())
        throw refusal{400,
                      "The parameter 'state' is one of waiting, running, stalled, scheduled, depends, failed "
                      "and recurring."};
    return state;
}

/// One that is too large to be read is told by its id.
std::string describe_managed_job(const job_info& job)
{
    if (job.record)
        return detail::describe(*job.record, to_string(job.state), job.due_at);
    managed_job unread;
    unread.jid = job.id;
    return detail::describe(unread, to_string(job.state), job.due_at);
}

/// With what only a single job shows.
std::string describe_whole_job(const job_info& job)
{
    json_object more;
    more.json_or_null("result", job.result ? job.result->text : std::string{});
    if (job.progress) {
        json_object progress;
        progress.number("fraction", job.progress->fraction)
            .text("message", job.progress->message)
            .time("told_at", job.progress->told_at);
        more.json("progress", progress.str());
    } else {
        more.null("progress");
    }
    if (job.options)
        more.json("options", describe_options(*job.options));
    auto text = describe_managed_job(job);
    text.back() = ',';
    return text + more.str().substr(1);
}

} // namespace

void add_managed_jobs(page_writer& page, const job_page& part)
{
    for (const auto& job : part.jobs)
        page.add(describe_managed_job(job));
}

asio::awaitable<answer> managed_api::queues(const routed& where)
{
    auto from = read_cursor(where);
    from.count = std::max<std::size_t>(from.count, 1);
    auto found =
        co_await inspector_.async_queues(queue_kind::managed, std::move(from.cursor), from.count, awaited);
    page_writer page{"queues"};
    for (const auto& queue : found.queues)
        page.add(describe_managed_queue(queue));
    from.cursor = std::move(found.next);
    co_return std::move(page).finish(next_path(path_of(where), from), found.missing_nodes);
}

asio::awaitable<answer> managed_api::queue(const routed& where)
{
    const auto found = co_await inspector_.async_queue(queue_ref::managed(where.name), awaited);
    if (!found)
        throw refusal{404, "There is no managed queue of this name; /v1/managed/queues lists them."};
    co_return answer{.body = describe_managed_queue(*found) + '\n'};
}

asio::awaitable<answer> managed_api::statistics(const routed& where)
{
    std::optional<timestamp> day;
    if (const auto found = where.query.find("day"); found != where.query.end()) {
        day = parse_day(found->second);
        if (!day)
            throw refusal{400, "The parameter 'day' is not a day such as 2026-11-21."};
    } else {
        day = co_await inspector_.async_server_time(awaited);
    }
    const auto found = co_await inspector_.async_statistics(queue_ref::managed(where.name), day, awaited);
    co_return answer{.body = describe(found, format_rfc3339(*day).substr(0, 10)) + '\n'};
}

asio::awaitable<answer> managed_api::recurring(const routed& where)
{
    const auto look = [shown = inspector_, queue = queue_ref::managed(where.name)](std::string cursor,
                                                                                   std::size_t count) {
        return shown.async_schedules(queue, std::move(cursor), count, awaited);
    };
    const auto add = [](page_writer& page, const schedule_page& part) {
        for (const auto& schedule : part.schedules)
            page.add(describe(schedule));
    };
    return gather_page(*large_looks_, where, path_of(where) + "?state=recurring", look, add);
}

asio::awaitable<answer> managed_api::jobs(const routed& where)
{
    const auto state = read_state(where);
    if (!state)
        return recurring(where);
    const auto path = path_of(where).append("?state=").append(to_string(*state));
    if (auto which = read_filter(where, *state))
        return search_page(*large_looks_, where, path, inspector_, queue_ref::managed(where.name),
                           std::move(*which), add_managed_jobs);
    const auto look = [shown = inspector_, queue = queue_ref::managed(where.name),
                       is_in = *state](std::string cursor, std::size_t count) {
        return shown.async_jobs(queue, is_in, std::move(cursor), count, awaited);
    };
    return gather_page(*large_looks_, where, path, look, add_managed_jobs);
}

asio::awaitable<answer> managed_api::groups(const routed& where)
{
    auto from = read_cursor(where);
    from.count = std::max<std::size_t>(from.count, 1);
    auto found = co_await inspector_.async_failure_groups(std::move(from.cursor), from.count, awaited);
    page_writer page{"groups"};
    for (const auto& each : found.groups)
        page.add(json_object{}.text("group", each.group).number("count", each.count).str());
    from.cursor = std::move(found.next);
    co_return std::move(page).finish(next_path(path_of(where), from));
}

asio::awaitable<answer> managed_api::failed(const routed& where)
{
    job_filter which;
    which.group = where.name;
    const auto look = [shown = inspector_, which = std::move(which)](std::string cursor, std::size_t count) {
        return shown.async_find(queue_ref::managed({}), which, std::move(cursor), count, awaited);
    };
    return gather_page(*large_looks_, where, path_of(where), look, add_managed_jobs);
}

/// Until the job has ended, or the time is over; how it ended is seen afterwards.
asio::awaitable<void> managed_api::wait_for_end(const std::string& jid, std::chrono::seconds longest)
{
    const managed_client jobs{redis_, {.prefix = options_.managed_prefix}};
    error_code ignored;
    co_await jobs.async_wait_for(
        jid, {}, asio::cancel_after(longest, asio::redirect_error(asio::use_awaitable, ignored)));
}

asio::awaitable<answer> managed_api::job(const routed& where)
{
    constexpr std::uint64_t longest = 60;
    const auto seconds = number_in_query(where, "wait", 0, longest);
    if (seconds != 0) { // who asks while Redis is away is told so, and does not wait
        co_await inspector_.async_server_time(awaited);
        co_await wait_for_end(where.name, std::chrono::seconds{seconds});
    }
    auto look = inspector_.async_job(queue_ref::managed({}), where.name, awaited);
    const auto job = co_await large_looks_->take(std::move(look));
    if (job)
        co_return answer{.body = describe_whole_job(*job) + '\n'};
    const auto recurring = co_await inspector_.async_schedule(where.name, awaited);
    if (recurring)
        co_return answer{.body = describe(*recurring) + '\n'};
    throw refusal{404, "There is no such job; complete ones are kept for a while only."};
}

} // namespace coworker::detail
