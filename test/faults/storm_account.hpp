// SPDX-License-Identifier: MIT
#pragma once

#include "support/account.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace coworker::test {

/// The account that simulations keep, of a storm: fed with what its processes have written down. In real time nobody
/// knows in which order two processes began a job, nor who had it when its end was told. So of runs only those are fed
/// that succeeded, without a process; and what was heard of ends is fed behind all of them.
class storm_account : private world_of_jobs
{
public:
    using ask_function = std::function<std::vector<std::string>(const std::vector<std::string>& words)>;

    /// @param path  what the processes have written
    /// @param is_managed  whether the jobs are in managed queues
    /// @param ask   puts a command to Redis. None: what it has counted is not asked for
    storm_account(std::string path, bool is_managed, ask_function ask)
        : path_{std::move(path)}, is_managed_{is_managed}, ask_{std::move(ask)}
    {}

    /// Feeds it, and checks it: once, when nothing is left to do. Returns what is not as it has to be.
    const std::vector<std::string>& check();

    account jobs{*this};

private:
    nanoseconds now() const override { return 0; }
    nanoseconds wall_time() const override { return wall_time_; }
    nanoseconds redis_disturbed_until() const override { return never; }
    std::vector<std::string> ask(const std::vector<std::string>& words) override { return ask_(words); }
    void tell(std::string_view, std::string_view) override {}

    void read();
    job_record& job_of(const std::string& queue, const std::string& id);
    void feed_push(std::istream& words);
    void feed_run(const std::string& line, std::istream& words);
    void feed_event(const std::string& kind, std::istream& words);

    std::string path_;
    bool is_managed_;
    ask_function ask_;
    nanoseconds wall_time_ = 0;
    std::map<std::string, int> runs_; ///< by line
};

} // namespace coworker::test
