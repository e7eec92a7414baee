// SPDX-License-Identifier: MIT
#include "exec/last_line.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(last_line)

std::string last_of(std::initializer_list<std::string_view> parts)
{
    coworker::exec::last_line line;
    for (const auto part : parts)
        line.add(part);
    return line.text();
}

BOOST_AUTO_TEST_CASE(is_the_last_that_is_not_blank)
{
    BOOST_TEST(last_of({}) == "");
    BOOST_TEST(last_of({"\n \t\r\n"}) == "");
    BOOST_TEST(last_of({"one"}) == "one");
    BOOST_TEST(last_of({"one\ntwo"}) == "two");
    BOOST_TEST(last_of({"one\n  two \r\n\n \n"}) == "two");
}

BOOST_AUTO_TEST_CASE(may_come_in_any_parts)
{
    BOOST_TEST(last_of({"o", "ne\nt", "", "wo", "\n"}) == "two");
    BOOST_TEST(last_of({"one", "\n"}) == "one");
    BOOST_TEST(last_of({"one\n", "tw"}) == "tw");
}

BOOST_AUTO_TEST_CASE(is_cut_where_it_gets_too_long_but_not_within_a_character)
{
    const auto longest = coworker::exec::last_line::longest;
    const std::string many(3 * longest, 'x');
    BOOST_TEST(last_of({many, many, "\n"}) == std::string(longest, 'x'));
    BOOST_TEST(last_of({many, "\nshort\n"}) == "short");
    for (const std::string character : {"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"})
        for (std::size_t before = longest - 4; before != longest; ++before) {
            const std::string begin(before, 'x');
            const auto fits = before + character.size() <= longest;
            BOOST_TEST(last_of({begin + character + "yyyy"}).starts_with(fits ? begin + character : begin));
            BOOST_TEST((fits || last_of({begin + character + "yyyy"}) == begin));
        }
}

BOOST_AUTO_TEST_SUITE_END()
