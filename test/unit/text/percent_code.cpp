// SPDX-License-Identifier: MIT
#include "text/percent_code.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(percent_code)

using namespace coworker::detail;

BOOST_AUTO_TEST_CASE(encodes_what_is_not_plain)
{
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    BOOST_TEST(percent_encoded("a/b c%\xc3", is_letter) == "a%2Fb%20c%25%C3");
    BOOST_TEST(percent_encoded(std::string_view{"\0", 1}, is_letter) == "%00");
}

BOOST_AUTO_TEST_CASE(decodes_what_it_encodes)
{
    std::string all;
    for (int byte = 0; byte != 256; ++byte)
        all += static_cast<char>(byte);
    BOOST_TEST((percent_decoded(percent_encoded(all, [](char) { return false; })) == all));
    BOOST_TEST((percent_decoded("%2f+%2F") == "/+/"));
}

BOOST_AUTO_TEST_CASE(refuses_other_digits)
{
    for (const auto* text : {"%", "a%2", "%zz", "%2g", "%-1", "%+1", "% 1", "%%20"})
        BOOST_TEST(!percent_decoded(text), text);
}

BOOST_AUTO_TEST_SUITE_END()
