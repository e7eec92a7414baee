// SPDX-License-Identifier: MIT
#include "redis/server_time.hpp"

#include <boost/redis/request.hpp>

namespace coworker::detail {

asio::awaitable<timestamp> server_time(connection& redis)
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
