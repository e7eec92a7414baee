// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/job_listing.hpp"
#include "program/commands/queue_list.hpp"
#include "program/commands/search_arguments.hpp"

#include <coworker/completion.hpp>

#include <boost/asio/use_awaitable.hpp>

#include <algorithm>

/// coworker jobs, failed and broken
namespace coworker::program {
namespace {

/// How many jobs a search looks at in a step.
constexpr std::size_t looked_at = 1000;

/// Errors come with what they say of the cause.
constexpr auto told = with_diagnostics(asio::use_awaitable);

struct listing_arguments
{
    std::string queue, state, group;
    search_arguments search{};
    std::size_t count = 25;
};

void add_count(command_options command, std::size_t& count)
{
    command.add_option("--count", count, "Show so many, up to 1000000").between(1, 1'000'000).with_default();
}

/// Shows jobs, which are read a part at a time, so that large payloads do not fill the memory. Returns how many.
///
/// @param look  (cursor, count): reads a part
template<class Look>
asio::awaitable<std::size_t> list_parts(const inspector& all, const listing_arguments& given,
                                        surroundings& here, Look look)
{
    constexpr std::size_t most = 100;
    const bool shows_queue = here.json || given.queue.empty();
    const auto now = co_await all.async_server_time();
    job_listing listing{here.out, here.json, now};
    std::string cursor;
    do {
        auto part = co_await look(std::move(cursor), std::min(given.count - listing.size(), most));
        for (auto& job : part.jobs) {
            if (!shows_queue)
                job.queue = {}; // the same for all
            if (listing.size() != given.count)
                listing.add(job);
        }
        cursor = std::move(part.next);
    } while (!cursor.empty() && listing.size() != given.count);
    listing.finish();
    co_return listing.size();
}

/// Recurring jobs as jobs, for the listing.
asio::awaitable<job_page> look_at_schedules(const inspector& all, queue_ref queue, std::string cursor,
                                            std::size_t count)
{
    auto part = co_await all.async_schedules(queue, std::move(cursor), count);
    job_page page;
    page.next = std::move(part.next);
    for (auto& schedule : part.schedules) {
        auto& job = page.jobs.emplace_back();
        job.queue = queue;
        job.id = std::move(schedule.job.jid);
        job.kind = std::move(schedule.job.kind);
        job.data = std::move(schedule.job.data);
        job.due_at = schedule.next_run;
    }
    co_return page;
}

exit_code list_jobs(listing_arguments given, surroundings& here)
{
    if (given.state.empty())
        given.state = given.search.worker.empty() ? "waiting" : "running";
    const auto queue = parse_queue_name(given.queue);
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        co_await expect_queue(redis, here.server, queue);
        const auto all = inspect(redis, here.server);
        const auto state = parse_job_state(given.state);
        if (given.search.is_any() && !state)
            refuse("jobs: recurring jobs cannot be searched");
        const auto now = co_await all.async_server_time();
        const auto which = given.search.read(state.value_or(job_state::waiting), now);
        const auto look = [&](std::string cursor, std::size_t count) {
            if (given.search.is_any())
                return all.async_find(queue, which, std::move(cursor), looked_at, told);
            if (state)
                return all.async_jobs(queue, *state, std::move(cursor), count, told);
            return look_at_schedules(all, queue, std::move(cursor), count);
        };
        co_await list_parts(all, given, here, look);
        co_return exit_code::done;
    });
}

/// Where jobs have failed: list queues, and groups of managed queues.
asio::awaitable<exit_code> list_failures(client& redis, surroundings& here)
{
    table rows{{{"QUEUE"}, {"GROUP"}, {"FAILED", true}}};
    const auto all = inspect(redis, here.server);
    node_set missing;
    const auto queues = co_await list_queues(all, missing);
    for (const auto& queue : queues) {
        const auto failed = queue.failed.value_or(0);
        if (failed != 0 && here.json)
            here.out.line(json_line{}.text("queue", shown_name(queue.queue)).number("count", failed).str());
        else if (failed != 0)
            rows.add({shown_name(queue.queue), "-", std::to_string(failed)});
    }
    const auto managed = co_await all.async_queues(queue_kind::managed, {}, 1);
    missing.insert(managed.missing_nodes.begin(), managed.missing_nodes.end());
    std::string cursor;
    bool has_more = managed.missing_nodes.empty();
    while (has_more) {
        auto part = co_await all.async_failure_groups(std::move(cursor));
        for (const auto& each : part.groups) {
            if (here.json)
                here.out.line(json_line{}.text("group", each.group).number("count", each.count).str());
            else
                rows.add({"(managed queues)", each.group, std::to_string(each.count)});
        }
        cursor = std::move(part.next);
        has_more = !cursor.empty();
    }
    if (!here.json && rows.empty())
        here.out.line("No jobs have failed.");
    else if (!here.json)
        rows.write(here.out);
    co_return judge_missing(missing);
}

asio::awaitable<void> list_group(client& redis, const listing_arguments& given, queue_ref queue,
                                 surroundings& here)
{
    const auto all = inspect(redis, here.server);
    const auto now = co_await all.async_server_time();
    auto which = given.search.read(job_state::failed, now);
    which.group = given.group;
    const bool shows_all = queue.name().empty() && !given.search.is_any(); // of the group
    const auto look = [&](std::string cursor, std::size_t count) {
        return all.async_find(queue, which, std::move(cursor), shows_all ? count : looked_at, told);
    };
    const auto shown = co_await list_parts(all, given, here, look);
    if (shown == 0 && !given.search.is_any())
        throw failure{exit_code::not_found, "no job has failed in the group '" + given.group +
                                                "'; 'coworker failed' lists the groups"};
}

exit_code list_failed(const listing_arguments& given, surroundings& here)
{
    if (given.group.empty() && !given.queue.empty())
        return list_jobs(given, here);
    const bool lists_jobs = !given.group.empty() || given.search.is_any();
    auto queue = queue_ref::managed({});
    if (!given.queue.empty()) {
        queue = parse_queue_name(given.queue);
        if (!queue.is_managed())
            throw failure{exit_code::usage, "only managed queues (managed:NAME) file failed jobs in groups"};
    }
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        if (lists_jobs)
            co_await list_group(redis, given, queue, here);
        else
            co_return co_await list_failures(redis, here);
        co_return exit_code::done;
    });
}

} // namespace

void add_jobs(command_line& line)
{
    const auto given = std::make_shared<listing_arguments>();
    auto command =
        line.add_with_json("jobs", "Show the jobs of a queue that are in a state, a page at a time.",
                           "  coworker jobs mail\n"
                           "  coworker jobs mail --state running\n"
                           "  coworker jobs managed:mail --state scheduled --count 50\n"
                           "  coworker jobs managed:mail --kind Letter --since 2h\n"
                           "  coworker jobs mail --json | jq .payload",
                           [given](surroundings& here) { return list_jobs(*given, here); });
    command.add_option("QUEUE", given->queue, "NAME, or managed:NAME").required();
    command
        .add_option(
            "--state", given->state,
            "waiting (default), scheduled, running (default with --worker), failed or broken; managed also "
            "depends, stalled, complete or recurring, and not broken")
        .value_name("STATE")
        .one_of({"waiting", "scheduled", "depends", "running", "stalled", "complete", "recurring", "failed",
                 "broken"});
    command
        .add_option("--worker", given->search.worker, "Only jobs that this worker has, as 'workers' names it")
        .value_name("NAME");
    add_search_options(command, given->search);
    add_count(command, given->count);
}

void add_failed(command_line& line)
{
    const auto given = std::make_shared<listing_arguments>();
    given->state = "failed";
    auto command =
        line.add_with_json("failed",
                           "Show failed jobs, newest first, with message and attempts. Without a queue: "
                           "how many there are in each list queue, and in each group of managed queues.",
                           "  coworker failed mail\n"
                           "  coworker failed\n"
                           "  coworker failed --group timeout\n"
                           "  coworker failed --batch import-7",
                           [given](surroundings& here) { return list_failed(*given, here); });
    command.add_option("QUEUE", given->queue, "NAME, or managed:NAME");
    command
        .add_option("--group", given->group, "Managed: only jobs filed in this group, of all queues or one")
        .value_name("NAME");
    add_search_options(command, given->search);
    add_count(command, given->count);
}

void add_broken(command_line& line)
{
    const auto given = std::make_shared<listing_arguments>();
    given->state = "broken";
    auto command = line.add_with_json("broken", "Show the payloads of a list queue that did not decode.",
                                      "  coworker broken mail\n"
                                      "  coworker broken mail --json | jq -r .text",
                                      [given](surroundings& here) { return list_jobs(*given, here); });
    command.add_option("QUEUE", given->queue, "NAME of a list queue").required();
    add_count(command, given->count);
}

} // namespace coworker::program
