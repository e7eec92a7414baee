#include "demo/child_process.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace coworker::demo {
namespace {

[[noreturn]] void throw_errno(int error, const std::string& what)
{
    throw std::system_error{error, std::generic_category(), what};
}

/// Between fork and exec: calls nothing but the kernel. Returns if it fails, with errno set.
void become(char* const* arguments, const child_options& options, pid_t parent)
{
    if (options.dies_with_us) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) // it died just before
            ::_exit(1);
    }
    ::setsid();
    const int input = options.input >= 0 ? options.input : ::open("/dev/null", O_RDONLY);
    if (input < 0 || ::dup2(input, STDIN_FILENO) < 0)
        return;
    if (options.output >= 0 && ::dup2(options.output, STDOUT_FILENO) < 0)
        return;
    ::execvp(arguments[0], arguments);
}

} // namespace

void file_descriptor::close() noexcept
{
    if (number_ >= 0)
        ::close(release());
}

pipe_ends make_pipe()
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw_errno(errno, "pipe");
    return {file_descriptor{ends[0]}, file_descriptor{ends[1]}};
}

child_process::child_process(const std::vector<std::string>& command, const child_options& options)
{
    std::vector<char*> arguments;
    for (const auto& word : command)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);

    auto failure = make_pipe(); // closed by a successful exec
    const pid_t parent = ::getpid();
    id_ = ::fork();
    if (id_ < 0)
        throw_errno(errno, "fork");
    if (id_ == 0) {
        become(arguments.data(), options, parent);
        const int error = errno;
        [[maybe_unused]] const auto written = ::write(failure.write.get(), &error, sizeof error);
        ::_exit(127);
    }
    running_ = true;
    failure.write.close();
    int error = 0;
    ssize_t size = 0;
    do
        size = ::read(failure.read.get(), &error, sizeof error);
    while (size < 0 && errno == EINTR);
    if (size == sizeof error) {
        wait();
        throw_errno(error, command.front());
    }
}

child_process::child_process(child_process&& other) noexcept
    : id_{other.id_}, running_{std::exchange(other.running_, false)}, status_{other.status_}
{}

child_process& child_process::operator=(child_process&& other) noexcept
{
    std::swap(id_, other.id_);
    std::swap(running_, other.running_);
    std::swap(status_, other.status_);
    return *this;
}

bool child_process::is_running()
{
    if (running_ && ::waitpid(id_, &status_, WNOHANG) == id_)
        running_ = false;
    return running_;
}

void child_process::signal(int number) noexcept
{
    if (running_) // else the number may be another's by now
        ::kill(id_, number);
}

void child_process::kill() noexcept
{
    signal(SIGKILL);
    wait();
}

bool child_process::wait() noexcept
{
    while (running_) {
        const pid_t ended = ::waitpid(id_, &status_, 0);
        running_ = ended != id_ && errno == EINTR;
    }
    return WIFEXITED(status_) && WEXITSTATUS(status_) == 0;
}

std::string child_process::ending() const
{
    if (WIFSIGNALED(status_))
        return std::string{"ended by signal "} + ::strsignal(WTERMSIG(status_));
    return "ended with status " + std::to_string(WEXITSTATUS(status_));
}

std::string own_program()
{
    return std::filesystem::read_symlink("/proc/self/exe").native();
}

} // namespace coworker::demo
