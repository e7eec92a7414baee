// SPDX-License-Identifier: MIT
#include "schedule/turn.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(schedule_turns)

using namespace coworker;
using namespace coworker::detail;
using namespace std::chrono;

namespace {

constexpr sys_seconds noon = sys_days{year{2026} / 11 / 22} + 12h;

const schedule_rule& hourly()
{
    static const schedule_rule rule{schedule{.cron = "0 * * * *", .zone = "Europe/Berlin"}};
    return rule;
}

using times = std::vector<sys_seconds>;

} // namespace

BOOST_AUTO_TEST_CASE(a_run_in_time_takes_place_whatever_happens_to_missed_ones)
{
    for (const auto missed : {missed_runs::skip, missed_runs::once, missed_runs::all}) {
        const auto done = take_turn(hourly(), missed, noon, noon + 1s);
        BOOST_TEST((done.runs == times{noon}));
        BOOST_TEST((done.next == noon + 1h));
    }
}

BOOST_AUTO_TEST_CASE(missed_runs_are_skipped)
{
    const auto late = take_turn(hourly(), missed_runs::skip, noon, noon + 3h + 61s);
    BOOST_TEST(late.runs.empty());
    BOOST_TEST((late.next == noon + 4h));
    const auto in_time = take_turn(hourly(), missed_runs::skip, noon, noon + 3h + 60s);
    BOOST_TEST((in_time.runs == times{noon + 3h}));
    BOOST_TEST((in_time.next == noon + 4h));
}

BOOST_AUTO_TEST_CASE(missed_runs_take_place_once)
{
    const auto done = take_turn(hourly(), missed_runs::once, noon, noon + 3h + 20min);
    BOOST_TEST((done.runs == times{noon + 3h}));
    BOOST_TEST((done.next == noon + 4h));
}

BOOST_AUTO_TEST_CASE(all_missed_runs_take_place)
{
    const auto done = take_turn(hourly(), missed_runs::all, noon, noon + 2h + 20min);
    BOOST_TEST((done.runs == times{noon, noon + 1h, noon + 2h}));
    BOOST_TEST((done.next == noon + 3h));
}

BOOST_AUTO_TEST_CASE(very_many_missed_runs_take_more_than_one_turn)
{
    const auto now = noon + 100h;
    const auto first = take_turn(hourly(), missed_runs::all, noon, now);
    BOOST_TEST(first.runs.size() == max_runs);
    BOOST_TEST((first.next == noon + 64h));
    const auto second = take_turn(hourly(), missed_runs::all, *first.next, now);
    BOOST_TEST((second.runs.front() == noon + 64h));
    BOOST_TEST((second.runs.back() == now));
    BOOST_TEST((second.next == now + 1h));
}

BOOST_AUTO_TEST_CASE(many_missed_years_cost_little)
{
    const schedule_rule each_second{schedule{.every = 1s}};
    const schedule_rule yearly{schedule{.cron = "@yearly"}};
    const auto long_ago = noon - days{365 * 50};
    BOOST_TEST((take_turn(each_second, missed_runs::once, long_ago, noon).runs == times{noon}));
    BOOST_TEST(
        (take_turn(yearly, missed_runs::once, long_ago, noon).runs == times{sys_days{year{2026} / 1 / 1}}));
}

BOOST_AUTO_TEST_CASE(a_time_that_the_line_no_longer_names_takes_place_all_the_same)
{
    const auto done = take_turn(hourly(), missed_runs::once, noon + 5min, noon + 6min);
    BOOST_TEST((done.runs == times{noon + 5min}));
    BOOST_TEST((done.next == noon + 1h));
}

BOOST_AUTO_TEST_SUITE_END()
