// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"
#include "coworker/option_duration.hpp"

#include <chrono>

namespace coworker {

/// What a push waits for before it completes: what the job survives from then on. For the `with` of a queue.
///
///     auto safe = emails.with(coworker::durability::replicated(1, 500ms));
///     co_await safe.async_push(welcome); // errc::unconfirmed: it is queued, but no replica has said that it has it
class durability
{
public:
    /// What has to have the job.
    enum class level
    {
        memory,     ///< the server that answered
        replicated, ///< that server and some of its replicas, in memory
        synced,     ///< that server's append-only file, on its disk
    };

    /// The server has answered: the default.
    static constexpr durability memory() noexcept { return {level::memory, 0, {}}; }

    /// Replicas have the job, too (`WAIT`).
    ///
    /// @param replicas  how many; at least 1
    /// @param limit  how long Redis waits for them: 1 ms to 1 h. Redis may take 0.1 s longer
    /// @throws system_error  `errc::invalid_option`
    static durability replicated(int replicas, option_duration limit = std::chrono::milliseconds{500})
    {
        if (replicas < 1)
            throw explained_error{errc::invalid_option, "replicated() needs at least one replica"};
        return {level::replicated, replicas, checked(limit)};
    }

    /// The server's append-only file has the job, on its disk (`WAITAOF`, from Redis 7.2 on). A server with
    /// `appendfsync always` needs no `WAITAOF`; others without it refuse the push with `errc::not_supported`.
    ///
    /// @param limit  as for `replicated`. With `appendfsync everysec` it takes up to a second, or two when the disk is
    ///   slow
    /// @throws system_error  `errc::invalid_option`
    static durability synced(option_duration limit = std::chrono::seconds{3})
    {
        return {level::synced, 0, checked(limit)};
    }

    /// What has to have the job.
    constexpr level asked_for() const noexcept { return level_; }
    /// How many replicas; zero but for `level::replicated`.
    constexpr int replicas() const noexcept { return replicas_; }
    /// How long to wait; zero for `level::memory`.
    constexpr std::chrono::milliseconds limit() const noexcept { return limit_; }

    /// Whether both wait for the same.
    friend bool operator==(const durability&, const durability&) = default;

private:
    constexpr durability(level what, int replicas, std::chrono::milliseconds limit) noexcept
        : level_{what}, replicas_{replicas}, limit_{limit}
    {}

    /// Redis would wait for ever with zero.
    static std::chrono::milliseconds checked(std::chrono::milliseconds limit)
    {
        if (limit < std::chrono::milliseconds{1} || limit > std::chrono::hours{1})
            throw explained_error{errc::invalid_option, "the time limit of a confirmation is 1 ms to 1 h"};
        return limit;
    }

    level level_;
    int replicas_;
    std::chrono::milliseconds limit_;
};

} // namespace coworker
