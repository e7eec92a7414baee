#include "program/commands/top_frame.hpp"

#include "program/commands/queue_sizes.hpp"
#include "program/terminal/plain_text.hpp"
#include "program/terminal/table.hpp"
#include "program/terminal/time_text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace coworker::cli {
namespace {

constexpr std::size_t lines_around = 3; ///< title, headings, keys

struct top_column
{
    const char* title;
    std::size_t width; ///< 0: what is left
    int rank;          ///< the largest go first when there is no room
};

constexpr std::array<top_column, top_orders> columns = {{{"QUEUE", 0, 0},
                                                         {"WAITING", 9, 1},
                                                         {"OLDEST", 8, 2},
                                                         {"RUNNING", 9, 4},
                                                         {"SCHEDULED", 10, 8},
                                                         {"FAILED", 8, 5},
                                                         {"IN/s", 8, 6},
                                                         {"DONE/s", 8, 3},
                                                         {"RETRY/s", 8, 9},
                                                         {"FAIL/s", 8, 7},
                                                         {"WORKERS", 8, 10}}};

std::string rate(const std::optional<double>& value)
{
    if (!value)
        return "-";
    char text[32];
    std::snprintf(text, sizeof text, *value == 0 || *value >= 100 ? "%.0f" : "%.1f", *value);
    return text;
}

std::vector<cell> cells_of(const top_row& row)
{
    const auto& look = row.look;
    const auto failed = look.failed.value_or(0) + look.broken.value_or(0);
    std::vector<cell> cells;
    cells.emplace_back(look.queue.str() + (look.paused ? " (paused)" : ""),
                       look.paused ? tone::attention : tone::plain);
    cells.emplace_back(std::to_string(look.waiting));
    cells.emplace_back(look.oldest_waiting ? format_age(*look.oldest_waiting) : "-");
    cells.emplace_back(std::to_string(look.running + look.stalled.value_or(0)),
                       look.stalled.value_or(0) != 0 ? tone::bad : tone::plain);
    cells.emplace_back(std::to_string(look.scheduled));
    cells.emplace_back(look.failed ? std::to_string(failed) : "-", failed != 0 ? tone::bad : tone::plain);
    cells.emplace_back(rate(row.queued));
    cells.emplace_back(rate(row.succeeded), row.succeeded.value_or(0) > 0 ? tone::good : tone::plain);
    cells.emplace_back(rate(row.retried));
    cells.emplace_back(rate(row.failed), row.failed.value_or(0) > 0 ? tone::bad : tone::plain);
    cells.emplace_back(look.workers ? std::to_string(*look.workers) : "-");
    return cells;
}

/// The columns that there is room for beside a name of 16 characters.
std::array<bool, top_orders> columns_that_fit(std::size_t width)
{
    constexpr std::size_t name = 16;
    std::array<bool, top_orders> shown{};
    std::size_t used = name;
    for (int rank = 0; rank != top_orders; ++rank)
        for (std::size_t i = 0; i != columns.size(); ++i) {
            if (columns[i].rank != rank)
                continue;
            const auto needed = i == 0 ? 0 : columns[i].width + 1;
            if (used + needed > width && i != 0)
                return shown;
            shown[i] = true;
            used += needed;
        }
    return shown;
}

std::string draw_row(const std::vector<cell>& cells, std::size_t width, const output& out)
{
    const auto shown = columns_that_fit(width);
    std::size_t rest = width;
    for (std::size_t i = 1; i != columns.size(); ++i)
        if (shown[i])
            rest -= columns[i].width + 1;
    std::string line;
    for (std::size_t i = 0; i != columns.size(); ++i) {
        if (!shown[i])
            continue;
        const auto room = i == 0 ? rest : columns[i].width;
        const auto text = shortened(cells[i].text, room);
        const std::string padding(room - std::min(room, width_of(text)), ' ');
        if (i != 0)
            line += ' ' + padding;
        line += out.painted(text, cells[i].colour);
        if (i == 0)
            line += padding;
    }
    return line;
}

std::vector<cell> headings(const top_state& state)
{
    std::vector<cell> cells;
    for (std::size_t i = 0; i != columns.size(); ++i) {
        std::string title = columns[i].title;
        if (static_cast<top_order>(i) == state.order)
            title += state.reversed != (state.order == top_order::queue) ? "^" : "v";
        cells.emplace_back(std::move(title), tone::heading);
    }
    return cells;
}

std::string title_of(const top_state& state)
{
    auto text = "coworker top  " + state.time + "  every " + format_span(state.interval) + "  " +
                std::to_string(state.rows.size()) + (state.rows.size() == 1 ? " queue" : " queues");
    if (state.managed_workers)
        text += "  " + std::to_string(*state.managed_workers) + " managed workers";
    return text;
}

} // namespace

std::size_t rows_that_fit(const screen_size& size)
{
    return size.rows > lines_around ? size.rows - lines_around : 0;
}

std::vector<std::string> draw_frame(const top_state& state, const screen_size& size, const output& out)
{
    std::vector<std::string> lines;
    const auto add = [&](std::string_view text, tone colour) {
        lines.push_back(out.painted(shortened(text, size.columns), colour));
    };
    add(title_of(state), tone::plain);
    lines.push_back(draw_row(headings(state), size.columns, out));
    const auto last = std::min(state.rows.size(), state.first + rows_that_fit(size));
    for (auto i = std::min(state.first, last); i != last; ++i)
        lines.push_back(draw_row(cells_of(state.rows[i]), size.columns, out));
    if (state.rows.empty() && state.trouble.empty())
        add("There are no queues.", tone::plain);
    if (!state.trouble.empty())
        add(state.trouble, tone::bad);
    else
        add("q quit   left/right sort by   r reverse   up/down scroll", tone::plain);
    if (lines.size() > size.rows)
        lines.resize(size.rows);
    return lines;
}

void write_plain(const top_state& state, output& out)
{
    out.line(title_of(state));
    std::vector<column> titles;
    for (std::size_t i = 0; i != columns.size(); ++i)
        titles.push_back({columns[i].title, i != 0});
    table rows{titles};
    for (const auto& row : state.rows)
        rows.add(cells_of(row));
    if (rows.empty())
        out.line("There are no queues.");
    else
        rows.write(out);
    out.line("");
}

void write_json(const top_state& state, output& out)
{
    for (const auto& row : state.rows) {
        const auto& look = row.look;
        json_line line;
        line.text("time", state.time).text("queue", look.queue.str());
        add_sizes(line, look);
        const auto add = [&](const char* name, const auto& value) {
            if (value)
                line.number(name, *value);
        };
        add("queued_per_second", row.queued);
        add("succeeded_per_second", row.succeeded);
        add("retried_per_second", row.retried);
        add("failed_per_second", row.failed);
        out.line(line.str());
    }
}

} // namespace coworker::cli
