// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/timestamp.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Times as hworker stores them: JSON strings in UTC, such as "2026-11-21T09:54:29.612715072Z".
namespace coworker::detail {

/// A start time read from `progress`.
struct start_time
{
    timestamp started;
    /// The worker that holds the job; 0 if a peer wrote the value, which then has fewer than
    /// twelve digits of fraction.
    std::uint32_t worker = 0;
};

/// Reads everything that hworker reads: a blank for the `T`, missing seconds, offsets from UTC, any
/// number of fraction digits, trailing bytes. Nothing for what it cannot read.
std::optional<start_time> parse_start_time(std::string_view stored);

/// The text that a lease of `worker` started at `when` has, quotes included.
std::string format_start_time(timestamp when, std::uint32_t worker);

} // namespace coworker::detail
