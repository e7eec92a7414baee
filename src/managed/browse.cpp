#include "managed/browse.hpp"

#include <boost/redis/request.hpp>

#include <algorithm>

namespace coworker::detail {

asio::awaitable<bool> is_known_queue(client& redis, std::string prefix, std::string name)
{
    boost::redis::request ask;
    ask.push("ZSCORE", prefix + "queues", name);
    reply answers;
    co_await redis.exec(ask, answers);
    answers.throw_if_error();
    co_return !answers[0].is_null();
}

asio::awaitable<std::vector<std::string>> waiting_jids(client& redis, std::string prefix, std::string queue,
                                                       std::size_t offset, std::size_t count)
{
    std::vector<std::string> jids;
    if (count == 0)
        co_return jids;
    boost::redis::request ask;
    ask.push("ZREVRANGE", prefix + "q:" + queue + "-work", offset, offset + count - 1);
    reply answers;
    co_await redis.exec(ask, answers);
    answers.throw_if_error();
    const auto found = answers[0];
    for (std::size_t i = 0; i != found.size(); ++i)
        jids.emplace_back(found[i]);
    co_return jids;
}

asio::awaitable<std::vector<day_counts>> count_day(client& redis, std::string prefix,
                                                   std::vector<std::string> queues, timestamp day)
{
    std::vector<day_counts> counts;
    if (queues.empty())
        co_return counts;
    const auto begin = std::chrono::floor<std::chrono::days>(day).time_since_epoch();
    const auto date = std::to_string(std::chrono::seconds{begin}.count()) + ':';
    boost::redis::request ask;
    for (const auto& queue : queues) {
        ask.push("HMGET", prefix + "s:run:" + date + queue, "total");
        ask.push("HMGET", prefix + "s:stats:" + date + queue, "retries", "failures");
    }
    reply answers;
    co_await redis.exec(ask, answers);
    answers.throw_if_error();
    const auto number = [](std::string_view text) {
        return static_cast<std::uint64_t>(std::max<std::int64_t>(to_integer(text), 0));
    };
    for (std::size_t i = 0; i != queues.size(); ++i) {
        const auto run = answers[2 * i], others = answers[2 * i + 1];
        counts.push_back({number(run[0]), number(others[0]), number(others[1])});
    }
    co_return counts;
}

asio::awaitable<timestamp> server_time(client& redis)
{
    boost::redis::request ask;
    ask.push("TIME");
    reply answers;
    co_await redis.exec(ask, answers);
    answers.throw_if_error();
    const auto answer = answers[0];
    co_return timestamp{std::chrono::seconds{answer.integer(0)} +
                        std::chrono::microseconds{answer.integer(1)}};
}

} // namespace coworker::detail
