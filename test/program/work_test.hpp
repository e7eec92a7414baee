// SPDX-License-Identifier: MIT
#pragma once

#include "program_test.hpp"
#include "running_program.hpp"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace coworker::test {

/// Lets commands wait until the test lets them go on.
class gate
{
public:
    gate() : path_{folder_.file("gate")}
    {
        if (::mkfifo(path_.c_str(), 0600) == 0)
            file_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
    }
    ~gate() { ::close(file_); }
    gate(const gate&) = delete;
    gate& operator=(const gate&) = delete;

    /// For the shell: ends when the test lets it pass.
    std::string wait() const { return "dd bs=1 count=1 status=none if=" + path_; }

    bool let_pass(std::size_t how_many) { return ::write(file_, "xxxxxxxx", how_many) > 0; }

private:
    temporary_folder folder_;
    std::string path_;
    int file_ = -1;
};

/// A server, and workers on it whose commands have their working directories in a folder of the test's own.
struct work_test : program_test
{
    temporary_folder sandboxes;

    using program_test::program_test;

    /// The arguments of `coworker work`: queues and options, and the command.
    std::vector<std::string> work(std::vector<std::string> queues,
                                  const std::vector<std::string>& command) const
    {
        queues.insert(queues.begin(),
                      {"work", "--verbose", "--redis", server.url(), "--sandbox", sandboxes.path()});
        queues.emplace_back("--");
        queues.insert(queues.end(), command.begin(), command.end());
        return queues;
    }

    /// The same with a command in the shell's language.
    std::vector<std::string> work(std::vector<std::string> queues, const std::string& script) const
    {
        return work(std::move(queues), std::vector<std::string>{"sh", "-c", script});
    }

    bool sandboxes_are_empty() const { return std::filesystem::is_empty(sandboxes.path()); }

    /// The JSON of the failed jobs of a queue, a line each.
    std::string failed(const std::string& queue) { return coworker({"failed", queue, "--json"}).output; }
};

/// For a process of `--lines`, the shell's words for the id of the job that it has read. `done` ends them.
inline const std::string reads = "while read -r job; do id=${job#*'\"id\":\"'}; id=${id%%'\"'*}; ";

/// The shell's words that say this of that job: members in JSON.
inline std::string says(std::string_view members)
{
    std::string words = "echo \"{\\\"id\\\":\\\"$id\\\",";
    for (const char c : members)
        words.append(c == '"' ? "\\" : "") += c;
    return words += "}\"; ";
}

/// The children of a process, by its main thread.
inline std::vector<pid_t> children_of(pid_t id)
{
    const auto number = std::to_string(id);
    std::ifstream list{"/proc/" + number + "/task/" + number + "/children"};
    std::vector<pid_t> children;
    for (pid_t child = 0; list >> child;)
        children.push_back(child);
    return children;
}

/// Lets a worker end, and says whether it ended well and left nothing behind.
inline bool ends_well(running_program& worker)
{
    worker.signal(SIGTERM);
    worker.read_to_end();
    return worker.wait() == 0;
}

} // namespace coworker::test
