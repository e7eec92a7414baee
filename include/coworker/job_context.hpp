// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/completion.hpp"
#include "coworker/error.hpp"
#include "coworker/job.hpp"
#include "coworker/job_source.hpp"
#include "coworker/outcome.hpp"

#include <boost/asio/cancellation_signal.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace coworker {

namespace asio = boost::asio;

namespace detail {
struct running_job;
}

/// The job that a handler runs, and what the handler may do with it. Valid until the handler has ended.
///
/// @par Thread safety  Use it on the worker's executor only, so never inside `run_blocking`.
class job_context
{
public:
    job_context(const job_context&) = delete;
    job_context& operator=(const job_context&) = delete;

    /// The name of the job's queue.
    const std::string& queue() const noexcept;

    /// The job's id: a UUID if coworker or hworker made it, else any text.
    std::string_view id() const noexcept;

    /// What the job's kind of queue knows beside the data, such as `managed_details`; null for the jobs of other
    /// queues.
    template<class Details>
    const Details* details() const noexcept
    {
        return dynamic_cast<const Details*>(any_details());
    }

    /// The kind of a managed queue's job, which chose this handler; empty for the jobs of other queues.
    std::string_view kind() const noexcept;

    /// The number of this attempt, 1 for the first run. Retries count, and so do runs that ended with a lost lease or a
    /// dead worker; released jobs do not.
    unsigned attempt() const noexcept;

    /// When the job was queued, by its producer's clock, if its id is a version 7 UUID, as ids made by coworker are.
    std::optional<timestamp> queued_at() const;

    /// The fencing token of the lease. In a list queue it is hworker's start time, which changes whenever the lease
    /// is renewed; in a managed queue it is the worker's name.
    const std::string& lease_token() const noexcept;

    /// The handler was told to end, because its lease was lost, its timeout or expiry has passed, or the
    /// worker stops. The Asio operation that the handler awaits is cancelled (terminal) as well.
    bool cancelled() const noexcept;

    /// A slot for work that does not run inside the handler's coroutine: it receives a terminal cancellation when the
    /// handler is told to end.
    asio::cancellation_slot cancellation_slot() noexcept;

    /// Renews the lease now. Long handlers do not need this, since the worker renews leases by itself.
    /// It tells whether the job is still leased to this worker, for example after the executor was blocked. The handler
    /// must not end before this has completed.
    ///
    /// Completes with `void(error_code, result<void>)`; the result is `errc::lease_lost` if the lease has ended.
    ///
    /// @par Cancellation  terminal, partial. The lease may have been renewed.
    /// @par Errors  Those of the connection. After `errc::in_doubt` it is in doubt whether the lease was renewed; the
    ///   worker finds out.
    template<class Token = default_token>
    auto async_extend(Token&& token = default_token{})
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [this] { return extend(); }, std::forward<Token>(token));
    }

    /// Sets the timeout of this run to `limit` from now, in place of `handle_options::timeout` and
    /// `handle_options::expiry`. Zero or less: no timeout.
    void set_timeout(std::chrono::milliseconds limit);

    /// Releases the job: `co_return context.release();` returns it to the front of its queue, and the run does not
    /// count as an attempt.
    outcome release() const { return coworker::release(); }

    /// The worker's executor, on which the handler runs.
    asio::any_io_executor get_executor() const;

private:
    friend struct detail::running_job;

    explicit job_context(detail::running_job& job) noexcept : job_{&job} {}
    const job_details* any_details() const noexcept;
    asio::awaitable<result<void>> extend();

    detail::running_job* job_;
};

} // namespace coworker
