// SPDX-License-Identifier: MIT
#pragma once

#include "support/process.hpp"
#include "support/redis_server.hpp"
#include "task.hpp"

#include <algorithm>
#include <memory>

/// Where a benchmark is carried out: a private Redis, and processes beside this one.
namespace bench {

using coworker::test::process;
using coworker::test::redis_server;
using coworker::test::redis_server_options;
using coworker::test::temporary_folder;

/// A process that does a part of a benchmark. Killed when this object ends.
class part
{
public:
    explicit part(const std::vector<std::string>& command_line);

    /// Waits until it says that it is ready; returns what else it says on that line.
    std::string wait_until_ready(std::string_view words = "ready");
    /// Waits for its end. Throws with its output if it failed, or does not end.
    measured result();
    /// Asks it to end, and waits. Returns its output.
    std::string stop();
    /// All that it has written.
    std::string output() const;

private:
    [[noreturn]] void fail(const std::string& why) const;

    temporary_folder folder_;
    std::string name_;
    std::unique_ptr<process> process_;
};

bool is_installed(const std::string& program);
/// Says that some figures are missing.
void skip(const std::string& what, const std::string& why);

/// Seconds of CPU that a server has used.
double cpu_of(redis_server& server);

class stage
{
public:
    /// @param brief  do a hundredth of everything: only to see that it works
    explicit stage(bool brief) : brief_{brief} {}

    redis_server& redis() { return redis_; }
    std::string socket_url() const { return redis_.url(); }
    std::string tcp_url() const { return redis_.tcp_url(); }
    void empty() { redis_("FLUSHALL"); }
    /// Seconds of CPU that Redis has used.
    double redis_cpu() { return cpu_of(redis_); }

    bool brief() const noexcept { return brief_; }
    long some(long count) const noexcept { return brief_ ? std::max(count / 100, 10L) : count; }

    /// Does a task in a process of its own.
    measured apart(const task& what) { return part{what.words()}.result(); }

private:
    bool brief_;
    redis_server redis_{redis_server_options{.tcp = true}};
};

/// Jobs per second of a push, in a process of its own or in this one.
double push_rate(stage& on, const task& what, bool apart = true);

/// What it takes to work off some jobs that were pushed before.
struct drained
{
    double rate = 0;      ///< jobs per second
    double redis_us = 0;  ///< of Redis' CPU, per job
    double worker_us = 0; ///< of the worker's
};

/// Pushes the jobs, then works them off, in a process of its own or in this one.
drained drain(stage& on, const task& work, bool apart = true);

/// How long jobs take from a push to their handler, with a worker and a producer in processes of their own.
measured latency(const std::vector<std::string>& worker, const std::vector<std::string>& producer);
/// The same of this worker, which is idle before each job.
measured idle_latency(const task& work);

} // namespace bench
