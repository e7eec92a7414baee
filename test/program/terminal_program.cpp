#include "terminal_program.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdexcept>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace coworker::test {
namespace {

constexpr int longest_wait = 30'000; // ms, for what comes at once

std::vector<std::string> words_of(const std::vector<std::string>& arguments,
                                  std::vector<std::string> environment)
{
    std::vector<std::string> words{"env", "-u", "NO_COLOR", "TERM=xterm"};
    words.insert(words.end(), environment.begin(), environment.end());
    words.push_back(COWORKER_PROGRAM);
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

} // namespace

terminal_program::terminal_program(const std::vector<std::string>& arguments,
                                   std::vector<std::string> environment)
{
    auto words = words_of(arguments, std::move(environment));
    std::vector<char*> line;
    for (auto& word : words)
        line.push_back(word.data());
    line.push_back(nullptr);
    winsize size{};
    size.ws_row = 30;
    size.ws_col = 100;
    if (::openpty(&ours_, &theirs_, nullptr, nullptr, &size) != 0)
        throw std::system_error{errno, std::generic_category(), "openpty"};
    ::fcntl(ours_, F_SETFD, FD_CLOEXEC);
    ::fcntl(theirs_, F_SETFD, FD_CLOEXEC);
    id_ = ::fork();
    if (id_ < 0)
        throw std::system_error{errno, std::generic_category(), "fork"};
    if (id_ == 0) { // only async-signal-safe calls from here on
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::setsid();
        ::ioctl(theirs_, TIOCSCTTY, 0);
        for (int file = 0; file != 3; ++file)
            ::dup2(theirs_, file);
        ::execvp(line[0], line.data());
        ::_exit(127);
    }
}

terminal_program::~terminal_program()
{
    if (id_ != 0) {
        ::kill(id_, SIGKILL);
        while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    ::close(ours_);
    ::close(theirs_);
}

void terminal_program::type(const std::string& keys)
{
    if (::write(ours_, keys.data(), keys.size()) != static_cast<ssize_t>(keys.size()))
        throw std::system_error{errno, std::generic_category(), "write"};
}

void terminal_program::resize(unsigned short columns, unsigned short rows)
{
    winsize size{};
    size.ws_row = rows;
    size.ws_col = columns;
    ::ioctl(ours_, TIOCSWINSZ, &size);
}

void terminal_program::signal(int number)
{
    ::kill(id_, number);
}

std::string terminal_program::read_what_is_there(int patience)
{
    pollfd readable{ours_, POLLIN, 0};
    if (::poll(&readable, 1, patience) <= 0)
        return {};
    char part[4096];
    const auto size = ::read(ours_, part, sizeof part);
    return size > 0 ? std::string(part, static_cast<std::size_t>(size)) : std::string{};
}

std::string terminal_program::read_until(const std::string& text)
{
    for (;;) {
        const auto at = unread_.find(text);
        if (at != unread_.npos) {
            auto read = unread_.substr(0, at + text.size());
            unread_.erase(0, at + text.size());
            return read;
        }
        const auto more = read_what_is_there(longest_wait);
        if (more.empty())
            throw std::runtime_error{"'" + text + "' was not written, but " + unread_};
        unread_ += more;
    }
}

int terminal_program::finish(std::string& rest)
{
    int status = 0;
    while (::waitpid(id_, &status, WNOHANG) != id_)
        unread_ += read_what_is_there(10); // lest it waits for room to write
    id_ = 0;
    for (auto more = read_what_is_there(0); !more.empty(); more = read_what_is_there(0))
        unread_ += more;
    rest = std::exchange(unread_, {});
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void terminal_program::wait_until_stopped()
{
    int status = 0;
    while (::waitpid(id_, &status, WUNTRACED) != id_ && errno == EINTR) {
    }
    if (!WIFSTOPPED(status))
        throw std::runtime_error{"the program ended"};
}

bool terminal_program::is_raw() const
{
    termios now{};
    ::tcgetattr(theirs_, &now);
    return (now.c_lflag & (ICANON | ECHO)) == 0;
}

} // namespace coworker::test
