#pragma once

#include "coworker/job.hpp"
#include "coworker/outcome.hpp"
#include "coworker/source_connection.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coworker {

namespace asio = boost::asio;

/// What one kind of source knows of its jobs beside what every source knows. A source derives its own from this, and
/// handlers ask for it with `job_context::details`.
struct job_details
{
    virtual ~job_details() = default;
};

/// A job that was leased to this worker.
struct taken_job
{
    /// A part of `body`.
    struct range
    {
        std::size_t begin = 0, size = 0;
    };

    /// What the source needs to name the job; contains its JSON text. The worker never changes it.
    std::string body;
    range text_range;    ///< where in `body` the job's JSON stands
    range id_range;      ///< where in `body` the job's id stands, unless `long_id` says it
    std::string long_id; ///< the id, if it does not stand in `body` as it is

    /// The token that proves the lease; shared by the jobs that were taken together. Not null.
    std::shared_ptr<const std::string> lease;

    /// How long the lease lasts from when it was given or renewed. Zero: what `job_source::lease_time` says.
    std::chrono::milliseconds lease_time{0};

    /// 1 for the first run.
    unsigned attempt = 1;

    /// How often the job may still be retried, if the source counts that itself (`abilities::counts_attempts`): at
    /// zero it gives up a job that is to be retried, and the worker says so.
    std::optional<unsigned> retries_left{};

    /// Which of several handlers is called, see `klass_handlers`. Empty if the source has no such thing.
    std::string kind{};

    bool decodable = true; ///< false: `body` is not a job at all, and goes to the broken ones

    /// A renewal was not answered, so `lease` may be out of date: the source may hold the job with this token, or with
    /// a later one of the same worker. Set by the worker; see `job_source::renew`.
    bool unsure = false;

    /// For handlers that know this source. May be null.
    std::shared_ptr<const job_details> details{};

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

/// What became of a job. A retry's delay is resolved: `result->delay()` has a value. Both pointers are valid until
/// the call has ended.
struct settlement
{
    const taken_job* job;
    const outcome* result;
    bool repeated = false; ///< it was sent before and not answered, so it may have been stored
};

/// Where a worker gets its jobs from: one queue, as the worker sees it.
///
/// Derive from this to let `worker::handle_source` run jobs that are kept somewhere else: in another database, in a
/// file, in memory. `testing::raw_memory_queue` is a complete one. The worker owns the source.
///
/// **Leases.** A job that is taken is leased to the worker: for `lease_time`, nobody else is given it. The worker renews
/// leases of which a third has passed, and ends handlers before their lease can have ended. Each lease has a token. A
/// source settles and renews a job only if it is still leased with that token (or, for a job that is `unsure`, with a
/// later one of this worker); otherwise the job is *lost*, nothing is changed, and its index is returned. That is what
/// keeps a worker that was cut off from ending a run that is another's by now.
///
/// **Calls.** Everything is batched. All calls run on the worker's executor. Of `exchange` two are under way at the same
/// time, and calls of different functions overlap; `reconcile` never overlaps an `exchange`, and of each `wait_for_…`
/// there is one at a time. Spans are valid until the call has ended. The virtual functions return `asio::awaitable`,
/// rather than take a completion token, since they are implemented and not called by users.
///
/// **Cancellation.** Terminal only, which a coroutine obeys by itself as long as what it awaits does.
///
/// **Errors.** A call that cannot do its part throws `system_error`:
///  - `errc::unanswered`: it was sent, and nobody knows whether it was carried out. An `exchange` is followed by
///    `reconcile`, and its settlements are sent again with `repeated` set.
///  - `errc::stopped`: the source has ended for good. `worker::async_run` ends with it.
///  - anything else: it was refused. It is told to observers, and tried again after half a second.
///
/// Every other exception ends `worker::async_run` with it.
class job_source
{
public:
    using clock = std::chrono::steady_clock;

    /// Why a wait ended.
    enum class wake_up
    {
        ready,       ///< There may be something to do.
        safety_poll, ///< There is, and a notification was missed: found by a slow fallback poll. Told to observers.
    };

    struct exchange_result
    {
        std::vector<taken_job> taken;
        std::vector<std::size_t> lost; ///< indexes into `settled` of the jobs whose lease was gone
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
        /// Decides when retries are exhausted, and says `taken_job::retries_left`: `max_attempts` does not apply.
        bool counts_attempts = false;

        /// Knows `outcome::kind::advance`. Without it, a job with that outcome fails.
        bool advances = false;

        /// A lease's token stays the same for all leases of one worker. So a job whose lease was lost may be
        /// handed out to this worker again before it has heard of the loss.
        bool tokens_stay = false;
    };

    virtual ~job_source() = default;

    virtual abilities can() const noexcept { return {}; }

    /// The queue's name, for events and for handlers.
    virtual const std::string& name() const noexcept = 0;

    /// What tells this queue from others of the same class. A worker handles each queue once.
    virtual std::string identity() const { return name(); }

    /// The connection that this source uses; the same object for all sources that share it. Null: there is none that
    /// could be lost.
    virtual std::shared_ptr<source_connection> connection() { return nullptr; }

    /// Checks that the queue can be worked on. Called before anything else; again when it throws
    /// `errc::unanswered`.
    virtual asio::awaitable<void> open() = 0;

    /// How long leases last, if `asked` is what the user has asked for. Called once, after `open`.
    virtual std::chrono::milliseconds lease_time(std::chrono::milliseconds asked) noexcept { return asked; }

    /// Settles jobs and takes up to `count` new ones, in one step. May be called with either part empty, and returns
    /// fewer jobs when there are fewer. Never waits for jobs.
    ///
    /// A success is removed, a retry runs again after its delay (at zero it goes behind all waiting jobs), a failure
    /// and a broken job are kept for people, a job given back goes to the front of the queue, without an attempt
    /// counted. Several that are given back in one call keep their order. A settlement of a job that is settled already
    /// counts as lost, so repeating one does no harm.
    virtual asio::awaitable<exchange_result> exchange(std::span<const settlement> settled,
                                                      std::size_t count) = 0;

    /// Starts leases again from now, of at most 128 jobs, and writes their new tokens and lease times into the jobs.
    /// Returns the indexes of those that are no longer held. A call that throws has renewed nothing, as far as the
    /// worker is concerned; the jobs are `unsure` then, unless the call was refused.
    virtual asio::awaitable<std::vector<std::size_t>> renew(std::span<taken_job* const> jobs) = 0;

    /// Returns to the queue what is leased to this worker and not among `held`, without an attempt counted. Called
    /// after an exchange of which nobody knows whether it was carried out, and on each new connection.
    virtual asio::awaitable<void> reconcile(std::span<const taken_job* const> held) = 0;

    /// One round of the monitor: returns to the queue jobs of any worker whose lease has ended, or whose worker has been
    /// gone for longer than `grace`. A `grace` of zero: the workers are not looked for. May leave that to another
    /// process that does it at the moment.
    virtual asio::awaitable<recovery> recover(std::chrono::milliseconds lease,
                                              std::chrono::milliseconds grace) = 0;

    /// Waits until there may be something to take. Called when an exchange has returned fewer jobs than it was asked
    /// for.
    virtual asio::awaitable<wake_up> wait_for_jobs() = 0;

    /// Waits until something is in progress. Called after a `recover` that said `idle`.
    virtual asio::awaitable<void> wait_for_leases() = 0;

    /// Waits until somebody says that jobs were taken from this worker; returns their ids, which are then renewed to
    /// learn whether it is true. The default waits for ever: renewals tell as well, a little later.
    virtual asio::awaitable<std::vector<std::string>> wait_for_losses();

    /// Says that this worker has gone. Called once, last; also if `open` has failed.
    virtual asio::awaitable<void> close() = 0;
};

} // namespace coworker
