// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"
#include "coworker/job_limits.hpp"
#include "coworker/job_waits.hpp"
#include "coworker/option_duration.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coworker {

/// How a job of a managed queue is forwarded to another queue; see `forward`.
struct forward_options
{
    /// How long to wait, by the server's clock, before the job may run there. Zero or less: it may run at once.
    option_duration delay{0};

    /// Ids of jobs that have to be complete before it may run there. Ids of jobs that are complete or do not exist
    /// are ignored.
    text_list depends{};

    /// The job's new data, as JSON. Default: the data stay as they are.
    owned<std::optional<raw_json>> data{};
};

/// What a handler returns: how its run ended. Made by `success`, `success_with`, `retry`, `failure`, `release`,
/// `release_and_hold`, `suspend` and `forward`.
class outcome
{
public:
    /// The kinds of outcome.
    enum class kind
    {
        success, ///< Done. A list queue removes the job; a managed queue keeps it for a while.
        retry,   ///< To run again, at once or after a delay.
        failure, ///< Given up; kept as a failed job.
        release, ///< Released: back to the front of its queue, without counting an attempt.
        forward, ///< Forwarded: done here, continues in another queue. Managed queues only.
        broken,  ///< The payload does not decode; kept as a broken job. Used by coworker itself.
    };

    /// A success.
    outcome() noexcept : kind_{kind::success} {}

    /// An outcome of any kind. Handlers call `success`, `retry` and so on.
    ///
    /// @param reason  why, for people; stored with a failed or broken job
    /// @param delay  of a retry; see `delay()`
    explicit outcome(kind what, std::string reason = {}, std::optional<option_duration> delay = std::nullopt)
        : kind_{what}, reason_{std::move(reason)}, delay_{delay}
    {}

    /// The part of an outcome that only managed queues understand.
    struct managed_part
    {
        std::string group{};   ///< the group of a failure, or of the failure that led to a retry
        std::string next{};    ///< of `forward`: the name of the next queue
        forward_options how{}; ///< of `forward`; of a success the `data` only

        std::optional<raw_json> value{}; ///< of a success: what the handler returned
        /// How long the value is kept. Empty: as `handle_options::result_retention` says.
        std::optional<option_duration> value_retention{};

        std::optional<job_wait> wait{}; ///< of a release: what the job waits for before it runs again
        std::optional<job_hold> hold{}; ///< of a release: what is held from then on
    };

    /// An outcome with a part for managed queues.
    outcome(kind what, std::string reason, std::optional<option_duration> delay, managed_part more)
        : kind_{what}, reason_{std::move(reason)}, delay_{delay}, managed_{
                                                                      std::make_shared<const managed_part>(
                                                                          std::move(more))}
    {}

    /// The kind of outcome.
    kind what() const noexcept { return kind_; }

    /// Why, for people; empty for a success.
    const std::string& reason() const noexcept { return reason_; }

    /// Of a retry: how long to wait. Empty: as `handle_options::backoff` says. Zero: the job is queued at once,
    /// behind all waiting jobs.
    std::optional<std::chrono::milliseconds> delay() const noexcept { return delay_; }

    /// The part for managed queues; null if there is none.
    const managed_part* managed() const noexcept { return managed_.get(); }

    /// What the handler returned beside its success, as JSON; null: nothing. See `success_with`.
    const raw_json* value() const noexcept
    {
        return managed_ && managed_->value ? &*managed_->value : nullptr;
    }

private:
    kind kind_;
    std::string reason_;
    std::optional<option_duration> delay_;
    std::shared_ptr<const managed_part> managed_;
};

/// The job is done and will not run again.
inline outcome success()
{
    return outcome{outcome::kind::success};
}

/// The job is to run again: after `delay`, or after `handle_options::backoff` when none is given.
/// A delay of zero or less queues it at once, behind all waiting jobs. Becomes a failure when the job has used up its
/// attempts (`handle_options::max_attempts`; in managed queues the job's own `retries`).
inline outcome retry(std::string reason, std::optional<option_duration> delay = std::nullopt)
{
    return outcome{outcome::kind::retry, std::move(reason), delay};
}

/// The same with a group, for managed queues. While the job waits, its record shows the reason under this group.
/// When its retries are used up, it fails in this group. See `failure` for the names of groups.
inline outcome retry(std::string reason, std::optional<option_duration> delay, std::string group)
{
    outcome::managed_part more;
    more.group = std::move(group);
    return outcome{outcome::kind::retry, std::move(reason), delay, std::move(more)};
}

/// The job is given up, and kept as a failed job with the reason.
inline outcome failure(std::string reason)
{
    return outcome{outcome::kind::failure, std::move(reason)};
}

/// The same with a group, for managed queues, which keep failed jobs in groups. A group that begins with a colon gets
/// the job's kind in front of it: ":rejected" becomes "Invoice:rejected". Without a group it is ":failure". The group
/// of an exception is its type, such as "Invoice:std::runtime_error".
inline outcome failure(std::string reason, std::string group)
{
    outcome::managed_part more;
    more.group = std::move(group);
    return outcome{outcome::kind::failure, std::move(reason), std::nullopt, std::move(more)};
}

/// The job is done in this queue and is forwarded to `queue`: it keeps its id and its history, and has all its retries
/// again. For jobs of managed queues; a job of a list queue fails.
inline outcome forward(std::string queue, forward_options options = {})
{
    outcome::managed_part more;
    more.next = std::move(queue);
    more.how = std::move(options);
    return outcome{outcome::kind::forward, {}, std::nullopt, std::move(more)};
}

/// The job is done, and its record keeps these data in place of those it had. For managed queues: a list queue keeps
/// nothing of a job that is done.
inline outcome success(raw_json data)
{
    outcome::managed_part more;
    more.how.data = std::move(data);
    return outcome{outcome::kind::success, {}, std::nullopt, std::move(more)};
}

/// Releases the job: it returns to the front of its queue, and this run does not count as an attempt.
inline outcome release()
{
    return outcome{outcome::kind::release};
}

/// Releases the job, and holds something in the same step: until the time is over, by Redis' clock, no job of it is
/// fetched. Then this one is the first. For "429 Too Many Requests":
///
///     co_return release_and_hold({.kind = hold_kind::limit, .name = "mail server"}, 30s);
///
/// No attempt is counted. A former hold of the same is replaced. Jobs that run go on. For jobs of managed queues; a job
/// of a list queue fails.
///
/// @param what  with an empty name the job's own queue, order key or group; a job that has none is only released
/// @param time  how long, at most 400 days; zero or less ends a hold
inline outcome release_and_hold(hold_target what, option_duration time)
{
    outcome::managed_part more;
    auto& hold = more.hold.emplace();
    hold.what = std::move(what);
    hold.time = time;
    return outcome{outcome::kind::release, "something is held", std::nullopt, std::move(more)};
}

/// The job is released until a time, or until a signal comes or another job ends before that. It holds no worker
/// meanwhile, and no attempt is counted;
/// then it runs again from its beginning. For jobs of managed queues; a job of a list queue fails. Handlers use
/// `job_context::sleep_for`, `sleep_until`, `signal` and `async_wait_for_job`.
inline outcome suspend(job_wait wait)
{
    outcome::managed_part more;
    std::string reason{wait.what == wait_kind::signal ? "waits for the signal "
                       : wait.what == wait_kind::job  ? "waits for the job "
                                                      : "sleeps: "};
    reason += wait.name.str();
    more.wait = std::move(wait);
    return outcome{outcome::kind::release, std::move(reason), std::nullopt, std::move(more)};
}

} // namespace coworker
