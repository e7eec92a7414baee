#include "program/demo/progress.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>

#include <sys/ioctl.h>
#include <unistd.h>

namespace coworker::demo {
namespace {

using namespace std::chrono_literals;

constexpr auto between_changes = 50ms;
constexpr auto between_lines = 2s;

std::size_t terminal_width()
{
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 80;
    return size.ws_col;
}

std::string bar(std::size_t done, std::size_t total, std::size_t width)
{
    const auto filled = total == 0 ? 0 : std::min(width, done * width / total);
    std::string text = "[";
    text.append(filled, '#').append(width - filled, '-');
    return text + "] ";
}

} // namespace

std::string grouped(std::uint64_t number)
{
    auto digits = std::to_string(number);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), 1, ',');
    return digits;
}

progress::progress()
    : terminal_{::isatty(STDOUT_FILENO) != 0}, next_{clock::now() + (terminal_ ? 0s : between_lines)}
{}

void progress::show(const std::string& what, std::size_t done, std::size_t total, const std::string& remark)
{
    const auto now = clock::now();
    if (now < next_)
        return;
    next_ = now + (terminal_ ? clock::duration{between_changes} : between_lines);

    std::string text = what;
    text.append(" ").append(grouped(done));
    if (total != 0)
        text.append(" of ")
            .append(grouped(total))
            .append(" (" + std::to_string(done * 100 / total))
            .append(" %)");
    if (!remark.empty())
        text.append(", ").append(remark);
    if (!terminal_) {
        std::cout << text << std::endl;
        return;
    }
    const auto width = terminal_width() - 1;
    if (total != 0 && width > text.size() + 13)
        text = bar(done, total, std::min<std::size_t>(40, width - text.size() - 3)) + text;
    text.resize(std::min(text.size(), width));
    std::cout << '\r' << text << "\x1b[K" << std::flush; // and the rest of the line blank
    shown_ = true;
}

void progress::say(const std::string& text)
{
    clear();
    std::cout << text << std::endl;
}

void progress::clear()
{
    if (shown_)
        std::cout << "\r\x1b[K" << std::flush;
    shown_ = false;
    if (terminal_)
        next_ = {};
}

} // namespace coworker::demo
