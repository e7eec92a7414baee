// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace coworker {

/// How long the waits or runs of one day took.
struct managed_distribution
{
    /// Seconds with fractions.
    using seconds = std::chrono::duration<double>;

    /// The number of bins of the histogram.
    static constexpr std::size_t bins = 148;

    std::uint64_t count = 0; ///< how many there were
    seconds mean{0};         ///< the arithmetic mean; 0 if there were none
    seconds deviation{0};    ///< the standard deviation of the sample; 0 for fewer than two

    /// How many there were in each bin. 60 bins are a second wide, then 59 a minute, 23 an hour and 6 a day; see
    /// `bounds`. What took a week or longer is in `count` and in no bin.
    std::array<std::uint64_t, bins> histogram{};

    /// The bounds of a bin: `from <= t < to`.
    struct bin
    {
        std::chrono::seconds from, ///< inclusive
            to;                    ///< exclusive

        /// The same bounds.
        friend bool operator==(const bin&, const bin&) = default;
    };

    /// The bounds of a bin; `index` is less than `bins`.
    static bin bounds(std::size_t index) noexcept;
};

/// What happened in a managed queue on one day (UTC).
struct managed_statistics
{
    /// How often a job was retried. coworker's scripts count this, qless' do not; kept for 60 days.
    std::int64_t retries = 0;
    /// How often a worker lost a job, because the lease ended or the worker died. qless calls these retries.
    std::int64_t lost_locks = 0;
    std::int64_t failures = 0; ///< how often a job failed
    std::int64_t failed = 0;   ///< jobs of them that are still failed; qless lets it fall below zero
    managed_distribution wait; ///< the times from push to pop
    managed_distribution run;  ///< the times from pop to completion
};

} // namespace coworker
