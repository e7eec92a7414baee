// SPDX-License-Identifier: MIT
#include "managed/managed_source/active_minute.hpp"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(active_minute)

using coworker::detail::active_minute;

const active_minute::clock::time_point start{1h};

BOOST_AUTO_TEST_CASE(is_noted_once_at_the_beginning)
{
    active_minute subject;
    BOOST_TEST(subject.is_over(start));
    BOOST_TEST(!subject.is_open());
    BOOST_TEST(subject.age(start).count() == 0);
    subject.note(start, 20s);
    BOOST_TEST(!subject.is_over(start + 10min));
}

BOOST_AUTO_TEST_CASE(is_over_when_the_servers_minute_ends)
{
    active_minute subject;
    subject.note(start, 20s);
    subject.touch(start + 5s);
    subject.touch(start + 19s);
    BOOST_TEST(subject.is_open());
    BOOST_TEST(!subject.is_over(start + 19'999ms));
    BOOST_TEST(subject.is_over(start + 20s));
    BOOST_TEST(subject.age(start + 20s).count() == 1000);
    subject.note(start + 20s, 60s);
    BOOST_TEST(!subject.is_open());
}

BOOST_AUTO_TEST_CASE(knows_later_minutes_by_the_one_that_was_noted_last)
{
    active_minute subject;
    subject.note(start, 20s);
    subject.touch(start + 1h + 21s);
    BOOST_TEST(!subject.is_over(start + 1h + 79s));
    BOOST_TEST(subject.is_over(start + 1h + 80s));
    subject.touch(start + 1h + 80s);
    BOOST_TEST(!subject.is_over(start + 1h + 81s));
}

BOOST_AUTO_TEST_SUITE_END()
