// SPDX-License-Identifier: MIT
#include "managed_redis.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string>

// Beside the tables, since the time on the server's clock is another at each run.

BOOST_AUTO_TEST_SUITE(server_clock)

using namespace coworker::test;

namespace {

double server_time(raw_redis& redis)
{
    const auto time = redis("TIME").texts();
    return std::stod(time.at(0)) + std::stod(time.at(1)) / 1e6;
}

} // namespace

BOOST_AUTO_TEST_CASE(stands_for_now)
{
    managed_redis redis;
    const double before = server_time(redis.raw());
    redis.call("put", {"server", "w", "q", "j", "k", "{}", "0"});
    const double after = server_time(redis.raw());

    const double put = std::stod(redis.raw()("HGET", "ql:j:j", "time").text);
    BOOST_TEST(put >= before);
    BOOST_TEST(put <= after);
    BOOST_TEST(std::stod(redis.raw()("ZSCORE", "ql:queues", "q").text) == put);
}

BOOST_AUTO_TEST_CASE(has_microseconds)
{
    managed_redis redis;
    redis.call("put", {"server", "w", "q", "j", "k", "{}", "0"});
    const double put = std::stod(redis.raw()("HGET", "ql:j:j", "time").text);
    const double micros = std::fmod(put, 1) * 1e6;
    // seconds since 1970 leave a double a quarter of a microsecond
    BOOST_TEST(std::abs(micros - std::round(micros)) < 0.3);
}

BOOST_AUTO_TEST_CASE(lets_locks_last_from_now_on)
{
    managed_redis redis;
    redis.call("put", {"server", "w", "q", "j", "k", "{}", "0"});
    redis.call("ack_and_fetch", {"server", "q", "w", "1"});
    const double taken = std::stod(redis.raw()("HGET", "ql:j:j", "time").text);
    const double expires = std::stod(redis.raw()("HGET", "ql:j:j", "expires").text);
    BOOST_TEST(std::abs(expires - taken - 60) < 1e-5);
}

BOOST_AUTO_TEST_SUITE_END()
