#include "coworker/time_text.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(times)

using namespace coworker::cli;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(reads_durations)
{
    BOOST_TEST((parse_duration("250ms") == 250ms));
    BOOST_TEST((parse_duration("0s") == 0ms));
    BOOST_TEST((parse_duration("5m") == 5min));
    BOOST_TEST((parse_duration("2d1h30m5s1ms") == 49h + 30min + 5s + 1ms));
    for (const auto* text : {"", "5", "m", "-5m", "+5m", "5 m", "1.5h", "5m1h", "5m5m", "5y",
                             "99999999999999999999s", "36501d", "9223372036854775807d", "5m ", "5M"})
        BOOST_TEST(!parse_duration(text), text);
}

BOOST_AUTO_TEST_CASE(reads_times)
{
    const auto noon = parse_time("2026-11-21T12:00:00Z");
    BOOST_REQUIRE(noon.has_value());
    BOOST_TEST(noon->time_since_epoch().count() == 1795262400000000);
    BOOST_TEST((parse_time("2026-11-21T13:00:00+01:00") == noon));
    BOOST_TEST((parse_time("2026-11-21 09:30:00.000-02:30") == noon));
    BOOST_TEST((*parse_time("2026-11-21t12:00:00.1234567z") - *noon == 123456us));
    for (const auto* text :
         {"", "2026-11-21", "2026-11-21T12:00:00", "2026-11-21T12:00Z", "2026-02-29T12:00:00Z",
          "2026-11-21T24:00:00Z", "2026-11-21T12:60:00Z", "2026-11-21T12:00:61Z", "2026-11-21T12:00:00.Z",
          "2026-11-21T12:00:00Z ", "26-11-21T12:00:00Z", "2026-11-21T12:00:00+1:00", "tomorrow"})
        BOOST_TEST(!parse_time(text), text);
}

BOOST_AUTO_TEST_CASE(reads_days)
{
    const auto day = parse_day("2026-11-21");
    BOOST_REQUIRE(day.has_value());
    BOOST_TEST(format_time(*day) == "2026-11-21T00:00:00Z");
    for (const auto* text : {"", "2026-11", "2026-13-01", "2026-11-31", "2026-11-21T", "today"})
        BOOST_TEST(!parse_day(text), text);
}

BOOST_AUTO_TEST_CASE(shows_times)
{
    BOOST_TEST(format_time(*parse_time("2026-01-02T03:04:05.006Z")) == "2026-01-02T03:04:05.006Z");
    BOOST_TEST(format_time(coworker::timestamp{-1ms}) == "1969-12-31T23:59:59.999Z");
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
