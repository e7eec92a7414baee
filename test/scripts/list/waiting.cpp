// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

/// What a waiting worker reads.
BOOST_FIXTURE_TEST_SUITE(waiting, script_test)

void check_reads(script_test& test, const state& before, const strings& reply)
{
    test.redis()("FLUSHALL");
    test.check({.before = before, .call = {"wait", {}}, .reply = reply, .after = before});
}

BOOST_AUTO_TEST_CASE(tells_how_many_jobs_can_be_taken)
{
    check_reads(*this, {}, {"0", "-1", "0"});
    check_reads(*this, {{"jobs", list({"a", "b", "c"})}}, {"3", "-1", "0"});
}

BOOST_AUTO_TEST_CASE(tells_whether_the_queue_is_paused)
{
    check_reads(*this, {{"paused", text("1")}}, {"0", "-1", "1"});
    check_reads(*this, {{"jobs", list({"a"})}, {"paused", text("1")}}, {"1", "-1", "1"});
}

BOOST_AUTO_TEST_CASE(counts_a_scheduled_job_that_is_due)
{
    check_reads(*this, {{"scheduled", zset({"1:a", "1000"})}}, {"1", "0", "0"});
    check_reads(*this, {{"jobs", list({"b"})}, {"scheduled", zset({"1:a", "1000"})}}, {"2", "0", "0"});
}

BOOST_AUTO_TEST_CASE(tells_when_the_next_scheduled_job_is_due)
{
    call(push_later("+100000", {"later"}));
    call(push_later("+50000", {"sooner"}));
    const auto reply = call({"wait", {}});
    BOOST_TEST(reply.at(0) == "0");
    const auto ms = std::stoll(reply.at(1));
    BOOST_TEST((ms > 20'000 && ms <= 50'000), ms);
    BOOST_TEST(reply.at(2) == "0");
}

BOOST_AUTO_TEST_CASE(never_tells_to_come_too_early)
{
    // A wait that is rounded down ends before the job is due, and the worker asks again at once.
    for (int i = 0; i != 50; ++i) {
        redis()("FLUSHALL");
        call(push_later("+10", {"a"}));
        const auto ms = std::stoll(call({"wait", {}}).at(1));
        BOOST_TEST((ms >= 0 && ms <= 10), ms);
        const auto due = std::stod(
            redis()("ZSCORE", "scheduled", redis()("ZRANGE", "scheduled", 0, 0).texts().at(0)).text);
        const auto clock = redis()("TIME").texts();
        const auto now_ms = std::stod(clock.at(0)) * 1000 + std::stod(clock.at(1)) / 1000;
        BOOST_TEST(now_ms + static_cast<double>(ms) >= due);
    }
}

BOOST_AUTO_TEST_SUITE_END()
