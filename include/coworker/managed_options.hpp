// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job_limits.hpp"
#include "coworker/text.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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
    std::chrono::milliseconds delay{0};

    /// How often the job may be retried before it fails; every lost lease counts as well. Default: 5.
    std::optional<unsigned> retries{};

    /// The job's tags. Default: none. `text_list::none()` removes those that an existing job has.
    text_list tags{};

    /// Jids of jobs that have to be complete before this one may run. Ids of jobs that do not exist or are complete are
    /// ignored.
    text_list depends{};

    /// Limits that the job is subject to, 16 at most; see `managed_client::async_set_limit`. Until all of them let it run,
    /// it waits, in its order of priority. Default: none. Given together with, or without, `order_key`, they replace the
    /// limits and the order key that an existing job has; `limit_list::none()` removes both.
    limit_list limits{};

    /// Of the jobs with this key, in all queues, one runs at a time, in the order they were pushed, whatever their
    /// priorities. A job that is retried keeps its turn: those behind it wait until it is complete, fails or is cancelled.
    /// UTF-8, 1 to 256 bytes.
    std::optional<text> order_key{};

    /// The group whose turn the job waits for: the groups of a queue take turns, so that a group with many jobs does not
    /// delay the others. Jobs without a group take no turns. UTF-8, 1 to 256 bytes.
    std::optional<text> group{};
};

/// How to make a job recur. If the recurring job exists already, all of these replace what it has.
struct recur_options
{
    /// The id of the recurring job. Default: a new one, as in `managed_push_options`. Its jobs are called `<jid>-1`,
    /// `<jid>-2`, and so on.
    std::optional<text> jid{};

    /// How long to wait before the first job is due. Zero: it is due now. Less than zero is refused.
    std::chrono::milliseconds offset{0};

    double priority = 0;  ///< of its jobs; larger runs first
    unsigned retries = 5; ///< how often each of its jobs may be retried
    text_list tags{};     ///< of its jobs

    /// How many missed runs to catch up on, besides the latest. Zero: all.
    unsigned backlog = 0;
};

/// How to complete a job.
struct complete_options
{
    /// New data, as JSON text. Default: the data that the job was popped with.
    std::optional<text> data{};

    /// Forward the job to this queue, rather than complete it.
    std::optional<text> next{};

    /// With `next`: how long to wait before the job may run there. Zero or less: it may run at once.
    std::chrono::milliseconds delay{0};

    /// With `next`: jids of jobs that have to be complete before the job may run there.
    text_list depends{};
};

/// How to retry a job.
struct retry_options
{
    /// How long to wait before the job may run again. Zero or less: it may run at once.
    std::chrono::milliseconds delay{0};

    /// The queue that the job returns to. Default: the one that it was popped from.
    std::optional<text> queue{};

    /// The group of the failure that led to the retry. Give `group` and `message`, or neither. They are stored as the
    /// job's failure, and if no retry is left, the job fails in this group. Default: the group is
    /// `failed-retries-<queue>` if no retry is left.
    std::optional<text> group{};
    /// What went wrong, for people.
    std::optional<text> message{};
};

/// One of the jobs of `async_push_many`. The members that have defaults mean the same as in `managed_push_options`.
struct new_managed_job
{
    std::string kind;                   ///< the kind of job
    std::string data = "{}";            ///< JSON text
    std::optional<std::string> jid{};   ///< default: a new one
    std::optional<double> priority{};   ///< default: 0
    std::chrono::milliseconds delay{0}; ///< zero or less: it may run now
    std::optional<unsigned> retries{};  ///< default: 5
    std::vector<std::string> tags{};    ///< empty: none, or those of the existing job
    std::vector<std::string> depends{}; ///< jids of jobs that have to be complete before this one may run
};

/// What to change of a recurring job. What is empty stays as it is.
struct recurring_changes
{
    std::optional<text> kind{};                     ///< the kind of its jobs
    std::optional<text> data{};                     ///< the data of its jobs, JSON text
    std::optional<text> queue{};                    ///< the queue that its jobs are pushed to
    std::optional<std::chrono::seconds> interval{}; ///< greater than zero
    std::optional<double> priority{};               ///< of its jobs; larger runs first
    std::optional<unsigned> retries{};              ///< how often each of its jobs may be retried
    std::optional<unsigned> backlog{};              ///< as `recur_options::backlog`
};

/// The settings of one queue, which are kept in Redis and hold for all clients.
struct managed_queue_settings
{
    /// Lease duration: how long a job stays reserved for a worker without a heartbeat. Empty: the setting `heartbeat`
    /// for all queues applies, 60 s by default.
    std::optional<std::chrono::milliseconds> heartbeat;

    /// How many jobs of the queue may run at the same time, in all workers together. Zero: any number.
    std::uint64_t max_concurrency = 0;
};

} // namespace coworker
