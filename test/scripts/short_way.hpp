// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace coworker::test {

/// Makes a script take the long way always; false if it has no other.
inline bool bar_short_way(std::string& script)
{
    constexpr std::string_view open = "local short_way = true", barred = "local short_way = false";
    const auto at = script.find(open);
    if (at != script.npos)
        script.replace(at, open.size(), barred);
    return at != script.npos;
}

} // namespace coworker::test
