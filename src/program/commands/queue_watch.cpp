#include "program/commands/queue_watch.hpp"

#include "program/commands/queue_sizes.hpp"
#include "program/terminal/plain_text.hpp"
#include "program/terminal/table.hpp"
#include "program/terminal/time_text.hpp"

#include "redis/server_time.hpp"

#include <algorithm>
#include <cstdio>

namespace coworker::program {
namespace {

/// How much a counter has grown. One that is smaller than before began anew.
std::uint64_t growth(std::uint64_t before, std::uint64_t now)
{
    return now >= before ? now - before : now;
}

std::uint64_t jobs_present(const queue_look& look)
{
    return look.waiting + look.running + look.scheduled + look.stalled.value_or(0) + look.depends.value_or(0);
}

std::string rate_text(const std::optional<queue_rates>& rates, double queue_rates::*rate)
{
    if (!rates)
        return "-";
    char text[40];
    std::snprintf(text, sizeof text, "%.1f", (*rates).*rate);
    return text;
}

} // namespace

queue_rates rates_between(const queue_look& before, const queue_look& now, double seconds)
{
    const auto succeeded = static_cast<double>(growth(before.total_succeeded, now.total_succeeded));
    const auto failed = static_cast<double>(growth(before.total_failed, now.total_failed) +
                                            growth(before.total_broken, now.total_broken));
    const auto retried = static_cast<double>(growth(before.total_retried, now.total_retried));
    // Nobody counts what is queued, so it is what there is more of, and what has ended.
    const auto more = static_cast<double>(jobs_present(now)) - static_cast<double>(jobs_present(before));
    const auto queued = std::max(more + succeeded + failed, 0.0);
    return {queued / seconds, succeeded / seconds, failed / seconds, retried / seconds};
}

queue_watch::queue_watch(client& redis, surroundings& here, queue_name queue)
    : redis_{redis}, here_{here}, queue_{std::move(queue)}
{}

asio::awaitable<queue_look> queue_watch::fetch(timestamp now)
{
    queue_look look;
    if (queue_.managed) {
        const auto options = here_.server.managed();
        managed_queue queue{redis_, queue_.name, options};
        auto counts = co_await queue.async_counts();
        look = co_await look_at_managed_queue(redis_, options, std::move(counts));
        co_await add_totals(redis_, options, now, look);
    } else {
        look = co_await look_at_list_queue(redis_, queue_.name);
    }
    co_return look;
}

asio::awaitable<json_line> queue_watch::look()
{
    const auto now = co_await detail::server_time(detail::connection_of(redis_));
    auto look = co_await fetch(now);
    const auto moment = std::chrono::steady_clock::now();
    std::optional<queue_rates> rates;
    if (before_)
        rates = rates_between(*before_, look, std::chrono::duration<double>{moment - then_}.count());
    if (!here_.json)
        show(look, rates, now);
    json_line line;
    line.text("time", format_time(std::chrono::floor<std::chrono::milliseconds>(now)));
    add_sizes(line, look);
    if (rates) {
        line.number("queued_per_second", rates->queued).number("succeeded_per_second", rates->succeeded);
        line.number("retried_per_second", rates->retried).number("failed_per_second", rates->failed);
    }
    before_ = std::move(look);
    then_ = moment;
    co_return line;
}

void queue_watch::show(const queue_look& look, const std::optional<queue_rates>& rates, timestamp now)
{
    const std::string clear = here_.out.is_terminal() ? "\x1b[H\x1b[2J" : "";
    here_.out.line(clear + format_time(std::chrono::floor<std::chrono::seconds>(now)) + "  " +
                   escaped(queue_.str()) + (look.paused ? "  paused" : ""));
    table rows{{{"WAITING", true},
                {"OLDEST", true},
                {"RUNNING", true},
                {"SCHEDULED", true},
                {"QUEUED/s", true},
                {"SUCCEEDED/s", true},
                {"RETRIED/s", true},
                {"FAILED/s", true}}};
    rows.add({std::to_string(look.waiting), look.oldest_waiting ? format_age(*look.oldest_waiting) : "-",
              std::to_string(look.running + look.stalled.value_or(0)), std::to_string(look.scheduled),
              rate_text(rates, &queue_rates::queued), rate_text(rates, &queue_rates::succeeded),
              rate_text(rates, &queue_rates::retried), rate_text(rates, &queue_rates::failed)});
    rows.write(here_.out);
    here_.out.line("");
}

} // namespace coworker::program
