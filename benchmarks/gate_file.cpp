// SPDX-License-Identifier: MIT
#include "gate_file.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace bench {
namespace {

constexpr const char* head =
    "# What fixed work costs per job; written by scripts/bench gate --record. scripts/bench gate fails where "
    "something\n# costs 5 % more than here. Behind a figure that has grown stands why.\n";

std::string after(const std::string& line, std::string_view title)
{
    return line.substr(std::min(title.size() + 1, line.size()));
}

} // namespace

gate_file gate_file::read(const std::string& name)
{
    gate_file found;
    std::ifstream from{name};
    for (std::string line; std::getline(from, line);) {
        if (line.starts_with("client:")) {
            found.where.client = after(line, "client:");
        } else if (line.starts_with("redis:")) {
            found.where.redis = after(line, "redis:");
        } else if (!line.empty() && line.front() != '#') {
            cost one{};
            std::istringstream words{line};
            words >> one.name >> one.value >> std::ws;
            std::getline(words, one.reason);
            found.costs.push_back(std::move(one));
        }
    }
    return found;
}

void gate_file::write(const std::string& name) const
{
    std::ofstream to{name};
    to << head << "client: " << where.client << "\nredis: " << where.redis << '\n';
    for (const auto& each : costs) {
        char line[80];
        std::snprintf(line, sizeof line, "%-40s %10.2f", each.name.c_str(), each.value);
        to << line << (each.reason.empty() ? "" : "  ") << each.reason << '\n';
    }
    if (!to.flush())
        throw std::runtime_error{"cannot write " + name};
}

const cost* gate_file::find(const std::string& name) const
{
    const auto found =
        std::find_if(costs.begin(), costs.end(), [&](const cost& one) { return one.name == name; });
    return found == costs.end() ? nullptr : &*found;
}

void gate_file::note(const std::string& name, double value, const std::string& reason)
{
    auto found = std::find_if(costs.begin(), costs.end(), [&](const cost& one) { return one.name == name; });
    if (found == costs.end())
        found = costs.insert(costs.end(), cost{name, value});
    found->value = value;
    if (!reason.empty())
        found->reason = reason;
}

} // namespace bench
