// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace coworker::detail {

/// A set of the names of queues that are worked on, or that jobs were sent to through a gateway, so that they can be
/// found without a look at all keys.
inline constexpr const char* known_queues_key = "hworker-queues";

/// The keys of a list queue. The first four are hworker's; the others are coworker's, and hworker never
/// touches them.
struct list_keys
{
    explicit list_keys(const std::string& name)
        : jobs{"hworker-jobs-" + name}, progress{"hworker-progress-" + name},
          broken{"hworker-broken-" + name}, failed{"hworker-failed-" + name},
          scheduled{"hworker-scheduled-" + name}, attempts{"hworker-attempts-" + name},
          duplicates{"hworker-duplicates-" + name}, failures{"hworker-failures-" + name},
          paused{"hworker-paused-" + name}, counters{"hworker-counters-" + name}, workers{"hworker-workers-" +
                                                                                          name},
          gone{"hworker-gone-" + name}, monitor{"hworker-monitor-" + name}, ids{"hworker-ids-" + name},
          ready{"hworker-ready-" + name}, shared{"hworker-shared-" + name}, found{"hworker-found-" + name},
          reasons{"hworker-reasons-" + name}, history{"hworker-history-" + name},
          cancelled{"hworker-cancelled-" + name}, remote{"hworker-remote-" + name},
          purged{"hworker-purged-" + name}, plans{"hworker-plans-" + name}, schedules{"hworker-schedules-" +
                                                                                      name}
    {}

    /// As long as anything is stored of the queue, one of these keys exists.
    std::array<std::string_view, 11> evidence() const noexcept
    {
        return {jobs,       progress, broken,   failed,  scheduled, attempts,
                duplicates, paused,   counters, workers, schedules};
    }

    std::string jobs;       ///< list of waiting payloads; pushed left, taken right
    std::string progress;   ///< hash payload -> start time of the lease
    std::string broken;     ///< hash payload -> time found
    std::string failed;     ///< list of payloads, newest left
    std::string scheduled;  ///< sorted set "sequence:payload" by due time in ms
    std::string attempts;   ///< hash payload -> attempts so far; only jobs that have been tried before
    std::string duplicates; ///< hash payload -> how many wait for an equal one in progress
    std::string failures;   ///< hash payload -> "time attempts message", for those in `failed`
    std::string paused;     ///< exists while the queue is paused
    std::string counters;   ///< hash of totals and sequence numbers
    std::string workers;    ///< hash worker number -> connection name
    std::string gone;       ///< hash worker number -> since when its connection is missing, in ms
    std::string monitor;    ///< connection name of the monitor; expires
    std::string ids; ///< sorted set of ids that may not be queued again, by when they are forgotten in ms
    std::string
        ready; ///< sorted set of digests of waiting payloads by since when they can run in ms; few are noted
    std::string shared;  ///< hash payload -> start time of a lease whose field in `progress` a peer has taken
    std::string found;   ///< sorted set of the payloads in `broken`, by when they were found in ms
    std::string reasons; ///< hash SHA-1 of a payload in `broken` -> why it is there
    std::string history; ///< list of minutes with what became of jobs, newest left
    std::string
        cancelled; ///< sorted set of the SHA-1 of payloads whose run was cancelled, by when in us; expires
    std::string remote; ///< sorted set of workers without a connection, by when they were seen in ms; expires
    std::string purged; ///< what a purge has taken away, while the attempts of these jobs are forgotten
    std::string plans;  ///< hash field:schedule -> value, of all schedules of the queue
    std::string schedules; ///< sorted set of the names of schedules, by when they are due in seconds
};

} // namespace coworker::detail
