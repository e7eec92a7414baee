// SPDX-License-Identifier: MIT
#include "redis/server_connection/reconnect_backoff.hpp"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(reconnect_backoff)

using backoff = coworker::detail::reconnect_backoff;

/// The shortest and the longest pause after so many attempts before.
struct range
{
    std::chrono::milliseconds shortest = std::chrono::milliseconds::max(), longest{0};
};

range range_of(backoff start, int attempts_before)
{
    std::mt19937 random{1};
    range found;
    for (int i = 0; i != 2'000; ++i) {
        auto pauses = start;
        for (int before = 0; before != attempts_before; ++before)
            pauses.next(random);
        const auto pause = pauses.next(random);
        found.shortest = std::min(found.shortest, pause);
        found.longest = std::max(found.longest, pause);
    }
    return found;
}

BOOST_AUTO_TEST_CASE(doubles_the_longest_pause_up_to_the_maximum)
{
    int attempts_before = 0;
    for (const auto longest : {20ms, 40ms, 80ms, 100ms, 100ms, 100ms})
        BOOST_TEST(range_of({20ms, 100ms}, attempts_before++).longest.count() == longest.count());
}

BOOST_AUTO_TEST_CASE(leaves_out_at_most_half)
{
    int attempts_before = 0;
    for (const auto shortest : {10ms, 20ms, 40ms, 50ms, 50ms, 50ms})
        BOOST_TEST(range_of({20ms, 100ms}, attempts_before++).shortest.count() == shortest.count());
}

BOOST_AUTO_TEST_CASE(starts_again_after_a_reset)
{
    std::mt19937 random{1};
    backoff pauses{20ms, 100ms};
    for (int i = 0; i != 10; ++i)
        pauses.next(random);
    pauses.reset();
    BOOST_TEST((pauses.next(random) <= 20ms));
}

BOOST_AUTO_TEST_CASE(makes_sense_of_odd_limits)
{
    BOOST_TEST(range_of({20ms, 10ms}, 5).longest.count() == 20);
    BOOST_TEST(range_of({0ms, 0ms}, 5).longest.count() == 1);
    BOOST_TEST(range_of({-5ms, -7ms}, 5).longest.count() == 1);
    std::mt19937 random{1};
    backoff rare{1ms, 24h * 365};
    for (int i = 0; i != 100; ++i)
        BOOST_TEST((rare.next(random) <= 24h * 365));
}

BOOST_AUTO_TEST_SUITE_END()
