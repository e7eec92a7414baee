// SPDX-License-Identifier: MIT
#pragma once

#include "task.hpp"
#include "workload.hpp"

#include <boost/asio/awaitable.hpp>

/// What is behind `perform`: one coroutine for each kind of task.
namespace bench {

/// The time and this process' CPU since it was made.
class meter
{
public:
    meter();
    measured stop() const;

private:
    clock::time_point begin_ = clock::now();
    double cpu_;
};

/// How long jobs took from their push to their handler.
class latencies
{
public:
    /// Notes a job that was pushed then, in nanoseconds of the steady clock.
    void note(long pushed) { samples_.push_back(now() - pushed); }
    /// Without the first tenth, in which processes begin.
    void tell(measured& to);
    static long now();

private:
    std::vector<long> samples_;
};

/// Called when a worker is about to begin.
using announce = std::function<void(const std::string&)>;

std::string queue_name(long number);
coworker::list_queue<letter> open_list_queue(const coworker::client& redis, long number, const task& what);

asio::awaitable<measured> push_to_list(coworker::client& redis, const task& what);
asio::awaitable<measured> push_to_managed(coworker::client& redis, const task& what);
asio::awaitable<measured> push_barely(coworker::client& redis, const task& what);
asio::awaitable<measured> work_on_list(coworker::client& redis, const task& what, const announce& ready);
asio::awaitable<measured> work_on_managed(coworker::client& redis, const task& what, const announce& ready);

// Ceilings: what the same work takes at least.

/// Two loops that call the list queue's script with as many jobs as there are, and look at nothing else.
asio::awaitable<measured> loop_on_list(coworker::client& redis, const task& what);
/// Two loops that acknowledge and fetch through the managed queue's `job_source`.
asio::awaitable<measured> loop_on_managed(coworker::client& redis, const task& what);
/// A job that is pushed into an empty queue again and again; `fetch`: and fetched each time. `renew`: leases of 60 jobs that
/// were fetched one by one are renewed, `count` times.
asio::awaitable<measured> step_on_list(coworker::client& redis, const task& what);
asio::awaitable<measured> step_on_managed(coworker::client& redis, const task& what);
/// A loop of BLPOP.
asio::awaitable<measured> pop_barely(coworker::client& redis, const task& what, const announce& ready);

/// Works with default options until SIGTERM; see `task::how`. The time is that from SIGTERM to the end.
measured stand(const task& what, const announce& ready);

/// What a program does that uses beanstalkd instead.
measured perform_on_beanstalkd(const task& what, const announce& ready);

} // namespace bench
