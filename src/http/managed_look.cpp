// SPDX-License-Identifier: MIT
#include "http/managed_api.hpp"

#include "http/job_pages.hpp"
#include "http/managed_text.hpp"
#include "http/queue_text.hpp"
#include "text/json_object.hpp"
#include "text/times.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

/// What can be seen of managed queues through the gateway.
namespace coworker::detail {
namespace {

/// The state of the jobs that are asked for; nothing for recurring ones.
std::optional<job_state> read_state(const routed& where)
{
    constexpr std::array states = {job_state::waiting, job_state::running, job_state::stalled,
                                   job_state::scheduled, job_state::depends};
    const auto found = where.query.find("state");
    if (found == where.query.end())
        return job_state::waiting;
    if (found->second == "recurring")
        return std::nullopt;
    const auto state = parse_job_state(found->second);
    if (!state || std::find(states.begin(), states.end(), *state) == states.end())
        throw refusal{400,
                      "The parameter 'state' is one of waiting, running, stalled, scheduled, depends and "
                      "recurring; failed jobs are under /managed/failed."};
    return state;
}

/// One that is too large to be read is told by its id.
std::string describe_managed_job(const job_info& job)
{
    if (job.record)
        return detail::describe(*job.record, to_string(job.state));
    managed_job unread;
    unread.jid = job.id;
    return detail::describe(unread, to_string(job.state));
}

void add_jobs(page_writer& page, const job_page& part)
{
    for (const auto& job : part.jobs)
        page.add(describe_managed_job(job));
}

} // namespace

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
    co_return std::move(page).finish(next_path(path_of(where), from));
}

asio::awaitable<answer> managed_api::queue(const routed& where)
{
    const auto found = co_await inspector_.async_queue(queue_ref::managed(where.name), awaited);
    if (!found)
        throw refusal{404, "There is no managed queue of this name; /managed/queues lists them."};
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

asio::awaitable<answer> managed_api::schedules(const routed& where)
{
    const auto look = [shown = inspector_, queue = queue_ref::managed(where.name)](std::string cursor,
                                                                                   std::size_t count) {
        return shown.async_schedules(queue, std::move(cursor), count, awaited);
    };
    const auto add = [](page_writer& page, const schedule_page& part) {
        for (const auto& schedule : part.schedules)
            page.add(describe(schedule.job));
    };
    return gather_page(*large_looks_, read_cursor(where), path_of(where) + "?state=recurring", look, add);
}

asio::awaitable<answer> managed_api::jobs(const routed& where)
{
    const auto state = read_state(where);
    if (!state)
        return schedules(where);
    const auto look = [shown = inspector_, queue = queue_ref::managed(where.name),
                       is_in = *state](std::string cursor, std::size_t count) {
        return shown.async_jobs(queue, is_in, std::move(cursor), count, awaited);
    };
    return gather_page(*large_looks_, read_cursor(where),
                       path_of(where).append("?state=").append(to_string(*state)), look, add_jobs);
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
    return gather_page(*large_looks_, read_cursor(where), path_of(where), look, add_jobs);
}

asio::awaitable<answer> managed_api::job(const routed& where)
{
    auto look = inspector_.async_job(queue_ref::managed({}), where.name, awaited);
    const auto job = co_await large_looks_->take(std::move(look));
    if (job)
        co_return answer{.body = describe_managed_job(*job) + '\n'};
    const auto recurring = co_await inspector_.async_schedule(where.name, awaited);
    if (recurring)
        co_return answer{.body = describe(recurring->job) + '\n'};
    throw refusal{404, "There is no such job; complete ones are kept for a while only."};
}

/// The inspector shows all of them, by name: so a cursor is the last name shown, behind a sign, as a name may be empty.
asio::awaitable<answer> managed_api::workers(const routed& where)
{
    auto from = read_cursor(where);
    const auto all = co_await inspector_.async_workers(queue_kind::managed, awaited);
    auto each = std::find_if(all.begin(), all.end(), [&](const worker_info& worker) {
        return from.cursor.empty() || worker.name > from.cursor.substr(1);
    });
    from.cursor.clear();
    page_writer page{"workers"};
    for (; each != all.end() && page.size() < from.count; ++each)
        page.add(describe(*each));
    if (each != all.end() && page.size() != 0)
        from.cursor = '>' + std::prev(each)->name;
    co_return std::move(page).finish(next_path(path_of(where), from));
}

} // namespace coworker::detail
