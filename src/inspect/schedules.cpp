// SPDX-License-Identifier: MIT
#include "inspect/managed_jobs.hpp"

#include "managed/browse.hpp"
#include "managed/managed_call.hpp"
#include "managed/read_job.hpp"
#include "managed/read_look.hpp"
#include "redis/server_time.hpp"
#include "text/bounded_time.hpp"

#include <algorithm>

/// Recurring jobs, tags and a day's statistics of managed queues.
namespace coworker::detail {

namespace {

/// Where a batch ends that begins at `begin`: what is read together has some data at most, unless one has more.
std::size_t end_of_batch(const std::vector<std::size_t>& sizes, std::size_t begin)
{
    constexpr std::size_t most = 50, most_bytes = 4 * 1024 * 1024;
    auto end = begin + 1;
    for (auto bytes = sizes[begin]; end != sizes.size() && end - begin != most; ++end)
        if ((bytes += sizes[end]) > most_bytes)
            break;
    return end;
}

} // namespace

asio::awaitable<schedule_page> show_schedules(shared_inspection self, std::string queue, std::string cursor,
                                              std::size_t count)
{
    auto part = co_await read_sorted(self, self->prefix() + "q:" + queue + "-recur", "-inf", "+inf", false,
                                     std::move(cursor), std::clamp<std::size_t>(count, 1, 1000));
    schedule_page page;
    page.next = std::move(part.next);
    const auto sizes = co_await sizes_of_data(self, "r:", part.members);
    for (std::size_t i = 0; i != sizes.size();) {
        const auto end = end_of_batch(sizes, i);
        std::vector<script_arguments> calls;
        calls.reserve(end - i);
        for (std::size_t place = i; place != end; ++place) {
            auto& call = calls.emplace_back(self->prefix());
            call.add("server");
            call.add(part.members[place]);
        }
        const reply answers = co_await self->redis->call_each(find_script("managed/recur_get"), calls);
        for (std::size_t place = 0; i != end; ++place, ++i)
            if (const auto answer = answers[place]; !answer.is_null()) // else it was ended meanwhile
                page.schedules.push_back({read_recurring_job(answer.text()), bounded_time(part.scores[i])});
    }
    co_return page;
}

asio::awaitable<result<schedule_info>> find_schedule(shared_inspection self, std::string id)
{
    managed_call call{self->prefix(), "recur_get"};
    call.add(id);
    const reply answers = co_await call_managed(*self->redis, std::move(call));
    if (answers.back().is_null())
        co_return errc::recurring_job_not_found;
    schedule_info found;
    found.job = read_recurring_job(answers.back().text());
    if (const auto due = co_await read_time_in(self, found.job.queue + "-recur", id))
        found.next_run = *due;
    co_return found;
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
