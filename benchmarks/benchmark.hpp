// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What is measured, and how it is reported.
namespace bench {

class stage;

/// One round's figure, and the ceiling that was measured in the same round, if there is one.
struct figure
{
    std::string name;
    std::string unit;
    double value;
    std::optional<double> limit{};
};
using figures = std::vector<figure>;

struct benchmark
{
    /// The figures that it measures, or what their names begin with.
    std::vector<std::string_view> names;
    /// Runs one round. The stage's Redis is empty before.
    figures (*run)(stage&);
    /// Runs only when it is asked for by name, since it takes minutes.
    bool only_by_name = false;
};

/// All of them, in the order they run.
const std::vector<benchmark>& all();

figures push_figures(stage& on);
figures drain_here(stage& on);
figures drain_list(stage& on);
figures drain_managed(stage& on);
figures durable_figures(stage& on);
figures latency_here(stage& on);
figures latency_tcp(stage& on);
figures http_figures(stage& on);
figures command_figures(stage& on);
figures cluster_figures(stage& on);
figures handler_threads(stage& on);
figures idle_commands(stage& on);
figures watching_commands(stage& on);
figures memory_list(stage& on);
figures managed_costs(stage& on);
figures load_figures(stage& on);
figures growth_of_lists(stage& on);
figures growth_of_managed(stage& on);
figures growth_with_limits(stage& on);
figures guest_of_lists(stage& on);
figures guest_of_managed(stage& on);
figures guest_reconnect(stage& on);
figures recovery_of_killed(stage& on);
figures recovery_of_redis(stage& on);
figures recovery_of_blocked_loops(stage& on);
figures recovery_of_due(stage& on);
figures recovery_of_many_due_in_list(stage& on);
figures recovery_of_many_due_in_managed(stage& on);
figures recovery_of_stops(stage& on);
figures peer_figures(stage& on);

/// Compares what some fixed work costs with what is recorded in `file`, or records it. Returns the exit code.
int gate(const std::string& file, bool record, const std::string& reason);

} // namespace bench
