// SPDX-License-Identifier: MIT
#include "program/commands/durability_arguments.hpp"

#include "program/exit_code.hpp"
#include "program/terminal/time_text.hpp"

#include <chrono>

namespace coworker::program {

durability durability_arguments::read() const
{
    if (replicas != 0 && synced)
        refuse("--replicated and --synced exclude each other");
    if (replicas == 0 && !synced) {
        if (!within.empty())
            refuse("--within is how long to wait for --replicated N or --synced");
        return durability::memory();
    }
    const auto count = static_cast<int>(replicas);
    if (within.empty())
        return synced ? durability::synced() : durability::replicated(count);
    const auto limit = parse_duration(within);
    if (!limit || *limit < std::chrono::milliseconds{1} || *limit > std::chrono::hours{1})
        refuse("--within is a time from 1ms to 1h, such as 500ms or 3s, not '" + within + "'");
    return synced ? durability::synced(*limit) : durability::replicated(count, *limit);
}

void add_durability_options(command_options& command, durability_arguments& given,
                            const std::string& otherwise)
{
    constexpr int most_replicas = 1000;
    command
        .add_option("--replicated", given.replicas, "Wait until so many replicas have the jobs; " + otherwise)
        .value_name("N")
        .between(1, most_replicas);
    command.add_flag("--synced", given.synced, "Wait until the server's disk has the jobs; " + otherwise);
    command
        .add_option(
            "--within", given.within,
            "How long to wait at most for each batch of jobs. Default: 500ms for --replicated, 3s for "
            "--synced")
        .value_name("TIME")
        .not_empty();
}

} // namespace coworker::program
