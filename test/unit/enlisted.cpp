// SPDX-License-Identifier: MIT
#include "enlisted.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <vector>

template<class T>
using list_of = coworker::detail::enlisted<T>;

BOOST_AUTO_TEST_SUITE(enlisted)

BOOST_AUTO_TEST_CASE(keeps_the_order_of_enlisting_whatever_the_addresses)
{
    std::array<int, 4> objects{};
    list_of<int> all;
    for (const std::size_t place : {2U, 0U, 3U, 1U})
        all.insert(objects[place]);
    all.insert(objects[0]); // it is there already
    all.erase(objects[3]);
    all.erase(objects[3]);
    const std::vector<int*> expected{&objects[2], &objects[0], &objects[1]};
    BOOST_TEST((std::vector<int*>{all.begin(), all.end()} == expected));
    BOOST_TEST(!all.empty());
}

BOOST_AUTO_TEST_CASE(is_empty_when_all_have_left)
{
    int only = 0;
    list_of<int> all;
    BOOST_TEST(all.empty());
    all.insert(only);
    all.erase(only);
    BOOST_TEST(all.empty());
}

BOOST_AUTO_TEST_SUITE_END()
