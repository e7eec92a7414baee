// SPDX-License-Identifier: MIT
#include "redis/server_time.hpp"

#include "redis/survey.hpp"
#include "text/bounded_time.hpp"

#include <boost/redis/request.hpp>

namespace coworker::detail {

asio::awaitable<timestamp> server_time(connection& redis)
{
    boost::redis::request ask;
    ask.push("TIME");
    reply answers;
    if (redis.in_cluster() &&
        !redis.slot()) { // a node that is frozen is to keep nobody from another one's time
        survey nodes{redis};
        co_await nodes.exec_on_any(ask, answers);
    } else {
        co_await redis.exec(ask, answers);
    }
    answers.throw_if_error();
    co_return read_time(answers[0]);
}

timestamp read_time(const reply::answer& answer)
{
    return bounded_time(answer.integer(0), answer.integer(1));
}

} // namespace coworker::detail
