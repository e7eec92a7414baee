// SPDX-License-Identifier: MIT
#include "redis/cluster/slot_map.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(slot_map)

using coworker::detail::node_address;
using map = coworker::detail::slot_map;

const node_address first{"a", "7000"};
const node_address second{"b", "7000"};

BOOST_AUTO_TEST_CASE(knows_nobody_at_first)
{
    const map slots;
    BOOST_TEST(slots.owner(0) == nullptr);
    BOOST_TEST(slots.owner(16383) == nullptr);
    BOOST_TEST(slots.served() == 0u);
    BOOST_TEST(!slots.is_complete());
    BOOST_TEST(slots.primaries().empty());
}

BOOST_AUTO_TEST_CASE(says_who_serves_a_slot)
{
    map slots;
    slots.assign(0, 8191, first);
    slots.assign(8192, 16383, second);
    BOOST_TEST((*slots.owner(0) == first));
    BOOST_TEST((*slots.owner(8191) == first));
    BOOST_TEST((*slots.owner(8192) == second));
    BOOST_TEST((*slots.owner(16383) == second));
    BOOST_TEST(slots.is_complete());
    BOOST_TEST(slots.primaries().size() == 2u);
}

BOOST_AUTO_TEST_CASE(moves_one_slot)
{
    map slots;
    slots.assign(0, 16383, first);
    slots.assign(42, 42, second);
    BOOST_TEST((*slots.owner(41) == first));
    BOOST_TEST((*slots.owner(42) == second));
    BOOST_TEST((*slots.owner(43) == first));
    BOOST_TEST(slots.is_complete());
}

BOOST_AUTO_TEST_CASE(forgets_a_primary_that_serves_nothing_any_more)
{
    map slots;
    slots.assign(0, 16383, first);
    slots.assign(0, 16383, second);
    BOOST_TEST((slots.primaries() == std::vector{second}));
}

BOOST_AUTO_TEST_CASE(keeps_who_served_what_nobody_serves_now)
{
    map before;
    before.assign(0, 99, first);
    map now;
    now.assign(50, 149, second);
    now.keep_missing(before);
    BOOST_TEST((*now.owner(49) == first));
    BOOST_TEST((*now.owner(50) == second));
    BOOST_TEST(now.owner(150) == nullptr);
    BOOST_TEST(now.served() == 150u);
}

BOOST_AUTO_TEST_SUITE_END()
