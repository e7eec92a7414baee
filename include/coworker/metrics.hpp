#pragma once

#include "coworker/event.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>

/// Ready-made observers.
namespace coworker {

/// Counts events.
///
///     coworker::event_counters counters;
///     coworker::worker worker{redis, {.observers = {counters.observe()}}};
///
/// @par Lifetime  The observers it hands out share its numbers, and may outlive it.
/// @par Thread safety  Read and write on one executor.
class event_counters
{
public:
    event_counters();

    /// An observer that counts into this object.
    observer observe() const;

    /// How often an event happened; for those that speak of several jobs (taken, recovered,
    /// leases_renewed), how many jobs.
    std::uint64_t operator[](event_kind kind) const noexcept;

    /// Handlers called and not yet ended; without those whose lease was lost.
    std::uint64_t running() const noexcept;

    /// All run times together, of handlers that ended in any way.
    std::chrono::nanoseconds busy_time() const noexcept;

private:
    struct numbers;
    std::shared_ptr<numbers> numbers_;
};

/// How much a log says.
enum class log_detail
{
    problems, ///< failures, lost leases, recoveries, connection troubles, start and end
    jobs,     ///< also every job that ended
    all,      ///< also every job that was started, and every batch
};

/// An event on one line: its name, and its members as name=value, such as `retried queue=mail job=j1 attempt=2 ms=1.5`.
///
/// Control characters and what is not UTF-8 are escaped, as `\n` or `\x1b`. Values that are more than one word are quoted.
/// There is neither a time nor an end of line, so that the text fits any logging library.
///
/// @throws std::bad_alloc
/// @par Thread safety  Safe.
std::string log_line(const event& what);

/// An observer that writes one line per event: UTC time, the event's name, and its members as name=value.
///
/// The stream must outlive the observer. Lines are written whole, but the stream is not locked.
observer log_to(std::ostream& stream, log_detail detail = log_detail::problems);

} // namespace coworker
