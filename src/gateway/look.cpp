// SPDX-License-Identifier: MIT
#include "gateway/api.hpp"

#include "gateway/job_pages.hpp"
#include "gateway/list_text.hpp"
#include "gateway/queue_text.hpp"
#include "submission/list_submission.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

/// What can be seen of list queues through the gateway.
namespace coworker::detail {

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

asio::awaitable<answer> api::queues(const routed& where)
{
    auto from = read_cursor(where);
    from.count = std::max<std::size_t>(from.count, 1);
    auto found = co_await list_queues(std::move(from.cursor), from.count);
    page_writer page{"queues"};
    for (const auto& queue : found.queues)
        page.add(describe_list_queue(queue));
    from.cursor = std::move(found.next);
    co_return std::move(page).finish(next_path(path_of(where), from), found.missing_nodes);
}

asio::awaitable<answer> api::queue(const routed& where)
{
    const std::vector<queue_ref> name{queue_ref::list(where.name)};
    const auto found = co_await inspector_.async_queues(name, awaited);
    if (found.front().is_missing())
        throw system_error{errc::unavailable};
    co_return answer{.body = describe_list_queue(found.front()) + '\n'};
}

/// Of one whose node is away, the answer says no more than that.
asio::awaitable<answer> api::partitions(const routed& where)
{
    const auto found = co_await inspector_.async_partitions(queue_ref::list(where.name), awaited);
    std::string list;
    for (const auto& each : found)
        list.append(list.empty() ? "" : ",").append(describe_list_queue(each));
    co_return answer{.body = "{\"partitions\":[" + list + "]}\n"};
}

asio::awaitable<answer> api::history(const routed& where, queue_kind kind)
{
    const queue_ref queue{kind, where.name};
    const auto found = co_await inspector_.async_history(queue, read_minutes(where), awaited);
    co_return answer{.body = describe(found) + '\n'};
}

asio::awaitable<answer> api::jobs(const routed& where, job_state state)
{
    const auto add = [](page_writer& page, const job_page& part) {
        for (const auto& job : part.jobs)
            page.add(describe_list_job(job));
    };
    if (auto which = read_filter(where, state)) {
        which->tag = {}; // of managed queues
        return search_page(large_looks_, where, path_of(where), inspector_, queue_ref::list(where.name),
                           std::move(*which), add);
    }
    const auto look = [jobs = inspector_, queue = queue_ref::list(where.name), state](std::string cursor,
                                                                                      std::size_t count) {
        return jobs.async_jobs(queue, state, std::move(cursor), count, awaited);
    };
    return gather_page(large_looks_, where, path_of(where), look, add);
}

/// Reads the queue in steps, each in its turn, so that others who look at jobs wait for one step only. A job that
/// begins to run while the waiting ones are read is found at the end.
asio::awaitable<answer> api::job(const routed& where)
{
    static constexpr std::array places = {job_state::running, job_state::failed, job_state::scheduled,
                                          job_state::waiting, job_state::running};
    for (const auto state : places) {
        job_filter which;
        which.state = state;
        which.ids.push_back(where.inner);
        std::string cursor;
        do {
            auto step =
                inspector_.async_find(queue_ref::list(where.name), which, std::move(cursor), 1000, awaited);
            const auto part = co_await large_looks_.take(std::move(step));
            if (!part.jobs.empty())
                co_return answer{.body = describe_found_list_job(part.jobs.front()) + '\n'};
            cursor = part.next;
        } while (!cursor.empty());
    }
    throw refusal{404, "There is no such job in this queue; jobs that have succeeded are not kept."};
}

/// At most 10,000 failed jobs are counted for a page.
asio::awaitable<answer> api::failures(const routed& where, queue_kind kind)
{
    constexpr std::size_t most_looked_at = 10'000;
    auto from = read_cursor(where);
    const auto found = co_await inspector_.async_failures(queue_ref{kind, where.name}, std::move(from.cursor),
                                                          most_looked_at, awaited);
    page_writer page{"failures"};
    for (const auto& each : found.groups)
        page.add(describe(each));
    from.cursor = found.next;
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
        page.add(describe(*each));
    if (each != all.end() && page.size() != 0)
        from.cursor = '>' + std::prev(each)->name;
    co_return std::move(page).finish(next_path(path_of(where), from), list.missing_nodes);
}

} // namespace coworker::detail
