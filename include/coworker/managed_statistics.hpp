#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace coworker {

/// How long something took, over a day.
struct managed_distribution
{
    using seconds = std::chrono::duration<double>;

    static constexpr std::size_t bins = 148;

    std::uint64_t count = 0;
    seconds mean{0};
    seconds deviation{0}; ///< the samples' standard deviation; 0 below two

    /// How many took as long as a bin says: 60 of a second, from 0 to 59; then 59 of a minute, 23 of an hour
    /// and 6 of a day. What took a week or longer is in `count` and in no bin.
    std::array<std::uint64_t, bins> histogram{};

    struct bin
    {
        std::chrono::seconds from, to; ///< `from <= t < to`

        friend bool operator==(const bin&, const bin&) = default;
    };

    /// What a bin stands for; `index` is less than `bins`.
    static bin bounds(std::size_t index) noexcept;
};

/// What happened in a queue on one day (UTC).
struct managed_statistics
{
    /// How often a job was to run again. Coworker's scripts count that, qless does not; kept for 60 days.
    std::int64_t retries = 0;
    /// How often a job was taken from its worker, whose lock ran out or who was gone. Qless calls these retries.
    std::int64_t lost_locks = 0;
    std::int64_t failures = 0; ///< how often a job failed
    std::int64_t failed = 0;   ///< those of them that are still failed; below zero after some moves (qless)
    managed_distribution wait; ///< from put to pop
    managed_distribution run;  ///< from pop to complete
};

} // namespace coworker
