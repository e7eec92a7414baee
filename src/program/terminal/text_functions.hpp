// SPDX-License-Identifier: MIT
#pragma once

#include "text/plain_text.hpp"
#include "text/utf8.hpp"

#include <cstdint>
#include <string>

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

} // namespace coworker::program
