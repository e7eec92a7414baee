// SPDX-License-Identifier: MIT
#include "redis/roll_call.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(roll_call)

BOOST_AUTO_TEST_CASE(long_lists_are_asked_for_less_often)
{
    const auto pause_of = [](std::size_t connections) {
        coworker::detail::roll all;
        all.connections = connections;
        return all.pause().count();
    };
    BOOST_TEST(pause_of(0) == 500);
    BOOST_TEST(pause_of(250) == 500);
    BOOST_TEST(pause_of(251) == 502);
    BOOST_TEST(pause_of(1'000) == 2'000);
    BOOST_TEST(pause_of(1'000'000) == 2'000);
}

BOOST_AUTO_TEST_SUITE_END()
