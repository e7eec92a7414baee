// SPDX-License-Identifier: MIT
#include "inspect/count_managed_queues.hpp"

#include "bounds.hpp"
#include "managed/browse.hpp"
#include "managed/managed_call.hpp"
#include "managed/managed_source/managed_source.hpp"
#include "managed/shown_kind.hpp"
#include "redis/connection_names.hpp"
#include "redis/server_time.hpp"
#include "text/bounded_time.hpp"
#include "text/numbers.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace coworker::detail {

namespace {

constexpr std::size_t counts_per_queue = 11;

void ask_for_counts(boost::redis::request& ask, const std::string& prefix, const std::string& queue,
                    std::int64_t seconds)
{
    const auto key = [&](const char* place) { return prefix + "q:" + queue + place; };
    ask.push("ZCARD", key("-work"));
    ask.push("ZCARD", key("-scheduled"));
    ask.push("ZCOUNT", key("-scheduled"), "-inf", seconds);
    ask.push("ZCARD", key("-locks"));
    ask.push("ZCOUNT", key("-locks"), "-inf", seconds);
    ask.push("ZCARD", key("-depends"));
    ask.push("ZCARD", key("-recur"));
    ask.push("SISMEMBER", prefix + "paused_queues", queue);
    ask.push("ZCARD", prefix + "coworker:parked:" + queue);
    ask.push("ZCOUNT", key("-work"), "-inf", "-inf");
    ask.push("HEXISTS", prefix + "coworker:notices", queue);
}

/// Those that are connected; of those without a connection of their own, such as workers over HTTP, those seen lately.
std::uint64_t count_workers(const reply::answer& noted, const std::optional<std::set<std::string>>& connected,
                            timestamp now)
{
    std::uint64_t count = 0;
    for (std::size_t i = 0; i + 2 < noted.size(); i += 3) { // member and score stand in an array of their own
        const std::string name{noted[i + 1]};
        const auto seen_at = bounded_time(to_number<double>(noted[i + 2]).value_or(0));
        const bool counts = is_connection_name(name) ? !connected || connected->contains(name)
                                                     : seen_at >= now - remote_worker_age;
        count += counts ? 1 : 0;
    }
    return count;
}

queue_info read_counts(std::string name, const reply::answer& counts, std::size_t first)
{
    const auto number = [&](std::size_t i) { return static_cast<std::uint64_t>(counts.integer(first + i)); };
    queue_info info;
    info.queue = queue_ref::managed(std::move(name));
    info.overdue = number(2);
    info.held_back = number(8);
    info.waiting = number(0) + info.overdue + info.held_back;
    info.scheduled = number(1) - info.overdue;
    info.stalled = number(4);
    info.running = number(3) - info.stalled;
    info.depends = number(5);
    info.recurring = number(6);
    info.paused = number(7) != 0;
    info.unhandled = number(9);
    info.notices = number(10) != 0;
    return info;
}

/// Of those that were set aside, the jobs that no worker handles.
asio::awaitable<void> count_unhandled(shared_inspection self, queue_info& info)
{
    managed_call call{self->prefix(), "unhandled"};
    call.add(info.queue.name());
    const reply answers = co_await call_managed(*self->redis, std::move(call));
    const auto found = answers.back();
    info.unhandled = std::min(info.unhandled, static_cast<std::uint64_t>(found.integer(0)));
    for (std::size_t i = 1; i < found.size(); ++i)
        info.unhandled_kinds.push_back(shown_kind(found[i]));
}

/// Failed jobs by queue; nothing if they are too many to look at each, as they are filed by group.
asio::awaitable<std::optional<std::map<std::string, std::uint64_t>>> count_failed(shared_inspection self)
{
    constexpr std::size_t most = 1000;
    managed_call call{self->prefix(), "count_failed"};
    call.add_number(most);
    const reply answer = co_await call_managed(*self->redis, std::move(call));
    const auto counts = answer.back();
    if (counts.is_null())
        co_return std::nullopt;
    std::map<std::string, std::uint64_t> by_queue;
    for (std::size_t i = 0; i + 1 < counts.size(); i += 2)
        by_queue.emplace(counts[i], static_cast<std::uint64_t>(counts.integer(i + 1)));
    co_return by_queue;
}

} // namespace

asio::awaitable<std::vector<queue_info>> count_managed_queues(shared_inspection self,
                                                              std::vector<std::string> names)
{
    std::vector<queue_info> infos;
    if (names.empty())
        co_return infos;
    auto& redis = *self->redis;
    const auto now = co_await server_time(*self->redis->for_prefix(self->prefix()));
    boost::redis::request ask;
    ask.push("MULTI"); // so that no job is counted twice on its way
    for (const auto& name : names)
        ask_for_counts(ask, self->prefix(), name,
                       std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count());
    ask.push("EXEC");
    for (const auto& name : names)
        ask.push("ZRANGE", self->prefix() + "coworker:workers:" + name, 0, -1, "WITHSCORES");
    const reply answers = co_await answers_of(redis, ask);
    const std::size_t executed = 1 + counts_per_queue * names.size(); // the place of EXEC among the answers
    const auto days = co_await count_day(redis, self->prefix(), names, now);
    const auto ages = co_await waiting_times(redis, self->prefix(), names, now);
    const auto failed = co_await count_failed(self);
    survey nodes{redis};
    const auto connected =
        co_await connected_names(nodes); // after the notes: who is in one of them must be in the list
    for (std::size_t i = 0; i != names.size(); ++i) {
        auto& info =
            infos.emplace_back(read_counts(std::move(names[i]), answers[executed], counts_per_queue * i));
        info.totals = {days[i].completed, days[i].retries, days[i].failures, 0, days[i].lost_locks, 0, 0};
        info.workers = count_workers(answers[executed + 1 + i], connected, now);
        if (failed)
            info.failed = failed->count(info.queue.name()) != 0 ? failed->at(info.queue.name()) : 0;
        if (info.waiting != 0)
            info.latency = ages[i];
        if (info.unhandled != 0)
            co_await count_unhandled(self, info);
    }
    co_return infos;
}

} // namespace coworker::detail
