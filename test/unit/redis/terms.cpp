// SPDX-License-Identifier: MIT
#include "bounds.hpp"
#include "redis/lead.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(terms)

using namespace coworker::detail;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(of_a_quick_monitor_are_short)
{
    BOOST_TEST((term_of(0ms, 0ms) == monitor_term));
    BOOST_TEST((term_of(50ms, 500ms) == monitor_term));
}

/// Else another one would begin while it works.
BOOST_AUTO_TEST_CASE(of_a_slow_monitor_outlast_its_next_round)
{
    BOOST_TEST((term_of(500ms, 500ms) == 2s));
    BOOST_TEST((term_of(1s, 1s) == 4s));
}

/// Or nobody would return jobs for long after it was killed.
BOOST_AUTO_TEST_CASE(have_a_bound)
{
    BOOST_TEST((term_of(1min, 500ms) == longest_monitor_term));
}

BOOST_AUTO_TEST_SUITE_END()
