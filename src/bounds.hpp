// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

/// Bounds that more than one layer keeps to.
namespace coworker::detail {

/// Arrays and objects inside each other in a job. Deeper ones are refused when pushed and
/// broken when taken, since decoding them recurses.
inline constexpr std::size_t max_json_depth = 256;

/// Jobs in one script call. Lua's `unpack` fails at thousands, and a script that runs for
/// more than a millisecond stalls every other client.
inline constexpr std::size_t max_batch = 128;

/// Bytes of jobs in one script call, unless one job has more: what is larger keeps every other client waiting.
inline constexpr std::size_t max_batch_bytes = 4 * 1024 * 1024;

/// Bytes of what a handler returns, as JSON.
inline constexpr std::size_t max_result_size = 8 * 1024 * 1024;

/// What travels with a job as its metadata: how many texts, the longest name, and bytes of all together.
inline constexpr std::size_t max_metadata = 64, max_metadata_name = 128, max_metadata_bytes = 8192;

/// Bytes of a job's id, of an order key, a group, a unique key and the name of a limit; and of the id of a batch.
inline constexpr std::size_t max_name = 256, max_batch_id = 200, max_taken_kinds = 256;

/// Bytes of what is said of a job, for people.
inline constexpr std::size_t max_description = 256;
inline constexpr unsigned max_version = 1'000'000; // of a job's data

/// Limits that one job is subject to, and units that it takes of one of them.
inline constexpr std::size_t max_limits = 16;
inline constexpr std::uint32_t max_limit_units = 1'000'000;

/// Parents whose results one handler reads.
inline constexpr std::size_t max_parents = 1000;

/// Steps of a job whose values are kept, and bytes of their names and values; as parts/steps.lua has them.
inline constexpr std::size_t max_steps = 1000, max_step_bytes = 1024 * 1024;

/// Between rounds of a monitor.
inline constexpr std::chrono::milliseconds monitor_pause{500};

/// How long a worker without a connection of its own, such as one over HTTP, counts after it was seen: it has asked for
/// jobs, which one that waits for them does each minute, or renewed a lease, which it does several times in this time.
inline constexpr std::chrono::milliseconds remote_worker_age{std::chrono::minutes{5}};

/// A monitor that stands still is replaced after this long; one whose connection is gone, sooner.
inline constexpr std::chrono::milliseconds monitor_term{1200};

/// One whose rounds are slow leads for longer, but not longer than this.
inline constexpr std::chrono::milliseconds longest_monitor_term{5000};

} // namespace coworker::detail
