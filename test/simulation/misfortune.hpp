// SPDX-License-Identifier: MIT
#pragma once

#include "simulation/random_stream.hpp"
#include "simulation/simulation.hpp"
#include "support/account.hpp"

#include <functional>
#include <vector>

namespace coworker::test {

/// What befalls processes and Redis, one thing after another. Weights say how often, compared with others.
class misfortune
{
public:
    struct weights
    {
        int kill = 3, freeze = 2, set_clock = 1, drift = 1; ///< of a process
        int freeze_redis = 1, kill_redis = 1, lose_writes = 1, fill_memory = 1, read_only = 1;
        int flush_scripts = 1, close_connections = 1;
    };

    misfortune(simulation& all, account& jobs, std::vector<simulated_process*> victims, weights how);

    /// Strikes again and again, after pauses of up to `longest_pause`.
    void begin(nanoseconds longest_pause);

private:
    void strike();
    void kill_process();
    void freeze_process();
    void set_clock();
    void let_clocks_drift();
    void kill_redis();
    void lose_writes();
    void configure_for_a_while(const char* option, const char* value, const char* usual);
    void be_replica_for_a_while();
    simulated_process& victim() { return *victims_[random_.below(victims_.size())]; }

    simulation& all_;
    account& jobs_;
    random_stream random_;
    std::vector<simulated_process*> victims_;
    std::vector<std::function<void()>> strikes_;
    nanoseconds longest_pause_ = 0;
};

} // namespace coworker::test
