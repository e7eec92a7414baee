// SPDX-License-Identifier: MIT
#include "coworker/schedules.hpp"

#include "gateway/api.hpp"
#include "gateway/page.hpp"
#include "json/list_submission.hpp"
#include "json/schedule_submission.hpp"
#include "json/schedule_text.hpp"

/// Schedules through the gateway.
namespace coworker::detail {
namespace {

[[noreturn]] void refuse_unknown_schedule()
{
    throw refusal{404, "There is no schedule of this name; /v1/schedules lists them."};
}

answer say_schedule_is(std::string_view what)
{
    return {.body = json_object{}.boolean(what, true).str() + '\n'};
}

} // namespace

asio::awaitable<answer> api::all_schedules(const routed&)
{
    const auto all = co_await schedules_.async_list(awaited);
    json_object out;
    out.objects("schedules", all, [](const auto& each) { return detail::describe(each); });
    co_return answer{.body = out.str() + '\n'};
}

asio::awaitable<answer> api::schedule(const routed& where)
{
    const auto found = co_await schedules_.async_get(where.name, awaited);
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

asio::awaitable<answer> api::run_schedule(const routed& where)
{
    const auto known = co_await schedules_.async_get(where.name, awaited);
    if (!known)
        refuse_unknown_schedule();
    check_is_served(known->queue, options_.types);
    const auto jid = co_await schedules_.async_run_now(where.name, awaited);
    if (!jid)
        refuse_unknown_schedule();
    co_return answer{.body = json_object{}.text("id", *jid).str() + '\n'};
}

asio::awaitable<answer> api::pause_schedule(const routed& where)
{
    const auto done = co_await schedules_.async_pause(where.name, awaited);
    if (!done)
        refuse_unknown_schedule();
    co_return say_schedule_is("paused");
}

asio::awaitable<answer> api::resume_schedule(const routed& where)
{
    const auto done = co_await schedules_.async_resume(where.name, awaited);
    if (!done)
        refuse_unknown_schedule();
    co_return say_schedule_is("resumed");
}

asio::awaitable<answer> api::remove_schedule(const routed& where)
{
    const auto done = co_await schedules_.async_remove(where.name, awaited);
    if (!done)
        refuse_unknown_schedule();
    co_return say_schedule_is("deleted");
}

} // namespace coworker::detail
