// SPDX-License-Identifier: MIT
#include "program/commands/queue_watch.hpp"

#include "program/commands/queue_sizes.hpp"
#include "program/terminal/plain_text.hpp"
#include "program/terminal/table.hpp"
#include "program/terminal/time_text.hpp"

#include <algorithm>
#include <cstdio>

namespace coworker::program {
namespace {

/// How much a counter has grown. One that is smaller than before began anew.
std::uint64_t growth(std::uint64_t before, std::uint64_t now)
{
    return now >= before ? now - before : now;
}

std::uint64_t jobs_present(const queue_info& queue)
{
    return queue.waiting + queue.running + queue.scheduled + queue.stalled + queue.depends;
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

queue_rates rates_between(const queue_info& before, const queue_info& now, double seconds)
{
    const auto succeeded = static_cast<double>(growth(before.totals.succeeded, now.totals.succeeded));
    const auto failed = static_cast<double>(growth(before.totals.failed, now.totals.failed) +
                                            growth(before.totals.broken, now.totals.broken));
    const auto retried = static_cast<double>(growth(before.totals.retried, now.totals.retried));
    // Nobody counts what is queued, so it is what there is more of, and what has ended.
    const auto more = static_cast<double>(jobs_present(now)) - static_cast<double>(jobs_present(before));
    const auto queued = std::max(more + succeeded + failed, 0.0);
    return {queued / seconds, succeeded / seconds, failed / seconds, retried / seconds};
}

queue_watch::queue_watch(client& redis, surroundings& here, queue_ref queue)
    : all_{inspect(redis, here.server)}, here_{here}, queue_{std::move(queue)}
{}

asio::awaitable<json_line> queue_watch::look()
{
    const auto now = co_await all_.async_server_time();
    auto seen = co_await look_at(all_, queue_);
    const auto moment = std::chrono::steady_clock::now();
    std::optional<queue_rates> rates;
    if (before_)
        rates = rates_between(*before_, seen, std::chrono::duration<double>{moment - then_}.count());
    if (!here_.json)
        show(seen, rates, now);
    json_line line;
    line.text("time", format_time(std::chrono::floor<std::chrono::milliseconds>(now)));
    add_sizes(line, seen);
    if (rates) {
        line.number("queued_per_second", rates->queued).number("succeeded_per_second", rates->succeeded);
        line.number("retried_per_second", rates->retried).number("failed_per_second", rates->failed);
    }
    before_ = std::move(seen);
    then_ = moment;
    co_return line;
}

void queue_watch::show(const queue_info& seen, const std::optional<queue_rates>& rates, timestamp now)
{
    const std::string clear = here_.out.is_terminal() ? "\x1b[H\x1b[2J" : "";
    here_.out.line(clear + format_time(std::chrono::floor<std::chrono::seconds>(now)) + "  " +
                   escaped(shown_name(queue_)) + (seen.paused ? "  paused" : ""));
    table rows{{{"WAITING", true},
                {"OLDEST", true},
                {"RUNNING", true},
                {"SCHEDULED", true},
                {"QUEUED/s", true},
                {"SUCCEEDED/s", true},
                {"RETRIED/s", true},
                {"FAILED/s", true}}};
    rows.add({std::to_string(seen.waiting),
              seen.latency ? format_age(std::chrono::floor<std::chrono::milliseconds>(*seen.latency)) : "-",
              std::to_string(seen.running + seen.stalled), std::to_string(seen.scheduled),
              rate_text(rates, &queue_rates::queued), rate_text(rates, &queue_rates::succeeded),
              rate_text(rates, &queue_rates::retried), rate_text(rates, &queue_rates::failed)});
    rows.write(here_.out);
    here_.out.line("");
}

} // namespace coworker::program
