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

/// How often something took how long, counted in fixed buckets.
struct duration_histogram
{
    /// The longest duration of each bucket but the last, in seconds. The last bucket takes all that is longer.
    static constexpr std::array<double, 16> bounds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,  0.25,
                                                   0.5,   1,      2.5,   10,   60,    300,  1800, 7200};

    std::array<std::uint64_t, bounds.size() + 1> counts{}; ///< how many durations each bucket has
    std::chrono::nanoseconds sum{0};                       ///< of all durations

    /// Counts a duration; a negative one counts as zero.
    void add(std::chrono::nanoseconds duration) noexcept;
    /// How many durations were counted.
    std::uint64_t count() const noexcept;
};

/// What workers and monitors of this process have done, by queue, as a page for Prometheus.
///
///     coworker::worker_metrics metrics;
///     coworker::worker worker{redis, {.observers = {metrics.observe()}}};
///     ...
///     std::string page = metrics.prometheus() + coworker::metrics_of_process(); // for the program's own HTTP server
///
/// docs/metrics.md explains each metric. It needs about a kilobyte for each queue, however many jobs run.
///
/// @par Lifetime  Its observers share its numbers, and may outlive it.
/// @par Thread safety  Distinct objects: safe. Shared objects: unsafe; read it on the executor of the workers that it
///   observes.
class worker_metrics
{
public:
    /// All numbers begin at zero.
    worker_metrics();

    /// An observer that counts into this object.
    observer observe() const;

    /// How long handlers of a queue ran, whatever their outcome.
    duration_histogram run_times(std::string_view queue) const;

    /// How long jobs of a queue had waited when their first run began. Counted from the time in the id of the job, by
    /// its producer's clock, so a delay counts, too. Jobs whose id is no version 7 UUID are left out (`queued_at`).
    duration_histogram wait_times(std::string_view queue) const;

    /// All numbers in Prometheus' text format, version 0.0.4.
    std::string prometheus() const;

private:
    struct numbers;
    std::shared_ptr<numbers> numbers_;
};

/// The version of coworker, and the processor time, memory, open files and start of this process, in Prometheus' text
/// format. Figures that the system does not tell are left out.
///
/// @par Thread safety  Safe.
std::string metrics_of_process();

/// Which events a log contains.
enum class log_detail
{
    problems, ///< retries, failures, lost leases, recoveries, lost connections, warnings
    jobs,     ///< also every job that ended, the first connection, stops
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

/// An observer that writes one line per event: UTC time, the event's name, and its members as name=value. That a
/// connection was lost, or could not be made, for the same reason again is written twice a minute at most.
///
/// @par Lifetime  The stream must outlive the observer.
/// @par Thread safety  Each line is written with one call. The stream is not locked: other threads must not write to
///   it at the same time.
observer log_to(std::ostream& stream, log_detail detail = log_detail::problems);

} // namespace coworker
