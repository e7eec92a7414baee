// SPDX-License-Identifier: MIT
#pragma once

#include "bounds.hpp"

#include <chrono>
#include <cstddef>

namespace coworker::detail {

/// How fast the jobs of one queue are started and end, as was observed lately, and what follows from that: how many
/// jobs may be fetched ahead. Those wait for a place, so that handlers that end soon need not wait for the source.
/// Handlers that take long have none fetched ahead: another worker may have a place for them. Time is passed in.
class pace
{
public:
    using clock = std::chrono::steady_clock;
    using time_point = clock::time_point;

    /// Handlers that take longer have no jobs fetched ahead.
    static constexpr std::chrono::milliseconds short_run{2};
    /// Within this time, as far as is known, the last of the jobs is started that wait.
    static constexpr std::chrono::milliseconds horizon{2};
    /// A job that waits for longer shows that the estimate is wrong.
    static constexpr std::chrono::milliseconds patience{10};
    /// So many handlers in a row must have been short.
    static constexpr unsigned sure = 32;
    /// After so long without an end nothing is known of the next one.
    static constexpr std::chrono::milliseconds memory{20};
    /// Jobs that may wait, whatever is observed: a batch is handled, one is being carried out, and one is on its way.
    static constexpr std::size_t most_jobs = 3 * max_batch;
    /// The same for their bytes.
    static constexpr std::size_t most_bytes = 1024 * 1024;

    /// A handler is called. `others_wait`: more jobs of the queue could be started, if there were places.
    void started(time_point now, bool others_wait) noexcept;

    /// A handler has ended that was called at `since`.
    void ended(time_point since, time_point now) noexcept;

    /// The source has been asked, and brought so many jobs of so many bytes together.
    void fetched(clock::duration round_trip, std::size_t jobs, std::size_t bytes) noexcept;

    /// Jobs have waited for too long: nothing is known any more.
    void was_wrong() noexcept
    {
        short_runs_ = 0;
        others_waited_ = false;
    }

    /// Whether handlers end soon, so that the places that they have are free again in a moment.
    bool is_quick(time_point now) const noexcept { return short_runs_ >= sure && now - last_end_ < memory; }

    /// How many jobs may wait for a place, or be on their way to, if `places` handlers may run together. For a queue
    /// whose handlers end soon.
    std::size_t may_wait(std::size_t places) const noexcept;

private:
    clock::duration interval_{0};   ///< between two starts while jobs wait
    clock::duration run_{0};        ///< of a handler
    clock::duration round_trip_{0}; ///< of a call to the source
    std::size_t job_size_ = 0;      ///< of the jobs that came last
    unsigned short_runs_ = 0;       ///< in a row
    time_point last_start_{};
    time_point last_end_{};
    bool others_waited_ = false; ///< at the last start
};

} // namespace coworker::detail
