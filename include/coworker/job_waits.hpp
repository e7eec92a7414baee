// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/option_duration.hpp"
#include "coworker/text.hpp"
#include "coworker/timestamp.hpp"

#include <optional>

namespace coworker {

/// What a job of a managed queue waits for without a worker: a time, or a signal that comes before that.
struct job_wait
{
    text name{};                ///< of the sleep, or of the signal; UTF-8 of 1 to 256 bytes
    bool is_for_signal = false; ///< else it is a sleep

    /// How long to wait at most, by Redis' clock, from when the job first waits for this. Zero or less: not at all.
    option_duration length{0};
    /// Until when, in place of `length`.
    owned<std::optional<timestamp>> until{};

    /// The how manyth wait of this kind and name it is in the job's run. Zero: the first one that is not over.
    unsigned turn = 0;
    /// Of a signal: how many that were sent under this name do not end the wait.
    unsigned after = 0;
};

} // namespace coworker
