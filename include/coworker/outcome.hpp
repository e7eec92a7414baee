#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace coworker {

/// What a handler says of the job it was given. Made by `success`, `retry`, `failure`
/// and `give_back`.
class outcome
{
public:
    enum class kind
    {
        success,   ///< Done; the job is removed.
        retry,     ///< Run again, now or later.
        failure,   ///< Given up; kept in the failed record.
        give_back, ///< Not this worker, not now: back to the front, no attempt counted.
        broken,    ///< The payload does not decode; kept in the broken record. Used by coworker itself.
    };

    /// A success.
    outcome() noexcept : kind_{kind::success} {}

    explicit outcome(kind what, std::string reason = {},
                     std::optional<std::chrono::milliseconds> delay = std::nullopt)
        : kind_{what}, reason_{std::move(reason)}, delay_{delay}
    {}

    kind what() const noexcept { return kind_; }

    /// Why; empty for a success.
    const std::string& reason() const noexcept { return reason_; }

    /// For a retry: how long to wait. Empty: the queue's back-off decides. Zero: at once,
    /// behind all waiting jobs.
    std::optional<std::chrono::milliseconds> delay() const noexcept { return delay_; }

private:
    kind kind_;
    std::string reason_;
    std::optional<std::chrono::milliseconds> delay_;
};

/// The job is done and will not run again.
inline outcome success()
{
    return outcome{outcome::kind::success};
}

/// The job is to run again: after `delay`, or after the queue's back-off when none is given.
/// A delay of zero or less queues it at once, behind all waiting jobs. Becomes a failure when the
/// queue's attempt limit is reached.
inline outcome retry(std::string reason, std::optional<std::chrono::milliseconds> delay = std::nullopt)
{
    return outcome{outcome::kind::retry, std::move(reason), delay};
}

/// The job is given up; it goes to the failed record, with the reason.
inline outcome failure(std::string reason)
{
    return outcome{outcome::kind::failure, std::move(reason)};
}

/// The job goes back to the front of its queue, and this run is not counted as an attempt.
inline outcome give_back()
{
    return outcome{outcome::kind::give_back};
}

} // namespace coworker
