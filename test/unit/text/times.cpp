// SPDX-License-Identifier: MIT
#include "text/times.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(times)

using namespace coworker::detail;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(reads_rfc_3339)
{
    const auto expected =
        coworker::timestamp{std::chrono::sys_days{std::chrono::year{2026} / 11 / 21} + 9h + 54min + 29s};
    for (const auto text : {"2026-11-21T09:54:29Z", "2026-11-21t09:54:29z", "2026-11-21T10:54:29+01:00",
                            "2026-11-21T04:24:29-05:30", "2026-11-21 09:54:29Z", "2026-11-21T09:54:29.0Z",
                            "2026-11-21T09:54:29-00:00"})
        BOOST_TEST((parse_rfc3339(text) == expected), text);
    BOOST_TEST((parse_rfc3339("2026-11-21T09:54:29.1234567891Z") == expected + 123456us));
    BOOST_TEST((expected.time_since_epoch().count() == 1795254869000000));
    BOOST_TEST((parse_rfc3339("2024-02-29T00:00:00Z").has_value()));
}

BOOST_AUTO_TEST_CASE(refuses_what_only_looks_like_it)
{
    for (const auto text : {"",
                            "now",
                            "2026-11-21",
                            "2026-11-21T09:54Z",
                            "2026-11-21T09:54:29",
                            "2026-11-21T09:54:29.Z",
                            "2026-11-21T09:54:29+0100",
                            "2026-11-21T09:54:29+24:00",
                            "2026-11-21T09:54:29+01:60",
                            "2026-13-21T09:54:29Z",
                            "2026-02-29T09:54:29Z",
                            "2026-11-21T24:00:00Z",
                            "2026-11-21T09:60:00Z",
                            "2026-11-21T09:54:61Z",
                            "2026-11-21T09:54:29Z ",
                            " 2026-11-21T09:54:29Z",
                            "2026-11-21T09:54:29ZZ",
                            "+026-11-21T09:54:29Z",
                            "2026-11-21T09:54:29.12",
                            "2026-11-21T09:54:29Z\""})
        BOOST_TEST(!parse_rfc3339(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(writes_what_it_reads)
{
    BOOST_TEST(format_rfc3339(*parse_rfc3339("2026-11-21T10:54:29.5+01:00")) ==
               "2026-11-21T09:54:29.500000Z");
}

BOOST_AUTO_TEST_CASE(writes_as_many_digits_as_are_asked_for)
{
    const auto when = *parse_rfc3339("2026-11-21T09:54:29.987654Z");
    BOOST_TEST(format_rfc3339(when, 0) == "2026-11-21T09:54:29Z");
    BOOST_TEST(format_rfc3339(when, 3) == "2026-11-21T09:54:29.987Z");
    BOOST_TEST(format_rfc3339(when, 6) == "2026-11-21T09:54:29.987654Z");
    BOOST_TEST(format_rfc3339(coworker::timestamp{-1us}, 3) == "1969-12-31T23:59:59.999Z");
}

BOOST_AUTO_TEST_CASE(writes_dates_for_http)
{
    BOOST_TEST(format_http_date(*parse_rfc3339("1994-11-06T08:49:37.9Z")) == "Sun, 06 Nov 1994 08:49:37 GMT");
    BOOST_TEST(format_http_date(*parse_day("2026-11-21")) == "Sat, 21 Nov 2026 00:00:00 GMT");
}

BOOST_AUTO_TEST_CASE(reads_days)
{
    BOOST_TEST((parse_day("2026-11-21") == parse_rfc3339("2026-11-21T00:00:00Z")));
    BOOST_TEST((parse_day("2024-02-29").has_value()));
    for (const auto* text :
         {"", "2026-11", "2026-13-01", "2026-11-31", "2026-11-21T", "2026-11-211", "today"})
        BOOST_TEST(!parse_day(text), text);
}

BOOST_AUTO_TEST_CASE(reads_durations)
{
    BOOST_TEST((parse_duration("250ms") == 250ms));
    BOOST_TEST((parse_duration("0s") == 0ms));
    BOOST_TEST((parse_duration("5m") == 5min));
    BOOST_TEST((parse_duration("1.5h") == 90min));
    BOOST_TEST((parse_duration("0.1ms") == 1ms));
    BOOST_TEST((parse_duration("2d1h30m5s1ms") == 49h + 30min + 5s + 1ms));
    BOOST_TEST((parse_duration("36500d") == 24h * 36500));
    for (const auto* text :
         {"", "5", "m", "-5m", "+5m", "5 m", ".5h", "5m1h", "5m5m", "5y", "99999999999999999999s", "36501d",
          "36500d1ms", "1e999s", "9223372036854775807d", "5m ", "5M", "nan", "infs"})
        BOOST_TEST(!parse_duration(text), text);
}

BOOST_AUTO_TEST_CASE(shows_times)
{
    BOOST_TEST(format_rfc3339_short(*parse_rfc3339("2026-01-02T03:04:05.006Z")) ==
               "2026-01-02T03:04:05.006Z");
    BOOST_TEST(format_rfc3339_short(*parse_day("2026-11-21")) == "2026-11-21T00:00:00Z");
    BOOST_TEST(format_rfc3339_short(coworker::timestamp{-1ms}) == "1969-12-31T23:59:59.999Z");
}

BOOST_AUTO_TEST_CASE(shows_ages)
{
    BOOST_TEST(format_age(-5s) == "0s");
    BOOST_TEST(format_age(999ms) == "0s");
    BOOST_TEST(format_age(59s) == "59s");
    BOOST_TEST(format_age(320s) == "5m 20s");
    BOOST_TEST(format_age(2h + 5s) == "2h");
    BOOST_TEST(format_age(76h + 59min) == "3d 4h");
}

BOOST_AUTO_TEST_CASE(shows_spans)
{
    BOOST_TEST(format_span(0s) == "0ms");
    BOOST_TEST(format_span(310.4ms) == "310ms");
    BOOST_TEST(format_span(1.254s) == "1.25s");
    BOOST_TEST(format_span(125s) == "2m 5s");
}

BOOST_AUTO_TEST_SUITE_END()
