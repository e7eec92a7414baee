#pragma once

#include "program/commands/top_rates.hpp"
#include "program/terminal/output.hpp"

#include <string>
#include <vector>

namespace coworker::cli {

/// What `top` shows at a moment.
struct top_state
{
    std::vector<top_row> rows; ///< in order
    std::string time;
    std::string trouble; ///< empty: none
    std::chrono::milliseconds interval{0};
    std::optional<std::uint64_t> managed_workers;
    top_order order = top_order::queue;
    bool reversed = false;
    std::size_t first = 0; ///< row at the top
};

/// How much there is room for.
struct screen_size
{
    std::size_t columns = 80, rows = 24;
};

/// How many queues fit.
std::size_t rows_that_fit(const screen_size& size);

/// The lines of a screen: at most as many as there are rows, none longer than it is wide.
std::vector<std::string> draw_frame(const top_state& state, const screen_size& size, const output& out);

/// The same as plain lines, for a file or a pipe.
void write_plain(const top_state& state, output& out);

/// One object a queue.
void write_json(const top_state& state, output& out);

} // namespace coworker::cli
