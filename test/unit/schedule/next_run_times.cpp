// SPDX-License-Identifier: MIT
#include "coworker/error.hpp"
#include "coworker/run_times.hpp"
#include "support/coroutine.hpp"
#include "text/times.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <ctime>
#include <map>
#include <optional>
#include <ostream>
#include <random>
#include <string>

BOOST_AUTO_TEST_SUITE(next_run_times)

using namespace coworker;
using namespace std::chrono;

namespace {

schedule of_line(const std::string& cron, const std::string& zone)
{
    return {.cron = cron, .zone = zone};
}

std::string join(const std::vector<timestamp>& times)
{
    std::string result;
    for (const auto time : times)
        result += (result.empty() ? "" : " ") + detail::format_rfc3339(time, 0).substr(2, 14);
    return result;
}

timestamp at(const std::string& text)
{
    return detail::parse_rfc3339(text).value();
}

/// The next runs of a line, written as "26-03-29T01:00" in UTC.
struct row
{
    std::string what, line, zone, after, runs;
};

std::ostream& operator<<(std::ostream& out, const row& each)
{
    return out << each.what;
}

const row rows[] = {
    // Berlin: on March 29 it is 3:00 (+2) after 1:59 (+1); on October 25 it is 2:00 (+1) after 2:59 (+2)
    {"a time that is left out runs at the switch", "30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z",
     "26-03-28T01:30 26-03-29T01:00 26-03-30T00:30"},
    {"several that are left out run once", "0,20,40 2 * * *", "Europe/Berlin", "2026-03-29T00:00:00Z",
     "26-03-29T01:00 26-03-30T00:00"},
    {"the end of what is left out is not left out", "0 3 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z",
     "26-03-29T01:00 26-03-30T01:00"},
    {"what is left out and the switch itself are one run", "0 2,3 * * *", "Europe/Berlin",
     "2026-03-28T12:00:00Z", "26-03-29T01:00 26-03-30T00:00 26-03-30T01:00"},
    {"a line with * leaves it out", "30 * * * *", "Europe/Berlin", "2026-03-28T23:00:00Z",
     "26-03-28T23:30 26-03-29T00:30 26-03-29T01:30 26-03-29T02:30"},
    {"a minute with * leaves it out", "*/30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z",
     "26-03-30T00:00 26-03-30T00:30"},
    {"a time that comes twice runs once", "30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z",
     "26-10-25T00:30 26-10-26T01:30"},
    {"also when asked for between both", "30 2 * * *", "Europe/Berlin", "2026-10-25T01:00:00Z",
     "26-10-26T01:30"},
    {"a line with * runs in both hours", "30 * * * *", "Europe/Berlin", "2026-10-24T23:00:00Z",
     "26-10-24T23:30 26-10-25T00:30 26-10-25T01:30 26-10-25T02:30"},
    {"a minute with * runs in both hours", "*/30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z",
     "26-10-25T00:00 26-10-25T00:30 26-10-25T01:00 26-10-25T01:30 26-10-26T01:00"},
    {"midnight is midnight in summer and winter", "@daily", "Europe/Berlin", "2026-10-24T12:00:00Z",
     "26-10-24T22:00 26-10-25T23:00"},
    // New York: on March 8 it is 3:00 (-4) after 1:59 (-5); on November 1 it is 1:00 (-5) after 1:59 (-4)
    {"New York in spring", "15 2 * * *", "America/New_York", "2026-03-07T12:00:00Z",
     "26-03-08T07:00 26-03-09T06:15"},
    {"New York in autumn", "15 1 * * *", "America/New_York", "2026-10-31T12:00:00Z",
     "26-11-01T05:15 26-11-02T06:15"},
    {"New York in autumn, by the clock", "15 * * * *", "America/New_York", "2026-11-01T05:00:00Z",
     "26-11-01T05:15 26-11-01T06:15 26-11-01T07:15"},
    // Lord Howe: on October 4 it is 2:30 (+11) after 1:59 (+10:30); on April 5 it is 1:30 (+10:30) after 1:59 (+11)
    {"half an hour is left out", "15 2 * * *", "Australia/Lord_Howe", "2026-10-02T16:00:00Z",
     "26-10-03T15:30 26-10-04T15:15"},
    {"what is not in that half hour stays", "45 2 * * *", "Australia/Lord_Howe", "2026-10-02T18:00:00Z",
     "26-10-03T15:45 26-10-04T15:45"},
    {"half an hour comes twice", "45 1 * * *", "Australia/Lord_Howe", "2026-04-03T16:00:00Z",
     "26-04-04T14:45 26-04-05T15:15"},
    {"half an hour comes twice, by the clock", "*/15 * * * *", "Australia/Lord_Howe", "2026-04-04T14:29:00Z",
     "26-04-04T14:30 26-04-04T14:45 26-04-04T15:00 26-04-04T15:15 26-04-04T15:30 26-04-04T15:45"},
    // the days on which these zones switch, as their laws name them
    {"the last Sunday, in spring", "30 2 ? * sunL", "Europe/Berlin", "2026-03-01T00:00:00Z",
     "26-03-29T01:00 26-04-26T00:30"},
    {"the last Sunday, in autumn", "30 2 ? * sunL", "Europe/Berlin", "2026-10-01T00:00:00Z",
     "26-10-25T00:30 26-11-29T01:30"},
    {"the second Sunday, in spring", "30 2 ? 3 sun#2", "America/New_York", "2026-01-01T00:00:00Z",
     "26-03-08T07:00 27-03-14T07:00"},
    {"the first Sunday, in autumn", "30 1 ? 11 sun#1", "America/New_York", "2026-01-01T00:00:00Z",
     "26-11-01T05:30 27-11-07T05:30"},
    {"the first Sunday, in spring", "15 2 ? * sun#1", "Australia/Lord_Howe", "2026-09-30T00:00:00Z",
     "26-10-03T15:30 26-10-31T15:15"},
    {"the first Sunday, in autumn", "45 1 ? * 7#1", "Australia/Lord_Howe", "2026-04-01T00:00:00Z",
     "26-04-04T14:45 26-05-02T15:15"},
    {"a range over midnight is left out in part", "30 23-2/3 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z",
     "26-03-28T22:30 26-03-29T01:00 26-03-29T21:30"},
    {"the last day of the month before a switch", "0 0 L * *", "Europe/Berlin", "2026-02-28T00:00:00Z",
     "26-03-30T22:00"},
    {"the working day that is nearest to a switch", "30 2 29W 3 ?", "Europe/Berlin", "2026-01-01T00:00:00Z",
     "26-03-30T00:30 27-03-29T00:30"},
    {"from a value on, by the clock", "10/40 * * * *", "Europe/Berlin", "2026-10-25T00:00:00Z",
     "26-10-25T00:10 26-10-25T00:50 26-10-25T01:10 26-10-25T01:50 26-10-25T02:10"},
    {"seconds that are left out run once", "*/30 30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z",
     "26-03-29T01:00 26-03-30T00:30 26-03-30T00:30"},
    {"seconds that come twice run once", "*/30 30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z",
     "26-10-25T00:30 26-10-25T00:30 26-10-26T01:30"},
    // Kolkata: +5:30, always
    {"a zone without switches", "30 5 * * *", "Asia/Kolkata", "2026-03-28T12:00:00Z",
     "26-03-29T00:00 26-03-30T00:00"},
    // Apia: December 30, 2011 was left out: -10 until its beginning, +14 then
    {"a day that was left out was no day", "0 12 * * *", "Pacific/Apia", "2011-12-29T00:00:00Z",
     "11-12-29T22:00 11-12-30T22:00"},
    {"what fell on that day did not run", "0 12 30 12 *", "Pacific/Apia", "2010-12-31T00:00:00Z",
     "12-12-29T22:00"},
    // far beyond what the files have, where their last line counts
    {"daylight saving in half a century", "0 12 1 1,7 *", "Europe/Berlin", "2076-01-01T00:00:00Z",
     "76-01-01T11:00 76-07-01T10:00"},
    {"a switch in half a century", "30 2 * * *", "Europe/Berlin", "2076-03-28T00:00:00Z",
     "76-03-28T01:30 76-03-29T01:00 76-03-30T00:30"},
    // Dublin: winter is the exception, and its summer the standard; Casablanca: switches around Ramadan
    {"Dublin", "30 1 * * *", "Europe/Dublin", "2050-03-26T12:00:00Z", "50-03-27T01:00 50-03-28T00:30"},
    {"UTC", "30 2 * * *", "UTC", "2026-03-29T00:00:00Z", "26-03-29T02:30 26-03-30T02:30"},
};

} // namespace

BOOST_DATA_TEST_CASE(around_switches, rows)
{
    const auto count = static_cast<std::size_t>(std::count(sample.runs.begin(), sample.runs.end(), ' ')) + 1;
    BOOST_TEST(join(next_times(of_line(sample.line, sample.zone), at(sample.after), count)) == sample.runs);
}

namespace {

/// Local time as the C library knows it.
class system_zone
{
public:
    explicit system_zone(const std::string& zone)
    {
        if (const char* value = std::getenv("TZ"))
            before_ = value;
        ::setenv("TZ", (":" + zone).c_str(), 1);
        ::tzset();
    }
    ~system_zone()
    {
        if (before_)
            ::setenv("TZ", before_->c_str(), 1);
        else
            ::unsetenv("TZ");
        ::tzset();
    }
    system_zone(const system_zone&) = delete;
    system_zone& operator=(const system_zone&) = delete;

    local_time<minutes> operator()(sys_time<minutes> when) const
    {
        const std::time_t time = duration_cast<seconds>(when.time_since_epoch()).count();
        std::tm parts{};
        ::localtime_r(&time, &parts);
        return local_time<minutes>{floor<minutes>(when.time_since_epoch() + seconds{parts.tm_gmtoff})};
    }

private:
    std::optional<std::string> before_;
};

/// A line that is known as sets of values: what `cron_line` reads from text.
struct plain_line
{
    std::string text;
    std::vector<int> minutes, hours, days, months, weekdays; ///< empty: `*`

    bool names(local_time<std::chrono::minutes> when) const
    {
        const auto day = floor<std::chrono::days>(when);
        const year_month_day date{day};
        const auto time = when - day;
        const auto has = [](const std::vector<int>& all, auto value) {
            return all.empty() || std::find(all.begin(), all.end(), static_cast<int>(value)) != all.end();
        };
        const bool fits_day = has(days, static_cast<unsigned>(date.day()));
        const bool fits_weekday = has(weekdays, weekday{day}.c_encoding());
        return has(minutes, time / 1min % 60) && has(hours, time / 1h) &&
               has(months, static_cast<unsigned>(date.month())) &&
               (days.empty() || weekdays.empty() ? fits_day && fits_weekday : fits_day || fits_weekday);
    }
};

/// Walks minute by minute, as cron itself does.
std::vector<timestamp> walk(const plain_line& line, const system_zone& zone, sys_time<minutes> from,
                            sys_time<minutes> end)
{
    const bool follows_clock = line.minutes.empty() || line.hours.empty();
    std::vector<timestamp> runs;
    auto before = zone(from - 1min), latest = before;
    for (auto now = from; now < end; now += 1min) {
        const auto shown = zone(now);
        const auto jump = shown - before;
        before = shown;
        bool runs_now = line.names(shown) && (follows_clock || shown > latest);
        if (!follows_clock && jump > 1min && jump <= 3h + 1min)
            for (auto missed = shown - jump + 1min; missed < shown; missed += 1min)
                runs_now = runs_now || line.names(missed);
        if (shown > latest)
            latest = shown;
        if (runs_now)
            runs.push_back(now);
    }
    return runs;
}

/// Chooses some of the values of a field, and writes them; none: `*`.
std::vector<int> choose(std::mt19937& random, std::string& text, int first, int last, int chance)
{
    std::vector<int> values;
    if (!text.empty())
        text += ' ';
    if (static_cast<int>(random() % 100) < chance) {
        text += '*';
        return values;
    }
    const auto count = 1 + random() % 3;
    for (unsigned i = 0; i != count; ++i)
        values.push_back(first + static_cast<int>(random() % static_cast<unsigned>(last - first + 1)));
    for (std::size_t i = 0; i != values.size(); ++i)
        text += (i == 0 ? "" : ",") + std::to_string(values[i]);
    return values;
}

plain_line make_line(std::mt19937& random)
{
    plain_line line;
    line.minutes = choose(random, line.text, 0, 59, 20);
    line.hours = choose(random, line.text, 0, 4, 30); // where zones switch
    line.days = choose(random, line.text, 1, 31, 70);
    line.months = choose(random, line.text, 1, 12, 80);
    line.weekdays = choose(random, line.text, 0, 6, 70);
    return line;
}

} // namespace

/// Every run within weeks around switches, compared with walking through all minutes by the C library's clock.
BOOST_DATA_TEST_CASE(are_those_of_a_walk_through_all_minutes,
                     boost::unit_test::data::make({"Europe/Berlin", "America/New_York", "Australia/Lord_Howe",
                                                   "Asia/Kolkata", "Pacific/Apia", "America/Sao_Paulo",
                                                   "Africa/Casablanca", "Asia/Tehran", "America/Havana",
                                                   "Antarctica/Troll", "Europe/Dublin", "UTC"}),
                     name)
{
    std::mt19937 random{20261122};
    const system_zone zone{name};
    for (const auto* from : {"2011-12-20T00:00:00Z", "2026-03-05T00:00:00Z", "2026-04-01T00:00:00Z",
                             "2026-10-01T00:00:00Z", "2026-10-20T00:00:00Z", "2044-03-08T00:00:00Z"})
        for (int i = 0; i != (coworker::test::is_sanitized ? 1 : 6); ++i) {
            const auto line = make_line(random);
            const auto begin = floor<minutes>(at(from)), end = begin + days{14};
            const auto expected = walk(line, zone, begin, end);
            auto found = next_times(of_line(line.text, name), begin - 1min, expected.size() + 1);
            while (!found.empty() && found.back() >= end)
                found.pop_back();
            BOOST_TEST(join(found) == join(expected), line.text << " in " << name << " from " << from);
        }
}

BOOST_AUTO_TEST_CASE(of_intervals_do_not_drift)
{
    const schedule often{.every = 10min};
    BOOST_TEST(join(next_times(often, at("2026-11-22T12:00:00Z"), 2)) == "26-11-22T12:10 26-11-22T12:20");
    BOOST_TEST(join(next_times(often, at("2026-11-22T12:09:59.999Z"), 1)) == "26-11-22T12:10");
    const schedule anchored{.every = 24h, .anchor = at("2026-11-22T06:30:00Z")};
    BOOST_TEST(join(next_times(anchored, at("2026-11-22T06:29:59Z"), 2)) == "26-11-22T06:30 26-11-23T06:30");
    BOOST_TEST(join(next_times(anchored, at("2026-11-20T06:30:00Z"), 1)) == "26-11-21T06:30");
    BOOST_TEST(join(next_times(anchored, at("1950-11-20T06:30:00Z"), 1)) == "50-11-21T06:30");
}

BOOST_AUTO_TEST_CASE(lie_between_beginning_and_end)
{
    schedule daily{.cron = "0 12 * * *"};
    daily.begin = at("2026-11-23T12:00:00Z");
    daily.end = at("2026-11-25T12:00:00Z");
    BOOST_TEST(join(next_times(daily, at("2026-11-01T00:00:00Z"))) ==
               "26-11-23T12:00 26-11-24T12:00 26-11-25T12:00");
    BOOST_TEST(join(next_times(daily, at("2026-11-24T12:00:00Z"))) == "26-11-25T12:00");
    BOOST_TEST(next_times(daily, at("2026-11-25T12:00:00Z")).empty());
    daily.begin = at("2026-11-23T12:00:00.001Z");
    daily.end = at("2026-11-25T11:59:59.999Z");
    BOOST_TEST(join(next_times(daily, at("2026-11-01T00:00:00Z"))) == "26-11-24T12:00");
    schedule often{.every = 10min, .begin = at("2026-11-22T12:05:00Z"), .end = at("2026-11-22T12:25:00Z")};
    BOOST_TEST(join(next_times(often, at("2026-11-01T00:00:00Z"))) == "26-11-22T12:10 26-11-22T12:20");
}

BOOST_AUTO_TEST_CASE(of_what_makes_no_sense_are_refused)
{
    const auto refused = [](const schedule& when, const std::string& why) {
        const auto says_so = [&](const system_error& error) {
            BOOST_TEST_INFO(error.what());
            return error.code() == errc::invalid_option && std::string{error.what()}.find(why) != why.npos;
        };
        BOOST_CHECK_EXCEPTION(next_times(when, {}), system_error, says_so);
    };
    refused({}, "either a cron line or an interval");
    refused({.cron = "@daily", .every = 5s}, "either a cron line or an interval");
    refused({.every = -5s}, "every: an interval is at least 1 second");
    refused({.every = seconds{-1}}, "every: an interval is at least 1 second");
    refused({.cron = "@daily", .begin = at("2026-11-23T12:00:00Z"), .end = at("2026-11-23T11:59:59Z")},
            "end: it is before 'begin', so there would be no run");
    refused({.cron = "@daily", .jitter = -1s}, "jitter: it is at least 0 seconds");
    refused({.cron = "0 0 30 2 *"}, "cron: no day is ever one of '0 0 30 2 *'");
    refused({.cron = "61 * * * *"}, "cron, minute: '61' is out of range");
    for (const auto* zone : {"", "Europe/Berln", "europe/berlin", "/etc/passwd", "../zoneinfo/Europe/Berlin",
                             "Europe", "Europe/", "zone.tab", "right/Europe/Berlin"})
        refused({.cron = "@daily", .zone = zone}, "zone: there is no time zone '" + std::string{zone} + "'");
}

BOOST_AUTO_TEST_CASE(end_somewhere)
{
    const schedule daily{.cron = "@daily"};
    BOOST_TEST(next_times(daily, timestamp::max()).empty());
    BOOST_TEST(next_times(daily, timestamp::min(), 2).size() == 2U);
    BOOST_TEST(next_times(daily, {}, 0).empty());
    BOOST_TEST(next_times({.cron = "* 2 29 2 *", .zone = "Europe/Berlin"}, {}, 3).size() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
