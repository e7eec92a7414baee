// SPDX-License-Identifier: MIT
#include "text/plain_text.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(plain_text)

using namespace coworker::detail;

BOOST_AUTO_TEST_CASE(escapes_what_a_terminal_obeys)
{
    BOOST_TEST(escaped("plain, é, 漢, 😀, \\") == "plain, é, 漢, 😀, \\");
    BOOST_TEST(escaped("a\n\r\tb\x1b[2J\x7f") == "a\\n\\r\\tb\\x1b[2J\\x7f");
    BOOST_TEST(escaped(std::string{"\0", 1}) == "\\x00");
    BOOST_TEST(escaped("\xc2\x9b"
                       "2J") == "\\x9b2J"); // a control character beyond ASCII
    BOOST_TEST(escaped("\xe2\x80\xae\xef\xbb\xbf\xf3\xa0\x80\x81") == "\\u202e\\ufeff\\U000e0001");
}

BOOST_AUTO_TEST_CASE(escapes_bytes_that_are_no_text)
{
    BOOST_TEST(escaped("\xff\x80"
                       "a\xc3") == "\\xff\\x80a\\xc3");
    BOOST_TEST(escaped("\xc0\xaf\xed\xa0\x80\xf5") ==
               "\\xc0\\xaf\\xed\\xa0\\x80\\xf5"); // too long; surrogate
}

BOOST_AUTO_TEST_CASE(shortens_between_characters)
{
    BOOST_TEST(shortened("1234567890", 10) == "1234567890");
    BOOST_TEST(shortened("1234567890a", 10) == "123456789…");
    BOOST_TEST(shortened("éééé", 3) == "éé…");
    BOOST_TEST(shortened("ab\x1b"
                         "cdef",
                         6) == "ab…"); // not within an escape
    BOOST_TEST(shortened("", 3) == "");
    BOOST_TEST(shortened("abc", 1) == "…");
}

BOOST_AUTO_TEST_CASE(quotes_what_somebody_wrote)
{
    BOOST_TEST(in_quotes("a\nb") == "'a\\nb'");
    BOOST_TEST(in_quotes("éééé", 3) == "'éé…'");
}

BOOST_AUTO_TEST_SUITE_END()
