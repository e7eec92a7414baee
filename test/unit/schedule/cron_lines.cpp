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

/// "2026-03-01 06:05", of the first minute that a line names from a time on.
std::string first_of(const std::string& line, wall_time from)
{
    const auto found = cron_line::parse(line).find(from, from + days{36525});
    if (!found)
        return "never";
    const auto day = floor<days>(*found);
    const year_month_day date{day};
    const hh_mm_ss time{*found - day};
    char text[40];
    std::snprintf(text, sizeof text, "%d-%02u-%02u %02d:%02d", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()));
    return text;
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

BOOST_DATA_TEST_CASE(finds_the_first_minute, rows)
{
    BOOST_TEST(first_of(sample.line, wednesday) == sample.first);
}

namespace {

const row refused[] = {
    {"", "has 0 fields; a line has five: minute, hour, day of month, month, day of week"},
    {"* * * *", "has 4 fields"},
    {"0 * * * * *", "has 6 fields"},
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
    {"* 22-2 * * *", "cron, hour: the range '22-2' runs backwards"},
    {"*/0 * * * *", "cron, minute: the step of '*/0' is out of range"},
    {"*/60 * * * *", "cron, minute: the step of '*/60' is out of range"},
    {"*/ * * * *", "cron, minute: '' is no value"},
    {"5/15 * * * *", "cron, minute: '5/15' has a step without a range"},
    {"*-5 * * * *", "cron, minute: '*' is no value"},
    {"1-2-3 * * * *", "cron, minute: '2-3' is no value"},
    {"1-9/2/2 * * * *", "cron, minute: '2/2' is no value"},
    {"? * * * *", "cron, minute: '?' is no value"},
    {"* * L * *", "cron, day of month: 'L' is no value"},
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
