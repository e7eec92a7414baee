// SPDX-License-Identifier: MIT
#include "program/commands/history_table.hpp"

#include "program/commands/histogram.hpp"
#include "program/queue_name.hpp"
#include "program/terminal/table.hpp"
#include "program/terminal/time_text.hpp"
#include "json/queue_text.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace coworker::program {
namespace {

using std::chrono::hours;

/// Such as "2026-11-21 10:00".
std::string hour_text(timestamp hour)
{
    auto text = format_time(hour).substr(0, 16);
    text[10] = ' ';
    return text;
}

void write_table(output& out, const std::vector<minute_counts>& sums)
{
    constexpr std::size_t width = 30;
    const auto ended = [](const minute_counts& counts) { return counts.succeeded + counts.failed; };
    std::uint64_t largest = 0;
    for (const auto& each : sums)
        largest = std::max(largest, ended(each));
    table rows{{{"HOUR (UTC)"}, {"SUCCEEDED", true}, {"RETRIED", true}, {"FAILED", true}, {""}}};
    for (const auto& each : sums)
        rows.add({hour_text(each.minute), std::to_string(each.succeeded), std::to_string(each.retried),
                  cell{std::to_string(each.failed), each.failed != 0 ? tone::bad : tone::plain},
                  drawn(ended(each), largest, width)});
    rows.write(out);
}

} // namespace

std::vector<minute_counts> by_hours(const queue_history& history)
{
    std::vector<minute_counts> sums;
    if (history.minutes.empty())
        return sums;
    auto minute = history.minutes.begin();
    for (auto hour = std::chrono::floor<hours>(minute->minute); hour <= history.until; hour += hours{1}) {
        auto& sum = sums.emplace_back();
        sum.minute = hour;
        for (; minute != history.minutes.end() && minute->minute < hour + hours{1}; ++minute) {
            sum.succeeded += minute->succeeded;
            sum.retried += minute->retried;
            sum.failed += minute->failed;
        }
    }
    return sums;
}

void show_history(output& out, const std::optional<queue_ref>& queue, const queue_history& history, bool json)
{
    if (json) {
        auto line = detail::describe(history, detail::json_for::terminals);
        out.line(line.text_if_any("queue", queue ? shown_name(*queue) : std::string{}).str());
        return;
    }
    const auto sums = by_hours(history);
    if (sums.empty()) {
        out.line("No job has ended within the last day.");
        return;
    }
    write_table(out, sums);
    const auto rates = history.rates();
    char text[160];
    std::snprintf(text, sizeof text,
                  "In the last five minutes, a minute: %.1f succeeded, %.1f retried, %.1f failed",
                  rates.succeeded, rates.retried, rates.failed);
    out.line("");
    out.line(text);
}

} // namespace coworker::program
