// SPDX-License-Identifier: MIT
#include "piped_program.hpp"

#include "process_end.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace coworker::test {
namespace {

struct pipe_ends
{
    int read = -1, write = -1;
};

pipe_ends make_pipe()
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw std::system_error{errno, std::generic_category(), "pipe"};
    return {ends[0], ends[1]};
}

} // namespace

piped_program::piped_program(const std::vector<std::string>& command_line)
{
    std::vector<std::string> words = command_line;
    std::vector<char*> arguments;
    for (auto& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const auto to = make_pipe(), from = make_pipe();
    id_ = ::fork();
    if (id_ < 0)
        throw std::system_error{errno, std::generic_category(), "fork"};
    if (id_ == 0) { // only async-signal-safe calls from here on
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::dup2(to.read, 0);
        ::dup2(from.write, 1);
        ::execvp(arguments[0], arguments.data());
        ::_exit(127);
    }
    ::close(to.read);
    ::close(from.write);
    input_ = ::fdopen(to.write, "w");
    output_ = ::fdopen(from.read, "r");
}

piped_program::~piped_program()
{
    if (id_ != 0)
        ::kill(id_, SIGKILL);
    finish();
    std::fclose(output_);
}

void piped_program::write(const std::string& line)
{
    if (std::fputs((line + '\n').c_str(), input_) < 0 || std::fflush(input_) != 0)
        throw std::runtime_error{"the program does not read any more"};
}

std::string piped_program::read()
{
    std::string line;
    for (int letter = std::fgetc(output_); letter != EOF && letter != '\n'; letter = std::fgetc(output_))
        line += static_cast<char>(letter);
    return line;
}

std::string piped_program::ask(const std::string& line)
{
    write(line);
    return read();
}

int piped_program::finish()
{
    if (auto* input = std::exchange(input_, nullptr))
        std::fclose(input);
    return id_ == 0 ? 0 : end_of(std::exchange(id_, 0));
}

} // namespace coworker::test
