// SPDX-License-Identifier: MIT
#include "program/commands/histogram.hpp"

#include "program/terminal/time_text.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace coworker::program {
namespace {

using namespace std::chrono_literals;

/// Where the bars begin.
constexpr std::array<std::chrono::seconds, 17> borders = {0s,   1s,    2s,    5s, 10s, 20s, 30s, 1min, 2min,
                                                          5min, 10min, 30min, 1h, 3h,  6h,  12h, 24h};
constexpr std::chrono::seconds longest_bin = 24h * 7;

std::string label_of(std::size_t bar)
{
    if (bar == borders.size())
        return "7d or more";
    const auto end = bar + 1 == borders.size() ? longest_bin : borders[bar + 1];
    return format_age(borders[bar]) + " - " + format_age(end);
}

} // namespace

std::vector<histogram_bar> bars_of(const managed_distribution& times)
{
    std::vector<histogram_bar> bars(borders.size() + 1);
    for (std::size_t i = 0; i != bars.size(); ++i)
        bars[i].label = label_of(i);
    std::uint64_t in_bins = 0;
    for (std::size_t i = 0; i != managed_distribution::bins; ++i) {
        const auto behind =
            std::upper_bound(borders.begin(), borders.end(), managed_distribution::bounds(i).from);
        bars[static_cast<std::size_t>(behind - borders.begin()) - 1].count += times.histogram[i];
        in_bins += times.histogram[i];
    }
    bars.back().count = times.count > in_bins ? times.count - in_bins : 0;

    const auto is_full = [](const histogram_bar& bar) { return bar.count != 0; };
    bars.erase(std::find_if(bars.rbegin(), bars.rend(), is_full).base(), bars.end());
    bars.erase(bars.begin(), std::find_if(bars.begin(), bars.end(), is_full));
    return bars;
}

std::string drawn(std::uint64_t count, std::uint64_t largest, std::size_t width)
{
    if (count == 0 || largest == 0)
        return {};
    const auto share = static_cast<double>(count) / static_cast<double>(largest);
    const auto length = static_cast<std::size_t>(share * static_cast<double>(width) + 0.5);
    return std::string(std::clamp<std::size_t>(length, 1, width), '#');
}

} // namespace coworker::program
