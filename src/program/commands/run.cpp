// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/failed_jobs.hpp"
#include "program/terminal/json_line.hpp"
#include "program/terminal/text_functions.hpp"

/// coworker run and coworker release
namespace coworker::program {
namespace {

struct run_arguments
{
    std::string queue;
    std::vector<std::string> ids;
    bool all = false;
};

/// One of the two commands.
struct run_command
{
    job_action action;
    job_state state; ///< of the jobs that it is for
    const char *name, *description, *examples;
    const char *member, *told; ///< how the number of jobs is called for scripts, and for people
};

constexpr run_command run_now{
    job_action::run_now,
    job_state::scheduled,
    "run",
    "Let scheduled jobs run now: those that were pushed with a delay or a time, and those "
    "that wait for a retry.",
    "  coworker run mail 019ab3c2-7a5e-7d0c-9a54-0d9f6f8a1b2c\n"
    "  coworker run managed:mail --all",
    "queued",
    "may run now"};

constexpr run_command release_jobs{
    job_action::release,
    job_state::running,
    "release",
    "Take running jobs of a managed queue from their workers, which cancel the handlers. The jobs run again, "
    "before all that wait.",
    "  coworker release managed:mail 4f1c2ad0\n"
    "  coworker release managed:mail --all",
    "released",
    "released"};

exit_code report(surroundings& here, const queue_ref& queue, const run_command& what, const acted_on& outcome)
{
    if (here.json) {
        json_line line;
        line.text("queue", shown_name(queue)).number(what.member, outcome.done);
        line.texts("unknown", outcome.unknown).number("refused", outcome.refused);
        here.out.line(line.str());
    } else {
        here.out.line(counted(outcome.done, "job") + ' ' + what.told);
    }
    for (const auto& id : outcome.unknown)
        complain("coworker: no " + std::string{queue.is_managed() ? "" : "scheduled "} + "job of " +
                 shown_name(queue) + " is called '" + id + "'; 'coworker jobs QUEUE --state " +
                 std::string{to_string(what.state)} + "' lists them");
    for (const auto& text : outcome.complaints)
        complain("coworker: " + text);
    if (!outcome.unknown.empty())
        return exit_code::not_found;
    return outcome.refused == 0 ? exit_code::done : exit_code::partly;
}

exit_code act(const run_arguments& given, surroundings& here, const run_command& what)
{
    const auto queue = parse_queue_name(given.queue);
    if (given.ids.empty() != given.all)
        refuse("name the jobs by their ids, or say --all");
    if (what.action == job_action::release && !queue.is_managed())
        refuse("only jobs of managed queues (managed:NAME) can be taken from their workers; those of list "
               "queues "
               "can be cancelled, and then retried");
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        co_await expect_queue(redis, here.server, queue);
        const auto all = inspect(redis, here.server);
        failed_choice choice;
        choice.state = what.state;
        acted_on outcome;
        if (given.all)
            outcome = co_await act_on_all(all, queue, what.action, choice);
        else
            outcome = co_await act_on_jobs(all, queue, what.action, choice, given.ids);
        co_return report(here, queue, what, outcome);
    });
}

void add(command_line& line, const run_command& what)
{
    const auto given = std::make_shared<run_arguments>();
    auto command = line.add_with_json(what.name, what.description, what.examples,
                                      [given, &what](surroundings& here) { return act(*given, here, what); });
    const bool for_lists = what.action == job_action::run_now;
    command.add_option("QUEUE", given->queue, for_lists ? "NAME, or managed:NAME" : "managed:NAME")
        .required();
    command.add_option("ID", given->ids, "Jobs, as 'jobs' shows them");
    command.add_flag("--all", given->all, for_lists ? "All that are scheduled" : "All that run");
}

} // namespace

void add_run(command_line& line)
{
    add(line, run_now);
}

void add_release(command_line& line)
{
    add(line, release_jobs);
}

} // namespace coworker::program
