// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

namespace bench {

/// What something costs.
struct cost
{
    std::string name;
    double value;
    std::string reason{}; ///< why it costs more than it did before, if it does
};

/// What was compiled by what, and what it talked to.
struct surroundings
{
    std::string client, redis;
};

/// The costs that are recorded in the tree: a line each, name, value and perhaps the reason why it has grown.
struct gate_file
{
    /// Empty if there is no such file.
    static gate_file read(const std::string& name);
    void write(const std::string& name) const;

    const cost* find(const std::string& name) const;
    /// Replaces a figure; without a new reason its old one stays.
    void note(const std::string& name, double value, const std::string& reason);

    surroundings where;
    std::vector<cost> costs;
};

} // namespace bench
