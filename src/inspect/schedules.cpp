#include "inspect/managed_jobs.hpp"

#include "managed/browse.hpp"
#include "managed/managed_call.hpp"
#include "managed/read_job.hpp"
#include "managed/read_look.hpp"
#include "redis/server_time.hpp"

#include <algorithm>

/// Recurring jobs, tags and a day's statistics of managed queues.
namespace coworker::detail {

asio::awaitable<schedule_page> show_schedules(shared_inspection self, std::string queue, std::string cursor,
                                              std::size_t count)
{
    auto part = co_await read_sorted(self, self->prefix() + "q:" + queue + "-recur", "-inf", "+inf", false,
                                     std::move(cursor), std::clamp<std::size_t>(count, 1, 1000));
    schedule_page page;
    page.next = std::move(part.next);
    for (std::size_t i = 0; i != part.members.size(); ++i) {
        managed_call call{self->prefix(), "recur_get"};
        call.add(part.members[i]);
        const reply answer = co_await call_managed(*self->redis, std::move(call));
        if (answer.back().is_null()) // it was ended meanwhile
            continue;
        auto& schedule = page.schedules.emplace_back();
        schedule.job = read_recurring_job(answer.back().text());
        schedule.next_run =
            timestamp{std::chrono::microseconds{static_cast<std::int64_t>(part.scores[i] * 1e6)}};
    }
    co_return page;
}

asio::awaitable<std::vector<std::string>> show_tags(shared_inspection self, std::size_t offset,
                                                    std::size_t count)
{
    managed_call call{self->prefix(), "tag"};
    call.add("top").add_place(offset).add_place(count);
    const reply answer = co_await call_managed(*self->redis, std::move(call));
    co_return read_texts(answer.back().text());
}

asio::awaitable<managed_statistics> show_statistics(shared_inspection self, std::string queue,
                                                    std::optional<timestamp> day)
{
    if (!day)
        day = co_await server_time(*self->redis);
    managed_call call{self->prefix(), "stats"};
    call.add(queue).add_number(std::chrono::floor<std::chrono::seconds>(*day).time_since_epoch().count());
    const reply answer = co_await call_managed(*self->redis, std::move(call));
    auto statistics = read_statistics(answer.back().text());
    // The script answers what qless answers; this count is coworker's own.
    boost::redis::request ask;
    ask.push("HGET", retries_key(self->prefix(), *day), queue);
    const reply retries = co_await answers_of(*self->redis, ask);
    statistics.retries = to_integer(retries[0].text());
    co_return statistics;
}

} // namespace coworker::detail
