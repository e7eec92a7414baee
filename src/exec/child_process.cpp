// SPDX-License-Identifier: MIT
#include "exec/child_process.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace coworker::exec {
namespace {

[[noreturn]] void throw_errno(int error, const std::string& what)
{
    throw std::system_error{error, std::generic_category(), what};
}

/// Texts as exec wants them.
std::vector<char*> as_pointers(const std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    for (const auto& text : texts)
        pointers.push_back(const_cast<char*>(text.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

/// What this process ignores or blocks is its own affair.
void reset_signals()
{
    for (int number = 1; number < NSIG; ++number)
        ::signal(number, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Gives a standard stream to a file. Returns whether it worked.
bool redirect(int file, int stream)
{
    return file < 0 || ::dup2(file, stream) >= 0;
}

/// What a child becomes.
struct program
{
    const char* file;
    char* const* arguments;
    char* const* environment;
    const child_options* options;
    pid_t parent;
};

/// Between fork and exec: calls nothing but the kernel. Returns if it fails, with errno set.
void become(const program& what)
{
    const auto& options = *what.options;
    if (options.dies_with_us) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != what.parent) // it died just before
            ::_exit(1);
    }
    ::setsid();
    reset_signals();
    const int input = options.input >= 0 ? options.input : ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (input < 0 || !redirect(input, STDIN_FILENO) || !redirect(options.output, STDOUT_FILENO) ||
        !redirect(options.errors, STDERR_FILENO))
        return;
    if (!options.folder.empty() && ::chdir(options.folder.c_str()) != 0)
        return;
    // Our own are closed anyway; these may be of whoever started us.
    ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    ::execvpe(what.file, what.arguments, what.environment);
}

/// Starts a child. Nothing of this process is copied, it waits until the child is another program. So the child must
/// not change anything. It tells `failure` why it has not become the program.
[[gnu::noinline]] pid_t start(const program& what, int failure)
{
    const pid_t id = ::vfork();
    if (id == 0) {
        become(what);
        const int error = errno;
        [[maybe_unused]] const auto written = ::write(failure, &error, sizeof error);
        ::_exit(127);
    }
    return id;
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

socket_pair make_socket_pair()
{
    int sides[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sides) != 0)
        throw_errno(errno, "socketpair");
    return {file_descriptor{sides[0]}, file_descriptor{sides[1]}};
}

child_process::child_process(const std::vector<std::string>& command, const child_options& options)
{
    const auto arguments = as_pointers(command);
    const auto variables = as_pointers(options.environment);
    const program what{options.file.empty() ? command.front().c_str() : options.file.c_str(),
                       arguments.data(), options.environment.empty() ? ::environ : variables.data(), &options,
                       ::getpid()};
    auto failure = make_pipe(); // closed by a successful exec
    id_ = start(what, failure.write.get());
    if (id_ < 0)
        throw_errno(errno, "fork");
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

pid_t child_process::release() noexcept
{
    running_ = false;
    return id_;
}

std::string child_process::ending() const
{
    if (WIFSIGNALED(status_))
        return std::string{"ended by signal "} + ::strsignal(WTERMSIG(status_));
    return "ended with status " + std::to_string(WEXITSTATUS(status_));
}

std::string own_program()
{
    return "/proc/self/exe";
}

} // namespace coworker::exec
