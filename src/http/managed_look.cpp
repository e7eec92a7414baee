// SPDX-License-Identifier: MIT
#include "http/managed_api.hpp"

#include "coworker/managed_queue.hpp"
#include "http/job_pages.hpp"
#include "http/managed_text.hpp"
#include "http/queue_text.hpp"
#include "text/json_object.hpp"
#include "text/times.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

/// What can be seen of managed queues through the gateway.
namespace coworker::detail {
namespace {

/// The part of a list that Redis answers as a whole.
template<class T>
std::span<const T> slice_of(const std::vector<T>& list, page_range range)
{
    const std::span all{list};
    const auto rest = all.subspan(std::min(range.offset, all.size()));
    return rest.first(std::min(range.count, rest.size()));
}

/// The page with that part, and the path of the next.
template<class T>
answer finish_slice(page_writer page, const std::vector<T>& list, const routed& where, page_range range)
{
    std::string next;
    if (range.count != 0 && range.offset + page.size() < list.size())
        next = next_path(path_of(where), page_range{range.offset + page.size(), range.count});
    return std::move(page).finish(next);
}

struct group_count
{
    std::string group;
    std::uint64_t count;
};

std::string describe(const group_count& group)
{
    return "{\"group\":" + json_string(group.group) + ",\"count\":" + std::to_string(group.count) + '}';
}

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

asio::awaitable<answer> managed_api::history(const routed& where)
{
    const auto found =
        co_await inspector_.async_history(queue_ref::managed(where.name), read_minutes(where), awaited);
    co_return answer{.body = describe(found) + '\n'};
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
    const auto add = [](page_writer& page, const job_page& part) {
        for (const auto& job : part.jobs)
            page.add(describe_managed_job(job));
    };
    return gather_page(*large_looks_, read_cursor(where),
                       path_of(where).append("?state=").append(to_string(*state)), look, add);
}

asio::awaitable<answer> managed_api::groups(const routed& where)
{
    const auto range = read_range(where);
    const auto all = co_await client_.async_failed_groups(awaited);
    std::vector<group_count> list;
    for (const auto& [group, count] : all)
        list.push_back({group, count});
    page_writer page{"groups"};
    for (const auto& group : slice_of(list, range))
        page.add(describe(group));
    co_return finish_slice(std::move(page), list, where, range);
}

asio::awaitable<void> managed_api::add_jobs(page_writer& page, std::vector<std::string> jids)
{
    const auto jobs = co_await client_.async_multiget(std::move(jids), awaited);
    for (const auto& job : jobs)
        page.add(describe(job, to_string(job.state)));
}

asio::awaitable<answer> managed_api::failed(const routed& where)
{
    const auto range = read_range(where);
    page_writer page{"jobs"};
    std::size_t seen = 0;
    bool is_last = range.count == 0;
    while (!is_last && seen < range.count && !page.is_full()) {
        const auto wanted = page.next_part(range.count - seen);
        auto part = co_await client_.async_failed(where.name, range.offset + seen, wanted, awaited);
        seen += part.jids.size();
        is_last = range.offset + seen >= part.total || part.jids.empty();
        const bool is_heavy = page.is_heavy();
        auto reading = add_jobs(page, std::move(part.jids));
        if (is_heavy)
            reading = large_looks_->take(std::move(reading));
        co_await std::move(reading);
    }
    std::string next;
    if (!is_last)
        next = next_path(path_of(where), page_range{range.offset + seen, range.count});
    co_return std::move(page).finish(next);
}

asio::awaitable<answer> managed_api::job(const routed& where)
{
    const auto job = co_await large_looks_->take(client_.async_get(where.name, awaited));
    if (job)
        co_return answer{.body = describe(*job, to_string(job->state)) + '\n'};
    const auto recurring = co_await client_.async_recurring(where.name, awaited);
    if (recurring)
        co_return answer{.body = describe(*recurring) + '\n'};
    throw refusal{404, "There is no such job; complete ones are kept for a while only."};
}

asio::awaitable<answer> managed_api::workers(const routed& where)
{
    const auto range = read_range(where);
    const auto all = co_await inspector_.async_workers(queue_kind::managed, awaited);
    page_writer page{"workers"};
    for (const auto& worker : slice_of(all, range))
        page.add(describe(worker));
    co_return finish_slice(std::move(page), all, where, range);
}

} // namespace coworker::detail
