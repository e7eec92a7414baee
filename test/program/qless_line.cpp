// SPDX-License-Identifier: MIT
#include "program/commands/qless_line.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(qless_line)

using namespace coworker::program;

BOOST_AUTO_TEST_CASE(reads_texts_and_whole_numbers)
{
    const auto line = parse_request(R"({"args": ["get", -5, 18446744073709551615, "é\u0000/"], "id": 1})");
    const std::vector<std::string> expected{"get", "-5", "18446744073709551615",
                                            std::string{"\xc3\xa9\0/", 4}};
    BOOST_TEST(line.complaint == "");
    BOOST_TEST(line.words == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(complains_about_what_is_no_request)
{
    for (const auto* line :
         {"", "get", "[]", "{}", R"({"args": "get"})", R"({"args": ["get", null]})",
          R"({"args": ["get", 1.5]})", R"({"args": ["get"]} {})", "{\"args\": [\"\xff\"]}"})
        BOOST_TEST(parse_request(line).complaint != "", line);
}

BOOST_AUTO_TEST_CASE(writes_replies_as_json)
{
    const auto of_text = [](const std::string& text) {
        coworker::qless_reply reply;
        reply.kind = coworker::qless_reply::type::text;
        reply.text = text;
        return reply;
    };
    coworker::qless_reply list, number;
    BOOST_TEST(reply_line(list) == R"({"ok":null})");
    number.kind = coworker::qless_reply::type::number;
    number.number = -5;
    list.kind = coworker::qless_reply::type::list;
    BOOST_TEST(reply_line(list) == R"({"ok":[]})");
    list.list = {of_text("é"), number, coworker::qless_reply{}};
    BOOST_TEST(reply_line(list) == R"({"ok":["é",-5,null]})");
    list.list.push_back(of_text("a\xff")); // JSON has no such text
    BOOST_TEST(reply_line(list) == R"({"hex":["c3a9",-5,null,"61ff"]})");
    auto error = of_text("Pop(): no");
    error.kind = coworker::qless_reply::type::error;
    BOOST_TEST(reply_line(error) == R"({"err":"Pop(): no"})");
}

BOOST_AUTO_TEST_CASE(shows_bytes_of_an_error_that_are_no_text)
{
    BOOST_TEST(error_line("held by \"é\"") == R"({"err":"held by \"é\""})");
    BOOST_TEST(error_line("held by \xff!") == R"({"err":"held by \\xff!"})");
}

BOOST_AUTO_TEST_SUITE_END()
