// SPDX-License-Identifier: MIT
#include "text/repeated_text.hpp"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(repeated_text)

BOOST_AUTO_TEST_CASE(the_same_is_written_twice_a_minute_at_most)
{
    coworker::detail::repeated_text seen;
    const coworker::detail::repeated_text::clock::time_point start{1h};
    BOOST_TEST(seen.is_news("refused", start));
    BOOST_TEST(!seen.is_news("refused", start + 1s));
    BOOST_TEST(!seen.is_news("refused", start + 29s));
    BOOST_TEST(seen.is_news("refused", start + 30s));
    BOOST_TEST(!seen.is_news("refused", start + 59s));
    BOOST_TEST(seen.is_news("refused", start + 60s));
}

BOOST_AUTO_TEST_CASE(another_is_written_at_once)
{
    coworker::detail::repeated_text seen;
    const coworker::detail::repeated_text::clock::time_point start{1h};
    BOOST_TEST(seen.is_news("", start));
    BOOST_TEST(seen.is_news("refused", start));
    BOOST_TEST(seen.is_news("full", start + 1s));
    BOOST_TEST(seen.is_news("refused", start + 2s));
}

BOOST_AUTO_TEST_SUITE_END()
