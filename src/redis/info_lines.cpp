// SPDX-License-Identifier: MIT
#include "redis/info_lines.hpp"

#include <string>

namespace coworker::detail {

std::string_view line_of_info(std::string_view info, std::string_view name)
{
    const auto at = info.find("\n" + std::string{name} + ":");
    if (at == info.npos)
        return {};
    const auto rest = info.substr(at + name.size() + 2);
    return rest.substr(0, rest.find_first_of("\r\n"));
}

} // namespace coworker::detail
