// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <string>
#include <sys/types.h>
#include <vector>

namespace coworker::test {

/// A program that is written to and read from, line by line. Killed when this object is destroyed.
class piped_program
{
public:
    explicit piped_program(const std::vector<std::string>& command_line);
    ~piped_program();
    piped_program(const piped_program&) = delete;
    piped_program& operator=(const piped_program&) = delete;

    void write(const std::string& line);
    /// Waits for a line; empty at the end of the output.
    std::string read();
    std::string ask(const std::string& line);

    /// Ends its input and waits for its end. Returns the exit code, or minus the number of the signal.
    int finish();

private:
    pid_t id_ = 0;
    std::FILE* input_ = nullptr;
    std::FILE* output_ = nullptr;
};

} // namespace coworker::test
