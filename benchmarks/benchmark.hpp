// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What is measured, and how it is reported.
namespace bench {

/// One round's figure, and the ceiling that was measured in the same round, if there is one.
struct figure
{
    double value;
    std::optional<double> limit{};
};

struct benchmark
{
    std::string_view name;
    std::string_view unit;
    /// Runs one round against the Redis at this URL, which holds nothing else.
    figure (*run)(const std::string& url);
    /// Takes long, and measures several times itself: there is only one round of it.
    bool once = false;
};

/// All of them, in the order they run.
const std::vector<benchmark>& all();

figure push_one(const std::string& url);
figure push_concurrent(const std::string& url);
figure push_bulk(const std::string& url);
figure drain_list(const std::string& url);
figure limit_loop(const std::string& url);
figure latency_idle(const std::string& url);
figure idle_commands(const std::string& url);
figure memory_list(const std::string& url);
figure drain_managed(const std::string& url);
figure managed_put(const std::string& url);
figure managed_pop(const std::string& url);
figure managed_complete(const std::string& url);
figure managed_cycle(const std::string& url);
figure managed_growth(const std::string& url);

} // namespace bench
