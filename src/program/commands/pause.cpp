// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/queue_list.hpp"
#include "program/terminal/json_line.hpp"
#include "program/terminal/text_functions.hpp"

/// coworker pause and coworker resume
namespace coworker::program {
namespace {

struct pause_arguments
{
    std::vector<std::string> queues;
    bool force = false, delays = false;
};

exit_code pause_or_resume(const pause_arguments& given, surroundings& here, bool paused)
{
    const auto queues = parse_queue_names(given.queues);
    for (const auto& queue : queues)
        if (given.delays && !queue.is_managed())
            refuse("--delays is for managed queues: managed:" + escaped(queue.name()));
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        if (!given.force)
            co_await expect_queues(redis, here.server, queues);
        const auto all = inspect(redis, here.server);
        for (const auto& queue : queues) {
            if (given.delays)
                co_await all.async_pause_delays(queue);
            else if (paused)
                co_await all.async_pause(queue);
            else
                co_await all.async_resume(queue);
            if (here.json)
                here.out.line(json_line{}.text("queue", shown_name(queue)).boolean("paused", paused).str());
            else
                here.out.line(escaped(shown_name(queue)) + (paused ? " is paused" : " is worked on again"));
        }
        co_return exit_code::done;
    });
}

void add(command_line& line, bool paused, const std::string& name, const std::string& description,
         const std::string& examples)
{
    const auto given = std::make_shared<pause_arguments>();
    auto command = line.add_with_json(name, description, examples, [given, paused](surroundings& here) {
        return pause_or_resume(*given, here, paused);
    });
    command.add_option("QUEUE", given->queues, "NAME, or managed:NAME").required();
    command.add_flag("--force", given->force, "Also if there is no such queue yet");
    if (paused)
        command.add_flag("--delays", given->delays,
                         "Managed queues: delayed jobs are due later by the time of the pause");
}

} // namespace

void add_pause(command_line& line)
{
    add(line, true, "pause",
        "Let workers take nothing from queues until they are resumed. Jobs that run go on. hworker's own "
        "workers do not know of it.",
        "  coworker pause mail managed:mail\n"
        "  coworker pause not-yet-used --force");
}

void add_resume(command_line& line)
{
    add(line, false, "resume", "Let workers take jobs from paused queues again.", "  coworker resume mail");
}

} // namespace coworker::program
