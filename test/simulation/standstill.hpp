// SPDX-License-Identifier: MIT
#pragma once

#include "simulation/world.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace coworker::test {

class account;
class simulation;

/// How long something may wait.
struct patience_of_standstill
{
    nanoseconds settle =
        45 * second; ///< a worker, or Redis, counts as well when it has been undisturbed so long
    nanoseconds bound = 20 * second; ///< then nothing that could go on stands still for longer
    nanoseconds lease = 35 * second; ///< of a job, with all that is added to it
    int places = 7;                  ///< a worker that runs fewer handlers has a place
};

/// Looks again and again for what could go on and does not, while a worker is free: a job that could be taken, one that is due,
/// one whose lease has ended, one that waits for what has ended, or is held back by nothing.
class standstill
{
public:
    standstill(simulation& all, account& jobs, patience_of_standstill how) : all_{all}, jobs_{jobs}, how_{how}
    {}

    /// @param lists, managed  the queues
    void look(const std::vector<std::string>& lists, const std::vector<std::string>& managed);
    int looks() const noexcept { return looks_; }

private:
    bool is_calm() const;
    void look_at_list(const std::string& queue);
    void look_at_managed(const std::string& queue);
    void look_at_parked(const std::string& queue);
    std::set<std::string> held_limits();
    void look_at_dependent(const std::string& queue);
    /// It could go on. @param beyond  for how much longer than others it may do nothing
    void note(const std::string& what, nanoseconds beyond = 0);

    simulation& all_;
    account& jobs_;
    patience_of_standstill how_;
    std::vector<std::string> managed_;         ///< the queues
    std::map<std::string, nanoseconds> since_; ///< what could go on, and for how long already
    std::set<std::string> seen_;               ///< in this look
    int looks_ = 0;
};

} // namespace coworker::test
