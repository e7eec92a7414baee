// SPDX-License-Identifier: MIT
#include "report.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace bench {
namespace {

struct summary
{
    double min, median, max;
};

summary summarise(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return {values.front(), values[values.size() / 2], values.back()};
}

} // namespace

void report::add(const figures& round)
{
    for (const auto& each : round) {
        auto found =
            std::find_if(rows_.begin(), rows_.end(), [&](const row& r) { return r.name == each.name; });
        if (found == rows_.end())
            found = rows_.insert(rows_.end(), row{.name = each.name, .unit = each.unit});
        found->values.push_back(each.value);
        if (each.limit)
            found->limits.push_back(*each.limit);
    }
}

void report::print() const
{
    std::printf("%-32s %12s %12s %12s\n", "", "min", "median", "max");
    for (const auto& each : rows_) {
        const auto [min, median, max] = summarise(each.values);
        std::printf("%-32s %12.1f %12.1f %12.1f  %s", each.name.c_str(), min, median, max, each.unit.c_str());
        if (!each.limits.empty()) {
            const double limit = summarise(each.limits).median;
            std::printf("  (%.2f of %.1f)", median / limit, limit);
        }
        std::printf("\n");
    }
    std::fflush(stdout);
}

void report::write_json(const std::string& file) const
{
    boost::json::array all;
    for (const auto& each : rows_) {
        const auto [min, median, max] = summarise(each.values);
        boost::json::object one{
            {"name", each.name}, {"unit", each.unit}, {"min", min}, {"median", median}, {"max", max}};
        if (!each.limits.empty())
            one["limit"] = summarise(each.limits).median;
        all.push_back(std::move(one));
    }
    std::ofstream to{file};
    to << boost::json::serialize(all) << '\n';
    if (!to.flush())
        throw std::runtime_error{"cannot write " + file};
}

figures report::medians() const
{
    figures found;
    for (const auto& each : rows_)
        found.push_back({each.name, each.unit, summarise(each.values).median});
    return found;
}

} // namespace bench
