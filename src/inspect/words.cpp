// SPDX-License-Identifier: MIT
#include "coworker/inspect/job_info.hpp"

#include <array>

/// Names of kinds and states.
namespace coworker {

std::string_view to_string(queue_kind kind) noexcept
{
    return kind == queue_kind::list ? "list" : "managed";
}

namespace {

constexpr std::array<std::string_view, 8> state_names = {"waiting", "scheduled", "running", "failed",
                                                         "broken",  "stalled",   "depends", "complete"};

} // namespace

std::string_view to_string(job_state state) noexcept
{
    const auto place = static_cast<std::size_t>(state);
    return place < state_names.size() ? state_names[place] : std::string_view{};
}

std::optional<job_state> parse_job_state(std::string_view name) noexcept
{
    for (std::size_t i = 0; i != state_names.size(); ++i)
        if (state_names[i] == name)
            return static_cast<job_state>(i);
    return std::nullopt;
}

} // namespace coworker
