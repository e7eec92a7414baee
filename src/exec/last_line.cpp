// SPDX-License-Identifier: MIT
#include "exec/last_line.hpp"

#include <algorithm>
#include <utility>

namespace coworker::exec {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

std::string_view trimmed(std::string_view text)
{
    const auto begin = text.find_first_not_of(blanks);
    return begin == text.npos ? std::string_view{}
                              : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// A character that the limit has cut in two is left out.
std::string_view without_cut_character(std::string_view text)
{
    if (text.size() < last_line::longest)
        return text;
    auto end = text.size();
    std::size_t following = 0; // bytes that continue a character
    while (end != 0 && following < 3 && (static_cast<unsigned char>(text[end - 1]) & 0xC0) == 0x80) {
        --end;
        ++following;
    }
    if (end == 0)
        return text;
    const auto first = static_cast<unsigned char>(text[end - 1]);
    const std::size_t wanted = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
    return wanted > following ? text.substr(0, end - 1) : text;
}

} // namespace

void last_line::add(std::string_view part)
{
    while (!part.empty()) {
        const auto end = std::min(part.find('\n'), part.size());
        growing_ += part.substr(0, std::min(end, longest - growing_.size()));
        if (end == part.size())
            return;
        if (!trimmed(growing_).empty())
            std::swap(complete_, growing_);
        growing_.clear();
        part.remove_prefix(end + 1);
    }
}

std::string last_line::text() const
{
    const auto last = trimmed(growing_).empty() ? std::string_view{complete_} : std::string_view{growing_};
    return std::string{trimmed(without_cut_character(last))};
}

} // namespace coworker::exec
