#pragma once

#include "program/demo/file_queue.hpp"
#include "program/demo/progress.hpp"
#include "program/demo/report.hpp"
#include "program/demo/worker_pair.hpp"

#include <coworker/worker.hpp>

#include <boost/asio/steady_timer.hpp>

#include <functional>

namespace coworker::demo {

/// Watches two workers empty the queue, and kills one of them when half of the results are there.
class crash_test
{
public:
    /// @param found  gets the results and the story of the crash
    /// @param check  called again and again; throws if something else than the killed worker has ended
    crash_test(file_queue& jobs, worker_pair& workers, progress& shown, findings& found,
               std::function<void()> check);

    /// Returns when all jobs have ended and all results have arrived.
    asio::awaitable<void> run();

private:
    asio::awaitable<void> watch(worker& collector);
    asio::awaitable<void> note_held_jobs();
    void collect(const file_result& result);
    void kill_worker(unsigned number);

    file_queue* jobs_;
    list_queue<file_result> results_;
    worker_pair* workers_;
    progress* shown_;
    findings* found_;
    std::function<void()> check_;
    asio::steady_timer timer_;
    bool held_jobs_noted_ = false;
};

} // namespace coworker::demo
