// SPDX-License-Identifier: MIT
#pragma once

#include "exec/child_process.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::exec {

/// What is run for each job.
struct command
{
    std::string file;               ///< the program, absolute
    std::vector<std::string> words; ///< what it is called by, and its arguments
    std::string sandboxes;          ///< the folder where each run gets its working directory, absolute
    std::chrono::milliseconds grace{5'000}; ///< between SIGTERM and SIGKILL
};

/// What a run of a command is given.
struct command_input
{
    std::string_view text{};            ///< its standard input, unless that is `input`
    std::vector<std::string> variables; ///< "NAME=text", added to this process's environment
    std::string about{};                ///< how its standard error is shown; see `output_lines`
    file_descriptor input{};            ///< its standard input; none: a file with the text
    file_descriptor output{};           ///< its standard output; none: this process's
};

/// How a run of a command ended.
struct command_end
{
    enum class kind
    {
        exited,      ///< number: with which status
        signalled,   ///< number: by which signal
        not_started, ///< number: errno
        lost,        ///< whoever watched over it was killed, and it with them
    };
    kind how = kind::lost;
    int number = 0;
    std::string last_line{}; ///< of its standard error
};

/// For the way from one process to another.
std::string to_bytes(const command_end& end);
command_end command_end_from(std::string_view bytes);

/// What whoever runs a command may ask for; a message of one byte each. When its side of the socket is closed,
/// that means `kill`.
namespace wish {
constexpr char terminate = 'T'; ///< SIGTERM now, SIGKILL when the grace is over
constexpr char kill = 'K';
} // namespace wish

} // namespace coworker::exec
