// SPDX-License-Identifier: MIT
#pragma once

#include "fault_scene.hpp"
#include "storm_account.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::test {

/// Workers and producers in processes of their own, and everything that can befall them. What happens is drawn from a
/// seed: STORM_SEED in the environment repeats a storm, STORM_SECONDS makes it longer, STORM_OTHER mixes releases.
class storm_scene
{
public:
    using clock = std::chrono::steady_clock;

    struct options
    {
        /// Where the worker, and the producer, of this place reaches Redis.
        std::function<std::string(std::size_t place)> url_of;
        /// Puts a command to Redis, of which the account asks what it has counted. None: of that it asks nothing.
        storm_account::ask_function ask{};
        std::vector<std::string> producer_words{}; ///< behind those that each producer gets
    };

    struct fault
    {
        std::string name;
        int weight; ///< how often it happens, compared with others
        std::function<void()> act;
    };

    storm_scene(fault_scene& scene, options how);

    /// How long leases last here, and so what a frozen process or server is measured by.
    static constexpr std::chrono::milliseconds lease{2'000};

    /// Lets everything work while one fault follows another, these among them; at the end nothing is disturbed any more.
    void rage(std::vector<fault> faults_of_servers);

    /// Does this in a while, at the latest when the storm ends: what ends a fault.
    void later(std::chrono::milliseconds after, std::function<void()> act);
    std::chrono::milliseconds some(std::size_t least, std::size_t most)
    {
        return std::chrono::milliseconds{scene_.random_between(least, most)};
    }

    void stop_producers();

    /// Every worker still works: each runs some of the jobs that `push` queues, and ends when it is asked to.
    void check_that_all_work(const std::function<void(std::size_t begin, std::size_t end)>& push);

    /// What has to be true of every job, as in a simulation. Prints the account. The producers have ended.
    ///
    /// @param folders  of the servers, where their append-only files tell what became of a job
    void check_account(const std::vector<std::string>& folders);

    unsigned seed() const noexcept { return seed_; }
    /// How many workers there are, when none is being started again.
    std::int64_t worker_count() const noexcept { return std::ssize(workers_); }

private:
    struct promise ///< to end a disturbance
    {
        clock::time_point when;
        std::function<void()> act;
    };

    bool is_managed() const { return scene_.works_on.starts_with(managed_); }
    std::string account_file() const;
    void print(const storm_account& all) const;

    static constexpr std::string_view managed_ = "managed:";

    void start_all();
    process new_worker(std::size_t place);
    process new_producer(std::size_t place);
    std::vector<fault> faults_of_processes();
    void disturb(const std::vector<fault>& faults);
    void undo(clock::time_point until);

    void kill_worker();
    void freeze_worker();
    void stop_worker();
    void kill_producer();

    fault_scene& scene_;
    options how_;
    unsigned seed_;
    std::chrono::seconds duration_;
    std::vector<process> workers_, producers_;
    std::vector<bool> frozen_; ///< by place of the worker
    std::size_t next_number_ = 0;
    std::vector<promise> promises_;
    std::map<std::string, int> counts_; ///< of the faults
};

} // namespace coworker::test
