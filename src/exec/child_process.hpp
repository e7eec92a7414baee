// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace coworker::exec {

/// An open file descriptor, closed at the end.
class file_descriptor
{
public:
    file_descriptor() = default;
    explicit file_descriptor(int number) noexcept : number_{number} {}
    file_descriptor(file_descriptor&& other) noexcept : number_{other.release()} {}
    file_descriptor& operator=(file_descriptor&& other) noexcept
    {
        std::swap(number_, other.number_);
        return *this;
    }
    ~file_descriptor() { close(); }

    int get() const noexcept { return number_; }
    int release() noexcept { return std::exchange(number_, -1); }
    void close() noexcept;
    explicit operator bool() const noexcept { return number_ >= 0; }

private:
    int number_ = -1;
};

/// Both ends are closed in programs that are started, unless they are handed on.
struct pipe_ends
{
    file_descriptor read, write;
};
pipe_ends make_pipe();

/// Two sides of one, which keeps messages apart. Closed in programs that are started, as those of a pipe are.
struct socket_pair
{
    file_descriptor ours, theirs;
};
socket_pair make_socket_pair();

/// What a child is given of this process.
struct child_options
{
    int input = -1;           ///< its standard input; -1: nothing to read
    int output = -1;          ///< its standard output; -1: this process's
    int errors = -1;          ///< its standard error; -1: this process's
    bool dies_with_us = true; ///< the kernel kills it when this process is gone, however that came about
    std::string file{};       ///< the program; empty: the command's first word, looked for on the PATH
    std::string folder{};     ///< its working directory; empty: this process's
    std::vector<std::string> environment{}; ///< "NAME=text"; empty: this process's
};

/// A running program, killed at the end at the latest. It has a session of its own: Ctrl-C reaches this
/// process alone, which then decides. It is given no open file but those of `child_options`, and no signal is
/// ignored or blocked there. This process should have one thread only.
class child_process
{
public:
    child_process() = default;
    /// @throws std::system_error  the program cannot be started.
    explicit child_process(const std::vector<std::string>& command, const child_options& options = {});
    child_process(child_process&& other) noexcept;
    child_process& operator=(child_process&& other) noexcept;
    ~child_process() { kill(); }

    pid_t id() const noexcept { return id_; }

    bool is_running();
    void signal(int number) noexcept;
    void kill() noexcept;
    /// Waits until it has ended. Returns whether it ended by itself and well.
    bool wait() noexcept;
    /// Somebody else has waited for it, or will. Returns its id.
    pid_t release() noexcept;
    /// How it ended, for people.
    std::string ending() const;

private:
    pid_t id_ = -1;
    bool running_ = false;
    int status_ = 0;
};

/// The command that starts this program again, whatever has become of its file meanwhile.
std::string own_program();

} // namespace coworker::exec
