// SPDX-License-Identifier: MIT
#include "exec/output_lines.hpp"

namespace coworker::exec {
namespace {

/// At most so many bytes, and no part of a character at the end.
std::string_view cut(std::string_view text, std::size_t most)
{
    if (text.size() <= most)
        return text;
    auto end = most;
    while (end + 3 > most && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end;
    return text.substr(0, end);
}

} // namespace

std::string output_lines::written(std::string_view level, std::string_view text) const
{
    return write_(about_, level, text) + '\n';
}

void output_lines::show_line(std::string_view text, std::string& shown) const
{
    if (text.ends_with('\r'))
        text.remove_suffix(1);
    do {
        auto part = cut(text, longest_text);
        auto line = written("info", part);
        while (line.size() > longest_line && part.size() > 64) { // many characters that have to be escaped
            part = cut(part, part.size() / 2);
            line = written("info", part);
        }
        shown += line;
        text.remove_prefix(part.size());
    } while (!text.empty());
}

std::string output_lines::add(std::string_view part)
{
    if (about_.empty())
        return std::string{part};
    std::string shown;
    for (auto end = part.find('\n'); end != part.npos; end = part.find('\n')) {
        growing_ += part.substr(0, end);
        show_line(growing_, shown);
        growing_.clear();
        part.remove_prefix(end + 1);
    }
    growing_ += part;
    for (; growing_.size() > 2 * longest_text; growing_.erase(0, cut(growing_, longest_text).size()))
        show_line(cut(growing_, longest_text), shown);
    return shown;
}

std::string output_lines::end()
{
    std::string shown;
    if (!about_.empty() && !growing_.empty())
        show_line(growing_, shown);
    growing_.clear();
    return shown;
}

std::string output_lines::describe_loss(std::uint64_t bytes) const
{
    const auto text =
        std::to_string(bytes) + " bytes of a command's standard error were dropped, since nobody read them";
    return about_.empty() ? "coworker: " + text + '\n' : written("warning", text);
}

} // namespace coworker::exec
