#include "http/api.hpp"

#include "http/list_text.hpp"
#include "http/page.hpp"
#include "http/submission.hpp"
#include "list/keys.hpp"
#include "list/sizes.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/redis/request.hpp>

#include <algorithm>
#include <charconv>

/// What can be seen through the gateway.
namespace coworker::detail {
namespace {

/// A page of jobs that have an order, which `look` shows from an offset on.
template<class Look>
asio::awaitable<answer> ordered_page(raw_list_queue& queue, turns& large, std::string path, page_range range,
                                     Look look)
{
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
        next = next_path(std::move(path), {range.offset + page.size(), range.count});
    co_return std::move(page).finish(next);
}

/// A page of jobs that have none.
template<class Look>
asio::awaitable<answer> scanned_page(raw_list_queue& queue, turns& large, std::string path, page_cursor from,
                                     Look look)
{
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
        next = path + "?cursor=" + std::to_string(from.cursor) + "&count=" + std::to_string(from.count);
    co_return std::move(page).finish(next);
}

} // namespace

asio::awaitable<answer> api::ready()
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
        next = "/queues?cursor=" + std::to_string(names.next) + "&count=" + std::to_string(count);
    co_return std::move(page).finish(next);
}

asio::awaitable<answer> api::queue(const routed& where)
{
    raw_list_queue queue{redis_, where.name};
    const auto sizes = co_await queue.async_sizes();
    co_return answer{.body = describe_queue(where.name, sizes) + '\n'};
}

asio::awaitable<answer> api::jobs(const routed& where)
{
    raw_list_queue queue{redis_, where.name};
    const std::string path = "/queues/" + where.name;
    switch (where.route->what) {
    case endpoint::waiting:
        co_return co_await ordered_page(queue, large_looks_, path + "/waiting", read_range(where),
                                        [](raw_list_queue& of, auto from, std::size_t count) {
                                            return of.async_waiting(from, count,
                                                                    with_diagnostics(asio::use_awaitable));
                                        });
    case endpoint::scheduled:
        co_return co_await ordered_page(queue, large_looks_, path + "/scheduled", read_range(where),
                                        [](raw_list_queue& of, auto from, std::size_t count) {
                                            return of.async_scheduled(from, count,
                                                                      with_diagnostics(asio::use_awaitable));
                                        });
    case endpoint::failed:
        co_return co_await ordered_page(queue, large_looks_, path + "/failed", read_range(where),
                                        [](raw_list_queue& of, auto from, std::size_t count) {
                                            return of.async_failed(from, count,
                                                                   with_diagnostics(asio::use_awaitable));
                                        });
    case endpoint::in_progress:
        co_return co_await scanned_page(queue, large_looks_, path + "/in_progress", read_cursor(where),
                                        [](raw_list_queue& of, auto from, std::size_t count) {
                                            return of.async_in_progress(
                                                from, count, with_diagnostics(asio::use_awaitable));
                                        });
    default:
        co_return co_await scanned_page(queue, large_looks_, path + "/broken", read_cursor(where),
                                        [](raw_list_queue& of, auto from, std::size_t count) {
                                            return of.async_broken(from, count,
                                                                   with_diagnostics(asio::use_awaitable));
                                        });
    }
}

} // namespace coworker::detail
