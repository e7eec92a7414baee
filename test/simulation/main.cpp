// SPDX-License-Identifier: MIT

// Runs coworker, its scripts and a real Redis in a world of virtual time that follows from a seed.
#include "simulation/options.hpp"
#include "simulation/scene.hpp"
#include "support/temporary_folder.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>

#include <sched.h>
#include <sys/personality.h>
#include <unistd.h>

using namespace coworker::test;

namespace {

/// Addresses are to be the same each time. @return whether they are
bool fix_addresses(char** arguments)
{
    if ((::personality(0xffffffff) & ADDR_NO_RANDOMIZE) != 0)
        return true;
    if (std::getenv("COWORKER_SIMULATION_AGAIN") != nullptr || ::personality(ADDR_NO_RANDOMIZE) < 0)
        return false;
    ::setenv("COWORKER_SIMULATION_AGAIN", "1", 1);
    ::execv("/proc/self/exe", arguments);
    return false;
}

/// The program and Redis take turns, so on one core neither waits for another core to wake.
void stay_on_this_core()
{
    const int here = ::sched_getcpu();
    if (here < 0)
        return;
    cpu_set_t core;
    CPU_ZERO(&core);
    CPU_SET(static_cast<std::size_t>(here), &core);
    ::sched_setaffinity(0, sizeof core, &core); // without it, it is slower
}

/// Ends the processes while the scene is still there that their handlers refer to.
class end_of_processes
{
public:
    explicit end_of_processes(simulation& all) : all_{all} {}
    ~end_of_processes()
    {
        all_.record().prints_events = all_.record().prints_wire = false;
        for (const auto& each : all_.processes())
            all_.kill(*each);
    }
    end_of_processes(const end_of_processes&) = delete;
    end_of_processes& operator=(const end_of_processes&) = delete;

private:
    simulation& all_;
};

void report(const simulation_command& command, simulation& all, const scene& played)
{
    const auto& jobs = played.accounts();
    const auto& net = all.network().count;
    for (const auto& what : jobs.violations())
        std::cout << "  violation: " << what << '\n';
    std::printf("%s seed %llu: %s, %.1f hours, jobs %zu, jobs each %d, runs %d, retried %d, lost leases %d, "
                "recovered %d, in doubt %d, checks %d, orders %d, looks %d, faults %llu, cuts %llu, holds "
                "%llu, silences %llu, last words %llu, pieces "
                "%llu, turns of Redis "
                "%llu, begin %016llx, trace "
                "%016llx\n",
                command.scene.c_str(), static_cast<unsigned long long>(command.seed),
                jobs.violations().empty() ? "well" : "WRONG",
                static_cast<double>(all.now() - all.record().zero) / hour, jobs.jobs().size(),
                played.jobs_each(), jobs.count.runs, jobs.count.retried, jobs.count.lost_leases,
                jobs.count.recovered, jobs.count.in_doubt, jobs.count.checks, jobs.count.orders,
                played.looks(), static_cast<unsigned long long>(all.faults()),
                static_cast<unsigned long long>(net.cuts), static_cast<unsigned long long>(net.holds),
                static_cast<unsigned long long>(net.silences),
                static_cast<unsigned long long>(net.last_words), static_cast<unsigned long long>(net.pieces),
                static_cast<unsigned long long>(all.redis().turns()),
                static_cast<unsigned long long>(played.trace_of_begin()),
                static_cast<unsigned long long>(all.record().hash()));
    std::fflush(stdout);
}

int run_one(const simulation_command& command)
{
    const temporary_folder folder{memory_if_possible()};
    if (::chdir(folder.path().c_str()) != 0)
        return something_is_wrong;
    simulation_options how;
    how.seed = command.seed;
    how.server = command.server;
    how.library = COWORKER_REDIS_SHIM;
    how.faults = command.faults;
    how.prints_events = command.print || command.wire;
    how.prints_wire = command.wire;
    scene_options wanted{command.scene, command.seed, command.jobs, command.only_begin};
    prepare(how, command.scene);
    simulation all{how};
    const auto played = make_scene(all, wanted);
    const end_of_processes last{all};
    bool is_good = false;
    try {
        is_good = played->play();
    } catch (const not_preloaded& error) {
        std::cout << "simulation: skipped: " << error.what() << '\n';
        return not_possible_here;
    }
    report(command, all, *played);
    return is_good ? all_is_well : something_is_wrong;
}

} // namespace

int main(int count, char** words)
{
    const auto command = read_command({words + 1, words + count});
    if (!command)
        return not_understood;
    if (command->is_series())
        return run_series(*command);
    if (!fix_addresses(words)) {
        std::cout << "simulation: skipped: the addresses of a program cannot be fixed here (personality)\n";
        return not_possible_here;
    }
    stay_on_this_core();
    try {
        return run_one(*command);
    } catch (const std::exception& error) {
        std::cout << "simulation: " << error.what() << '\n';
        return something_is_wrong;
    }
}
