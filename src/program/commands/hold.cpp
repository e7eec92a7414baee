// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/terminal/json_line.hpp"
#include "program/terminal/text_functions.hpp"
#include "program/terminal/time_text.hpp"
#include "json/hold_submission.hpp"
#include "json/refusal.hpp"

#include <coworker/managed_client.hpp>

/// coworker hold
namespace coworker::program {
namespace {

struct hold_arguments
{
    std::string queue, group, limit, order_key, time;
    bool end = false;
};

hold_target target_of(const hold_arguments& given)
{
    try {
        return detail::hold_of(given.queue, given.limit, given.order_key, given.group);
    } catch (const detail::refusal&) {
        throw failure{exit_code::usage,
                      "a hold is of a queue (managed:NAME, maybe with --group), of a --limit or of an "
                      "--order-key; see coworker hold --help"};
    }
}

std::optional<std::chrono::milliseconds> time_of(const hold_arguments& given)
{
    if (given.end && !given.time.empty())
        throw failure{exit_code::usage, "--for and --end exclude each other"};
    if (given.end)
        return std::chrono::milliseconds{0};
    if (given.time.empty())
        return std::nullopt;
    const auto time = parse_duration(given.time);
    if (!time || time->count() == 0)
        throw failure{exit_code::usage,
                      "--for is a time such as 30s or 5m, not '" + escaped(given.time) + "'"};
    return time;
}

exit_code hold(const hold_arguments& given, surroundings& here)
{
    const auto what = target_of(given);
    const auto time = time_of(given);
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        const managed_client jobs{redis, here.server.managed()};
        if (time)
            co_await jobs.async_hold(what, *time);
        const auto left = co_await jobs.async_held_for(what);
        const std::string name{what.name};
        if (here.json)
            here.out.line(json_line{}
                              .text(to_string(what.kind), name)
                              .number("held_for_seconds", static_cast<double>(left.count()) / 1000)
                              .str());
        else
            here.out.line(escaped(name) +
                          (left.count() == 0 ? " is not held" : " is held for " + format_span(left)));
        co_return exit_code::done;
    });
}

} // namespace

void add_hold(command_line& line)
{
    const auto given = std::make_shared<hold_arguments>();
    auto command = line.add_with_json(
        "hold",
        "Let workers take no job of a managed queue, of one of its groups, of a limit or of an order key for "
        "a "
        "time. It ends by itself. Jobs that run go on. Without --for or --end, say for how long it is held.",
        "  coworker hold managed:mail --for 30s\n"
        "  coworker hold managed:mail --group acme --for 5m\n"
        "  coworker hold --limit api --for 1m\n"
        "  coworker hold --limit api --end",
        [given](surroundings& here) { return hold(*given, here); });
    command.add_option("QUEUE", given->queue, "managed:NAME");
    command.add_option("--group", given->group, "Hold this group of the queue only").value_name("GROUP");
    command.add_option("--limit", given->limit, "Hold a limit").value_name("LIMIT");
    command.add_option("--order-key", given->order_key, "Hold an order key").value_name("KEY");
    command.add_option("--for", given->time, "How long from now on, in place of a former hold")
        .value_name("TIME")
        .not_empty();
    command.add_flag("--end", given->end, "End the hold");
}

} // namespace coworker::program
