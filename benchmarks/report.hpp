// SPDX-License-Identifier: MIT
#pragma once

#include "benchmark.hpp"

namespace bench {

/// Collects the figures of all rounds, and tells them.
class report
{
public:
    void add(const figures& round);
    /// A table: minimum, median and maximum, and the ceiling.
    void print() const;
    /// An array of objects with name, unit, min, median, max and, where there is one, limit.
    void write_json(const std::string& file) const;
    figures medians() const;

private:
    struct row
    {
        std::string name, unit;
        std::vector<double> values{}, limits{};
    };
    std::vector<row> rows_; ///< in the order in which they came
};

} // namespace bench
