// SPDX-License-Identifier: MIT
#include "finished_program.hpp"

#include "exec/read_all.hpp"
#include "process_end.hpp"
#include "program/command_line.hpp"
#include "support/one_sentence.hpp"
#include "support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <pty.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <system_error>
#include <unistd.h>

namespace coworker::test {
namespace {

[[noreturn]] void give_up(const char* what)
{
    throw std::system_error{errno, std::generic_category(), what};
}

/// A file descriptor that is closed at the end.
struct owned_file
{
    int id = -1;

    explicit owned_file(int file = -1) : id{file} {}
    ~owned_file() { close(); }
    owned_file(const owned_file&) = delete;
    owned_file& operator=(const owned_file&) = delete;

    void close()
    {
        if (id >= 0)
            ::close(id);
        id = -1;
    }
};

int open_file(const std::string& path, int flags)
{
    const int file = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
    if (file < 0)
        give_up(path.c_str());
    return file;
}

std::string content_of(const std::string& path)
{
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

/// What goes to a standard stream of this process meanwhile.
class diverted
{
public:
    explicit diverted(int stream)
        : stream_{stream}, before_{::dup(stream)}, file_{::memfd_create("stream", 0)}
    {
        if (before_.id < 0 || file_.id < 0 || ::dup2(file_.id, stream_) < 0)
            give_up("dup2");
    }
    ~diverted() { ::dup2(before_.id, stream_); }

    /// Returns what was written.
    std::string stop()
    {
        ::dup2(before_.id, stream_);
        ::lseek(file_.id, 0, SEEK_SET);
        return exec::read_all(file_.id);
    }

private:
    int stream_;
    owned_file before_, file_;
};

pid_t start(std::vector<std::string> words, int input, int output, int errors)
{
    std::vector<char*> arguments;
    for (auto& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t id = ::fork();
    if (id < 0)
        give_up("fork");
    if (id == 0) { // only async-signal-safe calls from here on
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::dup2(input, 0);
        ::dup2(output, 1);
        ::dup2(errors, 2);
        ::execvp(arguments[0], arguments.data());
        ::_exit(127);
    }
    return id;
}

std::vector<std::string> command_line(const std::vector<std::string>& arguments,
                                      const program_surroundings& surroundings)
{
    std::vector<std::string> words{"env", "-u", "COWORKER_REDIS", "-u", "NO_COLOR", "TERM=xterm"};
    words.insert(words.end(), surroundings.environment.begin(), surroundings.environment.end());
    words.push_back(COWORKER_PROGRAM);
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

finished_program run_on_terminal(const std::vector<std::string>& words, int input)
{
    int ends[2];
    winsize size{};
    size.ws_row = 30;
    size.ws_col = 100;
    if (::openpty(&ends[0], &ends[1], nullptr, nullptr, &size) != 0)
        give_up("openpty");
    owned_file ours{ends[0]}, theirs{ends[1]};
    ::fcntl(ours.id, F_SETFD, FD_CLOEXEC);
    ::fcntl(theirs.id, F_SETFD, FD_CLOEXEC);
    const auto id = start(words, input, theirs.id, theirs.id);
    theirs.close();
    finished_program result;
    result.output = exec::read_all(ours.id);
    result.code = end_of(id);
    return result;
}

/// What is refused is said in one sentence, whichever test it is.
void check_complaint(const finished_program& ended)
{
    constexpr int wrong_usage = 2, not_found = 3;
    const std::string begin = "coworker: ";
    std::istringstream text{ended.errors};
    for (std::string line; std::getline(text, line);)
        if ((ended.code == wrong_usage || ended.code == not_found) && line.starts_with(begin))
            BOOST_TEST(chain_in(std::string_view{line}.substr(begin.size())) == "", line);
}

} // namespace

std::vector<std::string> finished_program::lines() const
{
    std::vector<std::string> result;
    std::istringstream text{output};
    for (std::string line; std::getline(text, line);)
        result.push_back(line);
    return result;
}

finished_program run_coworker(const std::vector<std::string>& arguments,
                              const program_surroundings& surroundings)
{
    const temporary_folder folder;
    const auto input_file = folder.file("input"), errors_file = folder.file("errors");
    const bool elsewhere = !surroundings.output_file.empty();
    const auto output_file = elsewhere ? surroundings.output_file : folder.file("output");
    std::ofstream{input_file, std::ios::binary} << surroundings.input;
    owned_file input{open_file(input_file, O_RDONLY)};
    const auto words = command_line(arguments, surroundings);
    if (surroundings.terminal)
        return run_on_terminal(words, input.id);

    owned_file output, errors{open_file(errors_file, O_WRONLY | O_CREAT)};
    if (surroundings.closed_output) {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0)
            give_up("pipe");
        ::close(ends[0]);
        output.id = ends[1];
    } else {
        output.id = open_file(output_file, O_WRONLY | O_CREAT);
    }
    finished_program result;
    result.code = end_of(start(words, input.id, output.id, errors.id));
    if (!elsewhere && !surroundings.closed_output)
        result.output = content_of(output_file);
    result.errors = content_of(errors_file);
    check_complaint(result);
    return result;
}

finished_program run_coworker_here(const std::vector<std::string>& arguments)
{
    program::command_line line{{}, {}, [](const std::string&) { return std::string{}; }};
    program::add_commands(line, "");
    std::vector<const char*> words{"coworker"};
    for (const auto& each : arguments)
        words.push_back(each.c_str());
    finished_program result;
    {
        diverted output{STDOUT_FILENO}, errors{STDERR_FILENO};
        result.code = line.run(static_cast<int>(words.size()), words.data());
        result.output = output.stop();
        result.errors = errors.stop();
    }
    check_complaint(result);
    return result;
}

} // namespace coworker::test
