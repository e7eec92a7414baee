// SPDX-License-Identifier: MIT
#include "managed/browse.hpp"
#include "text/bounded_time.hpp"

#include "text/numbers.hpp"

#include <boost/redis/request.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>

namespace coworker::detail {

namespace {

/// The second in which a day (UTC) begins, as it stands in keys.
std::string day_text(timestamp day)
{
    const auto begin = std::chrono::floor<std::chrono::days>(day).time_since_epoch();
    return std::to_string(std::chrono::seconds{begin}.count());
}

} // namespace

std::string retries_key(const std::string& prefix, timestamp day)
{
    return prefix + "coworker:retries:" + day_text(day);
}

asio::awaitable<std::vector<day_counts>> count_day(connection& redis, std::string prefix,
                                                   std::vector<std::string> queues, timestamp day)
{
    std::vector<day_counts> counts;
    if (queues.empty())
        co_return counts;
    const auto date = day_text(day) + ':';
    boost::redis::request ask;
    for (const auto& queue : queues) {
        ask.push("HMGET", prefix + "s:run:" + date + queue, "total");
        ask.push("HMGET", prefix + "s:stats:" + date + queue, "retries", "failures");
    }
    ask.push_range("HMGET", retries_key(prefix, day), queues);
    reply answers;
    co_await redis.exec(ask, answers);
    answers.throw_if_error();
    const auto number = [](std::string_view text) {
        return static_cast<std::uint64_t>(std::max<std::int64_t>(to_integer(text), 0));
    };
    const auto retries = answers.back();
    for (std::size_t i = 0; i != queues.size(); ++i) {
        const auto run = answers[2 * i], others = answers[2 * i + 1];
        counts.push_back({number(run[0]), number(retries[i]), number(others[0]), number(others[1])});
    }
    co_return counts;
}

namespace {

/// The job that is next to run in each queue.
struct next_job
{
    std::size_t queue;
    std::string jid;
    double score;
};

asio::awaitable<std::vector<next_job>> next_jobs(connection& redis, const std::string& prefix,
                                                 const std::vector<std::string>& queues)
{
    boost::redis::request ask;
    for (const auto& queue : queues)
        ask.push("ZREVRANGE", prefix + "q:" + queue + "-work", 0, 0, "WITHSCORES");
    reply answers;
    co_await redis.exec(ask, answers);
    answers.throw_if_error();
    std::vector<next_job> jobs;
    for (std::size_t i = 0; i != queues.size(); ++i) {
        // Jid and score stand in an array of their own, inside of the one that is the answer.
        const auto found = answers[i];
        if (found.size() == 3)
            jobs.push_back({i, std::string{found[1]}, to_number<double>(found[2]).value_or(0)});
    }
    co_return jobs;
}

/// From when on a job waits, in seconds since 1970: the score is the priority less what that time takes from it. In
/// queues whose jobs age there are three words behind the `bound`: scripts/managed/parts/aged_score.lua.
double began_to_wait(double taken, std::string_view bound)
{
    std::array<double, 4> words{};
    std::size_t count = 0;
    for (const auto word : std::views::split(bound, ' '))
        if (count != words.size())
            words[count++] = to_number<double>(std::string_view{word.begin(), word.end()}).value_or(0);
    const auto [most, every, since, taken_before] = words;
    const double later = taken - taken_before;
    return since + later * (later > 0 && every > 0 ? every : 1e10);
}

} // namespace

asio::awaitable<std::vector<std::chrono::microseconds>>
waiting_times(connection& redis, std::string prefix, std::vector<std::string> queues, timestamp now)
{
    std::vector<std::chrono::microseconds> times(queues.size());
    if (queues.empty())
        co_return times;
    const auto jobs = co_await next_jobs(redis, prefix, queues);
    if (jobs.empty())
        co_return times;
    boost::redis::request ask;
    for (const auto& job : jobs) {
        ask.push("HMGET", prefix + "j:" + job.jid, "priority", "time");
        ask.push("LINDEX", prefix + "j:" + job.jid + "-history", -1);
    }
    ask.push_range("HMGET", prefix + "coworker:bounds", queues);
    reply answers;
    co_await redis.exec(ask, answers);
    const auto bounds = answers.back();
    const double present = static_cast<double>(now.time_since_epoch().count()) / 1e6;
    for (std::size_t i = 0; i != jobs.size(); ++i) {
        const auto record = answers[2 * i], last_entry = answers[2 * i + 1];
        if (record.is_error())
            answers.throw_if_error();
        // Not so that of one that was moved to the front: its history says last when that was.
        double since = began_to_wait(to_number<double>(record[0]).value_or(0) - jobs[i].score,
                                     bounds.is_error() ? std::string_view{} : bounds[jobs[i].queue]);
        if (std::isinf(jobs[i].score) && !last_entry.is_error() && last_entry.text().starts_with('[')) {
            auto entry = last_entry.text().substr(1);
            since = take_number(entry).value_or(0);
        }
        // It cannot be more than since it was put, or taken.
        const double most =
            record[1].empty() ? 0 : std::max(present - to_number<double>(record[1]).value_or(0), 0.0);
        const double age = std::clamp(present - since, 0.0, most);
        if (std::isfinite(age))
            times[jobs[i].queue] = bounded_time(age).time_since_epoch();
    }
    co_return times;
}

} // namespace coworker::detail
