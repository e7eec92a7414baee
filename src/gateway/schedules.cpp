// SPDX-License-Identifier: MIT
#include "coworker/list_schedules.hpp"

#include "gateway/api.hpp"
#include "gateway/page.hpp"
#include "json/list_submission.hpp"
#include "json/schedule_submission.hpp"
#include "json/schedule_text.hpp"

#include <iterator>
#include <utility>

/// Schedules through the gateway.
namespace coworker::detail {
namespace {

/// In how many list queues schedules are looked for when all are shown.
constexpr std::size_t most_queues = 1000;

const std::string& name_in(const routed& where)
{
    return where.queue.name().empty() ? where.name : where.inner;
}

list_schedules of_list(const client& redis, const std::string& queue)
{
    return list_schedules{raw_list_queue{redis, queue, {.max_job_size = 0}}};
}

[[noreturn]] void refuse_unknown_schedule()
{
    throw refusal{404, "There is no schedule of this name; /v1/schedules lists them."};
}

answer say_schedule_is(std::string_view what)
{
    return {.body = json_object{}.boolean(what, true).str() + '\n'};
}

answer describe_all(const std::vector<schedule_status>& all)
{
    json_object out;
    out.objects("schedules", all, [](const auto& each) { return detail::describe(each); });
    return {.body = out.str() + '\n'};
}

} // namespace

/// Those of the list queue in the path, or of all managed queues.
schedule_book api::schedules_at(const routed& where)
{
    if (where.queue.name().empty())
        return schedules_;
    return of_list(redis_, where.queue.name());
}

asio::awaitable<answer> api::all_schedules(const routed&)
{
    auto all = co_await schedules_.async_list(awaited);
    std::string cursor;
    std::size_t seen = 0;
    do {
        const auto page = co_await list_queues(std::move(cursor), most_queues);
        for (const auto& each : page.queues) {
            const auto kept = of_list(redis_, each.queue.name());
            auto more = co_await kept.async_list(awaited);
            std::move(more.begin(), more.end(), std::back_inserter(all));
        }
        seen += page.queues.size();
        cursor = page.next;
    } while (!cursor.empty() && seen < most_queues);
    co_return describe_all(all);
}

asio::awaitable<answer> api::schedules_of_queue(const routed& where)
{
    const auto kept = schedules_at(where);
    const auto all = co_await kept.async_list(awaited);
    co_return describe_all(all);
}

asio::awaitable<answer> api::schedule(const routed& where)
{
    const auto kept = schedules_at(where);
    const auto found = co_await kept.async_get(name_in(where), awaited);
    if (!found)
        refuse_unknown_schedule();
    co_return answer{.body = detail::describe(*found).str() + '\n'};
}

asio::awaitable<answer> api::set_schedule(const routed& where)
{
    const auto given = read_schedule_submission(where.request.body);
    check_is_served(given.queue, options_.types);
    const raw_json data{given.job.data};
    bool changed = false;
    try {
        changed = co_await schedules_.async_set(where.name, given.when, given.queue, given.job.kind, data,
                                                given.job.options, awaited);
    } catch (const system_error& error) {
        refuse_unusable(error);
    }
    co_return answer{.body = json_object{}.boolean("changed", changed).str() + '\n'};
}

asio::awaitable<answer> api::set_list_schedule(const routed& where)
{
    const auto given = read_list_schedule_submission(where.request.body);
    check_is_served(where.queue.name(), options_.types);
    const auto kept = of_list(redis_, where.queue.name());
    bool changed = false;
    try {
        changed = co_await kept.async_set(where.inner, given.when, given.job, awaited);
    } catch (const system_error& error) {
        refuse_unusable(error);
    }
    co_return answer{.body = json_object{}.boolean("changed", changed).str() + '\n'};
}

asio::awaitable<answer> api::run_schedule(const routed& where)
{
    if (!where.queue.name().empty())
        check_is_served(where.queue.name(), options_.types);
    const auto kept = schedules_at(where);
    const auto known = co_await kept.async_get(name_in(where), awaited);
    if (!known)
        refuse_unknown_schedule();
    check_is_served(known->queue, options_.types);
    const auto id = co_await kept.async_run_now(name_in(where), awaited);
    if (!id)
        refuse_unknown_schedule();
    co_return answer{.body = json_object{}.text("id", *id).str() + '\n'};
}

asio::awaitable<answer> api::pause_schedule(const routed& where)
{
    const auto kept = schedules_at(where);
    const auto done = co_await kept.async_pause(name_in(where), awaited);
    if (!done)
        refuse_unknown_schedule();
    co_return say_schedule_is("paused");
}

asio::awaitable<answer> api::resume_schedule(const routed& where)
{
    const auto kept = schedules_at(where);
    const auto done = co_await kept.async_resume(name_in(where), awaited);
    if (!done)
        refuse_unknown_schedule();
    co_return say_schedule_is("resumed");
}

asio::awaitable<answer> api::remove_schedule(const routed& where)
{
    const auto kept = schedules_at(where);
    const auto done = co_await kept.async_remove(name_in(where), awaited);
    if (!done)
        refuse_unknown_schedule();
    co_return say_schedule_is("deleted");
}

} // namespace coworker::detail
