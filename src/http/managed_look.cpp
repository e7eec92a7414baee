#include "http/managed_api.hpp"

#include "coworker/managed_queue.hpp"
#include "http/managed_text.hpp"
#include "managed/browse.hpp"
#include "text/json_object.hpp"
#include "text/times.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <array>

/// What can be seen of managed queues through the gateway.
namespace coworker::detail {
namespace {

/// The part of a list that Redis answers as a whole.
template<class T>
std::span<const T> slice_of(const std::vector<T>& list, page_range range)
{
    const std::span all{list};
    const auto rest = all.subspan(std::min(range.offset, all.size()));
    return rest.first(std::min(range.count, rest.size()));
}

/// The page with that part, and the path of the next.
template<class T>
answer finish_slice(page_writer page, const std::vector<T>& list, const routed& where, page_range range)
{
    std::string next;
    if (range.count != 0 && range.offset + page.size() < list.size())
        next = next_path(path_of(where), page_range{range.offset + page.size(), range.count});
    return std::move(page).finish(next);
}

struct group_count
{
    std::string group;
    std::uint64_t count;
};

std::string describe(const group_count& group)
{
    return "{\"group\":" + json_string(group.group) + ",\"count\":" + std::to_string(group.count) + '}';
}

/// The state of the jobs that are asked for.
managed_state read_state(const routed& where)
{
    constexpr std::array states = {managed_state::waiting, managed_state::running,
                                   managed_state::stalled, managed_state::scheduled,
                                   managed_state::depends, managed_state::recurring};
    const auto found = where.query.find("state");
    if (found == where.query.end())
        return managed_state::waiting;
    for (const auto state : states)
        if (to_string(state) == found->second)
            return state;
    throw refusal{400, "The parameter 'state' is one of waiting, running, stalled, scheduled, depends and "
                       "recurring; failed jobs are under /managed/failed."};
}

} // namespace

asio::awaitable<answer> managed_api::queues(const routed& where)
{
    const auto range = read_range(where);
    const auto all = co_await client_.async_queues();
    const auto queues = slice_of(all, range);
    const auto figures = co_await figures_of(queues);
    page_writer page{"queues"};
    for (std::size_t i = 0; i != queues.size(); ++i)
        page.add(describe(queues[i], figures[i].rates, figures[i].latency));
    co_return finish_slice(std::move(page), all, where, range);
}

asio::awaitable<answer> managed_api::queue(const routed& where)
{
    managed_queue queue{redis_, where.name, client_.options()};
    const auto counts = co_await queue.async_counts();
    const bool is_empty = counts.waiting + counts.running + counts.stalled + counts.scheduled +
                              counts.depends + counts.recurring ==
                          0;
    if (is_empty && !counts.paused) {
        const auto known = co_await inspector_.async_queue(queue_ref::managed(where.name));
        if (!known)
            throw refusal{404, "There is no managed queue of this name; /managed/queues lists them."};
    }
    const auto figures = co_await figures_of({&counts, 1});
    co_return answer{.body = describe(counts, figures.front().rates, figures.front().latency) + '\n'};
}

asio::awaitable<std::vector<managed_api::queue_figures>>
managed_api::figures_of(std::span<const managed_queue_counts> queues)
{
    const auto day = co_await inspector_.async_server_time();
    std::vector<std::string> names;
    for (const auto& queue : queues)
        names.push_back(queue.name);
    const auto counts = co_await count_day(redis(), prefix(), names, day);
    const auto latencies = co_await waiting_times(redis(), prefix(), names, day);
    const auto now = std::chrono::steady_clock::now();
    std::vector<queue_figures> figures;
    for (std::size_t i = 0; i != names.size(); ++i) {
        const job_totals totals{counts[i].completed, counts[i].retries, counts[i].failures};
        figures.push_back({rates_.add(names[i], totals, now), latencies[i]});
    }
    co_return figures;
}

asio::awaitable<answer> managed_api::statistics(const routed& where)
{
    std::optional<timestamp> day;
    if (const auto found = where.query.find("day"); found != where.query.end()) {
        day = parse_day(found->second);
        if (!day)
            throw refusal{400, "The parameter 'day' is not a day such as 2026-11-21."};
    } else {
        day = co_await inspector_.async_server_time();
    }
    managed_queue queue{redis_, where.name, client_.options()};
    const auto found = co_await queue.async_statistics(day);
    co_return answer{.body = describe(found, format_rfc3339(*day).substr(0, 10)) + '\n'};
}

asio::awaitable<std::vector<std::string>> managed_api::jids(const std::string& queue, managed_state state,
                                                            page_range range)
{
    if (state == managed_state::waiting)
        co_return co_await waiting_jids(redis(), prefix(), queue, range.offset, range.count);
    managed_queue in{redis_, queue, client_.options()};
    co_return co_await in.async_jobs(state, range.offset, range.count);
}

asio::awaitable<void> managed_api::add_jobs(page_writer& page, std::vector<std::string> jids,
                                            std::optional<managed_state> state)
{
    if (state == managed_state::recurring) {
        for (const auto& jid : jids) {
            const auto job = co_await client_.async_recurring(jid);
            if (job)
                page.add(describe(*job));
        }
        co_return;
    }
    const auto jobs = co_await client_.async_multiget(jids);
    for (const auto& job : jobs)
        page.add(describe(job, state));
}

asio::awaitable<void> managed_api::add_part(page_writer& page, std::vector<std::string> jids,
                                            std::optional<managed_state> state)
{
    const bool is_heavy = page.is_heavy();
    auto call = add_jobs(page, std::move(jids), state);
    if (is_heavy)
        call = large_looks_->take(std::move(call));
    co_await std::move(call);
}

asio::awaitable<answer> managed_api::jobs(const routed& where)
{
    const auto state = read_state(where);
    const auto range = read_range(where);
    page_writer page{"jobs"};
    std::size_t seen = 0;
    bool is_last = range.count == 0;
    while (!is_last && seen != range.count && !page.is_full()) {
        const auto wanted = page.next_part(range.count - seen);
        auto part = co_await jids(where.name, state, {range.offset + seen, wanted});
        seen += part.size();
        is_last = part.size() < wanted;
        co_await add_part(page, std::move(part), state);
    }
    std::string next;
    if (!is_last)
        next = next_path(path_of(where).append("?state=").append(to_string(state)),
                         page_range{range.offset + seen, range.count});
    co_return std::move(page).finish(next);
}

asio::awaitable<answer> managed_api::groups(const routed& where)
{
    const auto range = read_range(where);
    const auto all = co_await client_.async_failed_groups();
    std::vector<group_count> list;
    for (const auto& [group, count] : all)
        list.push_back({group, count});
    page_writer page{"groups"};
    for (const auto& group : slice_of(list, range))
        page.add(describe(group));
    co_return finish_slice(std::move(page), list, where, range);
}

asio::awaitable<answer> managed_api::failed(const routed& where)
{
    const auto range = read_range(where);
    page_writer page{"jobs"};
    std::size_t seen = 0;
    bool is_last = range.count == 0;
    while (!is_last && seen != range.count && !page.is_full()) {
        const auto wanted = page.next_part(range.count - seen);
        auto part = co_await client_.async_failed(where.name, range.offset + seen, wanted);
        seen += part.jids.size();
        is_last = range.offset + seen >= part.total || part.jids.empty();
        co_await add_part(page, std::move(part.jids), std::nullopt);
    }
    std::string next;
    if (!is_last)
        next = next_path(path_of(where), page_range{range.offset + seen, range.count});
    co_return std::move(page).finish(next);
}

asio::awaitable<answer> managed_api::job(const routed& where)
{
    const auto job =
        co_await large_looks_->take(client_.async_get(where.name, with_diagnostics(asio::use_awaitable)));
    if (job)
        co_return answer{.body = describe(*job) + '\n'};
    const auto recurring = co_await client_.async_recurring(where.name);
    if (recurring)
        co_return answer{.body = describe(*recurring) + '\n'};
    throw refusal{404, "There is no such job; complete ones are kept for a while only."};
}

asio::awaitable<answer> managed_api::workers(const routed& where)
{
    const auto range = read_range(where);
    const auto all = co_await present_workers(redis(), prefix());
    page_writer page{"workers"};
    for (const auto& worker : slice_of(all, range))
        page.add(describe(worker));
    co_return finish_slice(std::move(page), all, where, range);
}

} // namespace coworker::detail
