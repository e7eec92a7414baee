// SPDX-License-Identifier: MIT
#include "gateway/page.hpp"

#include <boost/test/unit_test.hpp>

/// How many jobs are asked for at a time.
BOOST_AUTO_TEST_SUITE(pages)

using coworker::detail::page_writer;

BOOST_AUTO_TEST_CASE(grows_with_small_jobs)
{
    page_writer page{"jobs"};
    for (const std::size_t expected : {1u, 4u, 16u, 20u, 20u}) {
        BOOST_TEST(page.next_part(1000) == expected);
        page.add("{}");
    }
    BOOST_TEST(page.next_part(7) == 7u);
    BOOST_TEST(page.next_part(0) == 0u);
}

BOOST_AUTO_TEST_CASE(shrinks_with_large_ones)
{
    page_writer page{"jobs"};
    BOOST_TEST(page.next_part(1000) == 1u);
    page.add(std::string(256 * 1024, 'x'));
    BOOST_TEST(page.next_part(1000) == 4u);
    BOOST_TEST(page.next_part(1000) == 8u);
    page.add(std::string(768 * 1024, 'x'));
    BOOST_TEST(page.next_part(1000) == 2u);
    BOOST_TEST(!page.is_full());
    page.add(std::string(5 * 1024 * 1024, 'x'));
    BOOST_TEST(page.next_part(1000) == 1u);
    BOOST_TEST(page.is_full());
}

BOOST_AUTO_TEST_SUITE_END()
