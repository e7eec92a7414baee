#include "coworker/queue_look.hpp"

#include "coworker/job_view.hpp"

#include "list/keys.hpp"
#include "redis/client.hpp"

#include <boost/redis/request.hpp>

#include <algorithm>
#include <charconv>

namespace coworker::cli {
namespace {

using std::chrono::milliseconds;

/// A count that may not be there, or may be anything.
std::uint64_t read_count(std::string_view text)
{
    std::uint64_t count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    return count;
}

} // namespace

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
            const auto now = co_await server_time(redis);
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
    const auto day = std::chrono::floor<std::chrono::days>(now).time_since_epoch();
    auto of_day = std::to_string(std::chrono::duration_cast<std::chrono::seconds>(day).count());
    of_day += ':';
    of_day += look.queue.name;
    boost::redis::request totals;
    totals.push("HMGET", options.prefix + "s:run:" + of_day, "total");
    totals.push("HMGET", options.prefix + "s:stats:" + of_day, "retries", "failures");
    detail::reply answers;
    co_await redis.client().exec(totals, answers);
    answers.throw_if_error();
    look.total_succeeded = read_count(answers[0][0]);
    look.total_retried = read_count(answers[1][0]);
    look.total_failed = read_count(answers[1][1]);
}

} // namespace coworker::cli
