// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/managed_push_arguments.hpp"
#include "program/queue_name.hpp"
#include "program/terminal/json_line.hpp"
#include "program/terminal/table.hpp"
#include "program/terminal/text_functions.hpp"
#include "json/limit_text.hpp"

#include <coworker/managed_queue.hpp>

/// coworker queue-limits
namespace coworker::program {
namespace {

struct queue_limits_arguments
{
    std::string queue;
    std::vector<std::string> limits;
    bool remove = false;
};

void write(surroundings& here, const queue_ref& queue, const std::vector<limit_use>& limits)
{
    if (here.json) {
        json_line line;
        line.text("queue", shown_name(queue)).objects("limits", limits, [](const auto& each) {
            return detail::describe(each, detail::json_for::terminals);
        });
        here.out.line(line.str());
        return;
    }
    table rows{{{"LIMIT"}, {"UNITS", true}}};
    for (const auto& limit : limits)
        rows.add({limit.name(), std::to_string(limit.units())});
    if (rows.empty())
        here.out.line("Jobs of " + escaped(shown_name(queue)) + " are subject to their own limits only.");
    else
        rows.write(here.out);
}

limit_list read_limits(const queue_limits_arguments& given)
{
    if (given.remove && !given.limits.empty())
        refuse("--remove stands alone");
    try {
        return detail::read_flag("LIMIT", given.limits, detail::json_of_limits, detail::member_limits);
    } catch (const detail::refusal& why) {
        refuse(as_complaint(why) + "; see coworker queue-limits --help");
    }
}

exit_code show_or_set(const queue_limits_arguments& given, surroundings& here)
{
    const auto queue = parse_queue_name(given.queue);
    if (!queue.is_managed())
        refuse("limits belong to managed queues: managed:" + escaped(queue.name()));
    const auto limits = read_limits(given);
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        const managed_queue jobs{redis, queue.name(), here.server.managed()};
        if (given.remove || !given.limits.empty())
            co_await jobs.async_set_limits(limits);
        const auto now = co_await jobs.async_limits();
        write(here, queue, now);
        co_return exit_code::done;
    });
}

} // namespace

void add_queue_limits(command_line& line)
{
    const auto given = std::make_shared<queue_limits_arguments>();
    auto command =
        line.add_with_json("queue-limits",
                           "Show or set the limits that all jobs of a managed queue are subject to, beside "
                           "their own. Those that "
                           "are named replace those that were set; 'limit' says what each lets through.",
                           "  coworker queue-limits managed:renders\n"
                           "  coworker queue-limits managed:renders gpu=4 api\n"
                           "  coworker queue-limits managed:renders --remove",
                           [given](surroundings& here) { return show_or_set(*given, here); });
    command.add_option("QUEUE", given->queue, "managed:NAME").required();
    command.add_option(
        "LIMIT", given->limits,
        "Limits, or NAME=UNITS: how many units each job takes. Default: show those that are set");
    command.add_flag("--remove", given->remove, "Remove all limits of the queue");
}

} // namespace coworker::program
