// SPDX-License-Identifier: MIT
#include "list/sizes.hpp"

#include "bounds.hpp"
#include "list/keys.hpp"
#include "redis/connection_names.hpp"
#include "redis/server_time.hpp"
#include "text/bounded_time.hpp"
#include "text/numbers.hpp"

#include <algorithm>
#include <span>

/// How many jobs are where, for how long the next has waited, and who is there to take it.
namespace coworker::detail {
namespace {

using std::chrono::milliseconds;

/// Since when a job can run: since it was noted to, and not before it was queued, as its id may tell.
std::optional<timestamp> runnable_since(std::string_view noted, std::string_view id)
{
    auto since = queued_at(id);
    if (!noted.empty()) {
        const auto when = bounded_time(to_number<double>(noted).value_or(0) / 1000);
        since = since ? std::max(*since, when) : when;
    }
    return since;
}

/// A queue as sizes.lua answers it.
struct queue_look
{
    list_queue_sizes sizes;
    std::vector<std::string> workers; ///< all that are registered with a connection
    bool next_tells = true;           ///< false: there is a next job, and nothing is known of it
};

void add_age(list_queue_sizes& sizes, timestamp now, timestamp since)
{
    const auto age = std::max(std::chrono::floor<milliseconds>(now - since), milliseconds{0});
    sizes.oldest_waiting_age = std::max(sizes.oldest_waiting_age.value_or(age), age);
}

queue_look read_look(const reply::answer& answer)
{
    const auto number = [&](std::size_t i) {
        return static_cast<std::uint64_t>(std::max<std::int64_t>(answer.integer(i), 0));
    };
    const auto now = read_time(answer);
    const auto in_list = number(2), overdue = number(6);
    queue_look look;
    look.sizes = {.waiting = in_list + number(3) + overdue,
                  .running = number(4),
                  .scheduled = number(5) - std::min(overdue, number(5)),
                  .overdue = overdue,
                  .failed = number(7),
                  .broken = number(8),
                  .paused = number(9) != 0,
                  .workers = number(21),
                  .oldest_waiting_age = std::nullopt,
                  .total_succeeded = number(10),
                  .total_retried = number(11),
                  .total_failed = number(12),
                  .total_broken = number(13),
                  .total_recovered = number(14),
                  .total_dropped = number(15),
                  .total_dropped_broken = number(16)};
    if (const auto since = runnable_since(answer[18], answer[17]))
        add_age(look.sizes, now, *since);
    else
        look.next_tells = in_list == 0;
    if (overdue != 0)
        add_age(look.sizes, now, *runnable_since(answer[20], answer[19]));
    look.sizes.notices = number(22) != 0;
    for (std::size_t i = 23; i < answer.size(); ++i)
        look.workers.emplace_back(answer[i]);
    return look;
}

/// Nothing is known of the next job but that it is there; from now on it is known since when.
asio::awaitable<void> see_next(connection& redis, const list_keys& keys, list_queue_sizes& sizes)
{
    const auto seen = milliseconds{0};
    sizes.oldest_waiting_age = std::max(sizes.oldest_waiting_age.value_or(seen), seen);
    // An error does no harm: it may be that this user may only read, or that memory is full.
    co_await redis.try_call(find_script("list/see_next"), script_arguments{keys.jobs, keys.ready});
}

/// Queues that are looked at by one request.
constexpr std::size_t most_at_once = 32;

asio::awaitable<std::vector<std::optional<queue_look>>> look_at(survey& nodes,
                                                                std::span<const std::string> names)
{
    const std::vector<list_keys> queues(names.begin(), names.end());
    std::vector<script_arguments> calls;
    calls.reserve(queues.size());
    for (const auto& keys : queues)
        calls
            .emplace_back(keys.jobs, keys.progress, keys.broken, keys.failed, keys.scheduled, keys.duplicates,
                          keys.paused, keys.counters, keys.workers, keys.ready, keys.remote)
            .add_number(remote_worker_age.count());
    const reply answers = co_await nodes.call_each(find_script("list/sizes"), calls);
    std::vector<std::optional<queue_look>> looks(queues.size());
    for (std::size_t i = 0; i != queues.size(); ++i) {
        if (is_of_missing_node(answers[i]))
            continue;
        looks[i] = read_look(answers[i]);
        if (!looks[i]->next_tells)
            co_await see_next(nodes.redis(), queues[i], looks[i]->sizes);
    }
    co_return looks;
}

} // namespace

asio::awaitable<std::vector<std::optional<list_queue_sizes>>> look_at_sizes(survey& nodes,
                                                                            std::vector<std::string> names)
{
    std::vector<std::optional<list_queue_sizes>> sizes;
    std::vector<std::vector<std::string>> workers;
    bool has_workers = false;
    for (std::span<const std::string> rest{names}; !rest.empty();) {
        const auto some = rest.first(std::min(rest.size(), most_at_once));
        rest = rest.subspan(some.size());
        for (auto& look : co_await look_at(nodes, some)) {
            sizes.emplace_back();
            workers.emplace_back();
            if (!look)
                continue;
            sizes.back() = look->sizes;
            has_workers = has_workers || !look->workers.empty();
            workers.back() = std::move(look->workers);
        }
    }
    if (!has_workers)
        co_return sizes;
    // After the registries: who is in one of them must be in the list.
    const auto connected = co_await connected_names(nodes);
    for (std::size_t i = 0; i != sizes.size(); ++i)
        if (sizes[i])
            sizes[i]->workers += static_cast<std::uint64_t>(
                std::count_if(workers[i].begin(), workers[i].end(),
                              [&](const auto& name) { return !connected || connected->contains(name); }));
    co_return sizes;
}

} // namespace coworker::detail
