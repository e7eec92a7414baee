// SPDX-License-Identifier: MIT
#pragma once

#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace coworker::test {

/// The lines that worker processes have written, one per finished run.
class run_record
{
public:
    explicit run_record(std::string path) : path_{std::move(path)} {}

    const std::string& path() const noexcept { return path_; }

    /// Reads what is new.
    run_record& refresh();

    std::size_t runs() const noexcept { return runs_; }          ///< of all jobs
    std::size_t jobs() const noexcept { return by_job_.size(); } ///< that have run
    std::size_t runs_of(const std::string& job) const;
    /// Jobs that have run more than once.
    std::size_t repeated() const;
    /// How many of the numbers from 0 to `count` - 1 have not run.
    std::size_t missing(std::size_t count) const;
    std::size_t runs_by(pid_t process) const;
    /// What has run, the first that ended first; a job as often as it has run.
    std::vector<std::string> in_order() const;

private:
    std::string path_;
    std::size_t read_ = 0; ///< bytes
    std::size_t runs_ = 0;
    std::unordered_map<std::string, std::size_t> by_job_;
    std::map<std::string, std::size_t> by_process_;
};

/// A queue, the processes that work on it, and what they have done.
class fault_scene
{
public:
    const std::string works_on; ///< that workers take from; with "managed:" in front, a managed one
    temporary_folder records;   ///< of the processes
    run_record record{records.file("runs")};
    std::mt19937 random;

    explicit fault_scene(std::string queue);
    virtual ~fault_scene() = default;
    fault_scene(const fault_scene&) = delete;
    fault_scene& operator=(const fault_scene&) = delete;

    /// Looks again and again until the condition holds. Throws, with what is where and the workers' logs, when it does
    /// not in time.
    void wait_until(const std::string& what, const std::function<bool()>& condition);

    /// What an operator does, again and again, whatever else happens.
    virtual void look_after_servers() {}

    /// Waits until a worker has run something. There has to be enough to do that others leave something to it.
    void wait_until_it_works(const process& worker);

    std::size_t random_between(std::size_t least, std::size_t most)
    {
        return std::uniform_int_distribution<std::size_t>{least, most}(random);
    }

    std::string log_in(const std::string& file) const;
    std::string worker_log() const { return log_in("workers.log"); }

protected:
    /// What is where, for somebody who asks why nothing happens.
    virtual std::string situation() = 0;
};

} // namespace coworker::test
