// SPDX-License-Identifier: MIT
#include "redis/cluster/refresh_pace.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(refresh_pace)

using namespace std::chrono_literals;
using pace = coworker::detail::refresh_pace;
using time_point = pace::clock::time_point;

const time_point start = time_point{} + 1h;

/// One that has asked once, and was answered at `start`.
pace after_the_first()
{
    pace when;
    when.begin(start);
    when.end(start, true);
    return when;
}

BOOST_AUTO_TEST_CASE(asks_at_once_at_first)
{
    BOOST_TEST((pace{}.due() == time_point::min()));
}

BOOST_AUTO_TEST_CASE(asks_now_and_then_without_a_reason)
{
    BOOST_TEST((after_the_first().due() == start + 30s));
}

BOOST_AUTO_TEST_CASE(asks_once_for_many_who_want_it)
{
    auto when = after_the_first();
    for (int i = 0; i != 1000; ++i)
        when.want();
    BOOST_TEST((when.due() == start + 50ms)); // long past, if the last question was long ago
    when.begin(start + 1min);
    when.end(start + 1min, true);
    BOOST_TEST((when.due() == start + 1min + 30s));
}

BOOST_AUTO_TEST_CASE(asks_again_for_what_is_found_during_a_question)
{
    auto when = after_the_first();
    when.begin(start + 1s);
    when.want();
    when.end(start + 2s, true);
    BOOST_TEST((when.due() == start + 2s + 50ms));
}

BOOST_AUTO_TEST_CASE(asks_again_when_there_was_no_answer)
{
    auto when = after_the_first();
    when.begin(start + 1s);
    when.end(start + 2s, false);
    BOOST_TEST((when.due() == start + 2s + 50ms));
}

BOOST_AUTO_TEST_CASE(asks_less_and_less_often_while_it_does_not_help)
{
    auto when = after_the_first();
    auto now = start;
    for (const auto pause : {50ms, 100ms, 200ms, 400ms, 800ms, 1000ms, 1000ms}) {
        when.want();
        BOOST_TEST((when.due() == now + pause));
        now = when.due();
        when.begin(now);
        when.end(now, true);
    }
    when.begin(now + 10s); // there was nothing to ask for a while
    when.end(now + 10s, true);
    when.want();
    BOOST_TEST((when.due() == now + 10s + 50ms));
}

BOOST_AUTO_TEST_SUITE_END()
