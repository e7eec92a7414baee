// SPDX-License-Identifier: MIT
#include "script_test.hpp"

#include "list/start_time.hpp"

#include <algorithm>
#include <map>

using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_FIXTURE_TEST_SUITE(suspects, script_test)

const auto day = coworker::timestamp{std::chrono::sys_days{std::chrono::year{2026} / 11 / 21}};

/// A start time before which leases have ended.
const auto threshold = coworker::detail::format_start_time(day + 12h, 0);

/// No clock can have a later one.
const auto latest = coworker::detail::format_start_time(day + 14h, 0);

std::string started(std::chrono::microseconds time_of_day, std::uint32_t worker = 7)
{
    return coworker::detail::format_start_time(day + time_of_day, worker);
}

/// Puts `fields` in progress and looks at everything; returns what is suspicious with its start time. Nothing
/// may be written.
std::map<std::string, std::string> find(script_test& test, const strings& fields, const strings& dead = {},
                                        const std::string& looked = {})
{
    auto arguments = suspects_arguments("0", threshold, latest, dead, looked);
    if (!fields.empty())
        test.set({{"progress", hash(fields)}});
    std::map<std::string, std::string> found;
    do {
        const auto reply = test.call({"suspects", arguments});
        for (std::size_t i = 2; i + 1 < reply.size(); i += 2)
            found[reply[i]] = reply[i + 1];
        arguments.front() = reply.at(0);
    } while (arguments.front() != "0");
    if (!fields.empty())
        BOOST_TEST(same(test.get(), {{"progress", hash(fields)}}));
    return found;
}

using expected = std::map<std::string, std::string>;

BOOST_AUTO_TEST_CASE(finds_nothing_in_nothing)
{
    BOOST_TEST((find(*this, {}) == expected{}));
}

BOOST_AUTO_TEST_CASE(finds_leases_that_began_before_the_threshold)
{
    const auto old = started(12h - 1us), just = started(12h, 0), young = started(12h + 1us);
    BOOST_TEST((find(*this, {"a", old, "b", just, "c", young}) == expected{{"a", old}}));
}

BOOST_AUTO_TEST_CASE(finds_the_leases_of_dead_workers)
{
    const auto mine = started(13h, 7), other = started(13h, 8), longer = started(13h, 700007);
    BOOST_TEST((find(*this, {"a", mine, "b", other, "c", longer}, {"000007"}) == expected{{"a", mine}}));
    redis()("FLUSHALL");
    BOOST_TEST((find(*this, {"a", mine, "b", other, "c", longer}, {"700007", "000008"}) ==
                expected{{"b", other}, {"c", longer}}));
}

/// The monitor has stood still since it looked, and the worker is back. A start beyond `latest` tells nothing: the clock
/// was put back.
BOOST_AUTO_TEST_CASE(leaves_what_a_worker_has_taken_alone_that_was_dead_before)
{
    const auto before = started(13h), then = started(13h + 1us), ahead = started(14h + 1us);
    BOOST_TEST((find(*this, {"a", before, "b", then, "c", ahead}, {"000007"}, before) ==
                expected{{"a", before}, {"c", ahead}}));
}

BOOST_AUTO_TEST_CASE(leaves_young_leases_of_peers_alone)
{
    // Recorded from hworker, later than the threshold by at least a second.
    BOOST_TEST(
        (find(*this, {"a", R"("2026-11-21T12:00:01.612715072Z")", "b", R"("2026-11-21T12:00:01.5903624Z")",
                      "c", R"("2026-11-21T12:00:01.12Z")", "d", R"("2026-11-21T12:00:01Z")"}) == expected{}));
}

BOOST_AUTO_TEST_CASE(finds_leases_of_peers_that_may_have_ended)
{
    const strings fields{"a", R"("2026-11-21T11:59:59.612715072Z")",
                         "b", R"("2026-11-21T12:00:00.999999999Z")",
                         "c", R"("2025-12-31T23:59:59Z")"};
    BOOST_TEST((find(*this, fields) ==
                expected{{fields[0], fields[1]}, {fields[2], fields[3]}, {fields[4], fields[5]}}));
}

BOOST_AUTO_TEST_CASE(finds_whatever_else_is_not_clearly_young)
{
    const strings odd{"",
                      "now",
                      "1795254869",
                      "2026-11-21T13:00:00Z",
                      R"("2026-11-21 13:00:00Z")",
                      R"("2026-11-21T13:00Z")",
                      R"("2026-11-21T13:00:00+01:00")",
                      R"("2026-11-21t13:00:00z")",
                      std::string(35, 'x')};
    strings fields;
    expected all;
    for (const auto& start : odd) {
        std::string payload{"p"};
        payload += std::to_string(all.size());
        fields.insert(fields.end(), {payload, start});
        all[payload] = start;
    }
    BOOST_TEST((find(*this, fields) == all));
}

BOOST_AUTO_TEST_CASE(finds_leases_that_begin_in_the_future_or_at_a_time_that_does_not_exist)
{
    const strings fields{"a", started(14h + 1us),
                         "b", R"("2999-01-01T00:00:00Z")",
                         "c", R"("2026-13-41T99:99:99.612715000001Z")"};
    BOOST_TEST((find(*this, fields) ==
                expected{{fields[0], fields[1]}, {fields[2], fields[3]}, {fields[4], fields[5]}}));
}

// --- large payloads ------------------------------------------------------------------

const std::string large(300'000, 'x');

/// One large payload in progress with that start time, and small ones beside.
state with_large(const std::string& start)
{
    return {{"progress", hash({large, start, "a", started(13h)})},
            {"jobs", list({"x"})},
            {"workers", hash({"7", "w"})}};
}

BOOST_AUTO_TEST_CASE(returns_large_ones_itself)
{
    for (const auto& [start, dead] : {std::pair{started(11h), strings{}},
                                      {started(13h, 8), {"000008"}},
                                      {std::string{R"("2026-11-21T11:59:58.5Z")"}, {}}}) {
        redis()("FLUSHALL");
        check({.before = with_large(start),
               .call = {"suspects", suspects_arguments("0", threshold, latest, dead)},
               .reply = {"0", "1"},
               .after = {{"progress", hash({"a", started(13h)})},
                         {"jobs", list({"x", large})},
                         {"ready", ready_now({large})},
                         {"attempts", hash({large, "1"})},
                         {"counters", hash({"recovered", "1"})},
                         {"workers", hash({"7", "w"})}}});
    }
}

BOOST_AUTO_TEST_CASE(leaves_large_ones_alone_that_a_worker_has_taken_that_was_dead_before)
{
    const auto before = with_large(started(13h, 8));
    check({.before = before,
           .call = {"suspects", suspects_arguments("0", threshold, latest, {"000008"}, started(12h))},
           .reply = {"0", "0"},
           .after = before});
}

BOOST_AUTO_TEST_CASE(leaves_large_ones_alone_whose_lease_goes_on)
{
    // The last is of a worker that is there: the server's clock was put back.
    for (const auto& start : {started(13h), std::string{R"("2026-11-21T12:00:01Z")"}, started(15h, 7)}) {
        redis()("FLUSHALL");
        check({.before = with_large(start),
               .call = {"suspects", suspects_arguments("0", threshold, latest)},
               .reply = {"0", "0"},
               .after = with_large(start)});
    }
}

BOOST_AUTO_TEST_CASE(lets_large_ones_begin_now_whose_start_tells_nothing)
{
    for (const auto& start : {std::string{R"("2999-01-01T15:00:00.000000000008Z")"}, std::string{"?"},
                              std::string{R"("2026-11-21 11:00Z")"}}) {
        redis()("FLUSHALL");
        check({.before = with_large(start),
               .call = {"suspects", suspects_arguments("0", threshold, latest)},
               .reply = {"0", "0"},
               .after = with_large(now(0))});
    }
}

BOOST_AUTO_TEST_CASE(releases_large_ones_that_a_worker_does_not_know_of)
{
    const strings start{"0", "128", "", "~", "~", "release"};
    auto mine = start, other = start;
    mine.insert(mine.end(), {"1", large.substr(0, 256), std::to_string(large.size()), "000007"});
    other.insert(other.end(), {"1", large.substr(0, 256), "300001", "000007"});
    const auto before = with_large(started(13h));
    check({.before = before,
           .call = {"suspects", mine},
           .reply = {"0", "0", "a", started(13h)},
           .after = before});
    redis()("FLUSHALL");
    check({.before = before,
           .call = {"suspects", other},
           .reply = {"0", "1", "a", started(13h)},
           .after = {{"progress", hash({"a", started(13h)})},
                     {"jobs", list({"x", large})},
                     {"ready", ready_now({large})},
                     {"counters", hash({"returned", "1"})},
                     {"workers", hash({"7", "w"})}}});
}

BOOST_AUTO_TEST_CASE(goes_through_many_leases_in_parts_and_misses_none)
{
    strings fields;
    expected old;
    for (int i = 0; i != 3'000; ++i) {
        const auto payload = "job " + std::to_string(i);
        const auto start = started(i % 3 == 0 ? 11h : 13h);
        fields.insert(fields.end(), {payload, start});
        if (i % 3 == 0)
            old[payload] = start;
    }
    BOOST_TEST((find(*this, fields) == old));
}

BOOST_AUTO_TEST_CASE(looks_at_about_as_many_as_asked_for)
{
    strings fields;
    for (int i = 0; i != 3'000; ++i)
        fields.insert(fields.end(), {"job " + std::to_string(i), started(11h)});
    set({{"progress", hash(fields)}});
    const auto reply = call({"suspects", suspects_arguments("0", threshold, latest)});
    BOOST_TEST(reply.at(0) != "0");
    BOOST_TEST((reply.size() > 50 && reply.size() <= 2 * 200), reply.size());
}

BOOST_AUTO_TEST_CASE(stops_early_when_payloads_are_large)
{
    strings fields;
    for (int i = 0; i != 200; ++i)
        fields.insert(
            fields.end(),
            {std::string(100'000, static_cast<char>('a' + i % 26)) + std::to_string(i), started(11h)});
    set({{"progress", hash(fields)}});
    const auto reply = call({"suspects", suspects_arguments("0", threshold, latest)});
    BOOST_TEST(reply.at(0) != "0");
    BOOST_TEST(reply.size() < 80);
    BOOST_TEST((find(*this, {}).size() == 200));
}

BOOST_AUTO_TEST_SUITE_END()
