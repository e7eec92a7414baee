// SPDX-License-Identifier: MIT
#include "managed_redis.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

using namespace coworker::test;
using namespace std::chrono_literals;

/// The histories of queues, as far as no table shows: how they go, and very many queues.
BOOST_AUTO_TEST_SUITE(histories)

BOOST_AUTO_TEST_CASE(go_after_a_day_without_a_job)
{
    managed_redis redis;
    redis.raw()("ZADD", "ql:queues", "1", "q");
    redis.raw()("HSET", "ql:s:run:0:q", "total", "3");
    redis.call("note_minute", {"100", "0", "0"});
    const auto left = [&](const char* key) { return std::chrono::seconds{redis.raw()("TTL", key).integer}; };
    BOOST_TEST((left("ql:coworker:history:q") > 24h));
    BOOST_TEST((left("ql:coworker:history:q") <= 25h));
    BOOST_TEST((left("ql:coworker:noted:0") > 25h)); // what is noted of a day is known for longer
    BOOST_TEST((left("ql:coworker:noted:0") <= 48h));
}

BOOST_AUTO_TEST_CASE(of_many_queues_are_noted_in_parts)
{
    constexpr int queues = 450;
    managed_redis redis;
    for (int i = 0; i != queues; ++i) {
        const auto queue = "q" + std::to_string(i);
        redis.raw()("ZADD", "ql:queues", std::to_string(i), queue);
        redis.raw()("HSET", "ql:s:run:0:" + queue, "total", "3");
    }
    std::string offset = "0";
    int calls = 0;
    do {
        const auto answer = redis.call("note_minute", {"100", "0", offset});
        offset = std::to_string(answer.elements.at(0).integer);
        ++calls;
    } while (offset != "0" && calls != 10);
    BOOST_TEST(calls == 3);
    for (int i = 0; i != queues; ++i)
        BOOST_TEST(redis.raw()("LINDEX", "ql:coworker:history:q" + std::to_string(i), "0").text ==
                   "60 3 0 0");
    BOOST_TEST(redis.raw()("HLEN", "ql:coworker:noted:0").integer == queues);
}

BOOST_AUTO_TEST_SUITE_END()
