// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/failed_jobs.hpp"
#include "program/terminal/json_line.hpp"
#include "program/terminal/question.hpp"
#include "program/terminal/text_functions.hpp"

/// coworker retry and coworker delete
namespace coworker::program {
namespace {

struct retry_arguments
{
    std::string queue, state, group;
    std::vector<std::string> ids;
    bool all = false, yes = false;
};

failed_choice choice_of(const retry_arguments& given, const queue_ref& queue)
{
    if (given.ids.empty() != given.all)
        refuse("name the jobs by their ids, or say --all");
    if (!given.group.empty() && !given.all)
        refuse("--group goes with --all");
    if (queue.is_managed() && given.state == "broken")
        refuse("managed queues have no broken jobs");
    if (!queue.is_managed() && !given.group.empty())
        refuse("only managed queues (managed:NAME) file failed jobs in groups");
    failed_choice choice;
    if (!given.state.empty() && given.state != "failed" && given.state != "broken") {
        if (!given.group.empty())
            refuse("--group is one of failed jobs");
        if (queue.is_managed() && !given.all)
            refuse(
                "jobs of a managed queue that have not failed are cancelled by their ids: coworker cancel");
        choice.state = parse_job_state(given.state);
        return choice;
    }
    choice.failed = given.state != "broken";
    choice.broken = given.state != "failed";
    choice.group = given.group;
    return choice;
}

/// All jobs in a state that are not done with: some of them would still run.
asio::awaitable<acted_on> purge(const inspector& all, queue_ref queue, job_state state)
{
    acted_on outcome;
    const auto done = co_await all.async_purge(queue, state);
    outcome.done = done.purged;
    outcome.refused = done.kept;
    if (done.kept != 0)
        outcome.complaints.push_back(counted(done.kept, "job") + ": " + depended_on());
    co_return outcome;
}

exit_code report(surroundings& here, const queue_ref& queue, job_action action, const failed_choice& choice,
                 const acted_on& outcome)
{
    const bool retried = action == job_action::retry;
    const std::string which = choice.state ? std::string{to_string(*choice.state)} : "failed or broken";
    if (here.json) {
        json_line line;
        line.text("queue", shown_name(queue)).number(retried ? "retried" : "deleted", outcome.done);
        line.texts("unknown", outcome.unknown).number("refused", outcome.refused);
        here.out.line(line.str());
    } else {
        here.out.line(counted(outcome.done, "job") + (retried ? " queued again" : " deleted"));
    }
    for (const auto& id : outcome.unknown)
        complain("coworker: no " + which + " job of " + shown_name(queue) + " is called '" + id +
                 (choice.state ? "'; 'coworker jobs --state " + which + "' lists them"
                               : "'; 'coworker failed' and 'coworker broken' list them"));
    for (const auto& text : outcome.complaints)
        complain("coworker: " + text);
    if (!outcome.unknown.empty())
        return exit_code::not_found;
    return outcome.refused == 0 ? exit_code::done : exit_code::partly;
}

exit_code act(const retry_arguments& given, surroundings& here, job_action action)
{
    const auto queue = parse_queue_name(given.queue);
    const auto choice = choice_of(given, queue);
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        co_await expect_queue(redis, here.server, queue);
        const auto all = inspect(redis, here.server);
        acted_on outcome;
        if (given.all && choice.state) {
            expect_yes(given.yes, "delete all " + given.state + " jobs of " + escaped(shown_name(queue)));
            outcome = co_await purge(all, queue, *choice.state);
        } else if (given.all)
            outcome = co_await act_on_all(all, queue, action, choice);
        else
            outcome = co_await act_on_jobs(all, queue, action, choice, given.ids);
        co_return report(here, queue, action, choice, outcome);
    });
}

void add(command_line& line, job_action action, const std::string& name, const std::string& description,
         const std::string& examples)
{
    const auto given = std::make_shared<retry_arguments>();
    auto command = line.add_with_json(name, description, examples, [given, action](surroundings& here) {
        return act(*given, here, action);
    });
    command.add_option("QUEUE", given->queue, "NAME, or managed:NAME").required();
    command.add_option("ID", given->ids, "Jobs, as 'failed' and 'broken' show them");
    command.add_flag("--all", given->all, "All that there are");
    const bool deletes = action == job_action::remove;
    std::vector<std::string> states{"failed", "broken"};
    if (deletes)
        states.insert(states.end(), {"waiting", "scheduled", "depends", "stalled"});
    command
        .add_option("--state", given->state,
                    deletes ? "The jobs in this state. Default: failed and broken ones"
                            : "failed or broken. Default: both")
        .value_name("STATE")
        .one_of(std::move(states));
    if (deletes)
        command.add_flag("--yes", given->yes, "Do not ask before jobs are deleted that have not failed");
    command.add_option("--group", given->group, "Managed, with --all: only those filed in this group")
        .value_name("NAME");
}

} // namespace

void add_retry(command_line& line)
{
    add(line, job_action::retry, "retry",
        "Queue failed and broken jobs again. Their attempts start from the beginning.",
        "  coworker retry mail 019ab3c2-7a5e-7d0c-9a54-0d9f6f8a1b2c\n"
        "  coworker retry mail --all --state failed\n"
        "  coworker retry managed:mail --all --group timeout");
}

void add_delete(command_line& line)
{
    add(line, job_action::remove, "delete",
        "Delete failed and broken jobs for good, or with --state those that wait. Of these, the ones go that "
        "are "
        "there when it begins. To cancel running jobs, see 'coworker cancel'; to remove the queue, 'coworker "
        "remove'.",
        "  coworker delete mail @3f786850e387550f\n"
        "  coworker delete mail --all --state broken\n"
        "  coworker delete managed:mail --all --state waiting --yes");
}

} // namespace coworker::program
