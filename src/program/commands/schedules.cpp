// SPDX-License-Identifier: MIT
#include "program/commands/managed_push_arguments.hpp"
#include "program/commands/verbs.hpp"
#include "program/queue_name.hpp"
#include "program/terminal/json_line.hpp"
#include "program/terminal/table.hpp"
#include "program/terminal/text_functions.hpp"
#include "program/terminal/time_text.hpp"
#include "json/job_text.hpp"
#include "json/schedule_submission.hpp"
#include "json/schedule_text.hpp"

#include <coworker/inspector.hpp>
#include <coworker/list_schedules.hpp>

#include <algorithm>
#include <iterator>

/// coworker schedules
namespace coworker::program {
namespace {

struct schedules_arguments
{
    std::string action = "list", name;
    std::string cron, zone = "UTC", every, anchor, missed = "once";
    std::string begin, end, most_runs, jitter;
    std::string queue, kind, data = "{}";
    managed_push_arguments options{};
};

/// Schedules of managed queues, those of list queues, and beside them the recurring jobs that qless knows.
struct known_schedules : schedules
{
    known_schedules(const client& redis, const managed_options& where)
        : schedules{redis, where}, client_{redis}, shows{redis, {.managed_prefix = where.prefix}}
    {}

    list_schedules of_list(const std::string& queue) const
    {
        return list_schedules{raw_list_queue{client_, queue, {.max_job_size = 0}}};
    }

    /// Where the schedule is that the arguments name.
    schedule_book of(const schedules_arguments& given) const
    {
        if (given.queue.empty())
            return *this;
        const auto queue = parse_queue_name(given.queue);
        if (queue.is_managed())
            return *this;
        return of_list(queue.name());
    }

    asio::awaitable<std::vector<schedule_status>> of_all_list_queues() const
    {
        std::vector<schedule_status> all;
        std::string cursor;
        do {
            auto page = co_await shows.async_queues(queue_kind::list, cursor);
            for (const auto& each : page.queues) {
                const auto kept = of_list(each.queue.name());
                auto more = co_await kept.async_list();
                std::move(more.begin(), more.end(), std::back_inserter(all));
            }
            cursor = std::move(page.next);
        } while (!cursor.empty());
        co_return all;
    }

    asio::awaitable<std::vector<schedule_info>> recurring() const
    {
        std::vector<schedule_info> all;
        std::string cursor;
        do {
            auto page = co_await shows.async_queues(queue_kind::managed, cursor);
            for (const auto& each : page.queues)
                if (each.recurring != 0)
                    co_await add_recurring(each.queue, all);
            cursor = std::move(page.next);
        } while (!cursor.empty());
        co_return all;
    }

private:
    asio::awaitable<void> add_recurring(queue_ref queue, std::vector<schedule_info>& all) const
    {
        std::string cursor;
        do {
            auto page = co_await shows.async_schedules(queue, cursor);
            std::move(page.schedules.begin(), page.schedules.end(), std::back_inserter(all));
            cursor = std::move(page.next);
        } while (!cursor.empty());
    }

    const client& client_; ///< outlives this
    inspector shows;
};

std::string queue_of(const schedule_status& each)
{
    return each.in_list_queue ? each.queue : "managed:" + each.queue;
}

// --- what is shown -------------------------------------------------------------------

std::string times_of(const schedule& when)
{
    if (!when.cron.empty())
        return when.cron + " " + when.zone.str();
    return "every " + format_age(std::chrono::milliseconds{when.every});
}

/// "from 2026-12-01 08:00:00, at most 12 runs"
std::string bounds_of(const schedule& when)
{
    std::string text;
    const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
    if (when.begin)
        add("from " + format_time(*when.begin));
    if (when.end)
        add("until " + format_time(*when.end));
    if (when.most_runs != 0)
        add("at most " + std::to_string(when.most_runs) + (when.most_runs == 1 ? " run" : " runs"));
    if (when.jitter.count() != 0)
        add("jobs wait up to " + format_age(std::chrono::milliseconds{when.jitter}));
    return text;
}

json_line schedule_line(const schedule_status& each)
{
    return detail::describe(each, detail::json_for::terminals);
}

void write_schedules(output& out, const std::vector<schedule_status>& all)
{
    table rows{{{"SCHEDULE"}, {"TIMES"}, {"QUEUE"}, {"KIND"}, {"RUNS", true}, {"LAST"}, {"NEXT"}, {""}}};
    for (const auto& each : all)
        rows.add({each.name, times_of(each.when), queue_of(each), each.kind, std::to_string(each.runs),
                  each.last ? format_time(*each.last) : "-",
                  each.next.empty() ? "-" : format_time(each.next.front()),
                  each.problem.empty() ? cell{each.paused ? "paused" : "", tone::attention}
                                       : cell{each.problem, tone::bad}});
    if (rows.empty())
        out.line("There are no schedules.");
    else
        rows.write(out);
}

json_line recurring_job_line(const schedule_info& each)
{
    return detail::describe(each, detail::json_for::terminals);
}

void write_recurring_jobs(output& out, const std::vector<schedule_info>& all)
{
    table rows{{{"RECURRING JOB"}, {"TIMES"}, {"QUEUE"}, {"KIND"}, {"RUNS", true}, {"NEXT"}}};
    for (const auto& [job, next] : all)
        rows.add({job.jid,
                  "every " + format_age(std::chrono::duration_cast<std::chrono::milliseconds>(job.interval)),
                  "managed:" + job.queue, job.kind, std::to_string(job.count), format_time(next)});
    if (!rows.empty())
        rows.write(out);
}

std::string options_text(const managed_push_options& given)
{
    detail::json_object options{detail::json_for::terminals};
    detail::write_push_options(options, given);
    return options.str();
}

void write_schedule(output& out, const schedule_status& each)
{
    out.line("schedule   " + escaped(each.name) + (each.paused ? " (paused)" : ""));
    out.line("times      " + escaped(times_of(each.when)) +
             "; missed runs: " + std::string{to_string(each.when.missed)});
    if (const auto bounds = bounds_of(each.when); !bounds.empty())
        out.line("bounds     " + bounds);
    out.line("job        " + (each.in_list_queue ? "" : escaped(each.kind) + ' ') + "in " +
             escaped(queue_of(each)) + ", " + escaped(each.data));
    if (const auto options = options_text(each.options); options != "{}")
        out.line("options    " + options);
    out.line("runs       " + std::to_string(each.runs) +
             (each.last ? ", last " + format_time(*each.last) + " as " + escaped(each.last_jid) : ""));
    if (!each.problem.empty())
        out.line("problem    " + escaped(each.problem));
    for (std::size_t i = 0; i != each.next.size(); ++i)
        out.line((i == 0 ? "next       " : "           ") + format_time(each.next[i]));
}

// --- what is done --------------------------------------------------------------------

[[noreturn]] void refuse_schedule(const std::string& why)
{
    refuse(why + "; see coworker schedules --help");
}

schedule read_schedule(const schedules_arguments& given)
{
    schedule when{.cron = given.cron, .zone = given.zone};
    try {
        using namespace detail;
        if (!given.every.empty())
            when.every = read_flag("--every", {given.every}, json_of_text, member_whole_seconds);
        if (!given.anchor.empty())
            when.anchor = read_flag("--anchor", {given.anchor}, json_of_text, member_point_in_time);
        when.missed = read_flag("--missed", {given.missed}, json_of_text, member_missed_runs);
        if (!given.begin.empty())
            when.begin = read_flag("--begin", {given.begin}, json_of_text, member_point_in_time);
        if (!given.end.empty())
            when.end = read_flag("--end", {given.end}, json_of_text, member_point_in_time);
        if (!given.most_runs.empty())
            when.most_runs = read_flag("--most-runs", {given.most_runs}, json_of_number, member_count);
        if (!given.jitter.empty())
            when.jitter = read_flag("--jitter", {given.jitter}, json_of_text, member_whole_seconds);
    } catch (const detail::refusal& why) {
        refuse_schedule(as_complaint(why));
    }
    return when;
}

asio::awaitable<exit_code> set(const known_schedules& all, const schedules_arguments& given,
                               surroundings& here)
{
    if (given.queue.empty())
        refuse_schedule("say where to push: --queue NAME, or --queue managed:NAME and --kind NAME");
    const auto queue = parse_queue_name(given.queue);
    if (queue.is_managed() && given.kind.empty())
        refuse_schedule("say what to push: --kind NAME");
    if (!queue.is_managed() && !given.kind.empty())
        refuse_schedule("jobs of list queues have no kind: leave out --kind, or write --queue managed:" +
                        escaped(queue.name()));
    const auto when = read_schedule(given);
    const auto how = given.options.read("schedules");
    if (!queue.is_managed() && options_text(how) != "{}")
        refuse_schedule("jobs of list queues have no options; leave them out, or write --queue managed:" +
                        escaped(queue.name()));
    const raw_json data{given.data};
    bool changed = false;
    try {
        if (queue.is_managed())
            changed = co_await all.async_set(given.name, when, queue.name(), given.kind, data, how);
        else {
            const auto lists = all.of_list(queue.name());
            changed = co_await lists.async_set(given.name, when, data);
        }
    } catch (const system_error& error) {
        if (error.code() != errc::invalid_option && error.code() != errc::not_serializable)
            throw;
        refuse_schedule(text_of(error));
    }
    if (here.json)
        here.out.line(json_line{}.text("name", given.name).boolean("changed", changed).str());
    else
        here.out.line(escaped(given.name) + (changed ? " is set" : " is as it was"));
    co_return exit_code::done;
}

[[noreturn]] void refuse_unknown(const std::string& name)
{
    throw failure{exit_code::not_found, "there is no schedule '" + escaped(name) + "'"};
}

asio::awaitable<exit_code> list(const known_schedules& all, const schedules_arguments&, surroundings& here)
{
    auto found = co_await all.async_list();
    auto lists = co_await all.of_all_list_queues();
    std::move(lists.begin(), lists.end(), std::back_inserter(found));
    show_all(here, found, schedule_line, write_schedules);
    const auto recurring = co_await all.recurring();
    show_all(here, recurring, recurring_job_line, write_recurring_jobs);
    co_return exit_code::done;
}

asio::awaitable<exit_code> show(const known_schedules& all, const schedules_arguments& given,
                                surroundings& here)
{
    const auto kept = all.of(given);
    const auto found = co_await kept.async_get(given.name);
    if (!found)
        refuse_unknown(given.name);
    show_one(here, *found, schedule_line, write_schedule);
    co_return exit_code::done;
}

asio::awaitable<exit_code> run(const known_schedules& all, const schedules_arguments& given,
                               surroundings& here)
{
    const auto kept = all.of(given);
    const auto jid = co_await kept.async_run_now(given.name);
    if (!jid)
        refuse_unknown(given.name);
    here.out.line(here.json ? json_line{}.text("name", given.name).text("id", *jid).str() : escaped(*jid));
    co_return exit_code::done;
}

asio::awaitable<exit_code> change(const known_schedules& all, const schedules_arguments& given,
                                  surroundings& here)
{
    const auto kept = all.of(given);
    result<void> done;
    if (given.action == "pause")
        done = co_await kept.async_pause(given.name);
    else if (given.action == "resume")
        done = co_await kept.async_resume(given.name);
    else
        done = co_await kept.async_remove(given.name);
    if (!done)
        refuse_unknown(given.name);
    const auto past = given.action == "pause" ? "paused" : given.action == "resume" ? "resumed" : "removed";
    if (here.json)
        here.out.line(json_line{}.text("name", given.name).boolean(past, true).str());
    else
        here.out.line(escaped(given.name) + " is " + past);
    co_return exit_code::done;
}

const std::vector<verb<known_schedules, schedules_arguments>> schedule_verbs = {
    {"list", false, list},   {"show", true, show},     {"set", true, set},      {"run", true, run},
    {"pause", true, change}, {"resume", true, change}, {"remove", true, change}};

} // namespace

void add_schedules(command_line& line)
{
    const auto given = std::make_shared<schedules_arguments>();
    auto command = line.add_with_json(
        "schedules",
        "Show and change schedules, which push jobs into queues at the times of a cron line or at fixed "
        "intervals; and beside them qless' recurring jobs. Workers of a list queue carry out its schedules, "
        "and "
        "those of any managed queue all of managed queues; monitors do the same.",
        "  coworker schedules\n"
        "  coworker schedules show nightly\n"
        "  coworker schedules set nightly --cron '30 2 * * *' --zone Europe/Berlin --queue managed:reports "
        "--kind Report\n"
        "  coworker schedules set pulse --every 10m --queue managed:checks --kind Check --data "
        "'{\"deep\":false}' --limit api --timeout 30s --unique\n"
        "  coworker schedules set digest --cron '0 7 * * *' --queue mail --data '{\"to\":\"all\"}'\n"
        "  coworker schedules run nightly\n"
        "  coworker schedules run digest --queue mail\n"
        "  coworker schedules pause nightly",
        [given](surroundings& here) {
            return carry_out(schedule_verbs, "schedules", "schedule", *given, here);
        });
    add_verbs(command, schedule_verbs, *given, "NAME", "The schedule");
    command
        .add_option("--cron", given->cron,
                    "Set: a cron line of five fields, or six with the second in front, or @daily and so on")
        .value_name("LINE");
    command.add_option("--zone", given->zone, "Set: the time zone of the cron line")
        .value_name("NAME")
        .with_default();
    command.add_option("--every", given->every, "Set: the time between two runs, such as 30s or 1h")
        .value_name("TIME");
    command
        .add_option("--anchor", given->anchor,
                    "Set: a time of a run, to which all others have a multiple of --every")
        .value_name("TIME");
    command
        .add_option("--missed", given->missed,
                    "Set: which missed runs take place when there is a worker again: " +
                        detail::list_of_words(detail::names_of(detail::words_of_missed_runs())))
        .value_name("WORD")
        .with_default();
    command.add_option("--begin", given->begin, "Set: no run is earlier").value_name("TIME");
    command.add_option("--end", given->end, "Set: no run is later").value_name("TIME");
    command.add_option("--most-runs", given->most_runs, "Set: how many jobs it pushes in all; 0: any number")
        .value_name("NUMBER");
    command.add_option("--jitter", given->jitter, "Set: each job waits for a time between zero and this")
        .value_name("TIME");
    command
        .add_option(
            "--queue", given->queue,
            "Set: the queue to push to. Else: the list queue that has the schedule; without it, those of "
            "managed queues")
        .value_name("QUEUE");
    command.add_option("--kind", given->kind, "Set: the kind of the jobs, in a managed queue")
        .value_name("NAME");
    command.add_option("--data", given->data, "Set: the data of the jobs").value_name("JSON").with_default();
    given->options.add_to(command, "Set: ", detail::job_pushed::later);
}

} // namespace coworker::program
