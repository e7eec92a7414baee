// SPDX-License-Identifier: MIT
#include "managed/scheduled_options.hpp"

#include <boost/test/unit_test.hpp>

using coworker::detail::scheduled_options_text;

BOOST_AUTO_TEST_SUITE(scheduled_options_texts)

BOOST_AUTO_TEST_CASE(is_empty_without_options)
{
    BOOST_TEST(scheduled_options_text("[]") == "{}");
    BOOST_TEST(scheduled_options_text("{}") == "{}");
}

BOOST_AUTO_TEST_CASE(shows_numbers_and_lists_as_such_and_all_else_as_text)
{
    BOOST_TEST(scheduled_options_text(R"(["priority","7","tags","[\"x\"]","group","7","order","[]"])") ==
               R"({"priority":7,"tags":["x"],"group":"7","order_key":"[]"})");
}

BOOST_AUTO_TEST_CASE(shows_the_options_that_qless_does_not_know_beside_the_others)
{
    BOOST_TEST(scheduled_options_text(R"(["options","{\"timeout\":30,\"metadata\":{\"a\":\"b\"}}"])") ==
               R"({"timeout":30,"metadata":{"a":"b"}})");
}

BOOST_AUTO_TEST_CASE(reads_what_others_stored_as_far_as_it_makes_sense)
{
    BOOST_TEST(scheduled_options_text(R"(["priority"])") == "{}");
    BOOST_TEST(scheduled_options_text(R"(["priority",7,"group","g","tags"])") == R"({"group":"g"})");
    BOOST_TEST(scheduled_options_text(R"(["priority","many","retries",""])") ==
               R"({"priority":"many","retries":""})");
    BOOST_TEST(scheduled_options_text(R"(["options","[]","group","\u00e9\"\n"])") ==
               "{\"group\":\"\xc3\xa9\\\"\\n\"}");
}

BOOST_AUTO_TEST_SUITE_END()
