// SPDX-License-Identifier: MIT
#include "redis/server_connection/former_connections.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

BOOST_AUTO_TEST_SUITE(former_connections)

using ids = std::vector<std::int64_t>;

BOOST_AUTO_TEST_CASE(each_server_closes_its_own)
{
    coworker::detail::former_connections all;
    all.add(7, "one");
    all.add(7, "other");
    all.add(9, "one");
    BOOST_TEST(all.at("one") == (ids{7, 9}));
    BOOST_TEST(all.at("other") == ids{7});
    BOOST_TEST(all.at("none").empty());
}

BOOST_AUTO_TEST_CASE(what_was_given_up_while_others_were_closed_stays)
{
    coworker::detail::former_connections all;
    all.add(7, "one");
    all.add(7, "other");
    const auto closed = all.at("one");
    all.add(9, "one");
    all.remove(closed, "one");
    BOOST_TEST(all.at("one") == ids{9});
    BOOST_TEST(all.at("other") == ids{7});
}

BOOST_AUTO_TEST_CASE(the_oldest_are_forgotten)
{
    coworker::detail::former_connections all;
    for (std::int64_t i = 0; i != 1000; ++i)
        all.add(i, "gone for good");
    all.add(1, "one");
    BOOST_TEST(all.at("one") == ids{1});
    BOOST_TEST(all.at("gone for good").size() < 200u);
    BOOST_TEST(all.at("gone for good").back() == 999);
}

BOOST_AUTO_TEST_SUITE_END()
