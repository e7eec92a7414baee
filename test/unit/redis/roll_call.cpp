// SPDX-License-Identifier: MIT
#include "redis/roll_call.hpp"

#include <boost/asio/io_context.hpp>
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

BOOST_AUTO_TEST_CASE(short_lists_are_looked_at_between_rounds)
{
    const auto look_pause_of = [](std::size_t connections) {
        coworker::detail::roll all;
        all.connections = connections;
        return all.look_pause().count();
    };
    BOOST_TEST(look_pause_of(0) == 250);
    BOOST_TEST(look_pause_of(60) == 300);
    BOOST_TEST(look_pause_of(100) == 500); // as long as the pause between rounds
    BOOST_TEST(look_pause_of(300) == 600);
}

BOOST_AUTO_TEST_CASE(one_with_a_flaw_misses_nobody)
{
    coworker::detail::roll all;
    all.names = {"a", "b"};
    BOOST_TEST(!all.misses_any({}));
    BOOST_TEST(!all.misses_any({"a", "b"}));
    BOOST_TEST(all.misses_any({"a", "c"}));
    all.flaw = "nobody may look";
    BOOST_TEST(!all.misses_any({"a", "c"}));
}

BOOST_AUTO_TEST_CASE(one_of_a_clients_monitors_looks_for_the_leader)
{
    boost::asio::io_context io;
    coworker::detail::roll_call all{io.get_executor()};
    const int one = 1, two = 2;
    BOOST_TEST(all.looks_for_all("key", &one));
    BOOST_TEST(!all.looks_for_all("key", &two));
    BOOST_TEST(all.looks_for_all("key", &one));
    BOOST_TEST(all.looks_for_all("other key", &two));
}

BOOST_AUTO_TEST_SUITE_END()
