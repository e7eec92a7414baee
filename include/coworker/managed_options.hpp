#pragma once

#include "coworker/text.hpp"

#include <chrono>
#include <cstddef>
#include <optional>

/// What the calls of the managed queue are given.
namespace coworker {

/// How the managed queues of a database are reached. Programs that share them should agree on these.
struct managed_options
{
    /// All keys and channels begin with it. qless' clients know only "ql:". With braces, `{tenant}ql:`, all
    /// keys of a tenant share one Redis Cluster slot. Not empty.
    text prefix = "ql:";

    /// The largest data of a job, in bytes of JSON, that `async_push` accepts. Zero: no limit but Redis' 512 MB.
    std::size_t max_job_size = 8 * 1024 * 1024;
};

/// How to push a job. What is not given stays as it is when the job exists already.
struct managed_push_options
{
    /// The job's id: UTF-8, 1 to 256 bytes. Default: a new UUID (version 7, so that it tells when the job was
    /// queued) as 32 hexadecimal digits, as qless' clients write theirs. A job of that id is moved.
    std::optional<text> jid{};

    /// Larger runs first. Finite; differences between priorities around 1000 or more make the order of equal
    /// ones coarse. Default: 0.
    std::optional<double> priority{};

    /// Wait this long, by the server's clock, before the job may run. Zero or less: now. A job with
    /// dependencies begins to wait when the last of them is complete.
    std::chrono::milliseconds delay{0};

    /// How often the job may be retried, or lost by a worker, before it fails. Default: 5.
    std::optional<unsigned> retries{};

    /// Default: none. `text_list::none()` takes those away that the job has.
    text_list tags{};

    /// Jids of jobs that have to be complete first. Those that do not exist, or are complete, do not count.
    text_list depends{};
};

/// How to make a job recur. All of them are set, also when the recurring job exists already.
struct recur_options
{
    /// Default: a new one, as in `managed_push_options`. Spawned jobs are called `<jid>-1`, `<jid>-2`, ….
    std::optional<text> jid{};

    /// How long until the first job is spawned. Zero: by the next pop. Less is refused.
    std::chrono::milliseconds offset{0};

    double priority = 0;  ///< of the spawned jobs
    unsigned retries = 5; ///< of the spawned jobs
    text_list tags{};     ///< of the spawned jobs

    /// How many of the turns that nobody was there for are made up for, beside the latest. Zero: all.
    unsigned backlog = 0;
};

/// How to complete a job.
struct complete_options
{
    /// New data, as JSON text. Default: the data that the job was popped with.
    std::optional<text> data{};

    /// Rather than being complete, the job goes on to this queue.
    std::optional<text> next{};

    /// With `next`: how long it waits there. Zero or less: not at all.
    std::chrono::milliseconds delay{0};

    /// With `next`: jids of jobs that have to be complete first.
    text_list depends{};
};

/// How to retry a job.
struct retry_options
{
    /// How long it waits. Zero or less: not at all.
    std::chrono::milliseconds delay{0};

    /// The queue it goes to. Default: the one it was popped from.
    std::optional<text> queue{};

    /// What went wrong: both, or neither. Stored as the job's failure; if no retry remains, the job fails in
    /// this group, else in `failed-retries-<queue>`.
    std::optional<text> group{};
    std::optional<text> message{};
};

} // namespace coworker
