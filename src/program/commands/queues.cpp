// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/queue_list.hpp"
#include "program/terminal/table.hpp"
#include "program/terminal/time_text.hpp"
#include "json/queue_text.hpp"

/// coworker queues
namespace coworker::program {
namespace {

/// A number in a column that only one kind of queue has.
cell number_if(bool is_known, std::uint64_t number, tone colour = tone::plain)
{
    return cell{is_known ? std::to_string(number) : std::string{"-"},
                is_known && number != 0 ? colour : tone::plain};
}

cell state_of(const queue_info& queue)
{
    if (queue.is_missing())
        return {"node away", tone::bad};
    if (queue.unreachable != 0)
        return {std::to_string(queue.unreachable) + " of " + std::to_string(queue.partitions) +
                    " partitions away",
                tone::bad};
    if (queue.unhandled != 0)
        return {std::to_string(queue.unhandled) + " that no worker handles" +
                    (queue.paused ? ", paused" : ""),
                tone::bad};
    return {queue.paused ? "paused" : "", tone::attention};
}

/// Nothing is known of it but its name.
void add_missing(table& rows, const queue_info& queue)
{
    std::vector<cell> cells{shown_name(queue.queue)};
    cells.resize(11, "?");
    cells.push_back(state_of(queue));
    rows.add(std::move(cells));
}

void write_table(output& out, const std::vector<queue_info>& queues)
{
    table rows{{{"QUEUE"},
                {"WAITING", true},
                {"OLDEST", true},
                {"RUNNING", true},
                {"STALLED", true},
                {"SCHEDULED", true},
                {"DEPENDS", true},
                {"RECURRING", true},
                {"FAILED", true},
                {"BROKEN", true},
                {"WORKERS", true},
                {""}}};
    for (const auto& queue : queues) {
        const bool is_managed = queue.queue.is_managed();
        if (queue.is_missing()) {
            add_missing(rows, queue);
            continue;
        }
        rows.add(
            {shown_name(queue.queue), std::to_string(queue.waiting),
             queue.latency ? format_age(std::chrono::floor<std::chrono::milliseconds>(*queue.latency)) : "-",
             std::to_string(queue.running), number_if(is_managed, queue.stalled, tone::bad),
             std::to_string(queue.scheduled), number_if(is_managed, queue.depends),
             number_if(is_managed, queue.recurring),
             number_if(queue.failed.has_value(), queue.failed.value_or(0), tone::bad),
             number_if(!is_managed, queue.broken, tone::bad),
             cell{queue.workers ? std::to_string(*queue.workers) : std::string{"-"},
                  queue.workers == 0u && queue.waiting != 0 ? tone::bad : tone::plain},
             state_of(queue)});
    }
    if (rows.empty())
        out.line("There are no queues.");
    else
        rows.write(out);
}

asio::awaitable<std::vector<queue_info>> all_queues(const inspector& all, node_set& missing)
{
    auto queues = co_await list_queues(all, missing);
    auto managed = co_await managed_queues(all, missing);
    for (auto& queue : managed)
        queues.push_back(std::move(queue));
    co_return queues;
}

/// With the partitions of each behind it.
asio::awaitable<std::vector<queue_info>> add_partitions(const inspector& all, std::vector<queue_info> queues)
{
    std::vector<queue_info> shown;
    for (auto& queue : queues) {
        std::vector<queue_info> partitions;
        if (queue.partitions != 0 && !queue.is_missing())
            partitions = co_await all.async_partitions(queue.queue);
        shown.push_back(std::move(queue));
        for (auto& partition : partitions)
            shown.push_back(std::move(partition));
    }
    co_return shown;
}

/// What was named on the command line.
struct queues_arguments
{
    std::vector<std::string> queues;
    bool partitions = false;
};

exit_code show_queues(const queues_arguments& given, surroundings& here)
{
    const auto names = parse_queue_names(given.queues);
    const bool with_partitions = given.partitions;
    return with_redis(here.server, [&, with_partitions](client& redis) -> asio::awaitable<exit_code> {
        const auto all = inspect(redis, here.server);
        std::vector<queue_info> queues;
        node_set missing;
        if (names.empty()) {
            queues = co_await all_queues(all, missing);
        } else {
            co_await expect_queues(redis, here.server, names);
            queues = co_await all.async_queues(names);
        }
        if (with_partitions)
            queues = co_await add_partitions(all, std::move(queues));
        for (auto& queue : queues) {
            if (!queue.is_missing())
                queue.failed = co_await count_failed(all, queue);
            if (here.json)
                here.out.line(detail::describe(queue, detail::json_for::terminals).str());
        }
        if (!here.json)
            write_table(here.out, queues);
        co_return judge_missing(missing);
    });
}

} // namespace

void add_queues(command_line& line)
{
    const auto given = std::make_shared<queues_arguments>();
    auto command = line.add_with_json(
        "queues", "Show queues: how many jobs are where, and for how long the next to run has waited.",
        "  coworker queues\n"
        "  coworker queues mail managed:mail\n"
        "  coworker queues --json | jq 'select(.latency_seconds > 300)'",
        [given](surroundings& here) { return show_queues(*given, here); });
    command.add_option("QUEUE", given->queues, "NAME, or managed:NAME. Default: all");
    command.add_flag("--partitions", given->partitions, "Also show each partition of queues that have some");
}

} // namespace coworker::program
