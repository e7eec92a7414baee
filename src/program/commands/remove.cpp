// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/queue_list.hpp"
#include "program/terminal/json_line.hpp"
#include "program/terminal/question.hpp"
#include "program/terminal/text_functions.hpp"

/// coworker remove
namespace coworker::program {
namespace {

struct remove_arguments
{
    std::vector<std::string> queues;
    bool jobs = false, force = false, yes = false;
};

void report_removed(surroundings& here, const queue_ref& queue, const result<void>& done)
{
    if (here.json)
        here.out.line(
            json_line{}.text("queue", shown_name(queue)).boolean("removed", done.has_value()).str());
    else if (done)
        here.out.line(escaped(shown_name(queue)) + " is removed");
    if (!done)
        complain("coworker: " + escaped(shown_name(queue)) + ": " + done.error().message() +
                 (done.error() == errc::queue_in_use ? " (--force)" : " (--jobs)"));
}

exit_code remove_queues(const remove_arguments& given, surroundings& here)
{
    const auto queues = parse_queue_names(given.queues);
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        co_await expect_queues(redis, here.server, queues);
        std::string names;
        for (const auto& queue : queues)
            names += (names.empty() ? "" : ", ") + escaped(shown_name(queue));
        if (given.jobs || given.force)
            expect_yes(given.yes, "remove " + names + (given.jobs ? " with all jobs" : ""));
        const auto all = inspect(redis, here.server);
        const queue_deletion how{.with_jobs = given.jobs, .while_used = given.force};
        auto end = exit_code::done;
        for (const auto& queue : queues) {
            const auto done = co_await all.async_delete_queue(queue, how);
            report_removed(here, queue, done);
            if (!done)
                end = exit_code::partly;
        }
        co_return end;
    });
}

} // namespace

void add_remove(command_line& line)
{
    const auto given = std::make_shared<remove_arguments>();
    auto command = line.add_with_json(
        "remove",
        "Remove queues with all that belongs to them: settings, limits, statistics, recurring jobs and the "
        "schedules that push into them. One that has jobs, whose jobs run or to which workers are connected, "
        "is kept unless you say otherwise.",
        "  coworker remove old-mail\n"
        "  coworker remove managed:mail --jobs --yes",
        [given](surroundings& here) { return remove_queues(*given, here); });
    command.add_option("QUEUE", given->queues, "NAME, or managed:NAME").required();
    command.add_flag("--jobs", given->jobs, "Also their jobs");
    command.add_flag("--force", given->force,
                     "Also while jobs run or workers are connected; what becomes of such jobs is not stored");
    command.add_flag("--yes", given->yes, "Do not ask");
}

} // namespace coworker::program
