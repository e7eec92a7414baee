// SPDX-License-Identifier: MIT
#pragma once

#include "signal.hpp"
#include "worker/job_events.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace coworker::detail {

class queue_runner;

/// Has the acknowledgements of a queue confirmed, and tells of the jobs' ends when they are. There is one confirmation
/// under way at a time, for all jobs that were acknowledged before it began.
class confirmer
{
public:
    confirmer(queue_runner& queue, worker_life& life);

    /// Throws why the source cannot do this.
    void begin();
    bool is_wanted() const noexcept { return is_wanted_; }

    /// The job is acknowledged.
    void add(const running_job& job);
    asio::awaitable<void> confirm_loop();
    /// Every acknowledgement has been confirmed, or told to be unconfirmed.
    bool is_idle() const noexcept { return waiting_.jobs == 0 && asked_.jobs == 0; }
    /// After the loop has ended: what is left is not confirmed.
    void give_up();

private:
    struct batch
    {
        std::size_t jobs = 0;
        std::vector<job_end> ends; ///< of these jobs, if anybody observes them
    };

    asio::awaitable<std::string> confirm();
    void tell(batch& what, const std::string& why_not);

    queue_runner& queue_;
    worker_life& life_;
    bool is_wanted_ = false;
    batch waiting_; ///< acknowledged since the confirmation under way began
    batch asked_;   ///< for which it is under way
    signal has_waiting_;
};

} // namespace coworker::detail
