#include "program/terminal/time_text.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(times)

using namespace coworker::cli;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(shows_times)
{
    BOOST_TEST(format_time(*parse_rfc3339("2026-01-02T03:04:05.006Z")) == "2026-01-02T03:04:05.006Z");
    BOOST_TEST(format_time(*parse_day("2026-11-21")) == "2026-11-21T00:00:00Z");
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
