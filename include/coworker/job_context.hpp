#pragma once

#include "coworker/error.hpp"
#include "coworker/job.hpp"
#include "coworker/outcome.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coworker {

namespace asio = boost::asio;

namespace detail {
struct running_job;
}

/// What a managed queue knows of a job beside its data, as it was when the job was taken.
struct managed_details
{
    std::string klass;
    double priority = 0; ///< larger runs first
    int retries = 0;     ///< how often the job may be retried
    int remaining = 0;   ///< how often it may still be
    std::vector<std::string> tags;
    std::string failure;      ///< the last failure as JSON; empty if there was none
    std::string spawned_from; ///< the recurring job that made this one; empty if none did
};

/// What a handler may know and do about the job it runs. Valid until the handler has ended.
///
/// @par Thread safety  On the worker's executor only. Inside `run_blocking`, not at all.
class job_context
{
public:
    explicit job_context(detail::running_job& job) noexcept : job_{&job} {}
    job_context(const job_context&) = delete;
    job_context& operator=(const job_context&) = delete;

    const std::string& queue() const noexcept;

    /// The job's id: a UUID if coworker or hworker pushed it, any text otherwise.
    std::string_view id() const noexcept;

    /// What only a managed queue knows; null for the jobs of other queues.
    const managed_details* managed() const noexcept;

    /// The kind of a managed queue's job, which chose this handler; empty for the jobs of other queues.
    std::string_view klass() const noexcept;

    /// 1 for the first run. Counts retries, and runs that ended with a lost lease or a dead worker; not
    /// those that were given back.
    unsigned attempt() const noexcept;

    /// When the job was queued, by its producer's clock, if its id tells: ids made by coworker do.
    std::optional<timestamp> queued_at() const;

    /// The token that proves the lease. In a list queue hworker's start time, which changes whenever the lease
    /// is renewed; in a managed queue the worker's name.
    const std::string& lease_token() const noexcept;

    /// The handler is to end: its lease was lost, its time limit or deadline has passed, or the
    /// worker stops. Asio operations that the handler awaits are cancelled (terminal) as well.
    bool cancelled() const noexcept;

    /// For work that does not run inside the handler's coroutine: emits `terminal` when the handler is
    /// to end.
    asio::cancellation_slot cancellation_slot() noexcept;

    /// Renews the lease now. Not needed for long handlers as such: the worker renews leases by itself.
    /// Useful after the executor was blocked, to know that the job is still held.
    ///
    /// Returns `errc::lease_lost` if it is not. Throws `system_error` when Redis cannot be reached.
    asio::awaitable<result<void>> extend();

    /// Limits this run to end within `limit` from now, in place of the queue's time limit. Zero or less:
    /// no limit.
    void expires_after(std::chrono::milliseconds limit);

    /// `co_return context.give_back();` returns the job to the front of its queue, uncounted.
    outcome give_back() const { return coworker::give_back(); }

private:
    detail::running_job* job_;
};

} // namespace coworker
