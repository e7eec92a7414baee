// SPDX-License-Identifier: MIT
#include "peers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace bench {
namespace {

struct column
{
    const char* figure;
    const char* title;
};

constexpr column columns[] = {
    {"drain", "drain, jobs/s"},       {"push.one", "push one by one"}, {"push.flight", "100 in flight"},
    {"push.bulk", "in bulk, jobs/s"}, {"latency.p50", "idle, p50 µs"}, {"latency.p99", "p99 µs"},
    {"cpu.worker", "worker µs/job"},  {"cpu.redis", "Redis µs/job"},
};

/// What the picture shows, from top to bottom.
constexpr column panels[] = {
    {"drain", "Jobs worked off per second, one worker process"},
    {"push.bulk", "Jobs pushed per second, in bulk"},
    {"latency.p50", "From the push to the handler of an idle worker, µs (less is better)"},
};

std::optional<double> find(const figures& from, const std::string& peer, const std::string& figure)
{
    const auto name = "peers." + peer + '.' + figure;
    for (const auto& each : from)
        if (each.name == name)
            return each.value;
    return std::nullopt;
}

/// With three digits that count, and thousands apart.
std::string readable(double value)
{
    const double unit = std::pow(10, std::max(-1.0, std::floor(std::log10(std::max(value, 1e-9))) - 2));
    const double rounded = std::round(value / unit) * unit;
    char text[32];
    std::snprintf(text, sizeof text, rounded < 100 ? "%.1f" : "%.0f", rounded);
    std::string digits = text;
    if (const auto end = digits.find('.'); end == digits.npos)
        for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
            digits.insert(static_cast<std::size_t>(at), ",");
    return digits;
}

std::string title_of(std::string name)
{
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

std::vector<compared> measured_peers(const figures& from)
{
    auto all = list_peers();
    std::erase_if(all, [&](const compared& one) { return !find(from, one.name, "drain"); });
    return all;
}

constexpr int label_width = 150, bar_width = 480, row = 22, head = 40;

void draw_panel(std::ostream& to, const figures& from, const std::vector<compared>& peers, const column& what,
                int top)
{
    double largest = 0;
    for (const auto& each : peers)
        largest = std::max(largest, find(from, each.name, what.figure).value_or(0));
    to << "<text class=\"title\" x=\"10\" y=\"" << top + 24 << "\">" << what.title << "</text>\n";
    int y = top + head;
    for (const auto& each : peers) {
        const double value = find(from, each.name, what.figure).value_or(0);
        const double width = largest > 0 ? std::max(1.0, value / largest * bar_width) : 1;
        to << "<text class=\"name\" x=\"" << label_width - 8 << "\" y=\"" << y + 13 << "\">"
           << title_of(each.name) << "</text><rect"
           << (each.name.starts_with("coworker") ? " class=\"own\"" : "") << " x=\"" << label_width
           << "\" y=\"" << y << "\" width=\"" << std::lround(width) << "\" height=\"16\"/><text x=\""
           << label_width + std::lround(width) + 6 << "\" y=\"" << y + 13 << "\">" << readable(value)
           << "</text>\n";
        y += row;
    }
}

} // namespace

void print_peers(const figures& medians)
{
    const auto peers = measured_peers(medians);
    if (peers.empty())
        return;
    std::printf("\n| |");
    for (const auto& each : columns)
        std::printf(" %s |", each.title);
    std::printf(" jobs of a killed worker |\n| --- |");
    for (std::size_t i = 0; i != std::size(columns); ++i)
        std::printf(" --: |");
    std::printf(" --- |\n");
    for (const auto& peer : peers) {
        std::printf("| %s |", title_of(peer.name).c_str());
        for (const auto& each : columns) {
            const auto value = find(medians, peer.name, each.figure);
            std::printf(" %s |", value ? readable(*value).c_str() : "");
        }
        std::printf(" %s |\n", peer.when_killed.c_str());
    }
}

void draw_peers(const figures& medians, const std::string& file)
{
    const auto peers = measured_peers(medians);
    if (peers.empty())
        throw std::runtime_error{"there are no figures of peers to draw"};
    const int height = head + static_cast<int>(peers.size()) * row;
    const int panel_count = static_cast<int>(std::size(panels));
    std::ofstream to{file};
    to << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"" << height * panel_count + 10
       << "\" font-family=\"sans-serif\" font-size=\"12\">\n"
          "<title>coworker beside other queues of jobs</title>\n"
          "<style>text{fill:#24292f}rect{fill:#8c959f}.own{fill:#0969da}.title{font-weight:bold}.name{text-"
          "anchor:end}"
          "@media(prefers-color-scheme:dark){text{fill:#e6edf3}rect{fill:#6e7681}.own{fill:#4493f8}}</"
          "style>\n";
    for (int i = 0; i != panel_count; ++i)
        draw_panel(to, medians, peers, panels[i], i * height);
    to << "</svg>\n";
    if (!to.flush())
        throw std::runtime_error{"cannot write " + file};
}

} // namespace bench
