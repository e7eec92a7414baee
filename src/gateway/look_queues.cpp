// SPDX-License-Identifier: MIT
#include "gateway/api.hpp"

#include "gateway/page.hpp"
#include "text/times.hpp"
#include "json/error_sentence.hpp"
#include "json/list_submission.hpp"
#include "json/queue_text.hpp"
#include "json/queue_words.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

/// What can be seen of queues and workers through the gateway.
namespace coworker::detail {
namespace {

/// A place among the queues of both kinds: the list queues come first.
struct place_of_queues
{
    queue_kind kind = queue_kind::list;
    std::string cursor{}; ///< the inspector's
};

std::string cursor_of(const place_of_queues& place)
{
    return std::string{to_string(place.kind)} + ':' + place.cursor;
}

/// The kind of the queues that are asked for; nothing for both.
std::optional<queue_kind> read_kind(const routed& where)
{
    const auto found = where.query.find("kind");
    if (found == where.query.end())
        return std::nullopt;
    for (const auto kind : {queue_kind::list, queue_kind::managed})
        if (found->second == to_string(kind))
            return kind;
    throw refusal{400, "The parameter 'kind' is list or managed."};
}

place_of_queues read_place(const std::string& cursor, std::optional<queue_kind> wanted)
{
    if (cursor.empty())
        return {.kind = wanted.value_or(queue_kind::list)};
    for (const auto kind : {queue_kind::list, queue_kind::managed}) {
        const auto begin = cursor_of({.kind = kind});
        if (cursor.starts_with(begin) && wanted.value_or(kind) == kind)
            return {.kind = kind, .cursor = cursor.substr(begin.size())};
    }
    throw explained_error{errc::invalid_option, "a cursor is empty, or the 'next' of an earlier page"};
}

/// The day of a query; by default today, by Redis' clock.
asio::awaitable<timestamp> read_day(const routed& where, const inspector& all)
{
    const auto found = where.query.find("day");
    if (found == where.query.end())
        co_return co_await all.async_server_time(awaited);
    const auto day = parse_day(found->second);
    if (!day)
        throw refusal{400, "The parameter 'day' is not a day such as 2026-11-21."};
    co_return *day;
}

} // namespace

asio::awaitable<answer> api::ready(const routed&)
{
    co_await inspector_.async_server_time(awaited);
    co_return answer{.body = "{\"status\":\"ready\"}\n"};
}

asio::awaitable<queue_page> api::list_queues(std::string cursor, std::size_t count)
{
    queue_page page;
    const auto& types = options_.types;
    if (types.empty()) {
        page = co_await inspector_.async_queues(queue_kind::list, std::move(cursor), count, awaited);
        std::erase_if(page.queues, [](const queue_info& queue) {
            return !is_queue_name(queue.queue.name()); // it has no path here
        });
        co_return page;
    }
    std::size_t begin = 0;
    const auto [end, ec] = std::from_chars(cursor.data(), cursor.data() + cursor.size(), begin);
    if (!cursor.empty() && (ec != std::errc{} || end != cursor.data() + cursor.size()))
        throw explained_error{errc::invalid_option, "a cursor is empty, or the 'next' of an earlier page"};
    std::vector<queue_ref> names;
    for (; begin < types.size() && names.size() < count; ++begin)
        names.push_back(queue_ref::list(types[begin]));
    if (begin < types.size())
        page.next = std::to_string(begin);
    page.queues = co_await inspector_.async_queues(std::move(names), awaited);
    co_return page;
}

asio::awaitable<queue_page> api::queues_of(queue_kind kind, std::string cursor, std::size_t count)
{
    if (kind == queue_kind::list)
        return list_queues(std::move(cursor), count);
    return inspector_.async_queues(kind, std::move(cursor), count, awaited);
}

asio::awaitable<answer> api::queues(const routed& where)
{
    auto from = read_cursor(where);
    from.count = std::max<std::size_t>(from.count, 1);
    const auto wanted = read_kind(where);
    auto place = read_place(from.cursor, wanted);
    page_writer page{"queues"};
    std::set<std::string> missing;
    bool is_last = false;
    while (!is_last && page.size() < from.count) {
        auto found = co_await queues_of(place.kind, std::move(place.cursor), from.count - page.size());
        for (const auto& queue : found.queues)
            page.add(detail::describe(queue).str());
        missing.insert(found.missing_nodes.begin(), found.missing_nodes.end());
        place.cursor = std::move(found.next);
        if (!place.cursor.empty())
            break;
        is_last = wanted || place.kind == queue_kind::managed;
        place.kind = queue_kind::managed;
    }
    from.cursor = is_last ? std::string{} : cursor_of(place);
    auto path = path_of(where);
    if (wanted)
        path.append("?kind=").append(to_string(*wanted));
    const std::vector<std::string> nodes{missing.begin(), missing.end()};
    co_return std::move(page).finish(next_path(std::move(path), from), nodes);
}

/// The list queues that the gateway was told of are there for it, before they have jobs.
asio::awaitable<void> api::expect_queue(queue_ref queue)
{
    const auto& types = options_.types;
    if (!queue.is_managed() && std::ranges::find(types, queue.name()) != types.end())
        co_return;
    const bool exists = co_await inspector_.async_queue_exists(queue, awaited);
    if (!exists)
        throw refusal{404,
                      begin_sentence(complaint_of_missing(queue)) + "; /v1/queues lists those there are."};
}

asio::awaitable<answer> api::queue(const routed& where)
{
    const std::vector<queue_ref> name{where.queue};
    const auto found = co_await inspector_.async_queues(name, awaited);
    if (found.front().is_missing())
        throw system_error{errc::unavailable};
    co_return answer{.body = detail::describe(found.front()).str() + '\n'};
}

/// Of one whose node is away, the answer says no more than that.
asio::awaitable<answer> api::partitions(const routed& where)
{
    const auto found = co_await inspector_.async_partitions(where.queue, awaited);
    json_object out;
    out.objects("partitions", found, [](const auto& each) { return detail::describe(each); });
    co_return answer{.body = out.str() + '\n'};
}

asio::awaitable<answer> api::history(const routed& where)
{
    const auto found = co_await inspector_.async_history(where.queue, read_minutes(where), awaited);
    co_return answer{.body = detail::describe(found).str() + '\n'};
}

/// Of all queues that `queues` shows, 1000 of each kind.
asio::awaitable<answer> api::total_history(const routed& where)
{
    constexpr std::size_t most = 1000;
    const auto minutes = read_minutes(where);
    std::vector<queue_ref> all;
    for (const auto kind : {queue_kind::list, queue_kind::managed}) {
        const auto found = co_await queues_of(kind, {}, most);
        for (const auto& queue : found.queues)
            all.push_back(queue.queue);
    }
    const auto total = co_await inspector_.async_histories(std::move(all), minutes, awaited);
    co_return answer{.body = detail::describe(total).str() + '\n'};
}

asio::awaitable<answer> api::server(const routed&)
{
    const auto found = co_await inspector_.async_server(awaited);
    auto out = detail::describe(found);
    if (!found.missing_nodes.empty())
        out.texts("missing_nodes", found.missing_nodes);
    co_return answer{.body = out.str() + '\n'};
}

asio::awaitable<answer> api::statistics(const routed& where)
{
    const auto day = co_await read_day(where, inspector_);
    const auto found = co_await inspector_.async_statistics(where.queue, day, awaited);
    co_return answer{.body = detail::describe(found, format_rfc3339(day).substr(0, 10)).str() + '\n'};
}

asio::awaitable<answer> api::failures(const routed& where)
{
    return show_failures(where, where.queue);
}

asio::awaitable<answer> api::failures_anywhere(const routed& where)
{
    return show_failures(where, queue_ref::managed({}));
}

/// At most 10,000 failed jobs are counted for a page.
asio::awaitable<answer> api::show_failures(const routed& where, queue_ref queue)
{
    constexpr std::size_t most_looked_at = 10'000;
    auto from = read_cursor(where);
    const auto found =
        co_await inspector_.async_failures(std::move(queue), std::move(from.cursor), most_looked_at, awaited);
    page_writer page{"failures"};
    for (const auto& each : found.groups)
        page.add(detail::describe(each).str());
    from.cursor = found.next;
    co_return std::move(page).finish(next_path(path_of(where), from));
}

asio::awaitable<answer> api::failure_groups(const routed& where)
{
    auto from = read_cursor(where);
    from.count = std::max<std::size_t>(from.count, 1);
    auto found = co_await inspector_.async_failure_groups(std::move(from.cursor), from.count, awaited);
    page_writer page{"groups"};
    for (const auto& each : found.groups)
        page.add(json_object{}.text("group", each.group).number("count", each.count).str());
    from.cursor = std::move(found.next);
    co_return std::move(page).finish(next_path(path_of(where), from));
}

/// The inspector shows all of them, by name: so a cursor is the last name shown, behind a sign, as a name may be empty.
asio::awaitable<answer> api::workers(const routed& where)
{
    auto from = read_cursor(where);
    const auto list = co_await inspector_.async_workers(awaited);
    const auto& all = list.workers;
    auto each = std::find_if(all.begin(), all.end(), [&](const worker_info& worker) {
        return from.cursor.empty() || worker.name > from.cursor.substr(1);
    });
    from.cursor.clear();
    page_writer page{"workers"};
    for (; each != all.end() && page.size() < from.count; ++each)
        page.add(describe(*each).str());
    if (each != all.end() && page.size() != 0)
        from.cursor = '>' + std::prev(each)->name;
    co_return std::move(page).finish(next_path(path_of(where), from), list.missing_nodes);
}

} // namespace coworker::detail
