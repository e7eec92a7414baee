#pragma once

#include "coworker/job.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coworker {

/// How a job of a managed queue goes on in another queue.
struct advance_options
{
    /// Wait this long, by the server's clock, before it may run there. Zero or less: not at all.
    std::chrono::milliseconds delay{0};

    /// Ids of jobs that have to be complete before it may run there. Those that are complete or do not exist
    /// count for nothing.
    std::vector<std::string> depends{};

    /// The data it goes on with, as JSON. Empty: as they are.
    std::optional<raw_json> data{};
};

/// What a handler says of the job it was given. Made by `success`, `retry`, `failure`, `give_back` and
/// `advance`.
class outcome
{
public:
    enum class kind
    {
        success,   ///< Done; the job is removed.
        retry,     ///< Run again, now or later.
        failure,   ///< Given up; kept in the failed record.
        give_back, ///< Not this worker, not now: back to the front, no attempt counted.
        advance,   ///< Done here; goes on in another queue. Managed queues only.
        broken,    ///< The payload does not decode; kept in the broken record. Used by coworker itself.
    };

    /// A success.
    outcome() noexcept : kind_{kind::success} {}

    explicit outcome(kind what, std::string reason = {},
                     std::optional<std::chrono::milliseconds> delay = std::nullopt)
        : kind_{what}, reason_{std::move(reason)}, delay_{delay}
    {}

    /// What only managed queues know.
    struct managed_part
    {
        std::string group{}; ///< of a failure, or of what led to a retry
        std::string next{};  ///< of `advance`: the queue
        advance_options how{};
    };

    outcome(kind what, std::string reason, std::optional<std::chrono::milliseconds> delay, managed_part more)
        : kind_{what}, reason_{std::move(reason)}, delay_{delay}, managed_{
                                                                      std::make_shared<const managed_part>(
                                                                          std::move(more))}
    {}

    kind what() const noexcept { return kind_; }

    /// Why; empty for a success.
    const std::string& reason() const noexcept { return reason_; }

    /// For a retry: how long to wait. Empty: the queue's back-off decides. Zero: at once,
    /// behind all waiting jobs.
    std::optional<std::chrono::milliseconds> delay() const noexcept { return delay_; }

    /// Null if there is nothing of the kind.
    const managed_part* managed() const noexcept { return managed_.get(); }

private:
    kind kind_;
    std::string reason_;
    std::optional<std::chrono::milliseconds> delay_;
    std::shared_ptr<const managed_part> managed_;
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

/// The same for a managed queue, which shows the reason under this group as the job's failure while it waits,
/// and files the job there when its retries are exhausted. See `failure` for the group.
inline outcome retry(std::string reason, std::optional<std::chrono::milliseconds> delay, std::string group)
{
    outcome::managed_part more;
    more.group = std::move(group);
    return outcome{outcome::kind::retry, std::move(reason), delay, std::move(more)};
}

/// The job is given up; it goes to the failed record, with the reason.
inline outcome failure(std::string reason)
{
    return outcome{outcome::kind::failure, std::move(reason)};
}

/// The same for a managed queue, which files failures under groups. A group that begins with a colon gets the
/// job's klass in front of it: ":rejected" becomes "Invoice:rejected". Without a group it is ":failure"; what
/// was thrown is filed under its type, such as "Invoice:std::runtime_error".
inline outcome failure(std::string reason, std::string group)
{
    outcome::managed_part more;
    more.group = std::move(group);
    return outcome{outcome::kind::failure, std::move(reason), std::nullopt, std::move(more)};
}

/// The job is done in this queue and goes on in `queue`, under its id, with its history and its retries as new.
/// Only for jobs of a managed queue; a job of a list queue fails.
inline outcome advance(std::string queue, advance_options options = {})
{
    outcome::managed_part more;
    more.next = std::move(queue);
    more.how = std::move(options);
    return outcome{outcome::kind::advance, {}, std::nullopt, std::move(more)};
}

/// The job is done, and its record keeps these data instead of those it had. Managed queues only; a list queue
/// keeps nothing of a job that is done.
inline outcome success(raw_json data)
{
    outcome::managed_part more;
    more.how.data = std::move(data);
    return outcome{outcome::kind::success, {}, std::nullopt, std::move(more)};
}

/// The job goes back to the front of its queue, and this run is not counted as an attempt.
inline outcome give_back()
{
    return outcome{outcome::kind::give_back};
}

} // namespace coworker
