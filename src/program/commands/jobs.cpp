// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/job_pages.hpp"
#include "program/commands/queue_list.hpp"

/// coworker jobs, failed and broken
namespace coworker::program {
namespace {

struct listing_arguments
{
    std::string queue, state, group;
    page part;
};

void add_page(command_options command, page& part)
{
    command.add_option("--offset", part.offset, "Leave out so many").between(0, 1'000'000'000).with_default();
    command.add_option("--count", part.count, "Show so many, up to 10000").between(1, 10'000).with_default();
}

exit_code list_jobs(const listing_arguments& given, surroundings& here)
{
    const auto queue = parse_queue_name(given.queue);
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        co_await expect_queue(redis, here.server, queue);
        const auto now = co_await inspect(redis, here.server).async_server_time();
        job_listing listing{here.out, here.json, now};
        const job_taker take = [&](job_view job) {
            if (!here.json)
                job.queue = {}; // the same for all
            listing.add(job);
        };
        co_await visit_jobs(redis, here.server, queue, given.state, given.part, take);
        listing.finish();
        co_return exit_code::done;
    });
}

/// Where jobs have failed: list queues, and groups of managed queues.
asio::awaitable<void> list_failures(client& redis, surroundings& here)
{
    table rows{{{"QUEUE"}, {"GROUP"}, {"FAILED", true}}};
    const auto all = inspect(redis, here.server);
    const auto queues = co_await list_queues(all);
    for (const auto& queue : queues) {
        const auto failed = queue.failed.value_or(0);
        if (failed != 0 && here.json)
            here.out.line(json_line{}.text("queue", shown_name(queue.queue)).number("failed", failed).str());
        else if (failed != 0)
            rows.add({shown_name(queue.queue), "-", std::to_string(failed)});
    }
    managed_client client{redis, here.server.managed()};
    const auto groups = co_await client.async_failed_groups();
    for (const auto& [name, count] : groups) {
        if (here.json)
            here.out.line(json_line{}.text("group", name).number("failed", count).str());
        else
            rows.add({"(managed queues)", name, std::to_string(count)});
    }
    if (here.json)
        co_return;
    if (rows.empty())
        here.out.line("No jobs have failed.");
    else
        rows.write(here.out);
}

asio::awaitable<exit_code> list_group(client& redis, const listing_arguments& given, const std::string& queue,
                                      surroundings& here)
{
    managed_client client{redis, here.server.managed()};
    const auto groups = co_await client.async_failed_groups();
    if (!groups.contains(given.group))
        throw failure{exit_code::not_found, "no job has failed in the group '" + given.group +
                                                "'; 'coworker failed' lists the groups"};
    const auto now = co_await inspect(redis, here.server).async_server_time();
    job_listing listing{here.out, here.json, now};
    auto part = given.part;
    const std::function<bool(managed_job&)> take = [&](managed_job& job) {
        if (part.offset != 0) {
            --part.offset;
            return true;
        }
        listing.add(view_of(std::move(job)));
        return --part.count != 0;
    };
    co_await visit_failed(client, given.group, queue, take);
    listing.finish();
    co_return exit_code::done;
}

exit_code list_failed(const listing_arguments& given, surroundings& here)
{
    if (given.group.empty() && !given.queue.empty())
        return list_jobs(given, here);
    queue_ref queue;
    if (!given.queue.empty()) {
        queue = parse_queue_name(given.queue);
        if (!queue.is_managed())
            throw failure{exit_code::usage, "only managed queues (managed:NAME) file failed jobs in groups"};
    }
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        auto code = exit_code::done;
        if (given.group.empty())
            co_await list_failures(redis, here);
        else
            code = co_await list_group(redis, given, queue.name(), here);
        co_return code;
    });
}

} // namespace

void add_jobs(command_line& line)
{
    const auto given = std::make_shared<listing_arguments>();
    given->state = "waiting";
    auto command =
        line.add_with_json("jobs", "Show the jobs of a queue that are in a state, a page at a time.",
                           "  coworker jobs mail\n"
                           "  coworker jobs mail --state running\n"
                           "  coworker jobs managed:mail --state scheduled --offset 100 --count 50\n"
                           "  coworker jobs mail --json | jq .job",
                           [given](surroundings& here) { return list_jobs(*given, here); });
    command.add_option("QUEUE", given->queue, "NAME, or managed:NAME").required();
    command
        .add_option(
            "--state", given->state,
            "waiting, scheduled, running, failed or broken; managed: waiting, scheduled, depends, running, "
            "stalled, recurring or failed")
        .value_name("STATE")
        .one_of({"waiting", "scheduled", "depends", "running", "stalled", "recurring", "failed", "broken"})
        .with_default();
    add_page(command, given->part);
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
                           "  coworker failed --group timeout",
                           [given](surroundings& here) { return list_failed(*given, here); });
    command.add_option("QUEUE", given->queue, "NAME, or managed:NAME");
    command
        .add_option("--group", given->group, "Managed: only jobs filed in this group, of all queues or one")
        .value_name("NAME");
    add_page(command, given->part);
}

void add_broken(command_line& line)
{
    const auto given = std::make_shared<listing_arguments>();
    given->state = "broken";
    auto command = line.add_with_json("broken", "Show the payloads of a list queue that did not decode.",
                                      "  coworker broken mail\n"
                                      "  coworker broken mail --json | jq -r .payload",
                                      [given](surroundings& here) { return list_jobs(*given, here); });
    command.add_option("QUEUE", given->queue, "NAME of a list queue").required();
    add_page(command, given->part);
}

} // namespace coworker::program
