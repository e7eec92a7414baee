// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

namespace {

/// The schedule `s`, which is due at 160, and other keys of its queue. What schedules are like otherwise is tested with
/// those of managed queues: both have the same scripts.
struct schedule_test : script_test
{
    void make(const std::string& name = "s", const std::string& jitter = "")
    {
        const strings reply = call({"schedule_set",
                                    {"server", name, "160", "* * * * *", "UTC", "0", "0", "all", "q", "",
                                     R"({"a": [1]})", "", "", "", "", jitter}});
        BOOST_TEST(same(reply, {"1"}));
    }

    strings fire(const std::string& name, strings words)
    {
        strings all{"server", std::to_string(words.size() + 1), name};
        all.insert(all.end(), words.begin(), words.end());
        return call({"schedule_fire", std::move(all)});
    }

    std::string field(const std::string& name, const std::string& schedule = "s")
    {
        return redis()("HGET", "plans", name + ':' + schedule).text;
    }

    /// What is there beside the schedules.
    state others(const state& expected)
    {
        auto all = get(expected);
        all.erase("plans");
        all.erase("schedules");
        return all;
    }
};

std::string payload(const std::string& time)
{
    return "[\"s@" + time + R"(",{"a": [1]}])";
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(schedules, schedule_test)

BOOST_AUTO_TEST_CASE(a_run_takes_place_once_and_its_job_keeps_the_bytes)
{
    make();
    BOOST_TEST(same(fire("s", {"1", "160", "280", "160", "220"}), {"(", "1", "2", "", ")"}));
    const strings pushed{payload("220"), payload("160")};
    const state after{{"jobs", list(pushed)}, {"ready", ready_now(pushed)}};
    BOOST_TEST(same(others(after), after));
    const auto stays = others({});
    BOOST_TEST(field("runs") == "2");
    BOOST_TEST(field("last") == "220");
    BOOST_TEST(field("last_jid") == "s@220");
    BOOST_TEST(redis()("ZSCORE", "schedules", "s").text == "280");
    for (const auto* late : {"160", "220", "100"})
        BOOST_TEST(same(fire("s", {"1", late, "280", "160"}), {"0"}));
    BOOST_TEST(same(fire("s", {"2", "280", "340", "280"}), {"0"})); // who knows another schedule
    BOOST_TEST(same(others({}), stays));
}

BOOST_AUTO_TEST_CASE(a_name_is_written_as_json)
{
    const std::string name = "a\"b\\/\xc3\xa9\n/c";
    make(name);
    fire(name, {"1", "160", "220", "160"});
    BOOST_TEST(redis()("LINDEX", "jobs", 0).text == R"(["a\"b\\/)"
                                                    "\xc3\xa9"
                                                    R"(\n/c@160",{"a": [1]}])");
    BOOST_TEST(field("last_jid", name) == name + "@160");
}

BOOST_AUTO_TEST_CASE(jobs_wait_for_a_share_of_the_jitter)
{
    make("s", "1000");
    BOOST_TEST(same(fire("s", {"1", "160", "220", "160"}), {"(", "1", "1", "", ")"}));
    const auto found = redis()("ZRANGE", "scheduled", 0, -1, "WITHSCORES").texts();
    BOOST_TEST_REQUIRE(found.size() == 2u);
    BOOST_TEST(found[0] == scheduled_member(1, payload("160")));
    const auto now = std::stoll(redis()("TIME").texts()[0]) * 1000, due = std::stoll(found[1]);
    BOOST_TEST((due > now - 60'000 && due < now + 1'000'000));
    BOOST_TEST(redis().integer({"EXISTS", "jobs"}) == 0);
}

BOOST_AUTO_TEST_CASE(a_key_of_another_type_is_told_of_and_stops_no_schedule)
{
    make();
    set({{"jobs", text("surprise")}});
    const auto reply = fire("s", {"1", "160", "220", "160"});
    BOOST_TEST(reply.at(3).find("WRONGTYPE") != std::string::npos);
    BOOST_TEST(redis()("ZSCORE", "schedules", "s").text == "220");
}

BOOST_AUTO_TEST_CASE(times_that_come_again_are_passed_over_for_an_hour)
{
    make();
    fire("s", {"1", "160", "220", "160"});
    redis()("HSET", "plans", "done:s", "250"); // Redis' clock was set back
    BOOST_TEST(same(fire("s", {"1", "220", "280", "220", "280"}), {"(", "1", "1", "", ")"}));
    BOOST_TEST(field("last_jid") == "s@280");
    redis()("HSET", "plans", "done:s", "99999999999"); // for years it had a wrong time
    BOOST_TEST(same(fire("s", {"1", "280", "340", "340"}), {"(", "1", "1", "", ")"}));
    BOOST_TEST(redis().integer({"LLEN", "jobs"}) == 3);
}

BOOST_AUTO_TEST_CASE(a_run_beside_its_times_takes_no_time_away)
{
    make();
    const auto id = call({"schedule_run", {"server", "s"}}).at(0);
    BOOST_TEST(id.starts_with("s@"));
    BOOST_TEST(same(fire("s", {"1", "160", "220", "160"}), {"(", "1", "1", "", ")"}));
    BOOST_TEST(redis()("LINDEX", "jobs", 0).text == payload("160"));
    BOOST_TEST(field("runs") == "2");
}

BOOST_AUTO_TEST_CASE(schedules_that_are_removed_leave_nothing)
{
    make("a:b", "5");
    make("b");
    fire("a:b", {"1", "160", "220", "160"});
    call({"schedule_act", {"server", "pause", "a:b"}});
    call({"schedule_act", {"server", "remove", "a:b"}});
    redis()("DEL", "jobs", "ready", "scheduled", "counters");
    BOOST_TEST(redis().integer({"ZCARD", "schedules"}) == 1);
    call({"schedule_act", {"server", "remove", "b"}});
    BOOST_TEST(same(get(), state{}));
}

BOOST_AUTO_TEST_SUITE_END()
