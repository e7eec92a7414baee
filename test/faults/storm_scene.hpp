// SPDX-License-Identifier: MIT
#pragma once

#include "fault_test.hpp"
#include "support/cutting_proxy.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace coworker::test {

/// A `cutting_proxy` with a thread of its own, for tests that do not run a context.
class proxy_thread
{
public:
    proxy_thread(std::string path, std::string server_path);
    ~proxy_thread();

    std::string url();
    void cut();
    /// From the next script call on, no answer comes back, until `cut`.
    void lose_answers();

private:
    void call(std::function<void()> function);

    asio::io_context io_{1};
    asio::executor_work_guard<asio::io_context::executor_type> work_{io_.get_executor()};
    cutting_proxy proxy_;
    std::jthread thread_; ///< last: ends before what it uses
};

/// Workers and producers in processes of their own, most of them behind a proxy, and everything that can befall them.
/// What happens is drawn from a seed: STORM_SEED in the environment repeats a storm, STORM_SECONDS makes it longer.
class storm_scene : public fault_test
{
public:
    using clock = std::chrono::steady_clock;

    explicit storm_scene(std::string queue);

    /// How long leases last here, and so what a frozen process or server is measured by.
    static constexpr std::chrono::milliseconds lease{2'000};

    /// Lets everything work while one fault follows another; at the end nothing is disturbed any more.
    void rage();

    /// Stops the producers and reads what Redis has accepted.
    std::set<std::string> accepted();

    /// Every worker still works: each runs some of the jobs that `push` queues, and ends when it is asked to.
    void check_that_all_work(const std::function<void(std::size_t begin, std::size_t end)>& push);

    /// Each accepted job has run. Prints the account.
    void check_that_nothing_is_lost(const std::set<std::string>& accepted);

    unsigned seed() const noexcept { return seed_; }
    /// How many workers there are, when none is being started again.
    std::int64_t worker_count() const noexcept { return std::ssize(workers_); }

private:
    struct promise ///< to end a disturbance
    {
        clock::time_point when;
        std::function<void()> act;
    };

    void start_all();
    process new_worker(std::size_t place);
    process new_producer(std::size_t place);
    void disturb();
    void undo(clock::time_point until);
    void later(std::chrono::milliseconds after, std::function<void()> act);
    std::chrono::milliseconds some(std::size_t least, std::size_t most)
    {
        return std::chrono::milliseconds{random_between(least, most)};
    }

    void kill_worker();
    void freeze_worker();
    void stop_worker();
    void kill_producer();
    void restart_server();
    void freeze_server();
    void fill_memory();

    unsigned seed_;
    std::chrono::seconds duration_;
    proxy_thread proxy_;
    std::vector<process> workers_, producers_;
    std::vector<bool> frozen_; ///< by place of the worker
    std::size_t next_number_ = 0;
    std::vector<promise> promises_;
    std::map<std::string, int> faults_;
};

} // namespace coworker::test
