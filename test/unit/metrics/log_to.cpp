// SPDX-License-Identifier: MIT
#include "coworker/metrics.hpp"

#include <boost/test/unit_test.hpp>

#include <regex>
#include <sstream>

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(log_to)

using coworker::event;
using coworker::event_kind;
using coworker::log_detail;

/// What is logged for an event, without the time.
std::string logged(const event& what, log_detail detail = log_detail::all)
{
    std::ostringstream stream;
    coworker::log_to(stream, detail)(what);
    const auto line = stream.str();
    const auto blank = line.find(' ');
    return blank == line.npos ? line : line.substr(blank + 1);
}

BOOST_AUTO_TEST_CASE(writes_time_name_and_members_in_one_line)
{
    std::ostringstream stream;
    coworker::log_to(stream, log_detail::all)({.kind = event_kind::retried,
                                               .queue = "emails",
                                               .job_id = "4711",
                                               .message = "later",
                                               .attempt = 2,
                                               .duration = 1500us,
                                               .delay = 250ms});
    const std::regex expected{R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z retried queue=emails job=4711 )"
                              R"(attempt=2 ms=1\.5\d* retry_in_ms=250 message=later\n)"};
    BOOST_TEST(std::regex_match(stream.str(), expected), stream.str());
}

BOOST_AUTO_TEST_CASE(leaves_out_what_is_not_known)
{
    BOOST_TEST(logged({.kind = event_kind::stopped}) == "stopped\n");
    BOOST_TEST(logged({.kind = event_kind::fetched, .queue = "q", .count = 3}) ==
               "fetched queue=q count=3\n");
}

BOOST_AUTO_TEST_CASE(quotes_what_would_not_read_as_one_word)
{
    const auto message = [](std::string_view text) {
        return logged({.kind = event_kind::warning, .message = text});
    };
    BOOST_TEST(message("word") == "warning message=word\n");
    BOOST_TEST(message("two words") == "warning message=\"two words\"\n");
    BOOST_TEST(message("a=b") == "warning message=\"a=b\"\n");
    BOOST_TEST(message("a\"b") == "warning message=\"a\\\"b\"\n");
    BOOST_TEST(message("a\\b") == "warning message=\"a\\\\b\"\n");
    BOOST_TEST(message("a\tb") == "warning message=\"a\\tb\"\n");
    BOOST_TEST(message("\xc3\xa9") == "warning message=\xc3\xa9\n");
}

BOOST_AUTO_TEST_CASE(writes_one_line_whatever_a_text_holds)
{
    const std::string text{"a\nb\r\nc"};
    BOOST_TEST(logged({.kind = event_kind::failed, .queue = text, .job_id = text, .message = text}) ==
               R"(failed queue="a\nb\r\nc" job="a\nb\r\nc" message="a\nb\r\nc")"
               "\n");
}

BOOST_AUTO_TEST_CASE(lets_no_control_character_reach_the_terminal)
{
    const auto line = logged({.kind = event_kind::failed, .message = {"\x1b[31m\0\x07\x7f", 8}});
    BOOST_TEST(line == "failed message=\"\\x1b[31m\\x00\\x07\\x7f\"\n");
}

BOOST_AUTO_TEST_CASE(escapes_what_is_no_text_or_hides_text)
{
    const auto line = coworker::log_line({.kind = event_kind::failed, .message = "\xff \xe2\x80\xae\\n"});
    BOOST_TEST(line == "failed message=\"\\xff \\u202e\\\\n\"");
}

BOOST_AUTO_TEST_CASE(says_as_much_as_asked_for)
{
    const struct
    {
        event_kind kind;
        log_detail from;
    } rows[] = {
        {event_kind::connected, log_detail::jobs},
        {event_kind::disconnected, log_detail::problems},
        {event_kind::reconnected, log_detail::problems},
        {event_kind::warning, log_detail::problems},
        {event_kind::failed, log_detail::problems},
        {event_kind::broken, log_detail::problems},
        {event_kind::lease_lost, log_detail::problems},
        {event_kind::recovered, log_detail::problems},
        {event_kind::ack_failed, log_detail::problems},
        {event_kind::fetch_failed, log_detail::problems},
        {event_kind::fallback_poll_found_work, log_detail::problems},
        {event_kind::stopping, log_detail::jobs},
        {event_kind::stopped, log_detail::jobs},
        {event_kind::succeeded, log_detail::jobs},
        {event_kind::retried, log_detail::problems},
        {event_kind::released, log_detail::jobs},
        {event_kind::fetched, log_detail::all},
        {event_kind::started, log_detail::all},
        {event_kind::leases_renewed, log_detail::all},
    };
    for (const auto& [kind, from] : rows)
        for (const auto detail : {log_detail::problems, log_detail::jobs, log_detail::all})
            BOOST_TEST(logged({.kind = kind}, detail).empty() == (detail < from), to_string(kind));
}

BOOST_AUTO_TEST_SUITE_END()
