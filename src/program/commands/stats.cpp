// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/histogram.hpp"
#include "program/commands/history_table.hpp"
#include "program/commands/queue_list.hpp"
#include "program/terminal/json_line.hpp"
#include "program/terminal/table.hpp"
#include "program/terminal/text_functions.hpp"
#include "program/terminal/time_text.hpp"
#include "json/queue_text.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>

/// coworker stats
namespace coworker::program {
namespace {

struct stats_arguments
{
    std::string queue, day;
    double watch = 0; ///< seconds between two looks; 0: only one
    bool history = false;
};

// --- list queues --------------------------------------------------------------------

/// @param now  what --watch saw; null: nothing
asio::awaitable<void> show_totals(client& redis, const queue_ref& name, surroundings& here,
                                  const json_line* now)
{
    const auto all = inspect(redis, here.server);
    const auto found = co_await look_at(all, name);
    const auto& totals = found.totals;
    const std::pair<const char*, std::uint64_t> lines[] = {{"succeeded", totals.succeeded},
                                                           {"retried", totals.retried},
                                                           {"failed", totals.failed},
                                                           {"broken", totals.broken},
                                                           {"recovered", totals.lost},
                                                           {"dropped", totals.dropped},
                                                           {"dropped_broken", totals.dropped_broken}};
    if (here.json) {
        json_line line;
        line.text("queue", shown_name(name))
            .object("totals", detail::describe(totals, detail::json_for::terminals));
        if (now)
            line.object("now", *now);
        here.out.line(line.str());
        co_return;
    }
    table rows{{{"JOBS"}, {"TOTAL", true}}};
    for (const auto& [what, count] : lines)
        rows.add({what, std::to_string(count)});
    rows.write(here.out);
}

// --- managed queues -----------------------------------------------------------------

void draw(output& out, const std::string& title, const managed_distribution& times)
{
    constexpr std::size_t width = 50;
    out.line("");
    out.line(out.painted(title, tone::heading) + ": " + counted(times.count, "job") +
             (times.count == 0
                  ? ""
                  : ", mean " + format_span(times.mean) + ", deviation " + format_span(times.deviation)));
    const auto bars = bars_of(times);
    std::uint64_t largest = 0;
    std::size_t label_width = 0, count_width = 0;
    for (const auto& bar : bars) {
        largest = std::max(largest, bar.count);
        label_width = std::max(label_width, bar.label.size());
        count_width = std::max(count_width, std::to_string(bar.count).size());
    }
    for (const auto& bar : bars) {
        const auto count = std::to_string(bar.count);
        const auto drawing = drawn(bar.count, largest, width);
        out.line("  " + std::string(label_width - bar.label.size(), ' ') + bar.label + "  " +
                 std::string(count_width - count.size(), ' ') + count +
                 (drawing.empty() ? "" : "  " + drawing));
    }
}

asio::awaitable<void> show_statistics(client& redis, const queue_ref& name, std::optional<timestamp> day,
                                      surroundings& here, const json_line* now)
{
    const auto all = inspect(redis, here.server);
    if (!day) {
        const auto time = co_await all.async_server_time();
        day = std::chrono::floor<std::chrono::days>(time);
    }
    const auto statistics = co_await all.async_statistics(name, day);
    const auto shown_day = format_time(*day).substr(0, 10);
    if (here.json) {
        auto line = detail::describe(statistics, shown_day, detail::json_for::terminals);
        line.text("queue", shown_name(name));
        if (now)
            line.object("now", *now);
        here.out.line(line.str());
        co_return;
    }
    here.out.line(shown_day + " (UTC): " + std::to_string(statistics.failures) + " failures, " +
                  std::to_string(statistics.failed) + " of them still failed, " +
                  std::to_string(statistics.retries) + " retries, " + std::to_string(statistics.lost_locks) +
                  " lost locks");
    draw(here.out, "Waited", statistics.wait);
    draw(here.out, "Ran", statistics.run);
}

asio::awaitable<void> show_once(client& redis, const queue_ref& queue, std::optional<timestamp> day,
                                surroundings& here, const json_line* now)
{
    if (queue.is_managed())
        co_await show_statistics(redis, queue, day, here, now);
    else
        co_await show_totals(redis, queue, here, now);
}

// --- again and again ----------------------------------------------------------------

std::string per_second(double per_minute)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.1f", per_minute / 60);
    return text;
}

/// How many jobs are where, in place of what was on the terminal.
void show_state(output& out, const queue_info& seen, timestamp now)
{
    const std::string clear = out.is_terminal() ? "\x1b[H\x1b[2J" : "";
    out.line(clear + format_time(std::chrono::floor<std::chrono::seconds>(now)) + "  " +
             escaped(shown_name(seen.queue)) + (seen.paused ? "  paused" : ""));
    table rows{{{"WAITING", true},
                {"OLDEST", true},
                {"RUNNING", true},
                {"SCHEDULED", true},
                {"SUCCEEDED/s", true},
                {"RETRIED/s", true},
                {"FAILED/s", true}}};
    rows.add({std::to_string(seen.waiting),
              seen.latency ? format_age(std::chrono::floor<std::chrono::milliseconds>(*seen.latency)) : "-",
              std::to_string(seen.running + seen.stalled), std::to_string(seen.scheduled),
              per_second(seen.rates.succeeded), per_second(seen.rates.retried),
              per_second(seen.rates.failed)});
    rows.write(out);
    out.line("");
}

json_line as_json(const queue_info& seen, timestamp now)
{
    auto line = detail::describe(seen, detail::json_for::terminals);
    return line.time("time", now);
}

/// Until a signal ends the program; nothing has to be put back then.
asio::awaitable<void> show_again_and_again(client& redis, const queue_ref& queue,
                                           std::optional<timestamp> day, surroundings& here, double seconds)
{
    const auto interval =
        std::chrono::round<std::chrono::milliseconds>(std::chrono::duration<double>{seconds});
    const auto all = inspect(redis, here.server);
    asio::steady_timer timer{co_await asio::this_coro::executor, std::chrono::steady_clock::now()};
    for (;;) {
        const auto time = co_await all.async_server_time();
        const auto seen = co_await look_at(all, queue);
        if (!here.json)
            show_state(here.out, seen, time);
        const auto now = as_json(seen, time);
        co_await show_once(redis, queue, day, here, &now);
        if (!here.json && !here.out.is_terminal())
            here.out.line("");
        here.out.flush();
        timer.expires_at(timer.expiry() + interval);
        co_await timer.async_wait(asio::use_awaitable);
    }
}

/// Of all queues together.
exit_code show_all_history(surroundings& here)
{
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        const auto all = inspect(redis, here.server);
        node_set missing;
        std::vector<queue_ref> queues;
        for (const auto& name : co_await list_queue_names(all, missing))
            queues.push_back(queue_ref::list(name));
        for (const auto& queue : co_await managed_queues(all, missing))
            queues.push_back(queue.queue);
        const auto history = co_await all.async_histories(std::move(queues));
        show_history(here.out, std::nullopt, history, here.json);
        co_return judge_missing(missing);
    });
}

exit_code show_stats(const stats_arguments& given, surroundings& here)
{
    if (given.history && given.queue.empty() && given.watch == 0 && given.day.empty())
        return show_all_history(here);
    if (given.queue.empty())
        throw failure{exit_code::usage, "say which QUEUE, or --history for that of all queues"};
    const auto queue = parse_queue_name(given.queue);
    if (given.history && (given.watch != 0 || !given.day.empty()))
        throw failure{exit_code::usage, "--history goes with neither --day nor --watch"};
    std::optional<timestamp> day;
    if (!given.day.empty()) {
        if (!queue.is_managed())
            throw failure{exit_code::usage,
                          "--day is for managed queues (managed:NAME); of a list queue there are "
                          "totals only"};
        day = parse_day(given.day);
        if (!day)
            throw failure{exit_code::usage, "--day is a day such as 2026-11-21, not '" + given.day + "'"};
    }
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        co_await expect_queue(redis, here.server, queue);
        if (given.history) {
            const auto history = co_await inspect(redis, here.server).async_history(queue);
            show_history(here.out, queue, history, here.json);
            co_return exit_code::done;
        }
        if (given.watch != 0)
            co_await show_again_and_again(redis, queue, day, here, given.watch);
        co_await show_once(redis, queue, day, here, nullptr);
        co_return exit_code::done;
    });
}

} // namespace

void add_stats(command_line& line)
{
    const auto given = std::make_shared<stats_arguments>();
    auto command = line.add_with_json("stats",
                                      "Show what happened in a queue: of a managed one how long jobs waited "
                                      "and ran on a day, of a list queue what "
                                      "coworker's workers have counted since it was made.",
                                      "  coworker stats mail\n"
                                      "  coworker stats mail --history\n"
                                      "  coworker stats --history\n"
                                      "  coworker stats managed:mail --day 2026-11-21\n"
                                      "  coworker stats managed:mail --json | jq .run.mean_seconds",
                                      [given](surroundings& here) { return show_stats(*given, here); });
    command.add_option("QUEUE", given->queue, "NAME, or managed:NAME; with --history default: all together");
    command.add_option("--day", given->day, "Managed: the day, in UTC. Default: today, by the server's clock")
        .value_name("YYYY-MM-DD");
    command.add_flag(
        "--history", given->history,
        "Show how many jobs succeeded, were tried again and failed in each hour of the last day; with "
        "--json in each minute");
    command
        .add_option("--watch", given->watch,
                    "Show it again and again, with how many jobs are where and rates, until Ctrl-C; every 2 "
                    "seconds unless a number is given")
        .value_name("SECONDS")
        .optional_value("2")
        .between(0.1, 86'400.0);
}

} // namespace coworker::program
