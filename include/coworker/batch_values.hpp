// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/codec.hpp"
#include "coworker/managed_options.hpp"
#include "coworker/option_duration.hpp"
#include "coworker/text.hpp"
#include "coworker/timestamp.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Batches of jobs as values; the class `batches` works with them.
namespace coworker {

/// A job that a batch pushes: one of its callbacks. `to_batch_job` makes one of anything that `encode` takes.
struct batch_job
{
    text queue{};     ///< the queue that it is pushed to
    text kind{};      ///< the kind of job
    text data = "{}"; ///< JSON text, at most 256 KB
    /// How to push it. `jid`, `delay` and `depends` are refused with `errc::invalid_option`: its id is
    /// `<batch>@success`, `<batch>@done` or `<batch>@failure`. It may belong to another batch, such as the one that
    /// this batch is inside of, but not to the batch whose callback it is.
    managed_push_options options{};
};

/// A callback with data of any type that `encode` takes.
template<class Data>
batch_job to_batch_job(text queue, text kind, const Data& data, managed_push_options options = {})
{
    batch_job job;
    job.queue = std::move(queue);
    job.kind = std::move(kind);
    job.data = encode(data).value();
    job.options = std::move(options);
    return job;
}

/// How to open a batch.
struct batch_options
{
    /// Its id: UTF-8, 1 to 200 bytes. A batch that exists under this id stays as it is. Default: a new UUID (version
    /// 7).
    std::optional<text> id{};

    /// What it is for, for people. UTF-8, at most 1024 bytes.
    text description{};

    /// The batch that this one is inside of, where it counts as a job; that one must not have ended. At most 16 batches
    /// are inside of each other. Default: none.
    std::optional<text> parent{};

    std::optional<batch_job> on_success{}; ///< is pushed when all jobs have succeeded. Default: nothing
    std::optional<batch_job>
        on_done{}; ///< is pushed when all jobs have ended, in whatever way. Default: nothing
    std::optional<batch_job>
        on_failure{}; ///< is pushed when the first job has failed for good. Default: nothing

    /// Write a notice when it has ended, which `coworker notify` sends. If failed jobs of it are retried, it ends once
    /// more, and so does the notice come. See docs/notices.md.
    bool notice = false;

    /// How long its record is kept when it has ended. Zero: until other batches are opened or end.
    option_duration retention{std::chrono::hours{24 * 7}};
};

/// What a batch is at.
enum class batch_state
{
    open,      ///< it does not end yet, even if nothing is pending
    running,   ///< it is sealed, and ends when nothing is pending
    stopping,  ///< it was cancelled, and some of its jobs still run
    succeeded, ///< it has ended: all jobs have succeeded, or there were none
    failed,    ///< it has ended, and some job has failed; it goes on if that one is retried
    cancelled, ///< it has ended, and no job has failed, but it or some job was cancelled
};

/// The state as text: "open", "running", "stopping", "succeeded", "failed" or "cancelled".
std::string_view to_string(batch_state state) noexcept;

/// How far a batch is. Batches inside of it count as one job each.
struct batch_status
{
    std::string id;                        ///< its id
    std::string description;               ///< what it is for
    std::string parent;                    ///< the batch that it is inside of; empty: none
    batch_state state = batch_state::open; ///< what it is at

    std::uint64_t total = 0;     ///< how many jobs there are, those that have ended included
    std::uint64_t pending = 0;   ///< how many have not ended
    std::uint64_t succeeded = 0; ///< how many have succeeded
    std::uint64_t failed = 0;    ///< how many have failed for good, and were not retried
    std::uint64_t cancelled = 0; ///< how many were cancelled or deleted while they were pending

    timestamp opened;               ///< when it was opened, by Redis' clock
    std::optional<timestamp> ended; ///< when it ended; empty: it has not

    std::string problem; ///< why a callback could not be pushed; empty: nothing is wrong

    /// From 0 to 1: which part of its jobs has ended; 0 if there are none.
    double fraction() const noexcept
    {
        return total > 0 ? 1 - static_cast<double>(pending) / static_cast<double>(total) : 0;
    }
};

namespace detail {

/// How many words the scripts tell of a batch.
inline constexpr std::size_t words_of_batch = 15;

/// What they tell.
batch_status read_batch(const std::array<std::string_view, words_of_batch>& texts);

} // namespace detail

/// A part of the list of batches.
struct batch_page
{
    std::vector<batch_status> batches; ///< the newest first
    std::uint64_t total = 0;           ///< how many there are altogether
    std::string next;                  ///< the cursor to go on with; empty: this was the last part
};

/// How many batches there are, by what they are at.
struct batch_counts
{
    std::uint64_t open = 0;      ///< `batch_state::open`
    std::uint64_t running = 0;   ///< `batch_state::running`
    std::uint64_t stopping = 0;  ///< `batch_state::stopping`
    std::uint64_t succeeded = 0; ///< `batch_state::succeeded`, and kept
    std::uint64_t failed = 0;    ///< `batch_state::failed`, and kept
    std::uint64_t cancelled = 0; ///< `batch_state::cancelled`, and kept

    std::uint64_t failing = 0;  ///< those that have not ended although a job has failed
    std::uint64_t problems = 0; ///< those with a callback that could not be pushed

    std::optional<timestamp> oldest; ///< when the oldest was opened that has not ended; empty: all have
};

/// How to cancel a batch.
struct batch_cancel_options
{
    /// Cancel jobs that run as well: their workers are notified, and cancel the handlers.
    bool running = false;
};

/// What became of the jobs of a batch that was cancelled, and of batches inside of it.
struct batch_cancelled
{
    std::uint64_t cancelled = 0; ///< how many jobs were cancelled
    std::uint64_t left = 0; ///< how many were left, because they run, or because other jobs wait for them
};

} // namespace coworker
