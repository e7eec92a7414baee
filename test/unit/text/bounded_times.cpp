// SPDX-License-Identifier: MIT
#include "text/bounded_time.hpp"

#include "inspect/shown_list_job.hpp"
#include "list/list_source/recovery.hpp"
#include "managed/limit_words.hpp"
#include "managed/read_look.hpp"
#include "schedule/schedule_words.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>

/// Any program may have stored any number where a time stands.
BOOST_AUTO_TEST_SUITE(bounded_times)

using namespace coworker;
using namespace coworker::detail;
using namespace std::chrono_literals;

namespace {

constexpr auto long_ago = timestamp::min() + 24h, far_away = timestamp::max() - 24h;

bool can_be_computed_with(timestamp time)
{
    return time > long_ago && time < far_away;
}

} // namespace

BOOST_AUTO_TEST_CASE(usual_times_stay_as_they_are)
{
    BOOST_TEST((bounded_time(1'795'910'400.123456) == timestamp{1'795'910'400'123'456us}));
    BOOST_TEST((bounded_time(1'795'910'400, 123'456) == timestamp{1'795'910'400'123'456us}));
    BOOST_TEST((bounded_time(-1.5) == timestamp{-1'500ms}));
    BOOST_TEST((bounded_span(-60'000) == -1min));
    BOOST_TEST((bounded_span_of_seconds(0.0015) == 2ms));
    BOOST_TEST((bounded_milliseconds(1'795'910'400'123) == 1'795'910'400'123ms));
}

BOOST_AUTO_TEST_CASE(others_are_brought_near)
{
    for (const double seconds : {HUGE_VAL, -HUGE_VAL, 1e300, -1e19, 9.3e12})
        BOOST_TEST(can_be_computed_with(bounded_time(seconds)), seconds);
    for (const auto seconds : {INT64_MAX, INT64_MIN}) {
        BOOST_TEST(can_be_computed_with(bounded_time(seconds, INT64_MAX)), seconds);
        BOOST_TEST(can_be_computed_with(timestamp{bounded_milliseconds(seconds)}), seconds);
        BOOST_TEST((std::chrono::abs(bounded_span(seconds)) < std::chrono::years{101}), seconds);
    }
    BOOST_TEST((bounded_time(std::nan("")) == timestamp{}));
    BOOST_TEST((bounded_span_of_seconds(std::nan("")) == 0ms));
}

BOOST_AUTO_TEST_CASE(jobs_may_be_due_at_any_time)
{
    const auto due = [](std::string_view score) {
        const shown_list_job shown{.payload = R"(x:["a",1])", .size = 9, .known = score, .reason = {}};
        return *to_job(shown, queue_ref::list("mail"), job_state::scheduled, {}).due_at;
    };
    BOOST_TEST((due("1795910400123") == timestamp{1'795'910'400'123ms}));
    BOOST_TEST((due("inf") > timestamp{}));
    BOOST_TEST((due("1e300") > timestamp{}));
    BOOST_TEST((due("-inf") < timestamp{}));
}

BOOST_AUTO_TEST_CASE(workers_may_be_gone_since_any_time)
{
    const timestamp now{1'795'910'400s};
    const auto look = [&](std::int64_t since) { return find_absent({{7, "w"}}, {{7, since}}, {}, now, 2s); };
    BOOST_TEST(look(INT64_MIN).dead.contains(7));
    BOOST_TEST(look(INT64_MAX).is_anybody_gone);
    const auto struck_off = find_absent({{7, ""}}, {{7, INT64_MAX}}, {}, now, 2s);
    BOOST_TEST((struck_off.dead.at(7) > now));
}

BOOST_AUTO_TEST_CASE(limits_statistics_and_schedules_may_hold_any_number)
{
    const auto limits = read_limit_states(R"([{"name":"gpu","period":1e300,"opens":1e300}])");
    BOOST_TEST((limits.at(0).settings.period > 0ms));
    BOOST_TEST((limits.at(0).opens_in > 0ms));
    const auto day = read_statistics(
        R"({"run":{"count":1,"mean":1,"std":1,"histogram":[1e300]},"wait":{"histogram":{}}})");
    BOOST_TEST(day.run.histogram[0] > 1'000u);
    const auto when = to_schedule("", "UTC", "9223372036854775807", "9223372036854775807", "all");
    BOOST_TEST((when.anchor > timestamp{}));
    BOOST_TEST(when.every.count() > 0);
}

BOOST_AUTO_TEST_SUITE_END()
