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

/// What a handler may know and do about the job it runs. Valid until the handler has ended.
///
/// @par Thread safety  On the worker's executor only. Inside `run_blocking`, not at all.
class job_context
{
public:
    job_context(const job_context&) = delete;
    job_context& operator=(const job_context&) = delete;

    const std::string& queue() const noexcept;

    /// The job's id: a UUID if coworker or hworker pushed it, any text otherwise.
    std::string_view id() const noexcept;

    /// What only some queues know of a job, such as `managed_details`; null for the jobs of other queues.
    template<class Details>
    const Details* details() const noexcept
    {
        return dynamic_cast<const Details*>(any_details());
    }

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
    /// Useful after the executor was blocked, to know that the job is still held. To be awaited by the handler.
    ///
    /// @param token  completes with `void(error_code, result<void>)`: the result is `errc::lease_lost` if the job is
    ///   no longer held.
    /// @par Cancellation  terminal, partial. The lease may have been renewed.
    /// @par Errors  those of the connection, such as `errc::unanswered`: then nobody knows.
    template<class Token = default_token>
    auto async_extend(Token&& token = default_token{})
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [this] { return extend(); }, std::forward<Token>(token));
    }

    /// Limits this run to end within `limit` from now, in place of the queue's time limit. Zero or less:
    /// no limit.
    void expires_after(std::chrono::milliseconds limit);

    /// `co_return context.give_back();` returns the job to the front of its queue, uncounted.
    outcome give_back() const { return coworker::give_back(); }

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
