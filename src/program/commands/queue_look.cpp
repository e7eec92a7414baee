#include "program/commands/queue_look.hpp"

#include "list/sizes.hpp"
#include "managed/browse.hpp"
#include "redis/server_time.hpp"

#include <coworker/managed_client.hpp>

#include <boost/redis/request.hpp>

namespace coworker::program {
namespace {

queue_look look_of(std::string name, const list_queue_sizes& sizes)
{
    queue_look look;
    look.queue = {false, std::move(name)};
    look.paused = sizes.paused;
    look.waiting = sizes.waiting;
    look.scheduled = sizes.scheduled;
    look.overdue = sizes.overdue;
    look.running = sizes.in_progress;
    look.failed = sizes.failed;
    look.broken = sizes.broken;
    look.workers = sizes.workers;
    look.oldest_waiting = sizes.oldest_waiting_age;
    look.total_succeeded = sizes.total_succeeded;
    look.total_failed = sizes.total_failed;
    look.total_retried = sizes.total_retried;
    look.total_broken = sizes.total_broken;
    return look;
}

} // namespace

asio::awaitable<queue_look> look_at_list_queue(client& redis, std::string name)
{
    raw_list_queue queue{redis, name};
    const auto sizes = co_await queue.async_sizes();
    co_return look_of(std::move(name), sizes);
}

asio::awaitable<std::vector<queue_look>> look_at_list_queues(client& redis, std::vector<std::string> names)
{
    const auto sizes = co_await detail::look_at_sizes(detail::connection_of(redis), names);
    std::vector<queue_look> looks;
    for (std::size_t i = 0; i != names.size(); ++i)
        looks.push_back(look_of(std::move(names[i]), sizes[i]));
    co_return looks;
}

asio::awaitable<queue_look> look_at_managed_queue(client& redis, managed_options options,
                                                  managed_queue_counts counts)
{
    queue_look look;
    look.queue = {true, counts.name};
    look.paused = counts.paused;
    look.waiting = counts.waiting;
    look.scheduled = counts.scheduled;
    look.running = counts.running;
    look.stalled = counts.stalled;
    look.depends = counts.depends;
    look.recurring = counts.recurring;
    if (counts.waiting != 0) {
        auto& client = detail::connection_of(redis);
        const std::vector<std::string> name{counts.name};
        const auto now = co_await detail::server_time(client);
        const auto times = co_await detail::waiting_times(client, options.prefix, name, now);
        look.oldest_waiting = std::chrono::floor<std::chrono::milliseconds>(times.front());
    }
    co_return look;
}

asio::awaitable<std::map<std::string, std::uint64_t>> count_failed_by_queue(client& redis,
                                                                            managed_options options)
{
    constexpr std::size_t at_a_time = 500;
    std::map<std::string, std::uint64_t> counts;
    managed_client client{redis, options};
    const auto groups = co_await client.async_failed_groups();
    for (const auto& [group, size] : groups) {
        for (std::size_t seen = 0; seen < size; seen += at_a_time) {
            const auto part = co_await client.async_failed(group, seen, at_a_time);
            if (part.jids.empty())
                break;
            boost::redis::request ask;
            for (const auto& jid : part.jids)
                ask.push("HGET", options.prefix + "j:" + jid, "queue");
            detail::reply answers;
            co_await detail::connection_of(redis).exec(ask, answers);
            answers.throw_if_error();
            for (std::size_t i = 0; i != part.jids.size(); ++i)
                ++counts[std::string{answers[i].text()}];
        }
    }
    co_return counts;
}

asio::awaitable<void> add_totals(client& redis, const managed_options& options, timestamp now,
                                 queue_look& look)
{
    // The scripts' `stats` reads two histograms as well, which are not needed here.
    const std::vector<std::string> name{look.queue.name};
    const auto counts = co_await detail::count_day(detail::connection_of(redis), options.prefix, name, now);
    look.total_succeeded = counts[0].completed;
    look.total_retried = counts[0].retries;
    look.total_failed = counts[0].failures;
}

} // namespace coworker::program
