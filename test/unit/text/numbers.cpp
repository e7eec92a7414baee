// SPDX-License-Identifier: MIT
#include "text/numbers.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <string_view>
#include <tuple>

using coworker::detail::take_number;
using coworker::detail::to_number;

/// Numbers in texts.
BOOST_AUTO_TEST_SUITE(numbers)

BOOST_AUTO_TEST_CASE(a_text_that_is_a_number_is_read)
{
    BOOST_TEST(to_number<double>("0").value() == 0);
    BOOST_TEST(to_number<double>("-12.5").value() == -12.5);
    BOOST_TEST(to_number<double>("1.7e3").value() == 1700);
    BOOST_TEST(to_number<double>("1e-2").value() == 0.01);
    BOOST_TEST(to_number<double>("1795910400.123456").value() == 1795910400.123456);
    BOOST_TEST(to_number<double>("-inf").value() == -HUGE_VAL);
    BOOST_TEST(std::isnan(to_number<double>("nan").value()));
    BOOST_TEST(to_number<unsigned>("17").value() == 17u);
    BOOST_TEST(to_number<std::int64_t>("-17").value() == -17);
}

BOOST_AUTO_TEST_CASE(any_other_text_is_none)
{
    for (const auto* text : {"", " 1", "1 ", "+1", "0x", "1,5", "e5", ".", "-", "1e400", "a"})
        BOOST_TEST(!to_number<double>(text), text);
    for (const auto* text : {"", "1.5", "-1", "4294967296"})
        BOOST_TEST(!to_number<unsigned>(text), text);
}

BOOST_AUTO_TEST_CASE(a_number_at_the_front_is_cut_off)
{
    for (const auto& [text, number, rest] :
         {std::tuple{"1.5d", 1.5, "d"}, {"2e", 2.0, "e"}, {"3e+", 3.0, "e+"}, {"4.h", 4.0, "h"}}) {
        std::string_view left = text;
        BOOST_TEST(take_number(left).value() == number, text);
        BOOST_TEST(left == rest, text);
    }
    std::string_view none = "d1";
    BOOST_TEST(!take_number(none));
    BOOST_TEST(none == "d1");
}

BOOST_AUTO_TEST_SUITE_END()
