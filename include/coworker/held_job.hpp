// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_job.hpp"
#include "coworker/managed_options.hpp"
#include "coworker/text.hpp"

#include <optional>
#include <string_view>

namespace coworker {

/// A job that was leased to the caller by `managed_queue::async_pop`, for the operations that end the lease or renew
/// it. A `managed_job` converts to it.
struct held_job
{
    text jid,   ///< the job's id
        worker, ///< the worker's name, as `async_pop` was given it
        queue;  ///< the queue that the job was popped from
    text data;  ///< JSON text, which `async_complete` stores unless it is given other data

    /// The job as `async_pop` returned it.
    held_job(const managed_job& job) : held_job{job.jid, job.worker, job.queue, job.data} {}
    /// A job by its id, its worker, its queue and its data.
    held_job(std::string_view id, std::string_view holder, std::string_view in_queue,
             std::string_view present_data = "{}")
        : jid{id}, worker{holder}, queue{in_queue}, data{present_data}
    {}
};

/// One of the jobs of `async_complete_many`.
struct completion
{
    held_job job;               ///< the job
    complete_options options{}; ///< how to complete it
};

/// One of the jobs of `async_fail_many`.
struct failing
{
    held_job job;               ///< the job
    text group;                 ///< the group of failures; not empty
    text message;               ///< why it fails, for people
    std::optional<text> data{}; ///< new data, as JSON text. Default: the data stay as they are
};

/// One of the jobs of `async_retry_many`.
struct retrying
{
    held_job job;            ///< the job
    retry_options options{}; ///< how to retry it
};

} // namespace coworker
