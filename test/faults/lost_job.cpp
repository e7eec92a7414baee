// SPDX-License-Identifier: MIT
#include "lost_job.hpp"
#include "support/append_only_file.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
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

std::string traces_of(const std::string& number, const std::vector<std::string>& folders,
                      const std::string& record)
{
    std::string commands, lines;
    const auto job = "job-" + number;
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
        if (line.find(number) != std::string::npos)
            lines += " '" + line + '\'';
    return job + ": Redis was told" + (commands.empty() ? " nothing" : commands) + "; the record says" +
           (lines.empty() ? " nothing" : lines);
}

} // namespace coworker::test
