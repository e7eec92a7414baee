// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/event.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>

/// @file
/// Ready-made observers, which count events and write logs.
namespace coworker {

/// Counts events.
///
///     coworker::event_counters counters;
///     coworker::worker worker{redis, {.observers = {counters.observe()}}};
///
/// @par Lifetime  Its observers share its numbers, and may outlive it.
/// @par Thread safety  Distinct objects: safe. Shared objects: unsafe; read it on the executor of the workers that it
///   observes.
class event_counters
{
public:
    /// All numbers begin at zero.
    event_counters();

    /// An observer that counts into this object.
    observer observe() const;

    /// How often an event happened. For `fetched`, `recovered` and `leases_renewed`: how many jobs.
    std::uint64_t operator[](event_kind kind) const noexcept;

    /// The number of handlers that run, without those whose lease was lost.
    std::uint64_t running() const noexcept;

    /// The sum of the run times of all handlers that have ended, whatever their outcome.
    std::chrono::nanoseconds busy_time() const noexcept;

private:
    struct numbers;
    std::shared_ptr<numbers> numbers_;
};

/// Which events a log contains.
enum class log_detail
{
    problems, ///< failures, lost leases, recoveries, connection events, warnings, stops
    jobs,     ///< also every job that ended
    all,      ///< also every job that was started, and every batch
};

/// An event on one line: its name, and its members as name=value, such as `retried queue=mail job=j1 attempt=2 ms=1.5`.
///
/// Control characters and bytes that are not UTF-8 are escaped, as `\n` or `\x1b`. Values of more than one word are
/// quoted. There is neither a time nor an end of line, so that the text fits any logging library.
///
/// @throws std::bad_alloc  there is no memory for the text.
/// @par Thread safety  Safe.
std::string log_line(const event& what);

/// An observer that writes one line per event: UTC time, the event's name, and its members as name=value.
///
/// @par Lifetime  The stream must outlive the observer.
/// @par Thread safety  Each line is written with one call, but the stream is not locked: other threads must not write
///   to it at the same time.
observer log_to(std::ostream& stream, log_detail detail = log_detail::problems);

} // namespace coworker
