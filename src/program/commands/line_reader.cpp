// SPDX-License-Identifier: MIT
#include "program/commands/line_reader.hpp"

#include "program/exit_code.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace coworker::program {
namespace {

constexpr std::size_t part_size = 256 * 1024;
constexpr std::string_view line_blanks = " \t\r";
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::string describe(const std::string& path, int error)
{
    return (path == "-" ? "standard input" : "the file '" + path + "'") +
           " cannot be read: " + std::strerror(error);
}

} // namespace

line_reader::line_reader(const std::string& path, std::size_t longest) : path_{path}, longest_{longest}
{
    file_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ < 0)
        throw failure{errno == ENOENT ? exit_code::not_found : exit_code::failed, describe(path_, errno)};
    part_.resize(part_size);
}

line_reader::~line_reader()
{
    if (path_ != "-" && file_ >= 0)
        ::close(file_);
}

std::vector<numbered_line> line_reader::read()
{
    std::vector<numbered_line> lines;
    while (lines.empty()) {
        const auto size = read_part();
        if (size == 0) {
            if (!begun_.empty() || too_long_)
                end_line(lines);
            break;
        }
        take_lines({part_.data(), size}, lines);
    }
    return lines;
}

std::size_t line_reader::read_part()
{
    for (;;) {
        const auto size = ::read(file_, part_.data(), part_.size());
        if (size >= 0)
            return static_cast<std::size_t>(size);
        if (errno != EINTR)
            throw failure{exit_code::failed, describe(path_, errno)};
    }
}

void line_reader::take_lines(std::string_view part, std::vector<numbered_line>& lines)
{
    while (!part.empty()) {
        const auto end = part.find('\n');
        const auto piece = part.substr(0, end);
        if (!too_long_ && begun_.size() + piece.size() > longest_) {
            too_long_ = true;
            begun_ = {};
        }
        if (!too_long_)
            begun_ += piece;
        if (end == part.npos)
            return;
        end_line(lines);
        part.remove_prefix(end + 1);
    }
}

void line_reader::end_line(std::vector<numbered_line>& lines)
{
    ++lines_;
    std::string_view text = begun_;
    if (lines_ == 1 && text.starts_with(byte_order_mark))
        text.remove_prefix(byte_order_mark.size());
    const auto begin = std::min(text.find_first_not_of(line_blanks), text.size());
    text = text.substr(begin, text.find_last_not_of(line_blanks) + 1 - begin);
    if (too_long_ || !text.empty())
        lines.push_back({lines_, std::string{text}, std::exchange(too_long_, false)});
    begun_.clear();
}

} // namespace coworker::program
