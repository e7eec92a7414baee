#include "coworker/queue_look.hpp"

#include "coworker/job_view.hpp"

#include "list/keys.hpp"
#include "managed/browse.hpp"
#include "redis/server_time.hpp"

#include <boost/redis/request.hpp>

#include <algorithm>

namespace coworker::cli {

using std::chrono::milliseconds;

asio::awaitable<queue_look> look_at_list_queue(session& redis, std::string name)
{
    raw_list_queue queue{redis, name};
    const auto sizes = co_await queue.sizes();
    queue_look look;
    look.queue = {false, std::move(name)};
    look.paused = sizes.paused;
    look.waiting = sizes.waiting;
    look.scheduled = sizes.scheduled;
    look.running = sizes.in_progress;
    look.failed = sizes.failed;
    look.broken = sizes.broken;
    look.oldest_waiting = sizes.oldest_waiting_age;
    look.total_succeeded = sizes.total_succeeded;
    look.total_failed = sizes.total_failed;
    look.total_retried = sizes.total_retried;
    look.total_broken = sizes.total_broken;
    co_return look;
}

asio::awaitable<queue_look> look_at_managed_queue(session& redis, managed_options options,
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
        managed_queue queue{redis, counts.name, options};
        const auto next = co_await queue.peek(1);
        const auto since = next.empty() ? std::nullopt : put_at(next.front());
        if (since) {
            const auto now = co_await detail::server_time(redis.client());
            look.oldest_waiting = std::max(std::chrono::floor<milliseconds>(now - *since), milliseconds{0});
        }
    }
    co_return look;
}

asio::awaitable<std::uint64_t> count_workers(session& redis, const std::string& name)
{
    const detail::list_keys keys{name};
    boost::redis::request count;
    count.push("HLEN", keys.workers);
    detail::reply answers;
    co_await redis.client().exec(count, answers);
    answers.throw_if_error();
    co_return static_cast<std::uint64_t>(answers[0].integer());
}

asio::awaitable<void> add_totals(session& redis, const managed_options& options, timestamp now,
                                 queue_look& look)
{
    // The scripts' `stats` reads two histograms as well, which are not needed here.
    const std::vector<std::string> name{look.queue.name};
    const auto counts = co_await detail::count_day(redis.client(), options.prefix, name, now);
    look.total_succeeded = counts[0].completed;
    look.total_retried = counts[0].retries;
    look.total_failed = counts[0].failures;
}

} // namespace coworker::cli
