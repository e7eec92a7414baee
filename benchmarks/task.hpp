// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// A part of a benchmark that one process does. The drivers of the peers understand the same words:
/// `DRIVER URL push|work COUNT HOW`.
struct task
{
    /// list, managed; list.bare, managed.bare, pop.bare: a ceiling; beanstalkd: a peer
    std::string kind;
    std::string url;
    std::string
        what; ///< push, work until `count` jobs were handled, step: what a single job asks of Redis, or stand: work until SIGTERM
    long count = 1;
    /// push: one (after another), flight (100 at a time), bulk, paced (now and then), rate (see there).
    /// work: drain, or latency (how long each job took from its push to its handler).
    /// step: push, fetch, or renew.
    /// stand, `count` jobs at a time: hold (jobs go on until SIGTERM; those that are urgent keep the loop busy for
    /// `handler_ms`), or note (they end at once, and a number that is a time counts as with latency).
    std::string how;

    std::size_t size = 0;  ///< bytes of a job, about; 0: 100
    long queues = 1;       ///< how many queues the jobs are in
    long partitions = 0;   ///< of a list queue
    long replicas = 0;     ///< that have to have each job before its push completes
    double handler_ms = 0; ///< how long a handler waits
    double rate = 0;       ///< jobs per second that are pushed

    std::vector<std::string> words() const;
};

/// What it came to.
struct measured
{
    double seconds = 0;                ///< from the first job to the last
    double cpu = 0;                    ///< seconds of this process meanwhile
    double p50 = 0, p99 = 0, p999 = 0; ///< of the latencies, in microseconds
    double count = 0;                  ///< of requests, where their number is not fixed
};

/// Does it in this process. `ready` is called when a worker is about to begin.
measured perform(const task& what, const std::function<void(const std::string&)>& ready = {});

} // namespace bench
