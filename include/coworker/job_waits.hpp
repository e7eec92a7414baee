// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"
#include "coworker/option_duration.hpp"
#include "coworker/text.hpp"
#include "coworker/timestamp.hpp"

#include <optional>
#include <string>

namespace coworker {

/// What a job waits for.
enum class wait_kind
{
    time,   ///< It sleeps.
    signal, ///< A signal to the job: `managed_client::async_signal`.
    job,    ///< The end of another job.
};

/// What a job of a managed queue waits for without a worker: a time, or a signal or the end of another job before that.
struct job_wait
{
    text name{}; ///< of the sleep or the signal, or the id of the other job; UTF-8 of 1 to 256 bytes
    wait_kind what = wait_kind::time; ///< what it waits for

    /// How long to wait at most, by Redis' clock, from when the job first waits for this. Zero or less: not at all.
    option_duration length{0};
    /// Until when, in place of `length`.
    owned<std::optional<timestamp>> until{};

    /// The how manyth wait of this kind and name it is in the job's run. Zero: the first one that is not over.
    unsigned turn = 0;
    /// Of a signal: how many that were sent under this name do not end the wait.
    unsigned after = 0;
};

/// How a wait for the end of another job ended.
enum class wait_end
{
    succeeded, ///< The other job is complete.
    failed,    ///< It failed for good: `awaited_job::group` and `message` say why.
    gone,      ///< It was cancelled or deleted, or its record was not kept, and it has no result.
    not_found, ///< There was no such job when this one began to wait.
    timed_out, ///< It has not ended in time.
};

/// What became of another job, for which a job has waited: `job_context::async_wait_for_job`.
///
/// @tparam T  what `decode` makes of what its handler has returned
template<class T = raw_json>
struct awaited_job
{
    wait_end how = wait_end::timed_out; ///< how the wait ended
    std::optional<T> value{};           ///< if it succeeded: its result, if it has one that is kept
    std::string group{};                ///< if it failed: the group of its failure
    std::string message{};              ///< if it failed: why
};

} // namespace coworker
