// SPDX-License-Identifier: MIT
#include "schedule/time_zone.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>

BOOST_AUTO_TEST_SUITE(time_zones)

using namespace coworker::detail;
using namespace std::chrono;

namespace {

constexpr sys_seconds winter = sys_days{year{2026} / 1 / 15}, summer = sys_days{year{2026} / 7 / 15};

std::string big_endian(std::int64_t value, int bytes)
{
    std::string text;
    for (int i = bytes - 1; i >= 0; --i)
        text += static_cast<char>(value >> (8 * i) & 0xff);
    return text;
}

std::string header(char version, int times, int types)
{
    std::string text = "TZif";
    text += version;
    text += std::string(15, '\0');
    for (const int count : {0, 0, 0, times, types, 4})
        text += big_endian(count, 4);
    return text;
}

/// A file of the slim kind: it has one change, and a rule for all that follows.
std::string slim_file(const std::string& rule)
{
    auto file = header('2', 0, 1) + big_endian(0, 4) + std::string(2, '\0') + "LMT" + '\0';
    file += header('2', 1, 2);
    file += big_endian(sys_days{year{1996} / 3 / 31}.time_since_epoch() / 1s, 8) + '\1';
    file += big_endian(3208, 4) + std::string(2, '\0') + big_endian(7200, 4) + '\1' + '\0';
    return file + "CET" + '\0' + "\n" + rule + "\n";
}

} // namespace

BOOST_AUTO_TEST_CASE(a_change_that_no_clock_can_show_damages_a_file)
{
    const auto with_change = [](std::int64_t seconds) {
        constexpr std::size_t place = 44 + 4 + 2 + 4 + 44; // behind both headers, and what is between them
        auto file = slim_file("CET-1");
        return coworker::detail::time_zone::parse(file.replace(place, 8, big_endian(seconds, 8)));
    };
    BOOST_TEST(with_change(-(std::int64_t{1} << 59)).has_value()); // stands in files for "always"
    BOOST_TEST(!with_change(INT64_MIN + 5).has_value());
    BOOST_TEST(!with_change(INT64_MAX - 5).has_value());
}

BOOST_AUTO_TEST_CASE(the_rule_at_the_end_of_a_file_counts)
{
    const auto zone = coworker::detail::time_zone::parse(slim_file("CET-1CEST,M3.5.0,M10.5.0/3"));
    BOOST_REQUIRE(zone);
    BOOST_TEST((zone->at(winter).offset == 1h));
    BOOST_TEST((zone->at(summer).offset == 2h));
    BOOST_TEST((zone->at(summer).begin == sys_days{year{2026} / 3 / 29} + 1h));
    BOOST_TEST((zone->at(summer).end == sys_days{year{2026} / 10 / 25} + 1h));
    BOOST_TEST((zone->at(sys_days{year{1990} / 1 / 1}).offset == 3208s));
    BOOST_TEST((zone->at(sys_days{year{1990} / 1 / 1}).end == sys_days{year{1996} / 3 / 31}));
}

BOOST_AUTO_TEST_CASE(rules_of_all_forms)
{
    const auto offsets = [](const char* text) {
        const auto rule = posix_rule::parse(text);
        BOOST_REQUIRE_MESSAGE(rule.has_value(), text);
        return std::to_string(rule->at(winter).offset / 1min) + " " +
               std::to_string(rule->at(summer).offset / 1min);
    };
    BOOST_TEST(offsets("UTC0") == "0 0");
    BOOST_TEST(offsets("IST-5:30") == "330 330");
    BOOST_TEST(offsets("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0") == "660 630");
    BOOST_TEST(offsets("EST5EDT,M3.2.0,M11.1.0") == "-300 -240");
    BOOST_TEST(offsets("IST-1GMT0,M10.5.0,M3.5.0/1") == "0 60"); // Dublin: summer is the standard
    BOOST_TEST(offsets("<-02>2<-01>,M3.5.0/-1,M10.5.0/0") == "-120 -60");
    BOOST_TEST(offsets("EST5EDT,J60/0,J300/0") == "-300 -240");
    BOOST_TEST(offsets("EST5EDT,59,300/25:30:10") == "-300 -240");
    BOOST_TEST(offsets("XXX3EDT4,0/0,J365/23") == "-240 -240"); // summer for ever
    for (const auto* text :
         {"", "A B", "CET", "-1", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
          "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J1", "CET-1CEST,366,1",
          "CET-168", "CET-1:60", "<CET-1", "CET-1 ", "CET-1CEST,M3.5.0,M10.5.0/3x", "CET-99999999999"})
        BOOST_TEST(!posix_rule::parse(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(days_that_do_not_count_february_29)
{
    const auto rule = posix_rule::parse("EST5EDT,J60/0,J300/0");
    BOOST_REQUIRE(rule);
    for (const int y : {2027, 2028})
        BOOST_TEST((rule->at(sys_days{year{y} / 7 / 1}).begin == sys_days{year{y} / 3 / 1} + 5h), y);
}

BOOST_AUTO_TEST_CASE(damaged_files_are_refused)
{
    const auto good = slim_file("CET-1CEST,M3.5.0,M10.5.0/3");
    BOOST_TEST(!coworker::detail::time_zone::parse(slim_file("CET-1CEST")).has_value());
    BOOST_TEST(!coworker::detail::time_zone::parse("").has_value());
    BOOST_TEST(!coworker::detail::time_zone::parse("no zone at all").has_value());
    for (std::size_t size = 0; size != good.size(); ++size)
        if (const auto zone =
                coworker::detail::time_zone::parse(good.substr(0, size))) // what lacks only its end
            (void)zone->at(summer);
    std::mt19937 random{1};
    for (int i = 0; i != 20'000; ++i) {
        auto bad = good;
        for (unsigned changes = 1 + random() % 4; changes != 0; --changes)
            bad[random() % bad.size()] = static_cast<char>(random());
        if (const auto zone = coworker::detail::time_zone::parse(bad))
            for (const auto when : {winter, summer})
                BOOST_TEST_REQUIRE((zone->at(when).begin <= when && when < zone->at(when).end));
    }
}

BOOST_AUTO_TEST_SUITE_END()
