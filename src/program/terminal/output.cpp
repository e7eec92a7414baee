// SPDX-License-Identifier: MIT
#include "program/terminal/output.hpp"

#include "program/exit_code.hpp"
#include "program/terminal/text_functions.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace coworker::program {
namespace {

constexpr std::size_t enough_to_write = 64 * 1024;

bool wants_colours()
{
    const auto* refused = std::getenv("NO_COLOR");
    const auto* terminal = std::getenv("TERM");
    return (!refused || !*refused) && terminal && std::strcmp(terminal, "dumb") != 0;
}

/// Returns 0 or what went wrong.
int write_all(int file, std::string_view text)
{
    while (!text.empty()) {
        const auto written = ::write(file, text.data(), text.size());
        if (written >= 0)
            text.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}

} // namespace

bool may_have_colours(int file)
{
    return ::isatty(file) != 0 && wants_colours();
}

output::output() : terminal_{::isatty(STDOUT_FILENO) != 0}, colours_{may_have_colours(STDOUT_FILENO)} {}

void output::line(std::string_view text)
{
    waiting_ += text;
    waiting_ += '\n';
    if (waiting_.size() >= enough_to_write)
        flush();
}

std::string output::painted(std::string_view text, tone colour) const
{
    if (!colours_ || colour == tone::plain)
        return std::string{text};
    const char* code = colour == tone::heading     ? "\x1b[1m"
                       : colour == tone::good      ? "\x1b[32m"
                       : colour == tone::attention ? "\x1b[33m"
                                                   : "\x1b[31m";
    return code + std::string{text} + "\x1b[0m";
}

void output::flush()
{
    const auto text = std::exchange(waiting_, {});
    const int error = write_all(STDOUT_FILENO, text);
    if (error == EPIPE)
        throw output_closed{};
    if (error != 0)
        throw failure{exit_code::failed,
                      std::string{"standard output cannot be written: "} + std::strerror(error)};
}

void complain(std::string_view text)
{
    write_all(STDERR_FILENO, escaped(text) + '\n');
}

void prepare_standard_streams()
{
    std::signal(SIGPIPE, SIG_IGN);
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file)
        if (::fcntl(file, F_GETFD) < 0 && errno == EBADF) {
            // The lowest free number is taken, which is this one.
            [[maybe_unused]] const int opened = ::open("/dev/null", O_RDWR);
        }
}

} // namespace coworker::program
