// SPDX-License-Identifier: MIT
#include "exec/process_one.hpp"

#include <csignal>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace coworker::exec {
namespace {

bool adopts_orphans()
{
    int is_subreaper = 0;
    ::prctl(PR_GET_CHILD_SUBREAPER, &is_subreaper);
    return ::getpid() == 1 || is_subreaper != 0;
}

int exit_code_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Waits for whoever has ended. Returns the program's exit code, if that is among them.
std::optional<int> reap(pid_t program)
{
    std::optional<int> code;
    int status = 0;
    for (pid_t id = 0; (id = ::waitpid(-1, &status, WNOHANG)) > 0;)
        if (id == program)
            code = exit_code_of(status);
    return code;
}

int watch_over(pid_t program, const sigset_t& signals)
{
    for (;;) {
        if (const auto code = reap(program)) // also before the first signal: some may have ended before
            return *code;
        siginfo_t what{};
        const int number = ::sigwaitinfo(&signals, &what);
        // A terminal tells the program itself.
        const bool is_for_all = what.si_code == SI_KERNEL && number != SIGHUP;
        if (number > 0 && number != SIGCHLD && !is_for_all)
            ::kill(program, number);
    }
}

} // namespace

std::optional<int> stand_in_as_process_one()
{
    if (!adopts_orphans())
        return std::nullopt;
    ::signal(SIGCHLD, SIG_DFL); // where it is ignored there is nothing to wait for
    sigset_t all, before;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, &before);
    const pid_t self = ::getpid(), program = ::fork();
    if (program > 0)
        return watch_over(program, all);
    if (program == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != self) // it was killed just before
            ::_exit(1);
    }
    ::sigprocmask(SIG_SETMASK, &before, nullptr); // without a child it does not reap, but works
    return std::nullopt;
}

} // namespace coworker::exec
