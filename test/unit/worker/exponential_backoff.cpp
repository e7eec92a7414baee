// SPDX-License-Identifier: MIT
#include "coworker/worker.hpp"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(exponential_backoff)

using backoff = coworker::exponential_backoff;

BOOST_AUTO_TEST_CASE(multiplies_the_pause_up_to_the_maximum)
{
    const backoff pause{.initial = 100ms, .factor = 3, .maximum = 2s, .jitter = 0};
    BOOST_TEST(pause(1).count() == 100);
    BOOST_TEST(pause(2).count() == 300);
    BOOST_TEST(pause(3).count() == 900);
    BOOST_TEST(pause(4).count() == 2000);
    BOOST_TEST(pause(5).count() == 2000);
}

BOOST_AUTO_TEST_CASE(takes_attempt_zero_for_the_first)
{
    const backoff pause{.initial = 100ms, .factor = 3, .maximum = 2s, .jitter = 0};
    BOOST_TEST(pause(0).count() == 100);
}

BOOST_AUTO_TEST_CASE(stays_the_same_with_factor_one)
{
    const backoff pause{.initial = 100ms, .factor = 1, .maximum = 2s, .jitter = 0};
    BOOST_TEST(pause(1).count() == 100);
    BOOST_TEST(pause(100'000).count() == 100);
}

BOOST_AUTO_TEST_CASE(leaves_out_up_to_its_jitter)
{
    const backoff pause{.initial = 1000ms, .factor = 2, .maximum = 1000ms, .jitter = 0.25};
    auto shortest = 1000ms, longest = 0ms;
    for (int i = 0; i != 1000; ++i) {
        const auto found = pause(1);
        BOOST_TEST_REQUIRE((found >= 750ms && found <= 1000ms));
        shortest = std::min(shortest, found);
        longest = std::max(longest, found);
    }
    BOOST_TEST((shortest < 775ms && longest > 975ms));
}

BOOST_AUTO_TEST_CASE(takes_a_jitter_outside_its_range_for_the_nearest_within)
{
    const backoff more{.initial = 100ms, .factor = 2, .maximum = 100ms, .jitter = 7};
    const backoff less{.initial = 100ms, .factor = 2, .maximum = 100ms, .jitter = -7};
    for (int i = 0; i != 100; ++i) {
        BOOST_TEST((more(1) >= 0ms && more(1) <= 100ms));
        BOOST_TEST((less(1) == 100ms));
    }
}

BOOST_AUTO_TEST_CASE(has_defaults_from_a_second_to_ten_minutes)
{
    const backoff pause;
    for (unsigned attempt = 1; attempt != 100; ++attempt) {
        BOOST_TEST((pause(attempt) >= 500ms));
        BOOST_TEST((pause(attempt) <= 10min));
    }
    BOOST_TEST((pause(100) >= 5min));
}

BOOST_AUTO_TEST_CASE(does_not_overflow_after_many_attempts)
{
    const auto for_ever = std::chrono::milliseconds::max();
    const backoff unlimited{.initial = 1000ms, .factor = 2, .maximum = for_ever, .jitter = 0};
    auto before = 0ms;
    for (const unsigned attempt : {1u, 10u, 60u, 100u, 1'100u, 4'000'000'000u}) {
        BOOST_TEST((unlimited(attempt) >= before));
        before = unlimited(attempt);
    }
    const backoff none{.initial = 0ms, .factor = 2, .maximum = 600s, .jitter = 0};
    BOOST_TEST(none(4'000'000'000u).count() == 0);
}

BOOST_AUTO_TEST_CASE(retries_at_once_without)
{
    BOOST_TEST(coworker::no_backoff(1).count() == 0);
    BOOST_TEST(coworker::no_backoff(100).count() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
