#pragma once

#include "coworker/job.hpp"
#include "coworker/job_context.hpp"
#include "coworker/outcome.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coworker {

namespace asio = boost::asio;

/// A job that was leased to this worker.
struct taken_job
{
    /// A part of `body`.
    struct range
    {
        std::size_t begin = 0, size = 0;
    };

    std::string body;    ///< what the source needs to name the job; contains its JSON text
    std::string long_id; ///< the id, if it does not stand in `body` as it is
    std::shared_ptr<const std::string>
        lease; ///< the token that proves the lease; shared by those taken together
    range id_range;
    range text_range;
    unsigned attempt = 1;
    bool decodable = true; ///< false: `body` is not a job at all
    bool unsure = false;   ///< a renewal was not answered: the token may be out of date

    /// How long the lease lasts from when it was given or renewed. Zero: as `handle_options` say.
    std::chrono::milliseconds lease_time{0};
    /// Only of managed queues.
    std::shared_ptr<const managed_details> managed;

    /// Empty if `body` does not decode.
    std::string_view id() const noexcept
    {
        return long_id.empty() ? part(id_range) : std::string_view{long_id};
    }
    /// The job's JSON.
    std::string_view text() const noexcept { return part(text_range); }

private:
    std::string_view part(range where) const noexcept
    {
        return std::string_view{body}.substr(where.begin, where.size);
    }
};

/// What became of a job. A retry's delay is resolved; `attempt` stands in the job.
struct settlement
{
    const taken_job* job;
    const outcome* result;
    bool repeated = false; ///< it was sent before and not answered, so it may have been stored
};

/// Where a worker gets its jobs from: one queue of one layout, as the worker sees it.
///
/// Everything is batched. All calls run on the worker's executor, several of them at the same time
/// in different coroutines, but only one of each `wait_for_…`.
/// Every call throws `system_error` when Redis cannot do its part, and is then tried again, after a pause unless it
/// is `errc::unanswered`. Every other exception ends the worker's `run` with it. Cancellation is terminal.
class job_source
{
public:
    using clock = std::chrono::steady_clock;

    /// Why a wait ended.
    enum class wake_up
    {
        ready,       ///< There may be something to do.
        safety_poll, ///< There is, and nobody said so: found by the slow poll that should find nothing.
    };

    struct exchange_result
    {
        std::vector<taken_job> taken;
        std::vector<std::size_t> lost; ///< indexes into `settled` whose lease was gone
        bool paused = false;
    };

    struct recovery
    {
        std::size_t recovered = 0; ///< jobs returned to the queue
        std::string reason;        ///< for people
        bool idle = false;         ///< nothing is in progress: `wait_for_leases` before the next call
        std::chrono::milliseconds pause{500}; ///< otherwise, how long to wait before it
    };

    /// What a source does by itself; otherwise the worker does it, or it cannot be done.
    struct abilities
    {
        bool counts_attempts = false; ///< decides when retries are exhausted: `max_attempts` does not apply
        bool advances = false;        ///< knows `outcome::kind::advance`

        /// A lease's token stays the same for all leases of one worker. So a job whose lease was lost may be
        /// handed out to this worker again before it has heard of the loss.
        bool tokens_stay = false;
    };

    virtual ~job_source() = default;

    virtual abilities can() const noexcept { return {}; }

    virtual const std::string& name() const noexcept = 0;

    /// What tells this queue from others of its kind. A worker handles each queue once.
    virtual std::string identity() const { return name(); }

    /// Checks that the queue can be worked on. Called before anything else; again when it throws
    /// `errc::unanswered`.
    virtual asio::awaitable<void> open() = 0;

    /// How long leases last, if `asked` is what the user has asked for. Called after `open`.
    virtual std::chrono::milliseconds lease_time(std::chrono::milliseconds asked) const noexcept
    {
        return asked;
    }

    /// Settles jobs and takes up to `count` new ones, in one step. Idempotent for the settlements: what
    /// is settled already counts as lost. May be called with either part empty. Never waits for jobs.
    virtual asio::awaitable<exchange_result> exchange(std::span<const settlement> settled,
                                                      std::size_t count) = 0;

    /// Starts leases again from now, of at most 128 jobs, and writes their new tokens into the jobs. Returns the
    /// indexes of those that are no longer held. A call that throws has renewed nothing, as far as the worker is
    /// concerned; it sets the jobs' `unsure` if nobody knows, which is after `errc::unanswered` and cancellation.
    virtual asio::awaitable<std::vector<std::size_t>> renew(std::span<taken_job* const> jobs) = 0;

    /// After an exchange of which nobody knows whether it was carried out: returns to the queue what is
    /// leased to this worker and not among `held`. Must not overlap an exchange.
    virtual asio::awaitable<void> reconcile(std::span<const taken_job* const> held) = 0;

    /// One round of the monitor: returns jobs whose lease has ended, or whose worker has been gone for longer than
    /// `grace`. Zero: the workers are not looked for.
    virtual asio::awaitable<recovery> recover(std::chrono::milliseconds lease,
                                              std::chrono::milliseconds grace) = 0;

    /// Waits until there may be something to take. Sends nothing while there is not.
    virtual asio::awaitable<wake_up> wait_for_jobs() = 0;

    /// Waits until something is in progress.
    virtual asio::awaitable<void> wait_for_leases() = 0;

    /// Waits until Redis says that jobs were taken from this worker; returns their ids. Only for sources that
    /// are told; without it, renewals tell.
    virtual asio::awaitable<std::vector<std::string>> wait_for_losses();

    /// Says that this worker has gone. Called once, last.
    virtual asio::awaitable<void> close() = 0;
};

} // namespace coworker
