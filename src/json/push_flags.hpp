// SPDX-License-Identifier: MIT
#pragma once

#include "json/push_options.hpp"
#include "json/refusal.hpp"

#include <functional>
#include <map>
#include <string>

/// The options of a push as the command line has them. What a flag was given becomes the JSON of its row, and is read as that.
namespace coworker::detail {

/// The flag of an option, such as "--order-key"; empty if it has none.
std::string flag_of(const push_option& option);

/// What the flag is for, in the help.
std::string help_of(const push_option& option);

/// Calls a function with each option that has a flag.
void for_each_flag(job_pushed when, const std::function<void(const push_option&)>& call);

/// What flags were given, by name; one that was not given is not there.
using given_flags = std::map<std::string, option_texts>;

/// @throws refusal
void check_is_utf8(const std::string& flag, const option_texts& given);

/// A sentence about members of JSON, said of the flags for them.
std::string said_of_flags(std::string sentence);

/// @throws refusal  which names the flag
managed_push_options read_flags(const given_flags& given);

/// The same refusal, of a flag that a reader of members was given as the name.
refusal said_of_flag(const refusal& why, const std::string& flag);

/// Reads what another flag was given, by the reader of a member.
/// @throws refusal  which names the flag
template<class Read>
auto read_flag(const std::string& flag, const option_texts& given,
               std::string (*json_of)(const option_texts& given), Read read)
{
    try {
        check_is_utf8(flag, given);
        return read(flag, json_of(given));
    } catch (const refusal& why) {
        throw said_of_flag(why, flag);
    }
}

} // namespace coworker::detail
