// SPDX-License-Identifier: MIT
#include "managed/scheduled_options.hpp"

#include "coworker/managed_options.hpp"
#include "managed/unique_key.hpp"
#include "text/json_object.hpp"
#include "json/push_options.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(scheduled_options_texts)

using namespace coworker;

namespace {

std::string text_of(std::string_view words, std::string_view data = "{}")
{
    detail::json_object out;
    detail::write_push_options(out, detail::read_scheduled_options(words, "k", data));
    return out.str();
}

/// As it is shown, what jobs with these data are unique by.
std::string shown_rule(const unique_rule& rule, std::string_view data)
{
    const auto key = detail::json_string(detail::unique_key(rule, "k", data));
    return text_of(R"(["unique",)" + key + "]", data);
}

} // namespace

BOOST_AUTO_TEST_CASE(is_empty_without_options)
{
    BOOST_TEST(text_of("[]") == "{}");
    BOOST_TEST(text_of("{}") == "{}");
}

BOOST_AUTO_TEST_CASE(shows_numbers_and_lists_as_such_and_all_else_as_text)
{
    BOOST_TEST(text_of(R"(["group","7","tags","[\"x\"]","priority","7","order","[]"])") ==
               R"({"priority":7,"tags":["x"],"order_key":"[]","group":"7"})");
    BOOST_TEST(text_of(R"(["tags","[]","limits","[]"])") == R"({"tags":[],"limits":[]})");
    BOOST_TEST(text_of(R"(["limits","[[\"gpu\",4]]"])") == R"({"limits":[{"name":"gpu","units":4}]})");
}

BOOST_AUTO_TEST_CASE(shows_the_options_that_qless_does_not_know_beside_the_others)
{
    BOOST_TEST(text_of(R"(["options","{\"timeout\":30,\"metadata\":{\"a\":\"b\"}}"])") ==
               R"({"timeout":30,"metadata":{"a":"b"}})");
}

BOOST_AUTO_TEST_CASE(shows_the_rule_by_which_a_unique_key_was_made)
{
    const auto unique = [](const std::string& by) {
        return "{\"unique\":{" + by + R"(,"until":"done","on_conflict":"keep"}})";
    };
    const auto data = R"({"a":1,"b":[2, 3]})";
    BOOST_TEST(shown_rule({.key = "daily"}, data) == unique(R"("key":"daily")"));
    BOOST_TEST(shown_rule({.whole_payload = true}, data) == unique(R"("whole_payload":true)"));
    BOOST_TEST(shown_rule({.whole_payload = true}, "[1, 2]") == unique(R"("whole_payload":true)"));
    const text_list fields{"b"};
    BOOST_TEST(shown_rule({.fields = fields}, data) == unique(R"("fields":["b"])"));
    BOOST_TEST(shown_rule({.fields = text_list::none()}, data) == unique(R"("fields":[])"));
    // made of other data, which have changed since
    BOOST_TEST(text_of(R"(["unique","{\"kind\":\"k\",\"data\":{\"b\":4}}"])", data) ==
               unique(R"("key":"{\"kind\":\"k\",\"data\":{\"b\":4}}")"));
    // Of a digest only the whole payload can be tried.
    const auto large = "{\"a\":\"" + std::string(500, 'x') + "\",\"b\":1}";
    BOOST_TEST(shown_rule({.whole_payload = true}, large) == unique(R"("whole_payload":true)"));
    const text_list large_ones{"a"};
    const auto shown = shown_rule({.fields = large_ones}, large);
    BOOST_TEST(shown.starts_with(R"({"unique":{"key":"{\"kind\":)"), shown);
}

BOOST_AUTO_TEST_CASE(calls_what_becomes_of_unique_jobs_as_http_does)
{
    BOOST_TEST(text_of(R"(["unique","u","until","done","conflict","data"])") ==
               R"({"unique":{"key":"u","until":"done","on_conflict":"replace_payload"}})");
    BOOST_TEST(text_of(R"(["unique","u","until","3600","conflict","time"])") ==
               R"({"unique":{"key":"u","unique_for":3600,"on_conflict":"replace_time"}})");
    BOOST_TEST(text_of(R"(["unique","u","until","started","conflict","refuse"])") ==
               R"({"unique":{"key":"u","until":"started","on_conflict":"refuse"}})");
}

BOOST_AUTO_TEST_CASE(reads_what_others_stored_as_far_as_it_makes_sense)
{
    BOOST_TEST(text_of(R"(["priority"])") == "{}");
    BOOST_TEST(text_of(R"(["priority",7,"group","g","tags"])") == R"({"group":"g"})");
    BOOST_TEST(text_of(R"(["priority","many","retries","","until","soon","conflict","x"])") == "{}");
    BOOST_TEST(text_of(R"(["options","[]","group","\u00e9\"\n"])") == "{\"group\":\"\xc3\xa9\\\"\\n\"}");
    BOOST_TEST(text_of(R"(["limits","gpu","tags","x"])") == R"({"tags":[]})");
}

BOOST_AUTO_TEST_SUITE_END()
