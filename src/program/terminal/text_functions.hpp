// SPDX-License-Identifier: MIT
#pragma once

#include "text/plain_text.hpp"
#include "text/utf8.hpp"

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace coworker::program {

using detail::character_size;
using detail::escaped;
using detail::hexadecimal;
using detail::is_utf8;
using detail::shortened;
using detail::width_of;

/// "1 job", "2 jobs"
inline std::string counted(std::uint64_t count, const std::string& one)
{
    return std::to_string(count) + ' ' + one + (count == 1 ? "" : "s");
}

/// What stands between blanks and ends of lines.
inline std::vector<std::string> words_of(const std::string& text)
{
    std::vector<std::string> words;
    std::istringstream rest{text};
    for (std::string word; rest >> word;)
        words.push_back(word);
    return words;
}

} // namespace coworker::program
