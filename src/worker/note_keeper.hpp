// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job_source.hpp"
#include "signal.hpp"
#include "worker/running_job.hpp"
#include "worker/task_group.hpp"

#include <memory>
#include <string>
#include <vector>

namespace coworker::detail {

/// Of a checkpoint, in bytes.
inline constexpr std::size_t largest_checkpoint = 1024 * 1024;

/// Has stored what handlers tell of their jobs: progress, of which only the latest counts, lines of their logs, and
/// checkpoints.
class note_keeper
{
public:
    explicit note_keeper(queue_runner& queue);

    /// Stores progress and logs whenever there are any, and then rests.
    ///
    /// @param group  where the last lines of jobs that end are stored
    asio::awaitable<void> send_loop(std::shared_ptr<task_group> group);

    void note(running_job& job, job_progress progress);
    void log(running_job& job, logged_line line);
    asio::awaitable<result<void>> save(running_job& job, std::string checkpoint);
    asio::awaitable<std::string> checkpoint(running_job& job);
    /// The job has ended: how far it was is of no interest any more. What it has logged is stored before it is
    /// acknowledged: `running_job::noting` calls do that, and
    /// `queue_runner::noted` is called behind each.
    void job_ended(running_job& job);

private:
    asio::awaitable<void> send();
    asio::awaitable<void> send_some();
    asio::awaitable<void> store_last(running_job& job, std::vector<noted_line> log);
    /// What of the job is to be stored. Nothing for a source that keeps no notes.
    told_note* note_of(running_job& job);
    void remove(running_job& job);

    queue_runner& queue_;
    std::weak_ptr<task_group> group_;
    std::vector<running_job*> noted_;   ///< jobs with something that is not stored
    std::vector<running_job*> sending_; ///< those whose turn it is; the others have told theirs since
    signal has_notes_;
};

} // namespace coworker::detail
