// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/failed_jobs.hpp"
#include "program/terminal/json_line.hpp"
#include "program/terminal/question.hpp"
#include "program/terminal/text_functions.hpp"

/// coworker cancel
namespace coworker::program {
namespace {

struct cancel_arguments
{
    std::string queue;
    std::vector<std::string> ids;
    bool all = false, yes = false;
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

/// Those that run when it begins.
asio::awaitable<acted_on> cancel_all(const inspector& all, queue_ref queue)
{
    failed_choice choice;
    choice.state = job_state::running;
    auto outcome = co_await act_on_all(all, queue, job_action::cancel, choice);
    if (queue.is_managed()) {
        choice.state = job_state::stalled;
        const auto stalled = co_await act_on_all(all, queue, job_action::cancel, choice);
        outcome.done += stalled.done;
        outcome.refused += stalled.refused;
    }
    if (outcome.refused != 0)
        outcome.complaints.push_back(counted(outcome.refused, "job") + ": " + depended_on());
    co_return outcome;
}

exit_code cancel_jobs(const cancel_arguments& given, surroundings& here)
{
    if (given.ids.empty() != given.all)
        refuse("name the jobs by their ids, or say --all");
    const auto queue = parse_queue_name(given.queue);
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        co_await expect_queue(redis, here.server, queue);
        const auto all = inspect(redis, here.server);
        acted_on outcome;
        if (given.all) {
            expect_yes(given.yes, "cancel all running jobs of " + escaped(shown_name(queue)));
            outcome = co_await cancel_all(all, queue);
        } else {
            failed_choice choice;
            choice.state = job_state::running;
            outcome = co_await act_on_jobs(all, queue, job_action::cancel, choice, given.ids);
        }
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
        "  coworker cancel managed:mail 4f1c2ad0\n"
        "  coworker cancel mail --all",
        [given](surroundings& here) { return cancel_jobs(*given, here); });
    command.add_option("QUEUE", given->queue, "NAME, or managed:NAME").required();
    command.add_option("ID", given->ids, "Jobs, as 'jobs' shows them");
    command.add_flag("--all", given->all, "All that run");
    command.add_flag("--yes", given->yes, "Do not ask before all are cancelled");
}

} // namespace coworker::program
