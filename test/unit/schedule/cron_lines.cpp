// SPDX-License-Identifier: MIT
#include "schedule/cron_line.hpp"

#include "coworker/error.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(cron_lines)

using namespace coworker::detail;
using namespace std::chrono;

namespace {

/// "2026-03-01 06:05", of the first time that a line names from another on; with the second, if that is not 0.
std::string first_of(const std::string& line, wall_time from)
{
    const auto found = cron_line::parse(line).find(from, from + days{36525});
    if (!found)
        return "never";
    const auto day = floor<days>(*found);
    const year_month_day date{day};
    const hh_mm_ss time{*found - day};
    char text[40], second[8] = "";
    std::snprintf(text, sizeof text, "%d-%02u-%02u %02d:%02d", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()));
    if (time.seconds() != 0s)
        std::snprintf(second, sizeof second, ":%02d", static_cast<int>(time.seconds().count()));
    return std::string{text} + second;
}

/// 2026-02-25, a Wednesday, 13:37:20.
constexpr wall_time wednesday = local_days{year{2026} / 2 / 25} + 13h + 37min + 20s;

struct row
{
    std::string line, first;
};

std::ostream& operator<<(std::ostream& out, const row& each)
{
    return out << each.line;
}

const row rows[] = {
    {"* * * * *", "2026-02-25 13:38"},
    {"  *\t* * * *  ", "2026-02-25 13:38"},
    {"0 * * * *", "2026-02-25 14:00"},
    {"37 13 * * *", "2026-02-26 13:37"}, // it is past the minute's begin
    {"38 13 * * *", "2026-02-25 13:38"},
    {"*/15 * * * *", "2026-02-25 13:45"},
    {"*/7 * * * *", "2026-02-25 13:42"},
    {"10-30/10 * * * *", "2026-02-25 14:10"},
    {"30 2 * * *", "2026-02-26 02:30"},
    {"0 9-17 * * *", "2026-02-25 14:00"},
    {"59 23 * * *", "2026-02-25 23:59"},
    {"0 0 1 * *", "2026-03-01 00:00"},
    {"0 0 31 * *", "2026-03-31 00:00"},
    {"0 0 29 2 *", "2028-02-29 00:00"},
    {"0 12 * * mon", "2026-03-02 12:00"},
    {"0 12 * * 0", "2026-03-01 12:00"},
    {"0 12 * * 7", "2026-03-01 12:00"},
    {"0 12 * * SUN", "2026-03-01 12:00"},
    {"0 12 * * fri-sun", "2026-02-27 12:00"},
    {"0 12 * * 6-7", "2026-02-28 12:00"},
    {"0 12 * * Mon-Fri", "2026-02-26 12:00"},
    {"0 12 * jul,Dec *", "2026-07-01 12:00"},
    {"0 12 * mar-may/2 *", "2026-03-01 12:00"},
    {"0 0 13 * fri", "2026-02-27 00:00"},   // one of both
    {"0 0 13 * */5", "2026-03-13 00:00"},   // both: the field begins with *
    {"0 0 */10 * sun", "2026-03-01 00:00"}, // the same
    {"0 0 29 2 */7", "2032-02-29 00:00"},   // a Sunday
    // from a value on
    {"5/15 * * * *", "2026-02-25 13:50"},
    {"55/15 * * * *", "2026-02-25 13:55"},
    {"0 15/4 * * *", "2026-02-25 15:00"},
    {"0 0 * * thu/2", "2026-02-26 00:00"},
    {"0 0 * * 5/3", "2026-02-27 00:00"}, // Friday only
    // ranges that go on behind the last value
    {"50-10/10 14 * * *", "2026-02-25 14:00"},
    {"0 22-2 * * *", "2026-02-25 22:00"},
    {"0 10-6/16 * * *", "2026-02-26 02:00"},
    {"0 0 30-2 * *", "2026-03-01 00:00"},
    {"0 0 * nov-jan *", "2026-11-01 00:00"},
    {"0 0 * * sat-mon", "2026-02-28 00:00"},
    {"0 0 * * sun-tue", "2026-03-01 00:00"},
    {"0 0 * * 7-2", "2026-03-01 00:00"},
    // seconds in front
    {"* * * * * *", "2026-02-25 13:37:20"},
    {"21 * * * * *", "2026-02-25 13:37:21"},
    {"19 * * * * *", "2026-02-25 13:38:19"},
    {"*/15 * * * * *", "2026-02-25 13:37:30"},
    {"0 37 13 * * *", "2026-02-26 13:37"},
    {"59 37 13 * * *", "2026-02-25 13:37:59"},
    {"30/20 0 9 ? * mon-fri", "2026-02-26 09:00:30"},
    // days by what the month has
    {"0 0 L * *", "2026-02-28 00:00"},
    {"0 0 l-3 * *", "2026-03-28 00:00"},
    {"0 14 l-3 * *", "2026-02-25 14:00"},
    {"0 0 1,L * *", "2026-02-28 00:00"},
    {"0 0 15W,LW * *", "2026-02-27 00:00"}, // the 28th is a Saturday
    {"0 0 L * tue", "2026-02-28 00:00"},    // one of both
    {"0 0 ? * mon#1", "2026-03-02 00:00"},
    {"@yearly", "2027-01-01 00:00"},
    {"@annually", "2027-01-01 00:00"},
    {"@monthly", "2026-03-01 00:00"},
    {"@weekly", "2026-03-01 00:00"},
    {"@daily", "2026-02-26 00:00"},
    {"@midnight", "2026-02-26 00:00"},
    {"@Hourly", "2026-02-25 14:00"},
    {"0 0 30 2 *", "never"},
    {"0 0 31 4,6,9,11 *", "never"},
};

} // namespace

BOOST_DATA_TEST_CASE(finds_the_first_time, rows)
{
    BOOST_TEST(first_of(sample.line, wednesday) == sample.first);
}

namespace {

/// The days of a year that a pair of fields names, as "month/day".
std::string days_of(const std::string& fields, int of)
{
    const auto line = cron_line::parse("0 0 " + fields.substr(0, fields.find(' ')) + " * " +
                                       fields.substr(fields.find(' ') + 1));
    const wall_time begin = local_days{year{of} / 1 / 1}, end = local_days{year{of + 1} / 1 / 1};
    std::string result;
    for (auto found = line.find(begin, end); found; found = line.find(*found + 1s, end)) {
        const year_month_day date{floor<days>(*found)};
        result += (result.empty() ? "" : " ") + std::to_string(static_cast<unsigned>(date.month())) + "/" +
                  std::to_string(static_cast<unsigned>(date.day()));
    }
    return result;
}

struct year_row
{
    std::string fields;
    int year;
    std::string days;
};

std::ostream& operator<<(std::ostream& out, const year_row& each)
{
    return out << each.fields << " in " << each.year;
}

const year_row year_rows[] = {
    {"L *", 2024, "1/31 2/29 3/31 4/30 5/31 6/30 7/31 8/31 9/30 10/31 11/30 12/31"},
    {"L *", 2026, "1/31 2/28 3/31 4/30 5/31 6/30 7/31 8/31 9/30 10/31 11/30 12/31"},
    {"L *", 2100, "1/31 2/28 3/31 4/30 5/31 6/30 7/31 8/31 9/30 10/31 11/30 12/31"},
    {"L-28 *", 2024, "1/3 2/1 3/3 4/2 5/3 6/2 7/3 8/3 9/2 10/3 11/2 12/3"},
    {"L-28 *", 2026, "1/3 3/3 4/2 5/3 6/2 7/3 8/3 9/2 10/3 11/2 12/3"},
    {"L-30 *", 2026, "1/1 3/1 5/1 7/1 8/1 10/1 12/1"},
    {"LW *", 2024, "1/31 2/29 3/29 4/30 5/31 6/28 7/31 8/30 9/30 10/31 11/29 12/31"},
    {"LW *", 2026, "1/30 2/27 3/31 4/30 5/29 6/30 7/31 8/31 9/30 10/30 11/30 12/31"},
    {"1W *", 2026, "1/1 2/2 3/2 4/1 5/1 6/1 7/1 8/3 9/1 10/1 11/2 12/1"}, // never in the month before
    {"15W *", 2026, "1/15 2/16 3/16 4/15 5/15 6/15 7/15 8/14 9/15 10/15 11/16 12/15"},
    {"29W *", 2024, "1/29 2/29 3/29 4/29 5/29 6/28 7/29 8/29 9/30 10/29 11/29 12/30"},
    {"29W *", 2026, "1/29 3/30 4/29 5/29 6/29 7/29 8/28 9/29 10/29 11/30 12/29"}, // February has none
    {"30W *", 2028, "1/31 3/30 4/28 5/30 6/30 7/31 8/30 9/29 10/30 11/30 12/29"}, // April ends with a Sunday
    {"* mon#1", 2024, "1/1 2/5 3/4 4/1 5/6 6/3 7/1 8/5 9/2 10/7 11/4 12/2"},
    {"* mon#2", 2026, "1/12 2/9 3/9 4/13 5/11 6/8 7/13 8/10 9/14 10/12 11/9 12/14"},
    {"? thu#5", 2024, "2/29 5/30 8/29 10/31"},
    {"? 7#5", 2026, "3/29 5/31 8/30 11/29"},
    {"* friL", 2024, "1/26 2/23 3/29 4/26 5/31 6/28 7/26 8/30 9/27 10/25 11/29 12/27"},
    {"* 0l", 2026, "1/25 2/22 3/29 4/26 5/31 6/28 7/26 8/30 9/27 10/25 11/29 12/27"},
    {"13 fri#2", 2026,
     "1/9 1/13 2/13 3/13 4/10 4/13 5/8 5/13 6/12 6/13 7/10 7/13 8/13 8/14 9/11 9/13 10/9 10/13 11/13 "
     "12/11 12/13"}, // one of both
};

} // namespace

BOOST_DATA_TEST_CASE(finds_the_days_of_a_year, year_rows)
{
    BOOST_TEST(days_of(sample.fields, sample.year) == sample.days);
}

namespace {

const row refused[] = {
    {"", "has 0 fields; a line has five: minute, hour, day of month, month, day of week"},
    {"* * * *", "has 4 fields"},
    {"0 0 * * * * *", "has 7 fields"},
    {"60 * * * * *", "cron, second: '60' is out of range; allowed are *, 0 to 59"},
    {"60 * * * *", "cron, minute: '60' is out of range; allowed are *, 0 to 59, ranges (1-5)"},
    {"* 24 * * *", "cron, hour: '24' is out of range; allowed are *, 0 to 23"},
    {"* * 0 * *", "cron, day of month: '0' is out of range; allowed are *, 1 to 31"},
    {"* * * 13 *", "cron, month: '13' is out of range; allowed are *, 1 to 12, or jan to dec"},
    {"* * * * 8", "cron, day of week: '8' is out of range; allowed are *, 0 to 7, or sun to sat"},
    {"* * * * monday", "cron, day of week: 'monday' is no value"},
    {"* * jan * *", "cron, day of month: 'jan' is no value"},
    {"-1 * * * *", "cron, minute: '' is no value"},
    {"1, * * * *", "cron, minute: '' is no value"},
    {"1.5 * * * *", "cron, minute: '1.5' is no value"},
    {"+1 * * * *", "cron, minute: '+1' is no value"},
    {"99999999999 * * * *", "is no value"},
    {"*/0 * * * *", "cron, minute: the step of '*/0' is out of range"},
    {"*/60 * * * *", "cron, minute: the step of '*/60' is out of range"},
    {"*/ * * * *", "cron, minute: '' is no value"},
    {"5/60 * * * *", "cron, minute: the step of '5/60' is out of range"},
    {"*-5 * * * *", "cron, minute: '*' is no value"},
    {"1-2-3 * * * *", "cron, minute: '2-3' is no value"},
    {"1-9/2/2 * * * *", "cron, minute: '2/2' is no value"},
    {"? * * * *", "cron, minute: '?' is no value"},
    {"L * * * *", "cron, minute: 'L' is no value"},
    {"* * * * L", "cron, day of week: '' is no value"},
    {"* * L-31 * *", "cron, day of month: 'L-31' is out of range; allowed are *, 1 to 31"},
    {"* * L- * *", "cron, day of month: 'L' is no value"},
    {"* * L-3W * *", "cron, day of month: '3W' is no value"},
    {"* * 32W * *", "cron, day of month: '32' is out of range"},
    {"* * W * *", "cron, day of month: '' is no value"},
    {"* * 1-5W * *", "cron, day of month: '1-5' is no value"},
    {"* * * * mon#0", "cron, day of week: a month has no week 0 of 'mon#0'"},
    {"* * * * mon#6", "; mon#2 for the second Monday of the month"},
    {"* * * * #2", "cron, day of week: '' is no value"},
    {"* * * * fri#2L", "cron, day of week: 'fri#2' is no value"},
    {"* * 1,? * *", "cron, day of month: '?' is no value"},
    {"@reboot", "cron: '@reboot' is unknown; there are @hourly, @daily"},
    {"@every 5m", "has 2 fields"},
};

} // namespace

BOOST_DATA_TEST_CASE(says_what_is_wrong, refused)
{
    const auto says_so = [&](const coworker::system_error& error) {
        BOOST_TEST((error.code() == coworker::errc::invalid_option));
        BOOST_TEST_INFO(error.what());
        return std::string{error.what()}.find(sample.first) != std::string::npos;
    };
    BOOST_CHECK_EXCEPTION(cron_line::parse(sample.line), coworker::system_error, says_so);
}

BOOST_AUTO_TEST_CASE(shows_all_of_a_line_that_a_text_can_show)
{
    using namespace std::string_view_literals;
    const auto says = [](std::string_view line, std::string_view part) {
        BOOST_CHECK_EXCEPTION(cron_line::parse(line), coworker::system_error, [&](const auto& error) {
            return std::string_view{error.what()}.find(part) != part.npos;
        });
    };
    says("0\0 * * *"sv, "'0\\x00 * * *' has 4 fields");                     // does not end what is said
    says("0 " + std::string(61, 'x') + "\u00fc\u00fc", "x…' has 2 fields"); // is not cut within a letter
}

BOOST_AUTO_TEST_CASE(ends_where_it_is_told_to)
{
    const auto line = cron_line::parse("0 14 * * *");
    BOOST_TEST((!line.find(wednesday, wednesday)));
    BOOST_TEST((!line.find(wednesday, wednesday + 22min)));
    BOOST_TEST((line.find(wednesday, wednesday + 23min) == wednesday + 22min + 40s));
    BOOST_TEST((line.find(wednesday + 22min + 40s, wednesday + 23min) == wednesday + 22min + 40s));
}

BOOST_AUTO_TEST_CASE(knows_lines_that_follow_the_clock)
{
    for (const auto* text : {"* 2 * * *", "*/10 2 * * *", "30 * * * *", "30 */2 * * *", "@hourly"})
        BOOST_TEST(cron_line::parse(text).follows_clock(), text);
    for (const auto* text : {"30 2 * * *", "0-59 2 * * *", "30 0-23 * * *", "@daily"})
        BOOST_TEST(!cron_line::parse(text).follows_clock(), text);
}

BOOST_AUTO_TEST_SUITE_END()
