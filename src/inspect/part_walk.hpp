// SPDX-License-Identifier: MIT
#pragma once

#include "inspect/parts.hpp"

#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

/// Pages of what is in the parts of a queue, one part after the other.
namespace coworker::detail {

/// Where a page begins.
struct part_cursor
{
    std::size_t part = 0;
    std::string inner; ///< the part's own
};

/// Throws `errc::invalid_option`. A cursor of a queue that has been divided since begins in the first part.
part_cursor read_part_cursor(std::string cursor, std::size_t parts);

/// The cursor for the next page; empty: there is none.
std::string make_part_cursor(part_cursor next, std::size_t parts);

/// Reads on until a part has more, `most` items are there, or all parts have been read.
///
/// @param items  what the page lists
/// @param step  called with a part, a cursor and the number of items that are there already; returns a page of that
///   part
template<class Page, class Item, class Step>
asio::awaitable<Page> walk_parts(shared_inspection self, std::string queue, std::string cursor,
                                 std::vector<Item> Page::*items, std::size_t most, Step step)
{
    const auto parts = co_await parts_of(self, queue_ref::list(std::move(queue)));
    auto at = read_part_cursor(std::move(cursor), parts.size());
    Page all;
    while (at.part != parts.size()) {
        auto page = co_await step(parts[at.part].name(), std::move(at.inner), (all.*items).size());
        auto& more = page.*items;
        (all.*items)
            .insert((all.*items).end(), std::make_move_iterator(more.begin()),
                    std::make_move_iterator(more.end()));
        at.inner = std::move(page.next);
        if (!at.inner.empty())
            break;
        ++at.part;
        if ((all.*items).size() >= most)
            break;
    }
    all.next = make_part_cursor(std::move(at), parts.size());
    co_return all;
}

} // namespace coworker::detail
