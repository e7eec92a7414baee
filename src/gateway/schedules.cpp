// SPDX-License-Identifier: MIT
#include "coworker/schedules.hpp"

#include "gateway/managed_api.hpp"
#include "gateway/schedule_submission.hpp"
#include "submission/list_submission.hpp"
#include "text/json_object.hpp"
#include "text/times.hpp"

/// Schedules through the gateway.
namespace coworker::detail {
namespace {

json_object describe(const schedule_status& each)
{
    json_object out;
    out.text("name", each.name);
    out.text_if_any("cron", each.when.cron.str());
    if (each.when.cron.empty())
        out.null("zone").number("every_seconds", each.when.every.count()).time("anchor", each.when.anchor);
    else
        out.text("zone", each.when.zone.str()).null("every_seconds").null("anchor");
    out.text("missed", word_for(each.when.missed))
        .text("queue", each.queue)
        .text("kind", each.kind)
        .json_or_null("data", each.data)
        .json("options", each.options)
        .boolean("paused", each.paused)
        .number("runs", each.runs)
        .time("last", each.last)
        .text_if_any("last_id", each.last_jid)
        .text_if_any("problem", each.problem);
    std::string next;
    for (const auto when : each.next)
        next += (next.empty() ? "\"" : ",\"") + format_rfc3339(when) + '"';
    return out.json("next", '[' + next + ']');
}

[[noreturn]] void refuse_unknown_schedule()
{
    throw refusal{404, "There is no schedule of this name; /v1/schedules lists them."};
}

answer say_schedule_is(std::string_view what)
{
    return {.body = json_object{}.boolean(what, true).str() + '\n'};
}

} // namespace

asio::awaitable<answer> managed_api::all_schedules(const routed&)
{
    const auto all = co_await schedules_.async_list(awaited);
    json_object out;
    out.objects("schedules", all, [](const auto& each) { return describe(each); });
    co_return answer{.body = out.str() + '\n'};
}

asio::awaitable<answer> managed_api::schedule(const routed& where)
{
    const auto found = co_await schedules_.async_get(where.name, awaited);
    if (!found)
        refuse_unknown_schedule();
    co_return answer{.body = describe(*found).str() + '\n'};
}

asio::awaitable<answer> managed_api::set_schedule(const routed& where)
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

asio::awaitable<answer> managed_api::run_schedule(const routed& where)
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

asio::awaitable<answer> managed_api::pause_schedule(const routed& where)
{
    const auto done = co_await schedules_.async_pause(where.name, awaited);
    if (!done)
        refuse_unknown_schedule();
    co_return say_schedule_is("paused");
}

asio::awaitable<answer> managed_api::resume_schedule(const routed& where)
{
    const auto done = co_await schedules_.async_resume(where.name, awaited);
    if (!done)
        refuse_unknown_schedule();
    co_return say_schedule_is("resumed");
}

asio::awaitable<answer> managed_api::remove_schedule(const routed& where)
{
    const auto done = co_await schedules_.async_remove(where.name, awaited);
    if (!done)
        refuse_unknown_schedule();
    co_return say_schedule_is("deleted");
}

} // namespace coworker::detail
