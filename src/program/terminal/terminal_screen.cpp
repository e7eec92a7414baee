#include "program/terminal/terminal_screen.hpp"

#include "program/exit_code.hpp"
#include "program/terminal/output.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace coworker::cli {
namespace {

// To another screen, without cursor and without breaking long lines; and back.
constexpr std::string_view take_over = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[H\x1b[2J";
constexpr std::string_view give_back = "\x1b[?7h\x1b[?25h\x1b[0m\x1b[?1049l";

/// Returns 0 or what went wrong; EAGAIN: the terminal takes nothing for long, such as after Ctrl-S.
int write_all(int file, std::string_view text)
{
    constexpr int patience = 1000; // ms
    while (!text.empty()) {
        const auto written = ::write(file, text.data(), text.size());
        if (written >= 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) {
            pollfd room{file, POLLOUT, 0};
            if (::poll(&room, 1, patience) <= 0)
                return EAGAIN;
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

/// What a control sequence stands for, behind its ESC [.
key key_of(std::string_view sequence)
{
    return sequence == "A"    ? key::up
           : sequence == "B"  ? key::down
           : sequence == "C"  ? key::right
           : sequence == "D"  ? key::left
           : sequence == "5~" ? key::page_up
           : sequence == "6~" ? key::page_down
                              : key::other;
}

} // namespace

std::vector<key> read_keys(std::string_view bytes)
{
    std::vector<key> keys;
    while (!bytes.empty()) {
        if (bytes.starts_with("\x1b[") || bytes.starts_with("\x1bO")) {
            std::size_t end = 2; // parameters, then one letter or ~
            while (end < bytes.size() && static_cast<unsigned char>(bytes[end]) < 0x40)
                ++end;
            end = std::min(end + 1, bytes.size());
            keys.push_back(key_of(bytes.substr(2, end - 2)));
            bytes.remove_prefix(end);
            continue;
        }
        const char letter = bytes.front();
        bytes.remove_prefix(1);
        keys.push_back(letter == 'q' || letter == 'Q'   ? key::quit
                       : letter == 'r' || letter == ' ' ? key::reverse
                       : letter == 'k'                  ? key::up
                       : letter == 'j'                  ? key::down
                       : letter == 'h'                  ? key::left
                       : letter == 'l'                  ? key::right
                                                        : key::other);
    }
    return keys;
}

terminal_screen::terminal_screen()
{
    char name[256];
    if (::ttyname_r(STDOUT_FILENO, name, sizeof name) == 0)
        file_ = ::open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (file_ < 0 || ::tcgetattr(file_, &before_) != 0) {
        const std::string why = std::strerror(errno);
        if (file_ >= 0)
            ::close(file_);
        throw failure{exit_code::failed, "the terminal cannot be opened (" + why +
                                             "); --json, or '| cat', shows the same as lines"};
    }
    try {
        enter();
    } catch (...) {
        leave();
        ::close(file_);
        throw;
    }
}

terminal_screen::~terminal_screen()
{
    leave();
    ::close(file_);
}

void terminal_screen::enter()
{
    auto raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO); // Ctrl-C stays a signal
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    entered_ = true;
    if (::tcsetattr(file_, TCSANOW, &raw) != 0)
        throw failure{exit_code::failed, std::string{"the terminal cannot be used: "} + std::strerror(errno)};
    write_all(file_, take_over);
}

void terminal_screen::leave() noexcept
{
    if (!entered_)
        return;
    entered_ = false;
    write_all(file_, give_back);
    ::tcsetattr(file_, TCSANOW, &before_);
}

screen_size terminal_screen::size() const
{
    winsize size{};
    if (::ioctl(file_, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
        return {};
    return {size.ws_col, size.ws_row};
}

void terminal_screen::show(const std::vector<std::string>& lines)
{
    std::string text = "\x1b[H";
    for (std::size_t i = 0; i != lines.size(); ++i) {
        text += lines[i];
        text += "\x1b[K";
        if (i + 1 != lines.size())
            text += "\r\n";
    }
    text += "\x1b[J";
    const int error = write_all(file_, text);
    if (error != 0 && error != EAGAIN)
        throw output_closed{};
}

std::string terminal_screen::read()
{
    char bytes[256];
    const auto size = ::read(file_, bytes, sizeof bytes);
    return size > 0 ? std::string(bytes, static_cast<std::size_t>(size)) : std::string{};
}

} // namespace coworker::cli
