// SPDX-License-Identifier: MIT
#include "script_test.hpp"

#include "list/start_time.hpp"
#include "redis/script.hpp"

#include <cstdio>

using namespace coworker::test;
using namespace std::chrono_literals;

/// The date arithmetic that scripts do with the server's clock, against <chrono>.
BOOST_FIXTURE_TEST_SUITE(server_clock, script_test)

/// The part time.lua as embedded, followed by a script of the test's own.
std::string with_time_part(const std::string& body)
{
    const auto whole = coworker::detail::find_script("list/submit").text();
    const auto end = whole.find("local function schedule("); // where the next part begins
    BOOST_TEST_REQUIRE(end != whole.npos);
    return std::string{whole.substr(0, end)} + body;
}

/// What the script makes of seconds since the epoch.
strings utc_in_script(const strings& seconds)
{
    strings command{"EVAL",
                    with_time_part("local dates = {} "
                                   "for i = 1, #ARGV do dates[i] = utc(tonumber(ARGV[i])) end "
                                   "return dates"),
                    "0"};
    command.insert(command.end(), seconds.begin(), seconds.end());
    return script_test::redis().command(command).texts();
}

std::string utc_in_chrono(std::chrono::sys_seconds when)
{
    // "2026-11-21T09:54:29.000000000000Z" without the quotes and the fraction
    return coworker::detail::format_start_time(when, 0).substr(1, 19);
}

void check_dates(std::vector<std::chrono::sys_seconds> times)
{
    strings seconds, expected;
    for (const auto when : times) {
        seconds.push_back(std::to_string(when.time_since_epoch().count()));
        expected.push_back(utc_in_chrono(when));
    }
    const auto found = utc_in_script(seconds);
    BOOST_TEST_REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i != found.size(); ++i)
        BOOST_TEST_REQUIRE(found[i] == expected[i], seconds[i] << ": " << found[i] << " != " << expected[i]);
}

BOOST_AUTO_TEST_CASE(knows_known_dates)
{
    const auto found =
        utc_in_script({"0", "951782400", "1709210096", "1795254869", "4102444799", "4107542400"});
    BOOST_TEST(same(found, {"1970-01-01T00:00:00", "2000-02-29T00:00:00", "2024-02-29T12:34:56",
                            "2026-11-21T09:54:29", "2099-12-31T23:59:59", "2100-03-01T00:00:00"}));
}

BOOST_AUTO_TEST_CASE(knows_every_day_for_four_centuries)
{
    std::vector<std::chrono::sys_seconds> days;
    for (auto day = std::chrono::sys_days{}; day < std::chrono::sys_days{std::chrono::year{2401} / 1 / 1};
         day += std::chrono::days{1}) {
        days.push_back(day);
        if (days.size() == 1'000)
            check_dates(std::exchange(days, {}));
    }
    check_dates(days);
}

BOOST_AUTO_TEST_CASE(knows_the_last_second_of_every_month)
{
    std::vector<std::chrono::sys_seconds> times;
    for (auto month = std::chrono::year{1970} / 2; month < std::chrono::year{2110} / 1;
         month += std::chrono::months{1}) {
        const auto begin = std::chrono::sys_seconds{std::chrono::sys_days{month / 1}};
        times.insert(times.end(), {begin - 1s, begin});
    }
    check_dates(times);
}

BOOST_AUTO_TEST_CASE(knows_every_second_of_a_day)
{
    const auto day = std::chrono::sys_seconds{std::chrono::sys_days{std::chrono::year{2028} / 2 / 29}};
    for (auto hour = 0h; hour != 24h; ++hour) {
        std::vector<std::chrono::sys_seconds> times;
        for (auto second = 0s; second != 1h; ++second)
            times.push_back(day + hour + second);
        check_dates(times);
    }
}

BOOST_AUTO_TEST_CASE(writes_the_time_that_it_is)
{
    const auto clock = [] {
        const auto parts = script_test::redis()("TIME").texts();
        return coworker::timestamp{std::chrono::seconds{std::stoll(parts.at(0))} +
                                   std::chrono::microseconds{std::stoll(parts.at(1))}};
    };
    const auto script = with_time_part("return start_time(tonumber(ARGV[1]))");
    for (const unsigned worker : {0u, 1u, 42u, 999'999u}) {
        const auto before = clock();
        const auto text = redis()("EVAL", script, 0, worker).text;
        const auto after = clock();
        BOOST_TEST(text.size() == 35);
        const auto written = coworker::detail::parse_start_time(text);
        BOOST_TEST_REQUIRE(written.has_value());
        BOOST_TEST((written->started >= before && written->started <= after), text);
        BOOST_TEST(written->worker == worker);
        BOOST_TEST(coworker::detail::format_start_time(written->started, worker) == text);
    }
}

BOOST_AUTO_TEST_SUITE_END()
