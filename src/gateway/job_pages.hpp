// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspector.hpp"
#include "gateway/page.hpp"
#include "gateway/turns.hpp"
#include "text/times.hpp"
#include "json/job_text.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

namespace coworker::detail {

/// Puts a page of jobs together. A few are asked for at a time, and those that may be large when it is their turn.
///
/// @param where  is valid until the page is there
/// @param path  of the page, without a cursor
/// @param look  (cursor, count): begins to show a part
/// @param add  (page, part): adds the jobs of a part
template<class Look, class Add>
asio::awaitable<answer> gather_page(turns& large, const routed& where, std::string path, Look look, Add add)
{
    auto from = read_cursor(where);
    page_writer page{"jobs", where.held};
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

/// Adds the jobs of a part.
inline void add_jobs(page_writer& page, const job_page& part)
{
    for (const auto& job : part.jobs)
        page.add(detail::describe(job).str());
}

/// What a query is looking for, beside the state.
/// @return nothing if it asks for all jobs
/// @throws refusal
inline std::optional<job_filter> read_filter(const routed& where, job_state state)
{
    job_filter which;
    which.state = state;
    const auto read = [&](const char* name, text& member) {
        const auto found = where.query.find(name);
        const bool is_given = found != where.query.end() && !found->second.empty();
        if (is_given)
            member = found->second;
        return is_given;
    };
    const auto read_when = [&](const char* name, std::optional<timestamp>& member) {
        text given;
        if (read(name, given)) {
            member = parse_rfc3339(given);
            if (!member)
                throw refusal{400, "The parameter '" + std::string{name} +
                                       "' is not a time such as 2026-11-21T09:54:29Z."};
        }
        return member.has_value();
    };
    const std::array found{read("text", which.contains),    read("tag", which.tag),
                           read("kind", which.kind),        read("worker", which.worker),
                           read_when("since", which.since), read_when("until", which.until)};
    return std::ranges::count(found, true) != 0 ? std::optional{which} : std::nullopt;
}

/// Path of a search, as its next page needs it.
inline std::string search_path(std::string path, const job_filter& which)
{
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty())
            path.append(path.find('?') == path.npos ? "?" : "&").append(name).append(escaped_for_path(value));
    };
    add("text=", which.contains.str());
    add("tag=", which.tag.str());
    add("kind=", which.kind.str());
    add("worker=", which.worker.str());
    if (which.since)
        add("since=", format_rfc3339(*which.since));
    if (which.until)
        add("until=", format_rfc3339(*which.until));
    return path;
}

/// Puts a page of those jobs together that match a filter. It looks at 20,000 jobs at most, so it may be empty although
/// there is a next one, and may have a few more jobs than were asked for.
template<class Add>
asio::awaitable<answer> search_page(turns& large, const routed& where, std::string path, inspector jobs,
                                    queue_ref queue, job_filter which, Add add)
{
    auto from = read_cursor(where);
    constexpr int most_steps = 20;
    page_writer page{"jobs", where.held};
    bool is_last = from.count == 0;
    if (is_last)
        from.cursor.clear();
    for (int step = 0; step != most_steps && !is_last && page.size() < from.count && !page.is_full();
         ++step) {
        auto call = jobs.async_find(queue, which, std::move(from.cursor), 1000, awaited);
        const auto part = co_await large.take(std::move(call));
        add(page, part);
        from.cursor = part.next;
        is_last = part.next.empty();
    }
    co_return std::move(page).finish(next_path(search_path(std::move(path), which), from));
}

} // namespace coworker::detail
