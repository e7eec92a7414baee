// SPDX-License-Identifier: MIT
#include "redis/script.hpp"

#include <algorithm>
#include <cassert>

namespace coworker::detail {

std::string script::text() const
{
    const auto all = script_pieces();
    std::string whole;
    for (const auto number : pieces)
        whole += all[number];
    return whole;
}

const script& find_script(std::string_view name) noexcept
{
    const auto scripts = embedded_scripts();
    const auto found =
        std::find_if(scripts.begin(), scripts.end(), [&](const script& s) { return s.name == name; });
    assert(found != scripts.end());
    return *found;
}

} // namespace coworker::detail
