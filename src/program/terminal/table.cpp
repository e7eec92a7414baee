// SPDX-License-Identifier: MIT
#include "program/terminal/table.hpp"

#include "program/terminal/text_functions.hpp"

#include <algorithm>

namespace coworker::program {

void table::add(std::vector<cell> row)
{
    for (auto& each : row)
        each.text = escaped(each.text);
    rows_.push_back(std::move(row));
}

void table::write(output& out) const
{
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i != columns_.size(); ++i) {
        widths.push_back(0);
        for (const auto& row : rows_)
            widths[i] = std::max(widths[i], width_of(row[i].text));
        if (widths[i] != 0)
            widths[i] = std::max(widths[i], width_of(columns_[i].title));
    }
    const auto write_row = [&](const std::vector<cell>& row) {
        std::string line, gap;
        for (std::size_t i = 0; i != row.size(); ++i) {
            if (widths[i] == 0)
                continue;
            const std::string padding(widths[i] - width_of(row[i].text), ' ');
            if (columns_[i].right)
                gap += padding;
            if (!row[i].text.empty()) {
                line += gap + out.painted(row[i].text, row[i].colour);
                gap.clear();
            }
            if (!columns_[i].right)
                gap += padding;
            gap += "  ";
        }
        out.line(line);
    };
    std::vector<cell> headings;
    for (const auto& each : columns_)
        headings.emplace_back(each.title, tone::heading);
    write_row(headings);
    for (const auto& row : rows_)
        write_row(row);
}

} // namespace coworker::program
