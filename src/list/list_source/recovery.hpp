// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job_source.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What the monitor of a list queue decides of workers, and a worker of its own leases, without Redis and without a clock.
/// What becomes of other leases, recover_leases.lua decides.
namespace coworker::detail {

/// Whether a lease of this worker's own is that of a job among `held`. An equal payload is not enough: the lease may be
/// that of a second job, which was taken in a step whose answer was lost. A job that is in_doubt may have a later
/// start.
bool is_lease_of_any(std::span<const fetched_job* const> held, std::string_view payload,
                     std::string_view start);

/// Workers by number, with the name of their connection.
using worker_registry = std::map<std::uint32_t, std::string>;

/// What is known and what follows from it.
struct absence
{
    std::vector<std::uint32_t> newly_gone; ///< missing for the first time
    std::vector<std::uint32_t> back;       ///< were missing and are not any more
    std::vector<std::uint32_t> forgotten;  ///< noted as missing, but not registered any more
    /// Missing for longer than the grace, and when they were found to be: of one that has been struck off, before.
    std::map<std::uint32_t, timestamp> dead;
    bool is_anybody_gone = false; ///< missing, and not for long enough yet
    std::chrono::milliseconds wait = std::chrono::milliseconds::max(); ///< until the first of these is dead
};

/// The number of a worker, as the registry has it: 1 to 999999, the digits that a start time has for it. Nothing for
/// any other text: it is nobody's, and left to `check`.
std::optional<std::uint32_t> parse_worker_number(std::string_view text);

/// Compares the registry with the connections that exist. `gone_since` holds the workers that were missing before, with
/// the time in ms when that was first seen; of those that were struck off, and have no name, when they were found dead.
/// With a grace of zero nobody is taken for dead.
absence find_absent(const worker_registry& workers, const std::map<std::uint32_t, std::int64_t>& gone_since,
                    const std::set<std::string>& connected, timestamp now, std::chrono::milliseconds grace);

} // namespace coworker::detail
