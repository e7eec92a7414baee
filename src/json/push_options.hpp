// SPDX-License-Identifier: MIT
#pragma once

#include "json/option_value.hpp"

#include <string>
#include <string_view>
#include <vector>

/// The options of a push of a managed queue. Whatever reads one reads it by its row here: HTTP and effects, schedules and
/// callbacks of batches, and the command line. OpenAPI has them from here as well.
namespace coworker::detail {

struct push_option
{
    std::string_view name;  ///< of the member, in JSON
    std::string_view about; ///< what it is for: part of a sentence, for the help of a flag and for OpenAPI
    option_value value;
    /// The flag, if it is not called as the member. "-": there is none.
    std::string_view flag{};
    /// Only a job that is pushed at once has it, not one of a schedule or a batch's callback.
    bool is_of_push = false;
    /// If it is an object: what that has.
    const std::vector<push_option>* members = nullptr;
};

/// All of them.
const std::vector<push_option>& options_of_push();
/// Those that are members of the object `unique`, or `backoff`.
const std::vector<push_option>& options_of_unique();
const std::vector<push_option>& options_of_backoff();

option_words<parent_failure> words_of_parent_failure();

/// Which of them a job has.
enum class job_pushed
{
    now,  ///< by a request or a command
    later ///< by a schedule or a batch
};

/// What reads each of them.
const member_readers<managed_push_options>& push_option_readers(job_pushed when);

/// Adds those options of a job pushed later that were given, as members that such a reader reads.
void write_push_options(json_object& out, const managed_push_options& options);

/// What one option says of another.
/// @throws refusal
void check_push_options(const managed_push_options& options);

/// What OpenAPI says of them: members of a JSON object, without its braces.
std::string schemas_of(const std::vector<push_option>& options, job_pushed when);

} // namespace coworker::detail
