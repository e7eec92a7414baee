// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/job_wait.hpp"
#include "program/commands/list_job.hpp"
#include "program/commands/queue_list.hpp"
#include "program/commands/recurring_job.hpp"
#include "program/terminal/record_text.hpp"
#include "program/terminal/table.hpp"
#include "program/terminal/time_text.hpp"
#include "json/job_text.hpp"
#include "json/shown_options.hpp"

#include <algorithm>
#include <cstdio>

/// coworker job
namespace coworker::program {
namespace {

std::string joined(const std::vector<std::string>& texts)
{
    std::string result;
    for (const auto& text : texts)
        result += (result.empty() ? "" : ", ") + text;
    return result;
}

void write_history(output& out, const managed_job& job)
{
    table rows{{{"WHEN"}, {"WHAT"}, {"QUEUE"}, {"WORKER"}, {"GROUP"}, {"DETAILS"}}};
    for (const auto& entry : job.history) {
        const bool told = !entry.queue.empty() || !entry.worker.empty() || !entry.group.empty();
        rows.add({format_time(entry.when), entry.what, entry.queue, entry.worker, entry.group,
                  told ? std::string{} : entry.details});
    }
    if (rows.empty())
        return;
    out.line("");
    rows.write(out);
}

std::string progress_of(const job_progress& progress)
{
    char percent[16];
    std::snprintf(percent, sizeof percent, "%.0f %%", progress.fraction * 100);
    return percent + (progress.message.empty() ? "" : ", " + progress.message) + ", " +
           format_time(progress.told_at);
}

std::string sleep_words(const job_wait& sleep)
{
    const auto* what = sleep.what == wait_kind::signal ? "the signal "
                       : sleep.what == wait_kind::job  ? "the end of "
                                                       : "";
    return what + sleep.name.str();
}

void write_text(output& out, const job_info& info)
{
    const auto& job = *info.record;
    record_text text{out};
    text.line("id", job.jid);
    text.line("kind", job.kind);
    text.line("state", std::string{to_string(job.state)},
              job.state == managed_state::failed ? tone::bad : tone::plain);
    text.line("queue", job.queue);
    text.line("worker", job.worker);
    text.line("lease ends", job.expires ? format_time(*job.expires) : "");
    char priority[32];
    std::snprintf(priority, sizeof priority, "%g", job.priority);
    text.line("priority", priority);
    text.line("retries",
              std::to_string(std::max(job.remaining, 0)) + " left of " + std::to_string(job.retries));
    text.line("tags", joined(job.tags));
    text.line("tracked", job.tracked ? "yes" : "");
    text.line("spawned from", job.spawned_from);
    if (info.options)
        for (const auto& option : detail::shown_options())
            if (!option.title.empty())
                text.line(std::string{option.title}, option.text(*info.options));
    text.line("waits for", joined(job.dependencies));
    text.line("waited for by", joined(job.dependents));
    if (job.failure) {
        text.line("failure", job.failure->group, tone::bad);
        text.line("  message", job.failure->message, tone::bad);
        text.line("  when", job.failure->when ? format_time(*job.failure->when) : "");
        text.line("  worker", job.failure->worker);
    }
    text.line("payload", job.data);
    text.line("progress", info.progress ? progress_of(*info.progress) : "");
    for (const auto& line : info.log)
        text.line(&line == &info.log.front() ? "log" : "", format_time(line.at) + "  " + line.text);
    text.line("result", info.result ? info.result->text : "");
    text.line("checkpoint", info.checkpoint);
    for (const auto& [name, value] : info.steps)
        text.line("step " + name, value);
    if (const auto& sleep = info.signals.sleeps_for)
        text.line("sleeps for",
                  sleep_words(*sleep) + ", until " + format_time(sleep->until.get().value_or(timestamp{})));
    if (info.signals.any())
        text.line("signals", info.signals.received);
    if (info.signals.ended_jobs != "{}")
        text.line("ended jobs", info.signals.ended_jobs);
    write_history(out, job);
}

struct job_arguments
{
    std::string name, id; ///< the id of a job of some managed queue; or a queue and an id
    std::string wait;     ///< how long for its end; empty: not at all
};

asio::awaitable<exit_code> show_managed(client& redis, queue_ref queue, const std::string& jid,
                                        std::optional<std::chrono::milliseconds> wait, surroundings& here)
{
    const auto all = inspect(redis, here.server);
    auto found = co_await all.async_job(queue, jid);
    const bool has_waited = found && wait;
    const managed_client jobs{redis, here.server.managed()};
    if (has_waited) {
        co_await wait_for_end(here.server, jid, *wait);
        found = co_await all.async_job(queue_ref::managed({}), jid); // it may have gone on in another queue
    }
    if (found && !found->record)
        throw failure{exit_code::failed, make_error_code(errc::job_too_large).message()};
    if (found && here.json)
        here.out.line(detail::describe(*found, detail::json_for::terminals).str());
    else if (found)
        write_text(here.out, *found);
    else if (!has_waited || !co_await show_kept_result(jobs, jid, here))
        co_await show_recurring(all, queue, jid, here);
    co_return has_waited&& found ? judge_end(*found->record, *wait) : exit_code::done;
}

exit_code show_job(const job_arguments& given, surroundings& here)
{
    const auto& id = given.id.empty() ? given.name : given.id;
    if (id.empty())
        throw failure{exit_code::usage, "the id is empty"};
    const auto queue = given.id.empty() ? queue_ref::managed({}) : parse_queue_name(given.name);
    std::optional<std::chrono::milliseconds> wait;
    if (!given.wait.empty())
        wait = read_wait(given.wait);
    if (wait && !queue.is_managed())
        refuse("only the end of a job of a managed queue can be waited for; list queues keep no results");
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        if (queue.is_managed())
            co_return co_await show_managed(redis, queue, id, wait, here);
        co_await show_list_job(inspect(redis, here.server), queue, id, here);
        co_return exit_code::done;
    });
}

} // namespace

void add_job(command_line& line)
{
    const auto given = std::make_shared<job_arguments>();
    auto command = line.add_with_json(
        "job",
        "Show all that is known of a job. A job of a managed queue needs its id only and is "
        "shown with its history; a list queue is searched for the id.",
        "  coworker job 019ab3c27a5e7d0c9a540d9f6f8a1b2c\n"
        "  coworker job mail 019ab3c2-7a5e-7d0c-9a54-0d9f6f8a1b2c\n"
        "  coworker job welcome-17 --json | jq .history\n"
        "  coworker job welcome-17 --wait 30s --json | jq .result",
        [given](surroundings& here) { return show_job(*given, here); });
    command
        .add_option("JID", given->name,
                    "The job's id; if another word follows: the queue, NAME or managed:NAME")
        .required();
    command.add_option("ID", given->id, "The job's id in that queue");
    command
        .add_option(
            "--wait", given->wait,
            "Managed queues: wait until the job has ended, for this time at most, such as 30s. Exit code "
            "0: it is complete; 4: it has failed, or not ended")
        .value_name("TIME")
        .not_empty();
}

} // namespace coworker::program
