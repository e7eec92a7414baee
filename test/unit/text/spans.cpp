// SPDX-License-Identifier: MIT
#include "text/spans.hpp"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(spans)

using coworker::detail::bounded;
using std::chrono::milliseconds;

BOOST_AUTO_TEST_CASE(are_as_they_were_below_a_century)
{
    for (const auto span : {0ms, 1ms, -1ms, milliseconds{24h * 365 * 99}, milliseconds{-24h * 365 * 99}})
        BOOST_TEST((bounded(span) == span));
}

BOOST_AUTO_TEST_CASE(can_be_added_to_every_clock)
{
    const auto steady = std::chrono::steady_clock::now();
    const auto system = std::chrono::system_clock::now();
    BOOST_TEST((steady + bounded(milliseconds::max()) > steady + 24h * 365 * 99));
    BOOST_TEST((system + bounded(milliseconds::max()) > system + 24h * 365 * 99));
    BOOST_TEST((steady + bounded(milliseconds::min()) < steady));
    BOOST_TEST((system + bounded(milliseconds::min()) < system));
    BOOST_TEST(
        (bounded(milliseconds::max()) * 10 > milliseconds::max() / 1'000'000'000)); // room to reckon with
}

BOOST_AUTO_TEST_SUITE_END()
