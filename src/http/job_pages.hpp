// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspector.hpp"
#include "http/page.hpp"
#include "http/turns.hpp"

#include <utility>

namespace coworker::detail {

/// Puts a page of jobs together. A few are asked for at a time, and those that may be large when it is their turn.
///
/// @param path  of the page, without a cursor
/// @param look  (cursor, count): begins to show a part
/// @param add  (page, part): adds the jobs of a part
template<class Look, class Add>
asio::awaitable<answer> gather_page(turns& large, page_cursor from, std::string path, Look look, Add add)
{
    page_writer page{"jobs"};
    bool is_last = from.count == 0;
    if (is_last)
        from.cursor.clear();
    while (!is_last && page.size() < from.count && !page.is_full()) {
        auto call = look(std::move(from.cursor), page.next_part(from.count - page.size()));
        if (page.is_heavy())
            call = large.take(std::move(call));
        const auto part = co_await std::move(call);
        add(page, part);
        from.cursor = part.next;
        is_last = part.next.empty();
    }
    co_return std::move(page).finish(next_path(std::move(path), from));
}

} // namespace coworker::detail
