// SPDX-License-Identifier: MIT
#include "managed_redis.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace coworker::test;

/// Redis' clock was ahead, and is set back: rates of limits, and the order of jobs. Delays and locks are in note_minute.test,
/// schedules in schedule_due.test and schedule_fire.test.
BOOST_AUTO_TEST_SUITE(set_back_clock)

namespace {

/// Takes jobs of a queue at a time; returns how many it got.
std::size_t take(managed_redis& redis, const std::string& now, const std::string& queue = "q")
{
    return redis.call("ack_and_fetch", {now, queue, "w", "5"}).elements.at(4).elements.size() / 10;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_rate_holds_no_job_back_until_a_time_that_it_cannot_have_given_out)
{
    managed_redis redis;
    redis.call("limit_set", {"50", "api", "rate", "1", "burst", "2"});
    for (const auto* jid : {"a", "b", "c", "d", "e", "f"})
        redis.call("put", {"3700", "w", "q", jid, "k", "{}", "0", "limits", R"(["api"])"});
    BOOST_TEST(take(redis, "3700") == 2u);
    redis.call("note_minute", {"121", "0", "0"});
    BOOST_TEST(take(redis, "122") == 2u); // a burst
    BOOST_TEST(take(redis, "122") == 0u);
    BOOST_TEST(take(redis, "123.5") == 1u);
}

BOOST_AUTO_TEST_CASE(another_queue_of_the_limit_need_not_wait_for_the_monitor)
{
    managed_redis redis;
    redis.call("limit_set", {"50", "api", "rate", "1"});
    redis.call("put", {"3700", "w", "q", "a", "k", "{}", "0", "limits", R"(["api"])"});
    BOOST_TEST(take(redis, "3700") == 1u);
    redis.call("put", {"120", "w", "p", "b", "k", "{}", "0", "limits", R"(["api"])"});
    BOOST_TEST(take(redis, "120", "p") == 1u);
}

/// A job that takes more than a burst holds the next one back for longer than a burst lasts.
BOOST_AUTO_TEST_CASE(a_rate_is_kept_behind_a_job_that_takes_more_than_the_burst)
{
    managed_redis redis;
    redis.call("limit_set", {"50", "api", "rate", "1"});
    redis.call("put", {"100", "w", "q", "a", "k", "{}", "0", "limits", R"([["api",60]])"});
    BOOST_TEST(take(redis, "100") == 1u);
    redis.call("put", {"101", "w", "p", "b", "k", "{}", "0", "limits", R"(["api"])"});
    BOOST_TEST(take(redis, "101", "p") == 0u);
    redis.call("limit_get", {"102", "api"});
    BOOST_TEST(take(redis, "159.5", "p") == 0u);
    BOOST_TEST(take(redis, "160.5", "p") == 1u);
}

/// They come behind all others of their priority, but before those of a lower one.
BOOST_AUTO_TEST_CASE(jobs_put_while_it_was_ahead_run)
{
    managed_redis redis;
    redis.call("put", {"3700", "w", "q", "ahead", "k", "{}", "0"});
    redis.call("put", {"120", "w", "q", "later", "k", "{}", "0"});
    redis.call("put", {"121", "w", "q", "low", "k", "{}", "0", "priority", "-1"});
    for (const auto* jid : {"later", "ahead", "low"})
        BOOST_TEST(redis.call("ack_and_fetch", {"130", "q", "w", "1"}).elements.at(4).elements.at(0).text ==
                   jid);
}

BOOST_AUTO_TEST_SUITE_END()
