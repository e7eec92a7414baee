// SPDX-License-Identifier: MIT
#pragma once

#include "program/terminal/output.hpp"

#include <string>
#include <vector>

namespace coworker::program {

struct column
{
    std::string title;
    bool right = false; ///< aligned to the right, as numbers are
};

struct cell
{
    std::string text;
    tone colour = tone::plain;

    // A constructor, since g++ 12 destroys a temporary aggregate in a co_await expression twice.
    template<class Text>
    cell(Text&& shown, tone in_colour = tone::plain) : text{std::forward<Text>(shown)}, colour{in_colour}
    {}
};

/// Rows under headings. All texts are escaped. A column that is empty in all rows is not shown.
class table
{
public:
    explicit table(std::vector<column> columns) : columns_{std::move(columns)} {}

    /// Has as many cells as there are columns.
    void add(std::vector<cell> row);

    bool empty() const noexcept { return rows_.empty(); }
    std::size_t size() const noexcept { return rows_.size(); }

    /// Headings and rows. Nothing stands behind the last text of a line.
    void write(output& out) const;

private:
    std::vector<column> columns_;
    std::vector<std::vector<cell>> rows_;
};

} // namespace coworker::program
