// SPDX-License-Identifier: MIT
#include "text/utf8.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(utf8)

using namespace coworker::detail;

BOOST_AUTO_TEST_CASE(knows_how_long_a_character_is)
{
    BOOST_TEST(character_size("") == 0u);
    BOOST_TEST(character_size("ab") == 1u);
    BOOST_TEST(character_size(std::string_view{"\0", 1}) == 1u);
    BOOST_TEST(character_size("éa") == 2u);
    BOOST_TEST(character_size("漢a") == 3u);
    BOOST_TEST(character_size("😀a") == 4u);
    BOOST_TEST(character_size("\xed\x9f\xbf") == 3u);
    BOOST_TEST(character_size("\xf4\x8f\xbf\xbf") == 4u);
}

BOOST_AUTO_TEST_CASE(knows_what_is_no_character)
{
    // Bytes that follow alone, cut off, longer than necessary, surrogates, beyond Unicode.
    for (const auto* text : {"\x80", "\xbf", "\xc3", "\xc3(", "\xe2\x82", "\xe2(\xa1", "\xf0\x9f\x98",
                             "\xc0\xaf", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xed\xa0\x80",
                             "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
        BOOST_TEST(character_size(text) == 0u, text);
        BOOST_TEST(!is_utf8(text));
        std::string inside = "a";
        inside.append(text).append("b");
        BOOST_TEST(!is_utf8(inside));
    }
    BOOST_TEST(is_utf8("a é 漢 😀"));
    BOOST_TEST(is_utf8(""));
}

BOOST_AUTO_TEST_CASE(replaces_what_is_no_character)
{
    BOOST_TEST(make_utf8("é\xff\xc3") == "é\xef\xbf\xbd\xef\xbf\xbd");
    BOOST_TEST(make_utf8("as it is") == "as it is");
}

BOOST_AUTO_TEST_SUITE_END()
