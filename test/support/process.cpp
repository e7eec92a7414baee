// SPDX-License-Identifier: MIT
#include "support/process.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace coworker::test {
namespace {

/// In the child, where only async-signal-safe calls are allowed.
[[noreturn]] void become(char* const* arguments, const char* log, pid_t parent)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
        ::_exit(126);
    const int output = ::open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const int input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(input, 0);
    ::dup2(output, 1);
    ::dup2(output, 2);
    ::close_range(3, ~0U, 0); // sockets of the test, which would stay open when the test closes them
    ::execvp(arguments[0], arguments);
    ::_exit(127);
}

int exit_code_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

} // namespace

process::process(const std::vector<std::string>& command_line, const std::string& log)
{
    std::vector<std::string> words = command_line;
    std::vector<char*> arguments;
    for (auto& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t parent = ::getpid();
    id_ = ::fork();
    if (id_ < 0)
        throw std::system_error{errno, std::generic_category(), "fork"};
    if (id_ == 0)
        become(arguments.data(), log.c_str(), parent);
}

process::~process()
{
    kill();
}

process& process::operator=(process&& other) noexcept
{
    kill();
    id_ = std::exchange(other.id_, 0);
    exit_code_ = other.exit_code_;
    return *this;
}

void process::signal(int number)
{
    if (id_ != 0)
        ::kill(id_, number);
}

int process::wait()
{
    int status = 0;
    while (id_ != 0) {
        if (::waitpid(id_, &status, 0) == id_) {
            id_ = 0;
            exit_code_ = exit_code_of(status);
        } else if (errno != EINTR) {
            throw std::system_error{errno, std::generic_category(), "waitpid"};
        }
    }
    return exit_code_;
}

void process::kill()
{
    signal(SIGKILL);
    wait();
}

bool process::is_running()
{
    int status = 0;
    if (id_ != 0 && ::waitpid(id_, &status, WNOHANG) == id_) {
        id_ = 0;
        exit_code_ = exit_code_of(status);
    }
    return id_ != 0;
}

void process::run(const std::vector<std::string>& command_line)
{
    process program{command_line};
    if (const int code = program.wait(); code != 0)
        throw std::runtime_error{command_line.front() + " ended with " + std::to_string(code)};
}

} // namespace coworker::test
