// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/failed_jobs.hpp"
#include "program/terminal/json_line.hpp"
#include "program/terminal/text_functions.hpp"

/// coworker cancel
namespace coworker::program {
namespace {

struct cancel_arguments
{
    std::string queue;
    std::vector<std::string> ids;
};

exit_code report_cancelled(surroundings& here, const queue_ref& queue, const acted_on& outcome)
{
    if (here.json) {
        json_line line;
        line.text("queue", shown_name(queue)).number("cancelled", outcome.done);
        line.texts("unknown", outcome.unknown).number("refused", outcome.refused);
        here.out.line(line.str());
    } else {
        here.out.line(counted(outcome.done, "job") + " cancelled");
    }
    for (const auto& id : outcome.unknown)
        complain("coworker: no " + std::string{queue.is_managed() ? "job" : "running job"} + " of " +
                 shown_name(queue) + " is called '" + id + "'; 'coworker jobs' lists them");
    for (const auto& text : outcome.complaints)
        complain("coworker: " + text);
    if (!outcome.unknown.empty())
        return exit_code::not_found;
    return outcome.refused == 0 ? exit_code::done : exit_code::partly;
}

exit_code cancel_jobs(const cancel_arguments& given, surroundings& here)
{
    const auto queue = parse_queue_name(given.queue);
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        co_await expect_queue(redis, here.server, queue);
        const auto all = inspect(redis, here.server);
        failed_choice choice;
        choice.state = job_state::running;
        const auto outcome = co_await act_on_jobs(all, queue, job_action::cancel, choice, given.ids);
        co_return report_cancelled(here, queue, outcome);
    });
}

} // namespace

void add_cancel(command_line& line)
{
    const auto given = std::make_shared<cancel_arguments>();
    auto command = line.add_with_json(
        "cancel",
        "Cancel running jobs: their workers cancel the handlers. A job of a list queue is a failed one from "
        "then on, "
        "with the message 'cancelled'; a job of a managed queue is gone, in whatever state it was.",
        "  coworker cancel mail 019ab3c2-7a5e-7d0c-9a54-0d9f6f8a1b2c\n"
        "  coworker cancel managed:mail 4f1c2ad0",
        [given](surroundings& here) { return cancel_jobs(*given, here); });
    command.add_option("QUEUE", given->queue, "NAME, or managed:NAME").required();
    command.add_option("ID", given->ids, "Jobs, as 'jobs' shows them").required();
}

} // namespace coworker::program
