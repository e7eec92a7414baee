// SPDX-License-Identifier: MIT
#pragma once

#include "fault_scene.hpp"
#include "support/redis_test.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace coworker::test {

/// How a worker process works.
struct fault_worker_options
{
    unsigned concurrency = 20;
    std::chrono::milliseconds lease{60'000}; ///< long: nothing is to rest on its end unless a test says so
    std::chrono::milliseconds handler{5};
    std::chrono::milliseconds drain{10'000};
    bool effects = false; ///< its jobs have effects
    bool results = false; ///< its jobs are done in parts, with checkpoints, and have results
    bool batches = false; ///< of its jobs in batches, some fail, and some add jobs
    bool threads = false; ///< its handlers run on a pool of two threads
    bool many = false;    ///< each handler gets up to ten jobs
};

/// A server, a queue, worker processes, and what they have done.
struct fault_test : redis_test, fault_scene
{
    explicit fault_test(redis_server_options options = {}, std::string queue = "q");

    /// Starts a worker process on the queue.
    process start_worker(fault_worker_options options = {}) const;
    std::vector<process> start_workers(int count, fault_worker_options options = {}) const;

    /// Lets three workers work at the jobs that wait, and kills one of them several times, each time after some runs.
    /// Returns those that work in the end.
    std::vector<process> kill_workers(std::size_t times, std::size_t jobs, fault_worker_options options = {});
    /// Lets three workers work at the jobs for some runs and kills them at once; several times.
    void kill_all_workers(std::size_t times, std::size_t jobs, fault_worker_options options = {});
    /// Lets two workers work for up to `most` of the jobs, tells both to stop, and waits until they have.
    void work_and_stop(fault_worker_options options, std::size_t most, std::size_t jobs);

    /// Queues the numbers from `begin` to `end` - 1, as a program does that knows nothing of coworker.
    void push_numbers(std::size_t begin, std::size_t end);

    /// Waits until a worker is connected, so that it listens to signals.
    void wait_until_it_listens(const process& worker);

    /// Waits until so many runs have ended.
    void wait_for_runs(std::size_t count);
    /// Waits for one to `most` further runs; for fewer where all of the jobs have run meanwhile, as they may when
    /// the machine lets the workers go on and not the test.
    void wait_for_some_runs(std::size_t most, std::size_t jobs);
    /// Waits until each of the numbers from 0 to `count` - 1 has run and nothing is in progress.
    void wait_for_jobs(std::size_t count);

    /// Nothing waits, runs, was given up or is broken; and so many jobs have been acknowledged, once each.
    void check_all_done(std::size_t acknowledged);

    std::int64_t waiting() { return server("LLEN", "hworker-jobs-q").integer; }
    std::int64_t in_progress() { return server("HLEN", "hworker-progress-q").integer; }
    /// Nothing waits, and nothing runs.
    bool is_idle() { return server.has_none("hworker-jobs-q", "hworker-progress-q"); }
    std::int64_t acknowledged();

protected:
    std::string situation() override;
};

} // namespace coworker::test
