// SPDX-License-Identifier: MIT
#pragma once

#include "benchmark.hpp"

/// How the figures of the peers are shown beside each other.
namespace bench {

struct compared
{
    std::string name;
    std::string when_killed; ///< what becomes of the jobs of a killed worker, by default
};

std::vector<compared> list_peers();

/// Prints a table in Markdown; nothing if there are no figures of peers.
void print_peers(const figures& medians);

/// Draws them as an SVG file, which can be read on a light and on a dark page.
void draw_peers(const figures& medians, const std::string& file);

} // namespace bench
