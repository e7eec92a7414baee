// SPDX-License-Identifier: MIT
#include "lost_job.hpp"
#include "support/append_only_file.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>
#include <vector>

namespace coworker::test {
namespace {

/// The name of the command that the byte at `place` belongs to: `*3`, `$5`, `LPUSH`, in lines.
std::string command_at(const std::string& log, std::size_t place)
{
    auto begin = log.rfind("\n*", place);
    begin = begin == std::string::npos ? 0 : begin + 1;
    for (int line = 0; line != 2 && begin < place; ++line)
        begin = log.find('\n', begin) + 1;
    return log.substr(begin, log.find('\r', begin) - begin);
}

} // namespace

std::string traces_of_job_in(const std::string& text, const std::vector<std::string>& folders,
                             const std::string& record)
{
    constexpr std::string_view prefix = "job-";
    const auto place = text.find(prefix);
    if (place == text.npos)
        return {};
    std::string commands, lines;
    const auto begin = place + prefix.size();
    const auto number = text.substr(begin, text.find_first_not_of("0123456789", begin) - begin);
    const auto job = std::string{prefix} + number;
    for (const auto& folder : folders) {
        commands += folders.size() > 1 ? " |" : "";
        for (const auto& file : append_only_files(folder)) {
            const auto log = read_file(file);
            for (auto at = log.find(job); at != std::string::npos; at = log.find(job, at + 1))
                if (std::isdigit(static_cast<unsigned char>(log[at + job.size()])) == 0)
                    commands += ' ' + command_at(log, at);
        }
    }
    std::istringstream all{read_file(record)};
    for (std::string line; std::getline(all, line);)
        if (line.starts_with(number + ' '))
            lines += " '" + line + '\'';
    return ". " + job + ": Redis was told" + (commands.empty() ? " nothing" : commands) +
           "; the record says" + (lines.empty() ? " nothing" : lines);
}

} // namespace coworker::test
