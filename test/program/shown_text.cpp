#include "program/terminal/json_line.hpp"
#include "program/terminal/plain_text.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(shown_text)

using namespace coworker::cli;

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
    BOOST_TEST(is_utf8("é漢😀"));
    for (const auto* text : {"\xff", "\xc3", "\xe2\x82", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80"})
        BOOST_TEST(!is_utf8(text));
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

BOOST_AUTO_TEST_CASE(writes_json_for_scripts)
{
    json_line inner;
    inner.number("x", 1.5).number("y", 3.0).number("z", std::uint64_t{18446744073709551615u});
    json_line line;
    line.text("t", "é\"\n\x7f\xc2\x85")
        .boolean("b", true)
        .null("n")
        .texts("l", {"a", "b"})
        .object("o", inner);
    BOOST_TEST(line.str() == "{\"t\":\"é\\\"\\n\\u007f\\u0085\",\"b\":true,\"n\":null,\"l\":[\"a\",\"b\"],"
                             "\"o\":{\"x\":1.5E0,\"y\":3,\"z\":18446744073709551615}}");
    BOOST_TEST(json_line{}.str() == "{}");
}

BOOST_AUTO_TEST_CASE(writes_jobs_to_the_digit)
{
    json_line line;
    line.json("job", "{\"a\" :\n\t123456789012345678901234567890, \"b\": 1.10}");
    BOOST_TEST(line.str() == "{\"job\":{\"a\" :  123456789012345678901234567890, \"b\": 1.10}}");
    json_line odd;
    odd.json("job", "{").json("bytes", "\xff");
    BOOST_TEST(odd.str() == "{\"job\":\"{\",\"bytes_hex\":\"ff\"}");
}

BOOST_AUTO_TEST_SUITE_END()
