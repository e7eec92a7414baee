// SPDX-License-Identifier: MIT
#pragma once

#include "signal.hpp"
#include "worker/running_job.hpp"

#include <string>
#include <vector>

namespace coworker::detail {

/// Of a checkpoint, in bytes.
inline constexpr std::size_t largest_checkpoint = 1024 * 1024;

/// Has stored what handlers tell of their jobs: progress, of which only the latest counts, and checkpoints.
class note_keeper
{
public:
    explicit note_keeper(queue_runner& queue);

    /// Stores progress whenever there is any, and then rests.
    asio::awaitable<void> send_loop();

    void note(running_job& job, job_progress progress);
    asio::awaitable<result<void>> save(running_job& job, std::string checkpoint);
    asio::awaitable<std::string> checkpoint(running_job& job);
    /// The job has ended: how far it was is of no interest any more.
    void remove(running_job& job);

private:
    asio::awaitable<void> send();
    asio::awaitable<void> send_some();

    queue_runner& queue_;
    std::vector<running_job*> noted_;   ///< jobs with progress that is not stored
    std::vector<running_job*> sending_; ///< those whose turn it is; the others have told theirs since
    signal has_notes_;
};

} // namespace coworker::detail
