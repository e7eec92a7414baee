#include "http/api.hpp"

#include "http/list_text.hpp"
#include "http/page.hpp"
#include "http/submission.hpp"
#include "list/keys.hpp"
#include "list/sizes.hpp"

#include <boost/redis/request.hpp>

#include <algorithm>
#include <charconv>

/// What can be seen through the gateway.
namespace coworker::detail {
namespace {

/// A page of jobs that have an order, which `look` shows from an offset on.
template<class Look>
asio::awaitable<answer> ordered_page(const client& redis, turns& large, const routed& where, Look look)
{
    const auto range = read_range(where);
    const raw_list_queue queue{redis, where.name};
    page_writer page{"jobs"};
    bool is_last = range.count == 0;
    while (!is_last && page.size() != range.count && !page.is_full()) {
        const auto wanted = page.next_part(range.count - page.size());
        auto call = look(queue, range.offset + page.size(), wanted);
        if (page.is_heavy())
            call = large.take(std::move(call));
        const auto jobs = co_await std::move(call);
        for (const auto& job : jobs)
            page.add(describe(job));
        is_last = jobs.size() < wanted;
    }
    std::string next;
    if (!is_last)
        next = next_path(path_of(where), page_range{range.offset + page.size(), range.count});
    co_return std::move(page).finish(next);
}

/// A page of jobs that have none.
template<class Look>
asio::awaitable<answer> scanned_page(const client& redis, turns& large, const routed& where, Look look)
{
    auto from = read_cursor(where);
    const raw_list_queue queue{redis, where.name};
    page_writer page{"jobs"};
    bool is_last = from.count == 0;
    while (!is_last && page.size() < from.count && !page.is_full()) {
        auto call = look(queue, from.cursor, page.next_part(from.count));
        if (page.is_heavy())
            call = large.take(std::move(call));
        const auto part = co_await std::move(call);
        for (const auto& job : part.items)
            page.add(describe(job));
        from.cursor = part.next;
        is_last = part.next == 0;
    }
    std::string next;
    if (!is_last)
        next = next_path(path_of(where), from);
    co_return std::move(page).finish(next);
}

} // namespace

asio::awaitable<answer> api::ready(const routed&)
{
    boost::redis::request ping;
    ping.push("PING");
    reply answers;
    co_await detail::connection_of(redis_).exec(ping, answers);
    answers.throw_if_error();
    co_return answer{.body = "{\"status\":\"ready\"}\n"};
}

asio::awaitable<api::name_page> api::queue_names(std::uint64_t cursor, std::size_t count)
{
    name_page page;
    const auto& types = options_.types;
    if (!types.empty()) {
        const auto begin = std::min<std::uint64_t>(cursor, types.size());
        const auto end = std::min<std::uint64_t>(begin + count, types.size());
        page.names.assign(types.begin() + static_cast<std::ptrdiff_t>(begin),
                          types.begin() + static_cast<std::ptrdiff_t>(end));
        page.next = end == types.size() ? 0 : end;
        co_return page;
    }
    if (cursor == 0)
        co_await finder_.go_on(
            detail::connection_of(redis_)); // those that were filled behind everybody's back
    boost::redis::request scan;
    scan.push("SSCAN", known_queues_key, cursor, "COUNT", count);
    reply answers;
    co_await detail::connection_of(redis_).exec(scan, answers);
    answers.throw_if_error();
    // The nodes are: array, cursor, array, elements.
    const auto found = answers[0];
    const auto next = found[0];
    std::from_chars(next.data(), next.data() + next.size(), page.next);
    for (std::size_t i = 2; i < found.size(); ++i)
        if (is_valid_type(found[i])) // others have no path here
            page.names.emplace_back(found[i]);
    co_return page;
}

std::string api::describe_queue(const std::string& name, const list_queue_sizes& sizes)
{
    const job_totals totals{sizes.total_succeeded, sizes.total_retried, sizes.total_failed};
    return describe(name, sizes, rates_.add(name, totals, std::chrono::steady_clock::now()));
}

asio::awaitable<answer> api::queues(const routed& where)
{
    auto [cursor, count] = read_cursor(where);
    count = std::max<std::size_t>(count, 1);
    const auto names = co_await queue_names(cursor, count);
    const auto sizes = co_await look_at_sizes(detail::connection_of(redis_), names.names);
    page_writer page{"queues"};
    for (std::size_t i = 0; i != sizes.size(); ++i)
        page.add(describe_queue(names.names[i], sizes[i]));
    std::string next;
    if (names.next != 0)
        next = next_path(path_of(where), page_cursor{names.next, count});
    co_return std::move(page).finish(next);
}

asio::awaitable<answer> api::queue(const routed& where)
{
    raw_list_queue queue{redis_, where.name};
    const auto sizes = co_await queue.async_sizes();
    co_return answer{.body = describe_queue(where.name, sizes) + '\n'};
}

asio::awaitable<answer> api::waiting(const routed& where)
{
    return ordered_page(redis_, large_looks_, where,
                        [](const raw_list_queue& of, std::uint64_t from, std::size_t count) {
                            return of.async_waiting(from, count, awaited);
                        });
}

asio::awaitable<answer> api::scheduled(const routed& where)
{
    return ordered_page(redis_, large_looks_, where,
                        [](const raw_list_queue& of, std::uint64_t from, std::size_t count) {
                            return of.async_scheduled(from, count, awaited);
                        });
}

asio::awaitable<answer> api::failed(const routed& where)
{
    return ordered_page(redis_, large_looks_, where,
                        [](const raw_list_queue& of, std::uint64_t from, std::size_t count) {
                            return of.async_failed(from, count, awaited);
                        });
}

asio::awaitable<answer> api::in_progress(const routed& where)
{
    return scanned_page(redis_, large_looks_, where,
                        [](const raw_list_queue& of, std::uint64_t from, std::size_t count) {
                            return of.async_in_progress(from, count, awaited);
                        });
}

asio::awaitable<answer> api::broken(const routed& where)
{
    return scanned_page(redis_, large_looks_, where,
                        [](const raw_list_queue& of, std::uint64_t from, std::size_t count) {
                            return of.async_broken(from, count, awaited);
                        });
}

} // namespace coworker::detail
