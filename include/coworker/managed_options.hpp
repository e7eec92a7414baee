// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/backoff.hpp"
#include "coworker/job_limits.hpp"
#include "coworker/option_duration.hpp"
#include "coworker/parent_failure.hpp"
#include "coworker/text.hpp"
#include "coworker/trace_context.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

/// @file
/// The options of operations on managed queues.
namespace coworker {

/// How the managed queues of a database are reached. Programs that share them should use the same values.
struct managed_options
{
    /// All keys and channels begin with this. qless' clients use "ql:" only. With braces, `{tenant}ql:`, all
    /// keys of a tenant share one Redis Cluster slot. Not empty.
    text prefix = "ql:";

    /// The largest data of a job, in bytes of JSON, that `async_push` accepts. Zero: no limit but Redis' 512 MB.
    std::size_t max_job_size = 8 * 1024 * 1024;

    /// A push to a queue where as many jobs wait as may (`managed_queue_settings::max_waiting`) waits until there is
    /// room, instead of failing with `errc::queue_full`. It asks again after 50 ms, then less often, once a second at
    /// last. It ends with its cancellation: `asio::cancel_after` gives it a time limit. Of many jobs, the first ones are
    /// pushed as soon as there is room for them.
    bool waits_for_room = false;
};

/// Until when a job has its unique key.
enum class unique_until
{
    done,    ///< it is complete, has failed, or leaves the queue; a job that is retried keeps its key
    started, ///< a worker fetches it, or it leaves the queue; a retry does not bring the key back
};

/// "done" or "started", as JSON, the command line and Redis call it. Never fails.
std::string_view to_string(unique_until what) noexcept;

/// What becomes of a push when another job of the queue has its unique key. Replacing needs a job that is not running:
/// one that runs is kept as it is.
///
/// A push that depends on the job that it replaces adds nothing to what that job waits for. It may depend on a job that
/// waits for the one that it replaces: then both wait for ever.
enum class on_conflict
{
    keep,    ///< nothing: the job that has the key stays as it is
    replace, ///< that job gets the kind, data, delay and options of this push, as if it were pushed again
    replace_payload, ///< that job gets the kind and data of this push, and runs when it would have run
    replace_time, ///< that job keeps its kind and data, and gets the delay and the other options of this push
    refuse,       ///< the push fails with `errc::not_unique`
};

/// "keep", "replace", "replace_payload", "replace_time" or "refuse", as JSON and the command line call it. Never fails.
std::string_view to_string(on_conflict what) noexcept;

/// Makes a job unique in its queue: while it has its key, no other job with this key is pushed to the queue. The key is
/// one of `key`, `fields` and `whole_payload`; without any of them, jobs are not unique.
///
/// A key never outlives its job: Redis asks the job when another push comes with its key. So it does not matter how the
/// job ended, by which client, or whether its worker was killed.
struct unique_rule
{
    /// The key: UTF-8, 1 to 256 bytes. Jobs of any kind with this key are the same.
    text key{};

    /// Jobs of the same kind are the same if these members of their data are equal. The data have to be a JSON object.
    /// A member that is missing equals one that is missing. `text_list::none()`: the kind alone is the key.
    text_list fields{};

    /// Jobs of the same kind with equal data are the same. Data are compared as JSON text without blanks, here and in
    /// `fields`; in which order the members of the outermost object are does not matter.
    bool whole_payload = false;

    /// Until when the job has its key. Only if `unique_for` is zero.
    unique_until until = unique_until::done;

    /// How long the queue remembers the key, as `push_options::unique_for`: whatever becomes of the job, unless
    /// coworker cancels it. Zero: `until` says how long.
    option_duration unique_for{0};

    /// What becomes of a push with a key that another job has. A job that is pushed again with its own jid and key is
    /// kept as with `keep`, also where others are refused. So a push that is in doubt can be repeated.
    on_conflict conflict = on_conflict::keep;
};

/// How to push a job. If the job exists already, what is not given stays as it is.
struct managed_push_options
{
    /// The job's id: UTF-8, 1 to 256 bytes. A job that exists under this id is moved. Default: a new UUID (version 7,
    /// which contains the time), as 32 hexadecimal digits like those of qless' clients.
    std::optional<text> jid{};

    /// Larger runs first. Any finite number; at priorities of about 1000 or more the order of jobs of equal priority is
    /// coarse. Default: 0.
    std::optional<double> priority{};

    /// How long to wait, by the server's clock, before the job may run. Zero or less: it may run now. A job with
    /// dependencies runs when both the delay has passed and they are complete.
    option_duration delay{0};

    /// How often the job may be retried before it fails; every lost lease counts as well. Default: 5.
    std::optional<unsigned> retries{};

    /// The job's tags. Default: none. `text_list::none()` removes those that an existing job has.
    text_list tags{};

    /// Jids of jobs that have to be complete before this one may run. Ids of jobs that do not exist or are complete are
    /// ignored.
    text_list depends{};

    /// What becomes of the job when one of `depends` fails for good or is cancelled, whichever worker ran that one.
    /// Decided in the step that ends it, and goes on from job to job. Default: `parent_failure::wait`.
    std::optional<parent_failure> on_parent_failure{};

    /// The job waits for a signal of this name (`managed_client::async_signal`) as for one of `depends`, and holds nothing
    /// meanwhile. It stays there for the handler: `job_context::signal` returns it at once. One that the job got before
    /// this push, and that no run has got, counts. `expiry` bounds how long it waits. UTF-8, 1 to 256 bytes.
    std::optional<text> wait_for_signal{};

    /// The job remembers `depends` as its parents, 1000 at most, and its handler can read what they returned:
    /// `job_context::async_parent_result`. See `result_retention`.
    bool reads_parents = false;

    /// Limits that the job is subject to, 16 at most; see `managed_client::async_set_limit`. Until all of them let it
    /// run, it waits, in its order of priority. Default: none. Given together with, or without, `order_key`, they
    /// replace the limits and the order key that an existing job has; `limit_list::none()` removes both.
    limit_list limits{};

    /// Of the jobs with this key, in all queues, one runs at a time, in the order they were pushed, whatever their
    /// priorities. A job that is retried keeps its turn: those behind it wait until it is complete, fails or is
    /// cancelled. UTF-8, 1 to 256 bytes.
    std::optional<text> order_key{};

    /// The group whose turn the job waits for. The groups of a queue take turns, so a group with many jobs does not
    /// delay the others. Jobs without a group take no turns. UTF-8, 1 to 256 bytes.
    std::optional<text> group{};

    /// How long one run may take, in place of `handle_options::timeout`. Greater than zero. Default: as that says.
    std::optional<option_duration> timeout{};

    /// How long after the push, by Redis' clock, the job may still be started. Then it fails in the group
    /// `<kind>:expired` instead, whichever client fetches it; a run that has begun is not cancelled. Default: for ever.
    std::optional<option_duration> expiry{};

    /// How long the job waits before a retry that has no delay of its own, in place of `handle_options::backoff`. Only
    /// coworker's workers know it. Default: as `handle_options::backoff` says.
    std::optional<exponential_backoff> backoff{};

    /// How long the job's record is kept when it is complete, in place of the setting `jobs-history`, or has failed.
    /// Zero: it is forgotten at once, or when it has failed within a minute or so. Default: complete jobs as the
    /// setting says, failed ones until they are deleted.
    std::optional<option_duration> retention{};

    /// How long what the handler returns is kept, in place of `handle_options::result_retention`. Keep it for as long
    /// as jobs that wait for this one may need to read it. Greater than zero. Default: as
    /// `handle_options::result_retention` says.
    std::optional<option_duration> result_retention{};

    /// Names and values that travel with the job to its handler (`managed_details::metadata`), such as a tenant or a
    /// trace context. At most 64 of them; names of 1 to 128 bytes; 8 KiB altogether.
    text_map metadata{};

    /// What the job is for, for people: the dashboard, `coworker job` and the inspector show it. UTF-8, 1 to 256 bytes.
    std::optional<text> description{};

    /// The id of the batch that the job belongs to; see `batches`. A push fails with `errc::batch_not_found` or
    /// `errc::batch_ended` where nothing can be added to it. A job belongs to one batch: one that exists and belongs to
    /// another is refused, unless it has succeeded. UTF-8, 1 to 200 bytes. Default: none; a job that exists stays in
    /// its batch.
    std::optional<text> batch{};

    /// The version of the job's data, from 1. Only workers with a handler for it take the job: `kind_options::versions`.
    /// Default: 1.
    std::optional<unsigned> version{};

    /// Whether the job is the only one of its kind, and what to do if it is not. Default: it need not be unique.
    unique_rule unique{};
};

/// How to make a job recur. If the recurring job exists already, all of these replace what it has.
struct recur_options
{
    /// The id of the recurring job. Default: a new one, as in `managed_push_options`. Its jobs are called `<jid>-1`,
    /// `<jid>-2`, and so on.
    std::optional<text> jid{};

    /// How long to wait before the first job is due. Zero: it is due now. Less than zero is refused.
    option_duration offset{0};

    double priority = 0;  ///< of its jobs; larger runs first
    unsigned retries = 5; ///< how often each of its jobs may be retried
    text_list tags{};     ///< of its jobs

    /// How many missed runs to catch up on, besides the latest. 0 = all.
    unsigned backlog = 0;
};

/// A job with options of its own, for `managed_queue::async_push_many` and `managed_queue::async_push_each`.
struct new_managed_job
{
    text kind{};                    ///< the kind of job
    text data = "{}";               ///< JSON text
    managed_push_options options{}; ///< how to push it
};

/// Code around pushes: a function that is called with each job before it is checked and sent, and may change its kind,
/// data and options. What it throws, the push throws. See `managed_queue::with`.
using push_middleware = std::function<void(new_managed_job&)>;

/// Makes pushed jobs carry this place in a trace, in their metadata; a job that has a `traceparent` keeps it.
/// `job_context::trace` finds it.
push_middleware carry_trace(trace_context place);

/// What to change of a recurring job. What is empty stays as it is.
struct recurring_changes
{
    std::optional<text> kind{};  ///< the kind of its jobs
    std::optional<text> data{};  ///< the data of its jobs, JSON text
    std::optional<text> queue{}; ///< the queue that its jobs are pushed to
    std::optional<option_duration_of<std::chrono::seconds>> interval{}; ///< greater than zero
    std::optional<double> priority{};                                   ///< of its jobs; larger runs first
    std::optional<unsigned> retries{}; ///< how often each of its jobs may be retried
    std::optional<unsigned> backlog{}; ///< as `recur_options::backlog`
};

/// The settings of one queue, which are kept in Redis and hold for all clients.
struct managed_queue_settings
{
    /// Lease duration: how long a job stays reserved for a worker without a heartbeat. Empty: the setting `heartbeat`
    /// for all queues applies, 60 s by default.
    std::optional<option_duration> heartbeat;

    /// How many jobs of the queue may run at the same time, in all workers together. Zero: any number.
    std::uint64_t max_concurrency = 0;

    /// How many jobs may wait, those that limits and groups hold back included, when one more is pushed that could run
    /// at once. Zero: any number. Pushes of coworker's clients beyond that are refused with `errc::queue_full`. Jobs that
    /// exist are never refused, nor what a schedule, a recurring job, a batch or an acknowledgement pushes.
    std::uint64_t max_waiting = 0;

    /// How long a job waits to gain one priority. Zero: jobs do not age. Workers of any library fetch in this order; a job
    /// that a client of qless pushes counts as one that waits since this was set.
    std::chrono::milliseconds ageing{0};

    /// How much longer the queue is held (`managed_client::async_hold`); zero: it is not.
    std::chrono::milliseconds held_for{0};
};

} // namespace coworker
