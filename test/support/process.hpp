// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace coworker::test {

/// A program started as a process of its own. It is killed when this object, or the whole test program,
/// ends.
class process
{
public:
    /// Starts a program, looked for on the PATH. Its output goes to the file `log`, or nowhere.
    explicit process(const std::vector<std::string>& command_line, const std::string& log = "/dev/null");
    ~process();
    process(process&& other) noexcept : id_{std::exchange(other.id_, 0)}, exit_code_{other.exit_code_} {}
    process& operator=(process&& other) noexcept;

    pid_t id() const noexcept { return id_; }

    void signal(int number);

    /// Waits for the end. Returns the exit code, or minus the number of the signal that ended it.
    int wait();

    /// SIGKILL, and waits.
    void kill();

    /// It has not ended yet.
    bool is_running();

    /// Runs a program to its end; throws if it fails.
    static void run(const std::vector<std::string>& command_line);

private:
    pid_t id_ = 0; ///< 0: has ended, and has been waited for
    int exit_code_ = 0;
};

} // namespace coworker::test
