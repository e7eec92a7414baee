#include "program/command_line.hpp"
#include "program/commands/queue_list.hpp"
#include "program/commands/queue_sizes.hpp"
#include "program/terminal/table.hpp"
#include "program/terminal/time_text.hpp"

#include <coworker/managed_client.hpp>

#include <algorithm>

/// coworker queues
namespace coworker::program {
namespace {

void write_json(output& out, const queue_look& queue)
{
    json_line line;
    line.text("queue", queue.queue.str()).text("name", queue.queue.name);
    add_sizes(line, queue);
    if (queue.recurring)
        line.number("recurring", *queue.recurring);
    out.line(line.str());
}

void write_table(output& out, const std::vector<queue_look>& queues)
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
    const auto count = [](const std::optional<std::uint64_t>& number) {
        return number ? std::to_string(*number) : std::string{"-"};
    };
    const auto warn = [](const std::optional<std::uint64_t>& number) {
        return number.value_or(0) != 0 ? tone::bad : tone::plain;
    };
    for (const auto& queue : queues)
        rows.add(
            {queue.queue.str(), std::to_string(queue.waiting),
             queue.oldest_waiting ? format_age(*queue.oldest_waiting) : "-", std::to_string(queue.running),
             cell{count(queue.stalled), warn(queue.stalled)}, std::to_string(queue.scheduled),
             count(queue.depends), count(queue.recurring), cell{count(queue.failed), warn(queue.failed)},
             cell{count(queue.broken), warn(queue.broken)},
             cell{count(queue.workers), queue.workers == 0u && queue.waiting != 0 ? tone::bad : tone::plain},
             cell{queue.paused ? "paused" : "", tone::attention}});
    if (rows.empty())
        out.line("There are no queues.");
    else
        rows.write(out);
}

asio::awaitable<std::vector<queue_name>> all_queues(client& redis, managed_client& client)
{
    std::vector<queue_name> queues;
    const auto names = co_await list_queue_names(redis);
    for (const auto& name : names)
        queues.push_back({false, name});
    const auto managed = co_await client.async_queues();
    for (const auto& counts : managed)
        queues.push_back({true, counts.name});
    co_return queues;
}

exit_code show_queues(const std::vector<std::string>& named, surroundings& here)
{
    const auto chosen = parse_queue_names(named);
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        managed_client client{redis, here.server.managed()};
        auto queues = chosen;
        if (queues.empty())
            queues = co_await all_queues(redis, client);
        else
            co_await expect_queues(redis, here.server, queues);
        std::map<std::string, std::uint64_t> failed; // of managed queues
        if (std::any_of(queues.begin(), queues.end(), [](const queue_name& queue) { return queue.managed; }))
            failed = co_await count_failed_by_queue(redis, here.server.managed());
        std::vector<queue_look> lines;
        for (const auto& queue : queues) {
            queue_look line;
            if (queue.managed) {
                managed_queue managed{redis, queue.name, here.server.managed()};
                auto counts = co_await managed.async_counts();
                line = co_await look_at_managed_queue(redis, here.server.managed(), std::move(counts));
                line.failed = failed[queue.name];
            } else {
                line = co_await look_at_list_queue(redis, queue.name);
            }
            if (here.json)
                write_json(here.out, line);
            else
                lines.push_back(std::move(line));
        }
        if (!here.json)
            write_table(here.out, lines);
        co_return exit_code::done;
    });
}

} // namespace

void add_queues(command_line& line)
{
    const auto named = std::make_shared<std::vector<std::string>>();
    auto command = line.add_with_json(
        "queues", "Show queues: how many jobs are where, and for how long the next to run has waited.",
        "  coworker queues\n"
        "  coworker queues mail managed:mail\n"
        "  coworker queues --json | jq 'select(.oldest_waiting_seconds > 300)'",
        [named](surroundings& here) { return show_queues(*named, here); });
    command.add_option("QUEUE", *named, "NAME, or managed:NAME. Default: all");
}

} // namespace coworker::program
