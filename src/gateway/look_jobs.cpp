// SPDX-License-Identifier: MIT
#include "gateway/api.hpp"

#include "coworker/managed_client.hpp"
#include "gateway/job_pages.hpp"
#include "json/job_text.hpp"

#include <boost/asio/cancel_after.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <array>
#include <optional>

/// What can be seen of jobs through the gateway.
namespace coworker::detail {
namespace {

bool has_state(queue_kind kind, job_state state)
{
    switch (state) {
    case job_state::waiting:
    case job_state::scheduled:
    case job_state::running:
    case job_state::failed:
        return true;
    case job_state::broken:
        return kind == queue_kind::list;
    case job_state::stalled:
    case job_state::depends:
    case job_state::complete:
        return kind == queue_kind::managed;
    default:
        return false;
    }
}

[[noreturn]] void refuse_state(const routed& where, const std::string& state)
{
    throw refusal{409, "'" + where.name + "' is a " + std::string{to_string(where.queue.kind())} +
                           " queue, which has no jobs that are " + state + '.'};
}

/// The state of the jobs that are asked for; nothing for recurring ones.
std::optional<job_state> read_state(const routed& where)
{
    const auto found = where.query.find("state");
    if (found == where.query.end())
        return where.query.contains("worker") ? job_state::running : job_state::waiting;
    const bool is_managed = where.queue.is_managed();
    if (found->second == "recurring" && is_managed)
        return std::nullopt;
    if (found->second == "recurring")
        refuse_state(where, found->second);
    const auto state = parse_job_state(found->second);
    if (!state)
        throw refusal{400,
                      "The parameter 'state' is one of waiting, running, scheduled, failed, broken (list "
                      "queues), stalled, depends, complete and recurring (managed queues)."};
    if (!has_state(where.queue.kind(), *state))
        refuse_state(where, found->second);
    return state;
}

} // namespace

asio::awaitable<answer> api::recurring(const routed& where)
{
    const auto look = [shown = inspector_, queue = where.queue](std::string cursor, std::size_t count) {
        return shown.async_schedules(queue, std::move(cursor), count, awaited);
    };
    const auto add = [](page_writer& page, const schedule_page& part) {
        for (const auto& schedule : part.schedules)
            page.add(detail::describe(schedule).str());
    };
    return gather_page(large_looks_, where, path_of(where) + "?state=recurring", look, add);
}

asio::awaitable<answer> api::jobs(const routed& where)
{
    const auto state = read_state(where);
    if (!state)
        return recurring(where);
    const auto path = path_of(where).append("?state=").append(to_string(*state));
    auto which = read_filter(where, *state);
    if (!which &&
        *state == job_state::complete) { // all queues' are in one set, so that those of one are searched for
        which.emplace();
        which->state = *state;
    }
    if (which) {
        if (!where.queue.is_managed() && (!which->tag.empty() || !which->kind.empty()))
            throw refusal{409, "'" + where.name + "' is a list queue, whose jobs have no tags and no kinds."};
        return search_page(large_looks_, where, path, inspector_, where.queue, std::move(*which), add_jobs);
    }
    const auto look = [shown = inspector_, queue = where.queue, is_in = *state](std::string cursor,
                                                                                std::size_t count) {
        return shown.async_jobs(queue, is_in, std::move(cursor), count, awaited);
    };
    return gather_page(large_looks_, where, path, look, add_jobs);
}

asio::awaitable<answer> api::failed_of_group(const routed& where)
{
    job_filter which;
    which.group = where.name;
    const auto look = [shown = inspector_, which = std::move(which)](std::string cursor, std::size_t count) {
        return shown.async_find(queue_ref::managed({}), which, std::move(cursor), count, awaited);
    };
    return gather_page(large_looks_, where, path_of(where), look, add_jobs);
}

asio::awaitable<answer> api::job(const routed& where)
{
    if (where.queue.is_managed())
        return managed_job(where, where.queue, where.inner);
    if (where.query.contains("wait"))
        throw refusal{409, "'" + where.name +
                               "' is a list queue, which keeps no results; only for the end of a job of a "
                               "managed queue can be waited."};
    return list_job(where);
}

asio::awaitable<answer> api::job_anywhere(const routed& where)
{
    return managed_job(where, queue_ref::managed({}), where.name);
}

/// Reads the queue in steps, each in its turn, so that others who look at jobs wait for one step only. A job that
/// begins to run while the waiting ones are read is found at the end.
asio::awaitable<answer> api::list_job(const routed& where)
{
    static constexpr std::array places = {job_state::running, job_state::failed, job_state::scheduled,
                                          job_state::waiting, job_state::running};
    for (const auto state : places) {
        job_filter which;
        which.state = state;
        which.ids.push_back(where.inner);
        std::string cursor;
        do {
            auto step = inspector_.async_find(where.queue, which, std::move(cursor), 1000, awaited);
            const auto part = co_await large_looks_.take(std::move(step));
            if (!part.jobs.empty())
                co_return answer{.body = describe(part.jobs.front()).str() + '\n'};
            cursor = part.next;
        } while (!cursor.empty());
    }
    throw refusal{404, "There is no such job in this queue; jobs that have succeeded are not kept."};
}

/// Until the job has ended, or the time is over; how it ended is seen afterwards.
asio::awaitable<void> api::wait_for_end(const std::string& id, std::chrono::seconds longest)
{
    const managed_client jobs{redis_, {.prefix = options_.managed_prefix}};
    error_code ignored;
    co_await jobs.async_wait_for(
        id, {}, asio::cancel_after(longest, asio::redirect_error(asio::use_awaitable, ignored)));
}

/// @param queue  where the job has to be; without a name: wherever it is
asio::awaitable<answer> api::managed_job(const routed& where, queue_ref queue, std::string id)
{
    constexpr std::uint64_t longest = 60;
    const auto seconds = number_in_query(where, "wait", 0, longest);
    if (seconds != 0) { // who asks while Redis is away is told so, and does not wait
        co_await inspector_.async_server_time(awaited);
        co_await wait_for_end(id, std::chrono::seconds{seconds});
    }
    auto look = inspector_.async_job(queue, id, awaited);
    const auto job = co_await large_looks_.take(std::move(look));
    if (job)
        co_return answer{.body = detail::describe(*job).str() + '\n'};
    const auto recurring = co_await inspector_.async_schedule(id, awaited);
    if (recurring && (queue.name().empty() || recurring->job.queue == queue.name()))
        co_return answer{.body = detail::describe(*recurring).str() + '\n'};
    throw refusal{404, queue.name().empty()
                           ? "There is no such job; complete ones are kept for a while only."
                           : "There is no such job in this queue; one that is complete, or in a queue that "
                             "is not known, is under /v1/jobs/{id}."};
}

} // namespace coworker::detail
