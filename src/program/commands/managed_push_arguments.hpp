// SPDX-License-Identifier: MIT
#pragma once

#include "program/options.hpp"
#include "json/push_flags.hpp"

#include <coworker/managed_options.hpp>

#include <map>
#include <string>
#include <vector>

namespace coworker::program {

/// The options of jobs that only managed queues know, as `push` and `schedules set` have them: a flag for each row of the
/// table of options.
class managed_push_arguments
{
public:
    /// Adds the flags. This lives until the command line has been read.
    ///
    /// @param of  what the descriptions begin with, such as "Managed: "
    void add_to(command_options& command, const std::string& of, detail::job_pushed when);

    /// Whether there is any.
    bool is_given() const { return !given().empty(); }
    /// Whether jobs are to be unique.
    bool makes_unique() const;
    /// What was given, by flag.
    detail::given_flags given() const;
    /// @param command  such as "push", where help is
    /// @throws failure  where a value cannot be used
    managed_push_options read(const char* command) const;

private:
    struct flag_values
    {
        std::vector<std::string> texts;
        bool is_there = false;
    };
    std::map<std::string, flag_values> flags_;
};

/// What is refused, so that more can follow.
std::string as_complaint(const detail::refusal& why);

/// Ends the command with `exit_code::usage`, and says where help is.
[[noreturn]] void refuse_push(const std::string& why);

} // namespace coworker::program
