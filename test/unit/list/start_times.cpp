// SPDX-License-Identifier: MIT
#include "list/start_time.hpp"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(start_times)

using coworker::detail::format_start_time;
using coworker::detail::parse_start_time;
using time_point = coworker::timestamp;

time_point at(std::chrono::year_month_day date, std::chrono::microseconds time_of_day)
{
    return time_point{std::chrono::sys_days{date}} + time_of_day;
}

const auto day = std::chrono::year{2026} / 11 / 21;
const auto second = 9h + 54min + 29s;

void check_reads(std::string_view text, time_point expected, std::uint32_t worker = 0)
{
    BOOST_TEST_CONTEXT(text)
    {
        const auto read = parse_start_time(text);
        BOOST_TEST_REQUIRE(read.has_value());
        BOOST_TEST((read->started == expected), "is off by " << (read->started - expected).count() << " us");
        BOOST_TEST(read->worker == worker);
    }
}

void check_unreadable(std::string_view text)
{
    BOOST_TEST(!parse_start_time(text).has_value(), "should be unreadable: " << text);
}

BOOST_AUTO_TEST_CASE(reads_what_hworker_writes)
{
    // Recorded: the fraction has up to twelve digits, trailing zeros left out.
    check_reads(R"("2026-11-21T09:54:29.612715072Z")", at(day, second + 612715us));
    check_reads(R"("2026-11-21T09:54:29.5903624Z")", at(day, second + 590362us));
    check_reads(R"("2026-11-21T09:54:29.12Z")", at(day, second + 120000us));
    check_reads(R"("2026-11-21T09:54:29Z")", at(day, second));
    check_reads(R"("2026-11-21T09:54:29.000001Z")", at(day, second + 1us));
    check_reads(R"("2026-11-21T09:54:29.9999999Z")", at(day, second + 999999us));
}

BOOST_AUTO_TEST_CASE(reads_the_worker_from_twelve_digits_of_fraction)
{
    check_reads(R"("2026-11-21T09:00:00.123456000042Z")", at(day, 9h + 123456us), 42);
    check_reads(R"("2026-11-21T09:00:00.000000999999Z")", at(day, 9h), 999999);
    check_reads(R"("2026-11-21T09:00:00.123456000000Z")", at(day, 9h + 123456us), 0);
    // Eleven or thirteen digits are not coworker's.
    check_reads(R"("2026-11-21T09:00:00.12345600004Z")", at(day, 9h + 123456us));
    check_reads(R"("2026-11-21T09:00:00.1234560000421Z")", at(day, 9h + 123456us));
    check_reads(R"("2026-11-21T09:00:00.12345678901234567890123456789012345Z")", at(day, 9h + 123456us));
}

BOOST_AUTO_TEST_CASE(reads_the_other_forms_that_hworker_reads)
{
    check_reads(R"("2026-11-21 09:54:29Z")", at(day, second));
    check_reads(R"("2026-11-21T09:54Z")", at(day, 9h + 54min));
    check_reads(R"("2026-11-21T09:54:29+00:00")", at(day, second));
    check_reads(R"("2026-11-21T09:54:29.5+0100")", at(day, second - 1h + 500ms));
    check_reads(R"("2026-11-21T09:54:29-0130")", at(day, second + 90min));
    check_reads(R"("2026-11-21T00:10:00+02:00")", at(std::chrono::year{2026} / 11 / 20, 22h + 10min));
    check_reads(R"("2026-11-21T09:54:29Z" and what follows)", at(day, second));
    check_reads("\"2026-11-21T09:54:29Z\"\xff\n", at(day, second));
}

BOOST_AUTO_TEST_CASE(reads_a_leap_second_as_the_next_second)
{
    check_reads(R"("2016-12-31T23:59:60Z")", at(std::chrono::year{2017} / 1 / 1, 0us));
    check_reads(R"("2016-12-31T23:59:60.25Z")", at(std::chrono::year{2017} / 1 / 1, 250ms));
    check_unreadable(R"("2016-12-31T23:59:61Z")");
}

BOOST_AUTO_TEST_CASE(reads_leap_days_of_leap_years_only)
{
    check_reads(R"("2024-02-29T12:00:00Z")", at(std::chrono::year{2024} / 2 / 29, 12h));
    check_reads(R"("2000-02-29T12:00:00Z")", at(std::chrono::year{2000} / 2 / 29, 12h));
    check_unreadable(R"("2026-02-29T12:00:00Z")");
    check_unreadable(R"("2100-02-29T12:00:00Z")");
}

BOOST_AUTO_TEST_CASE(does_not_read_what_hworker_cannot_read)
{
    check_unreadable("2026-11-21T09:54:29Z");
    check_unreadable("1795254869");
    check_unreadable("1795254869.5");
    check_unreadable(R"("2026-11-21t09:54:29Z")");
    check_unreadable(R"("2026-11-21T09:54:29z")");
    check_unreadable(R"("2026-11-21T09:54:29")");
    check_unreadable(R"("2026-11-21T09:54:29.Z")");
}

BOOST_AUTO_TEST_CASE(does_not_read_what_is_cut_or_impossible)
{
    const std::string whole = R"("2026-11-21T09:54:29.612715000042Z")";
    for (std::size_t size = 0; size != whole.size(); ++size)
        check_unreadable(std::string_view{whole}.substr(0, size));
    for (const auto text :
         {R"("2026-13-21T09:54:29Z")", R"("2026-00-21T09:54:29Z")", R"("2026-11-31T09:54:29Z")",
          R"("2026-11-00T09:54:29Z")", R"("2026-11-21T24:00:00Z")", R"("2026-11-21T09:60:00Z")",
          R"("2026-11-21T9:54:29Z")", R"("26-11-21T09:54:29Z")", R"("2026-11-21T09:54:29 Z")",
          R"("2026-11-21T09:54:29+1")", R"(" 2026-11-21T09:54:29Z")", R"(" ")", R"("")", "null", "{}",
          R"("-026-11-21T09:54:29Z")", R"("2026-11-21T09:54:29,5Z")", R"("2026-11-21T09:54:29.5")"})
        check_unreadable(text);
    check_unreadable({"\"2026-11-21T09:54:29\0Z\"", 23});
}

BOOST_AUTO_TEST_CASE(writes_twelve_digits_of_fraction)
{
    BOOST_TEST(format_start_time(at(day, second + 612715us), 42) == R"("2026-11-21T09:54:29.612715000042Z")");
    BOOST_TEST(format_start_time(at(day, 0us), 0) == R"("2026-11-21T00:00:00.000000000000Z")");
    BOOST_TEST(format_start_time(at(day, 24h - 1us), 999999) == R"("2026-11-21T23:59:59.999999999999Z")");
    BOOST_TEST(format_start_time(time_point{}, 1) == R"("1970-01-01T00:00:00.000000000001Z")");
    BOOST_TEST(format_start_time(time_point{-1us}, 1) == R"("1969-12-31T23:59:59.999999000001Z")");
}

BOOST_AUTO_TEST_CASE(reads_back_what_it_writes)
{
    // Some two days and a bit apart, so that every day of the year and time of the day has its turn.
    for (auto when = at(std::chrono::year{1999} / 1 / 1, 0us);
         when < at(std::chrono::year{2101} / 1 / 1, 0us); when += 49h + 7min + 13s + 123457us) {
        const auto text = format_start_time(when, 123456);
        const auto read = parse_start_time(text);
        BOOST_TEST_REQUIRE((read && read->started == when && read->worker == 123456), text);
    }
}

BOOST_AUTO_TEST_CASE(sorts_as_text_as_it_does_in_time)
{
    std::string before = format_start_time(at(day, 0us), 999999);
    for (auto when = at(day, 1us); when < at(std::chrono::year{2027} / 3 / 1, 0us);
         when += 3h + 333ms + 77us) {
        auto text = format_start_time(when, 0);
        BOOST_TEST_REQUIRE(before < text);
        before = format_start_time(when, 999999);
    }
}

BOOST_AUTO_TEST_SUITE_END()
