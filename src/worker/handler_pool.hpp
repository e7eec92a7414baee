// SPDX-License-Identifier: MIT
#pragma once

#include "worker/running_jobs.hpp"
#include "worker/worker_life.hpp"

#include <boost/asio/awaitable.hpp>

#include <deque>
#include <list>
#include <optional>

namespace coworker::detail {

/// Runs the handlers of the jobs that a worker holds, and ends them: a few coroutines, each of which goes from one job
/// to the next.
class handler_pool
{
public:
    using clock = running_job::clock;

    explicit handler_pool(worker_life& life) : life_{life} {}

    running_jobs& jobs() noexcept { return jobs_; }

    /// The job's handler is called by the next `start`.
    void add(running_job& job) { ready_.push_back(&job); }
    /// Calls the handlers of all jobs that are ready.
    void start();
    bool is_idle() const noexcept { return runners_.empty() && ready_.empty(); }

    /// The job has its outcome, whether or not its handler was called.
    void finish(running_job& job, outcome result);

    /// Cancels the job's handler, if it runs.
    void tell_to_end(running_job& job, end_reason why);
    void tell_all_to_end(end_reason why);
    /// Does so when that time has come. `time_point::max()`: never.
    void limit_run(running_job& job, clock::time_point when, end_reason why);

private:
    asio::awaitable<void> run_handlers(handler_runner& runner);
    void runner_failed(const handler_runner& runner, std::exception_ptr error);
    void yield_turn();
    bool may_start(running_job& job, clock::time_point now);
    std::optional<asio::awaitable<outcome>> call_handler(running_job& job, clock::time_point now);
    void apply_limits(running_job& job);
    void handler_ended(running_job& job, handler_end end);

    worker_life& life_;
    running_jobs jobs_;
    std::deque<running_job*> ready_; ///< of these, those to be started
    std::list<handler_runner> runners_;
    bool turn_is_over_ = false; ///< others on the executor have theirs
    clock::time_point turn_ends_{};
};

} // namespace coworker::detail
