// SPDX-License-Identifier: MIT
#include "running_program.hpp"

#include "process_end.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace coworker::test {
namespace {

constexpr int patience_ms = 60'000;

} // namespace

running_program::running_program(const std::vector<std::string>& arguments, void (*prepare)())
{
    std::vector<std::string> words{COWORKER_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (auto& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw std::system_error{errno, std::generic_category(), "pipe"};
    output_ = ends[0];
    id_ = ::fork();
    if (id_ < 0)
        throw std::system_error{errno, std::generic_category(), "fork"};
    if (id_ == 0) { // only async-signal-safe calls from here on
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::dup2(ends[1], 1);
        ::dup2(ends[1], 2);
        ::signal(SIGHUP, SIG_DFL); // whoever runs the tests may ignore it
        if (prepare)
            prepare();
        ::execv(pointers[0], pointers.data());
        ::_exit(127);
    }
    ::close(ends[1]);
}

running_program::~running_program()
{
    signal(SIGKILL);
    wait();
    ::close(output_);
}

bool running_program::make_pipe_small()
{
    return ::fcntl(output_, F_SETPIPE_SZ, 4096) == 4096;
}

void running_program::signal(int number)
{
    if (id_ != 0)
        ::kill(id_, number);
}

/// Returns false at the end of the output.
bool running_program::read_more()
{
    pollfd file{output_, POLLIN, 0};
    if (::poll(&file, 1, patience_ms) == 0)
        throw std::runtime_error{"nothing more comes after: " + seen_};
    char part[4096];
    const auto size = ::read(output_, part, sizeof part);
    if (size > 0)
        seen_.append(part, static_cast<std::size_t>(size));
    return size > 0 || (size < 0 && errno == EINTR);
}

std::string running_program::wait_for(std::string_view words)
{
    for (;;) {
        for (auto end = seen_.find('\n', next_); end != seen_.npos; end = seen_.find('\n', next_)) {
            const auto line = seen_.substr(next_, end - next_);
            next_ = end + 1;
            if (line.find(words) != line.npos)
                return line;
        }
        if (!read_more())
            throw std::runtime_error{"'" + std::string{words} + "' does not stand in: " + seen_};
    }
}

void running_program::wait_for_all(std::initializer_list<std::string_view> words)
{
    for (const auto& each : words)
        while (seen_.find(each) == seen_.npos)
            if (!read_more())
                throw std::runtime_error{"'" + std::string{each} + "' does not stand in: " + seen_};
}

std::string running_program::read_to_end()
{
    while (read_more()) {
    }
    const auto rest = seen_.substr(next_);
    next_ = seen_.size();
    return rest;
}

int running_program::wait()
{
    return id_ == 0 ? 0 : end_of(std::exchange(id_, 0));
}

} // namespace coworker::test
