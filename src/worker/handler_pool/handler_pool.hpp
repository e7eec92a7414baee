// SPDX-License-Identifier: MIT
#pragma once

#include "worker/dispatcher/dispatcher.hpp"
#include "worker/running_jobs.hpp"
#include "worker/worker_life.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <deque>
#include <list>
#include <optional>
#include <vector>

namespace coworker::detail {

/// Runs the handlers of the jobs that a worker holds, as many together as the worker and the queues allow, and ends
/// them: a few coroutines, each of which goes from one job to the next. Jobs that were fetched ahead wait here; those
/// that wait for too long go back to their queue.
class handler_pool
{
public:
    using clock = running_job::clock;

    handler_pool(worker_life& life, dispatcher& dispatch)
        : life_{life}, dispatcher_{dispatch}, look_timer_{life.get_executor()}
    {}

    running_jobs& jobs() noexcept { return jobs_; }

    /// The job's handler is called by a `start`, when there is a place.
    void add(running_job& job) { ready_.push_back(&job); }
    /// Calls the handlers of jobs that are ready, as long as there are places. If the worker stops, none is called, and
    /// all of these jobs go back.
    void start();
    /// There is nothing more to wait for.
    void end_looks() { look_timer_.cancel(); }
    bool is_idle() const { return runners_.empty() && ready_.empty() && !any_held_back(); }
    /// If the executor of this queue's handlers has stopped, nobody goes on with those that have begun: the worker ends,
    /// and their jobs run again when their leases end.
    void look_at_executor(queue_runner& queue);

    /// The job has its outcome, whether or not its handler was called.
    void finish(running_job& job, outcome result);

    /// Cancels the job's handler, if it runs.
    void tell_to_end(running_job& job, end_reason why);
    void tell_all_to_end(end_reason why);
    /// The worker stops: jobs that wait for others, with which they were to run, go back.
    void end_gathering();
    /// Does so when that time has come. `time_point::max()`: never.
    void limit_run(running_job& job, clock::time_point when, end_reason why);

private:
    void make_runners();
    asio::awaitable<void> run_handlers(handler_runner& runner);
    void runner_failed(const handler_runner& runner, std::exception_ptr error);
    void yield_turn();
    bool is_next_ready();
    bool may_start(running_job& job, clock::time_point now);
    void begin_run(running_job& job, clock::time_point now);
    std::optional<asio::awaitable<outcome>> call_handler(running_job& job);
    void apply_limits(running_job& job);
    static outcome conclude_job(const running_job& job, const handler_end& end);
    void handler_ended(running_job& job, handler_end end);
    bool any_held_back() const;
    void look_later();
    void look_at_waiting();
    void give_back(std::deque<running_job*>& waiting, std::size_t excess);

    worker_life& life_;
    dispatcher& dispatcher_;
    running_jobs jobs_;
    std::deque<running_job*> ready_; ///< of these, those to be started
    std::vector<std::deque<running_job*>>
        held_back_;                 ///< by group of queues: those that wait for a place of it
    asio::steady_timer look_timer_; ///< until it is seen whether jobs wait for too long
    bool will_look_ = false;
    std::list<handler_runner> runners_;
    bool one_begins_ = false; ///< a runner was made and has not begun
    bool begin_late_ = false; ///< they do not begin at once: the executor runs nothing inside of what it runs
    bool turn_is_over_ = false; ///< others on the executor have theirs
    clock::time_point turn_ends_{};
    clock::time_point now_{}; ///< when the last handler ended, or the first one was called
};

} // namespace coworker::detail
