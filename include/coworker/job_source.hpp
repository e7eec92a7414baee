// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"
#include "coworker/job.hpp"
#include "coworker/job_effects.hpp"
#include "coworker/job_log.hpp"
#include "coworker/job_progress.hpp"
#include "coworker/job_signals.hpp"
#include "coworker/outcome.hpp"
#include "coworker/source_connection.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coworker {

namespace asio = boost::asio;

/// The base of what one class of source knows of its jobs beside what all sources know. A source derives its own
/// details from this, and handlers ask for them with `job_context::details`.
struct job_details
{
    virtual ~job_details() = default;

    /// How long one run of this job may take, in place of `handle_options::timeout`. Empty, the default: as that says.
    virtual std::optional<std::chrono::milliseconds> own_timeout() const noexcept { return std::nullopt; }

    /// How long this job waits before a retry, in place of `handle_options::backoff`. Empty, the default: as that says.
    ///
    /// @param attempt  the number of the attempt that has ended
    virtual std::optional<std::chrono::milliseconds> own_backoff(unsigned attempt) const
    {
        (void)attempt;
        return std::nullopt;
    }

    /// How long this job's result is kept, in place of `handle_options::result_retention`. Empty, the default: as that
    /// says.
    virtual std::optional<std::chrono::milliseconds> own_result_retention() const noexcept { return {}; }

    /// Names and values that travel with this job: `job_context::metadata`. Null, the default: none.
    virtual const std::map<std::string, std::string>* own_metadata() const noexcept { return nullptr; }
};

/// A job that was leased to this worker.
struct fetched_job
{
    /// A part of `body`.
    struct range
    {
        std::size_t begin = 0, ///< the offset of its first byte
            size = 0;          ///< how many bytes it has
    };

    /// The bytes by which the source identifies the job; they contain its JSON text. The worker never changes them.
    std::string body;
    range text_range;    ///< where in `body` the job's JSON is
    range id_range;      ///< where in `body` the job's id is; ignored if there is a `long_id`
    std::string long_id; ///< the id, if `body` does not contain it as it is

    /// The fencing token of the lease; shared by the jobs that were fetched together. Not null.
    std::shared_ptr<const std::string> lease;

    /// How long the lease lasts from when it was given or renewed. Zero: as long as `job_source::lease_time` returned.
    std::chrono::milliseconds lease_time{0};

    /// The number of this attempt; 1 for the first run.
    unsigned attempt = 1;

    /// The worker sets this when it has stored or found a checkpoint, or could not read it, or has asked about a wait. A
    /// success has to remove what is stored of these.
    bool has_checkpoint = false;

    /// Steps of the job are stored (`job_context::step`): the source says so when it is fetched, the worker when it has
    /// stored one. A success has to remove them.
    bool has_steps = false;

    /// How often the job may still be retried, if the source counts that itself (`abilities::counts_attempts`). At
    /// zero the source fails a job that is to be retried, and the worker reports it as failed.
    std::optional<unsigned> retries_left{};

    /// The kind of job, by which `handlers_by_kind` chooses the handler. Empty if the source's jobs have no kinds.
    std::string kind{};

    /// How many runs of this job have ended with their workers, as far as the source counts them:
    /// `handle_options::max_crashes`.
    unsigned crashes = 0;

    bool decodable = true; ///< false: `body` does not decode; the worker returns it as broken

    /// A renewal is in doubt, so `lease` may be out of date. The job may be leased with this token, or with a later one
    /// of the same worker. Set by the worker; see `job_source::renew`.
    bool in_doubt = false;

    /// For handlers that know this source. May be null.
    std::shared_ptr<const job_details> details{};

    /// The job's id; empty if `body` does not decode.
    std::string_view id() const noexcept
    {
        return long_id.empty() ? part(id_range) : std::string_view{long_id};
    }
    /// The job's JSON text.
    std::string_view text() const noexcept { return part(text_range); }

private:
    std::string_view part(range where) const noexcept
    {
        return std::string_view{body}.substr(where.begin, where.size);
    }
};

/// What a handler tells of a job that it still runs.
struct job_note
{
    const fetched_job* job;                  ///< the job
    std::optional<job_progress> progress{};  ///< how far it is; `told_at` is the source's to say
    std::optional<std::string> checkpoint{}; ///< where a later attempt may go on, as JSON text
    std::vector<noted_line> log{};           ///< what it has logged, oldest first
};

/// A step of a job that its handler has carried out: `job_context::step`.
struct job_step
{
    const fetched_job* job = nullptr; ///< the job
    std::string name;                 ///< the step's name
    std::string value;                ///< what it returned, as JSON text; `null` if that is nothing
};

/// What is known of a wait of a job that runs.
struct wait_state
{
    /// How the wait stands.
    enum class kind
    {
        lost,  ///< the lease of the job was lost, so nothing is known
        over,  ///< the sleep is over
        came,  ///< the signal has come
        late,  ///< no signal came in time, or the other job has not ended
        ended, ///< the other job has ended
        waits, ///< none of these
    };
    kind how = kind::lost;             ///< how it stands
    std::string value{};               ///< the signal, as JSON text
    awaited_job<> other{};             ///< if it has ended: the other job
    std::chrono::milliseconds left{0}; ///< if it waits: how long at most
    unsigned read = 0;                 ///< if it waits for a signal: how many of this name runs have got
};

/// One acknowledgement: a job and its outcome. The delay of a retry is decided: `result->delay()` has a value.
struct acknowledgement
{
    const fetched_job* job; ///< valid until the call has ended
    const outcome* result;  ///< valid until the call has ended
    bool repeated = false;  ///< it was sent before and is in doubt, so it may have been stored

    /// What the handler wants to be carried out in the same step; null: nothing. Only with a success or `forward`, and
    /// only if `job_source::check_effect` has let each of them pass. Valid until the call has ended.
    const job_effects* effects = nullptr;
};

/// Where a worker gets its jobs from: one queue, as the worker sees it.
///
/// Derive from this to let `worker::handle_source` run jobs that are kept somewhere else: in another database, in a
/// file, in memory. The worker owns the source. docs/own-sources.md is a guide, example/23_own_source.cpp a whole one.
///
/// **Leases.** A job that is fetched is leased to the worker: for `lease_time`, no other worker gets it. The worker
/// renews a lease when a third of it has passed, and cancels a handler before the job's lease can have ended. Each
/// lease has a fencing token. A source acknowledges and renews a job only if it is still leased with that token. If
/// the job is `in_doubt`, a later token of this worker does as well. Otherwise the job is *lost*: the source changes nothing,
/// and returns the job's index. So a worker that was cut off cannot end a run that belongs to another worker by now.
///
/// **Calls.** Calls are batched, and run on the worker's executor. Calls of different functions overlap, and two calls
/// of `ack_and_fetch` may be under way at the same time. But `reconcile` never overlaps an `ack_and_fetch`, and there
/// is one call of each `wait_for_…` at a time. Spans are valid until the call has ended. The virtual functions return
/// `asio::awaitable` rather than take a completion token, since users implement them and do not call them.
///
/// **Cancellation.** Terminal. A coroutine obeys it by itself if the operations obey it that it awaits.
///
/// **Errors.** A call that cannot do its part throws a `system_error`:
///  - `errc::in_doubt`, `errc::unexpected_answer`, or `asio::error::operation_aborted` of something that the source has
///    cancelled by itself: the call is in doubt. After an `ack_and_fetch` that was to fetch jobs the worker calls `reconcile`; it
///    sends the acknowledgements again with `repeated` set. A job whose renewal is in doubt is marked so.
///  - `errc::stopped`: the source has ended for good. `worker::async_run` ends with it.
///  - any other code: the call was refused.
///
/// The worker emits an event, and tries again after half a second. After `errc::in_doubt` it does so at once and without
/// an event: the next call waits for the next connection.
///
/// Every other exception ends `worker::async_run` with it.
class job_source
{
public:
    /// The clock of leases.
    using clock = std::chrono::steady_clock;

    /// Why a wait ended.
    enum class wake_up
    {
        ready,         ///< There may be jobs.
        fallback_poll, ///< There are: the fallback poll found them, so a notification was missed.
    };

    /// What `ack_and_fetch` returns.
    struct fetch_result
    {
        std::vector<fetched_job> fetched; ///< the jobs that were fetched
        std::vector<std::size_t> lost;    ///< indexes into `acks` of the jobs whose lease was lost
        std::size_t waiting = 0; ///< how many more can be fetched, as far as is known; with parts, see there

        /// A job that has failed instead, since one of its effects could not be carried out.
        struct failed_effects
        {
            std::size_t index;  ///< into `acks`
            std::string reason; ///< why, for people
        };
        std::vector<failed_effects> failed{}; ///< those jobs; none of their effects was carried out

        /// The kinds of jobs that were met and left waiting, since this worker does not handle them: one for each job.
        std::vector<std::string> unhandled{};
    };

    /// What `recover` returns.
    struct recovery
    {
        std::size_t recovered = 0; ///< how many jobs were returned to the queue
        std::string reason;        ///< why, for people
        bool idle = false;         ///< nothing is in progress: `wait_for_leases` before the next call
        std::chrono::milliseconds pause{500}; ///< if not idle: `wait_for_round` before the next call
    };

    /// What a source can do; where it cannot, the worker does it, or refuses it.
    struct abilities
    {
        /// The source decides when retries are used up, and sets `fetched_job::retries_left`:
        /// `handle_options::max_attempts` does not apply.
        bool counts_attempts = false;

        /// The source knows `outcome::kind::forward`. Without it, a job with that outcome fails.
        bool forwards = false;

        /// The source knows `store_notes` and `read_checkpoint`. Without it, `job_context::set_progress` does nothing,
        /// and `job_context::async_save` is refused.
        bool keeps_notes = false;

        /// The source knows `store_steps` and `read_steps`. Without it, `job_context::step` is refused.
        bool keeps_steps = false;

        /// The source knows `begin_wait`, and the outcome `suspend`. Without it, a job with that outcome fails.
        bool suspends = false;

        /// All leases of one worker have the same token. So a job whose lease was lost may be fetched by this worker
        /// again before the worker has heard of the loss.
        bool tokens_stay = false;
    };

    virtual ~job_source() = default;

    /// Jobs of one kind, and of one version (`managed_push_options::version`).
    struct handled_kind
    {
        std::string kind;     ///< the kind of job
        unsigned version = 1; ///< 1 for jobs that have none
    };

    /// Tells what the worker has handlers for: jobs of other kinds are to be left waiting for another worker. Called
    /// before `open`, if at all: otherwise the worker handles all kinds. The default does nothing; what is fetched all
    /// the same fails in the group "<kind>:no-handler".
    virtual void handle_only(const std::vector<handled_kind>& kinds);

    /// What this source can do. The default: none of the abilities.
    virtual abilities can() const noexcept { return {}; }

    /// The queue's name, for events and for handlers.
    virtual const std::string& name() const noexcept = 0;

    /// A text that tells this queue from others of the same class. A worker handles each queue once. The default is the
    /// name.
    virtual std::string identity() const { return name(); }

    /// The connection that this source uses; the same object for all sources that share it. Null, the default: there is
    /// no connection that could be lost.
    virtual std::shared_ptr<source_connection> connection() { return nullptr; }

    /// Checks that the queue can be worked on. Called before all other asynchronous functions, and again if the call is
    /// in doubt or throws `errc::timed_out` or `errc::unavailable`. Any other code ends `worker::async_run`.
    virtual asio::awaitable<void> open() = 0;

    /// How long leases last when the user asks for `asked`. Called once, after `open`. The default is `asked`.
    virtual std::chrono::milliseconds lease_time(std::chrono::milliseconds asked) noexcept { return asked; }

    /// Acknowledges jobs and fetches up to `count` new ones, in one step. `acks` may be empty, and `count` zero. It
    /// returns fewer jobs when the queue has fewer, and never waits for jobs.
    ///
    /// A success is removed. A retry runs again after its delay; at zero it goes behind all waiting jobs. A failure
    /// and a broken job are kept for people. A released job goes to the front of the queue, without an attempt
    /// counted. Several jobs that are released in one call keep their order. A job that has been acknowledged
    /// before counts as lost, so repeating an acknowledgement does no harm.
    ///
    /// Effects of a job (`acknowledgement::effects`) are carried out in this step: all of them if the job is
    /// acknowledged, none of them otherwise. If one cannot be carried out, the job is kept as a failed one.
    virtual asio::awaitable<fetch_result> ack_and_fetch(std::span<const acknowledgement> acks,
                                                        std::size_t count) = 0;

    /// Checks an effect when a handler hands it over. What it throws, the handler's call throws. The default refuses
    /// all of them, with `errc::not_supported`.
    virtual void check_effect(const effect& what) const;

    /// Renews leases, at most 128: each starts again from now. Writes the new tokens and lease times into the jobs.
    /// Returns the indexes of the jobs whose lease was lost. If it throws, the worker assumes that nothing was renewed,
    /// and marks the jobs as `in_doubt` unless the call was refused.
    virtual asio::awaitable<std::vector<std::size_t>> renew(std::span<fetched_job* const> jobs) = 0;

    /// Releases the jobs that are leased to this worker and that are not among `held`. Called after an `ack_and_fetch`
    /// that is in doubt, and on each new connection.
    virtual asio::awaitable<void> reconcile(std::span<const fetched_job* const> held) = 0;

    /// One round of the monitor. Returns jobs of any worker to the queue: those whose lease has ended, and those whose
    /// worker has had no connection for longer than `grace`. With a `grace` of zero, only leases count. It may leave
    /// this to another process that is the active monitor.
    virtual asio::awaitable<recovery> recover(std::chrono::milliseconds lease,
                                              std::chrono::milliseconds grace) = 0;

    /// Waits for `pause` before the next call of `recover`, or until that may find more. The default waits for all of it.
    virtual asio::awaitable<void> wait_for_round(std::chrono::milliseconds pause);

    /// Stores what handlers tell of their jobs, at most one note of each job. Returns the indexes of the jobs whose
    /// lease was lost: of those nothing is stored. A job may end while the call is under way, so read what you need of
    /// it before the call suspends for the first time. A checkpoint is kept until the job has succeeded, whichever
    /// attempt stored it; the progress and the log are for people. Of the log keep a bounded part, the newest.
    virtual asio::awaitable<std::vector<std::size_t>> store_notes(std::span<const job_note> notes);

    /// Reads the checkpoint of a job that is leased to this worker; empty: there is none. What it throws is told to the
    /// handler that has asked, and to nobody else: no code ends the worker.
    virtual asio::awaitable<std::string> read_checkpoint(const fetched_job& job);

    /// Stores the values of steps of jobs that are leased to this worker, until the job has succeeded or is forwarded.
    /// Returns one answer for each:
    ///  - success: it is stored, perhaps by an earlier call with the same value
    ///  - `errc::lease_lost`: nothing was stored, since the lease was lost
    ///  - `errc::not_unique`: the step has another value
    ///  - `errc::job_too_large`: the job would have more than 1,000 steps, or 1 MiB of them
    ///
    /// A job may end while the call is under way, as with `store_notes`.
    virtual asio::awaitable<std::vector<result<void>>> store_steps(std::span<const job_step> steps);

    /// Reads the values of all steps of a job that is leased to this worker, by name. Called if the job `has_steps`.
    virtual asio::awaitable<std::map<std::string, std::string>> read_steps(const fetched_job& job);

    /// Tells how a wait of a job stands that is leased to this worker. What was answered once is answered to later
    /// attempts of the job as well. At the first question it is decided when the wait ends, and which signal it gets
    /// when there is one. What it throws is told to the handler, as that of `read_checkpoint`.
    virtual asio::awaitable<wait_state> begin_wait(const fetched_job& job, const job_wait& wait);

    /// Reads the signals of a job that is leased to this worker, and what it has waited for; the default: nothing.
    virtual asio::awaitable<job_signals> read_signals(const fetched_job& job);

    /// Reads what another job has returned, as JSON text; empty if that is none and not `needed`. Throws why there is
    /// none. That, too, is told to the handler that has asked.
    virtual asio::awaitable<std::string> read_result(std::string id, bool needed);

    /// Waits until there may be jobs to fetch. Called when an `ack_and_fetch` has returned fewer jobs than were asked
    /// for.
    virtual asio::awaitable<wake_up> wait_for_jobs() = 0;

    /// Waits until a job is in progress. Called after a `recover` that returned `idle`.
    virtual asio::awaitable<void> wait_for_leases() = 0;

    /// Waits for a message that jobs were taken from this worker, and returns their ids. The worker then renews their
    /// leases to learn whether that is true. The default waits for ever: the next renewal finds out as well.
    virtual asio::awaitable<std::vector<std::string>> wait_for_losses();

    /// Waits for further parts of this queue, and returns them: a queue may be divided into several, each with a
    /// source. The worker treats the parts as one queue, with one handler and one concurrency, and opens and closes
    /// each. They return no parts of their own. It fetches from parts in proportion to how many jobs wait there
    /// (`fetch_result::waiting`), at most 8:1. Where none says so, it fetches from all alike. Called again when it
    /// has returned. A monitor calls it without `open`. The default waits for ever.
    virtual asio::awaitable<std::vector<std::unique_ptr<job_source>>> wait_for_parts();

    /// Names the schedules that this source carries out beside its jobs. Sources of one connection that return the same
    /// share them: a worker or monitor calls `run_schedules` of one of them. Empty, the default: it has none.
    virtual std::string schedules() const { return {}; }

    /// Waits until a schedule is due, and pushes its jobs. The default waits for ever.
    virtual asio::awaitable<void> run_schedules();

    /// Removes this worker from the registry of workers. Called once, last; also if `open` has failed. Cancelled when
    /// the time for storing outcomes is over. Then the source is destroyed.
    virtual asio::awaitable<void> close() = 0;
};

} // namespace coworker
