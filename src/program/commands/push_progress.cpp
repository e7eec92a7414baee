// SPDX-License-Identifier: MIT
#include "program/commands/push_progress.hpp"

#include "program/terminal/output.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include <unistd.h>

namespace coworker::program {
namespace {

constexpr std::chrono::milliseconds between_lines{100};

/// 1,234,567
std::string grouped(std::uint64_t number)
{
    auto digits = std::to_string(number);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), 1, ',');
    return digits;
}

std::string bar(std::uint64_t part, std::uint64_t whole)
{
    constexpr std::uint64_t width = 30;
    const auto share = static_cast<double>(part) / static_cast<double>(whole);
    const auto filled = std::min(static_cast<std::uint64_t>(share * width), width);
    return '[' + std::string(filled, '#') + std::string(width - filled, ' ') + "] " +
           std::to_string(static_cast<int>(std::min(share, 1.0) * 100)) + " %  ";
}

} // namespace

push_progress::push_progress() : terminal_{::isatty(STDERR_FILENO) != 0} {}

void push_progress::show(std::uint64_t queued, std::uint64_t read, std::uint64_t whole)
{
    const auto now = clock::now();
    if (!terminal_ || now < next_)
        return;
    next_ = now + between_lines;
    auto text = whole == 0 ? std::string{} : bar(read, whole);
    text += grouped(queued);
    text += " queued";
    std::fprintf(stderr, "\r\x1b[K%s", text.c_str());
    std::fflush(stderr);
    shown_ = true;
}

void push_progress::complain_of_line(std::uint64_t number, std::string_view complaint)
{
    clear();
    complain("line " + std::to_string(number) + ": " + std::string{complaint});
}

void push_progress::clear()
{
    if (shown_)
        std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
    shown_ = false;
}

} // namespace coworker::program
