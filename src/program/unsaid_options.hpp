// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

/// Options that a command line leaves out, and variables of the environment or a file of settings say.
namespace coworker::program {

/// What a variable of the environment holds; empty: it is not set.
using environment = std::function<std::string(const std::string& variable)>;

/// `COWORKER_WORK_MAX_CRASHES` for "work" and "max-crashes". So no variable that a job's command is given is one.
std::string variable_of(std::string_view command, std::string_view option);

struct unsaid_options
{
    std::vector<std::string> words;             ///< "--concurrency=4", as on a command line
    std::map<std::string, std::string> sources; ///< by the option's name with dashes, who said it

    /// The same words in people's errors: who said an option that `complaint` names; empty: the command line did.
    std::string source_of(std::string_view complaint) const;
};

/// @param whole  the program, with its commands
/// @param command  the one that is carried out
/// @param said  its command line; what stands there counts most, then variables, then the file
/// @throws failure  The file cannot be used.
unsaid_options find_unsaid_options(const CLI::App& whole, const std::string& command,
                                   std::span<const char* const> said, const environment& variables);

} // namespace coworker::program
