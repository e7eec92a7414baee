// SPDX-License-Identifier: MIT
#include "inspect/part_walk.hpp"

namespace coworker::detail {

part_cursor read_part_cursor(std::string cursor, std::size_t parts)
{
    part_cursor at;
    const auto slash = cursor.find('/');
    if (slash == cursor.npos) {
        at.inner = std::move(cursor);
        return at;
    }
    at.part = static_cast<std::size_t>(read_cursor_number(cursor.substr(0, slash)));
    at.inner = cursor.substr(slash + 1);
    if (at.part >= parts)
        throw_bad_cursor();
    return at;
}

std::string make_part_cursor(part_cursor next, std::size_t parts)
{
    if (next.part == parts)
        return {};
    if (parts == 1) // the queue is not divided
        return std::move(next.inner);
    return std::to_string(next.part) + '/' + next.inner;
}

} // namespace coworker::detail
