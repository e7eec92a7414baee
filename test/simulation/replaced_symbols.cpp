// SPDX-License-Identifier: MIT

// The functions of the C and C++ libraries that a simulation replaces, in its own program: the clocks, the source of random
// numbers, the process id, and the wait for events. Without a simulation they do what they always do.
#include "simulation/simulation.hpp"

#include <chrono>
#include <random>

#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace coworker::test {

namespace {

nanoseconds real_clock(clockid_t which)
{
    timespec now;
    syscall(SYS_clock_gettime, which, &now);
    return now.tv_sec * second + now.tv_nsec;
}

/// The process that runs now in a simulation; null: there is none.
simulated_process* running()
{
    const auto* const all = simulation::present();
    return all != nullptr ? all->current() : nullptr;
}

nanoseconds steady_time()
{
    const auto* const all = simulation::present();
    if (all == nullptr)
        return real_clock(CLOCK_MONOTONIC);
    const auto* const process = all->current();
    return all->now() + (process != nullptr ? process->steady_offset + process->drifted_at(all->now()) : 0);
}

nanoseconds wall_time()
{
    const auto* const all = simulation::present();
    if (all == nullptr)
        return real_clock(CLOCK_REALTIME);
    const auto* const process = all->current();
    return all->wall_time() +
           (process != nullptr ? process->wall_offset + process->drifted_at(all->now()) : 0);
}

} // namespace

} // namespace coworker::test

namespace std {
namespace chrono {
inline namespace _V2 {

steady_clock::time_point steady_clock::now() noexcept
{
    return time_point{nanoseconds{coworker::test::steady_time()}};
}

system_clock::time_point system_clock::now() noexcept
{
    return time_point{nanoseconds{coworker::test::wall_time()}};
}

} // namespace _V2
} // namespace chrono

random_device::result_type random_device::_M_getval()
{
    if (auto* const all = coworker::test::simulation::present())
        return static_cast<result_type>(all->draw_for_program());
    static std::mt19937 other{static_cast<result_type>(coworker::test::real_clock(CLOCK_REALTIME))};
    return static_cast<result_type>(other());
}

} // namespace std

// Where Asio would sleep. It has found out until when, which nothing else tells.
extern "C" int epoll_wait(int fd, epoll_event* events, int size, int timeout)
{
    auto* const process = coworker::test::running();
    const int patience = process != nullptr ? 0 : timeout;
    const auto ready = static_cast<int>(syscall(SYS_epoll_wait, fd, events, size, patience));
    if (process == nullptr || ready != 0 || timeout == 0)
        return ready;
    const auto now = coworker::test::simulation::present()->now();
    process->next_timer = coworker::test::never;
    if (timeout >= 0) // by its own clock
        process->next_timer =
            now + static_cast<coworker::test::nanoseconds>(
                      static_cast<double>(timeout * coworker::test::millisecond) / (1 + process->drift));
    process->io->stop(); // it has nothing to do
    return 0;
}

extern "C" pid_t getpid() noexcept
{
    const auto* const process = coworker::test::running();
    return process != nullptr ? 1000 + process->number : static_cast<pid_t>(syscall(SYS_getpid));
}
