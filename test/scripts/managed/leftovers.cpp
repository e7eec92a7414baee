// SPDX-License-Identifier: MIT
#include "leftovers.hpp"

/// What jobs leave, and what orders them.
BOOST_AUTO_TEST_SUITE(leftovers)

using namespace coworker::test::leftovers_of_managed;

BOOST_FIXTURE_TEST_CASE(of_jobs_with_tags, user)
{
    check([&](const std::string& i) {
        run("done" + i, {"tags", "[\"a" + i + "\",\"both\"]"});
        put("gone" + i, {"tags", "[\"b" + i + "\"]"});
        redis.call("tag", {"100", "add", "gone" + i, "c" + i});
        redis.call("tag", {"100", "remove", "gone" + i, "c" + i, "never" + i});
        redis.call("cancel", {"102", "gone" + i});
    });
}

BOOST_FIXTURE_TEST_CASE(of_failed_jobs_with_a_retention, user)
{
    check([&](const std::string& i) {
        put("j" + i, {"options", R"({"retention":10})"});
        take();
        fail("j" + i, "g" + i);
    });
}

BOOST_FIXTURE_TEST_CASE(of_unique_jobs, user)
{
    check([&](const std::string& i) {
        run("done" + i, {"unique", "a" + i});
        run("timed" + i, {"unique", "b" + i, "until", "50"});
        put("gone" + i, {"unique", "c" + i});
        redis.call("cancel", {"102", "gone" + i});
    });
}

BOOST_FIXTURE_TEST_CASE(of_batches, user)
{
    check(
        [&](const std::string& i) {
            redis.call("batch_open", {"100", "B" + i, "retention", "0", "done", R"(["q","d","{}"])"});
            put("j" + i, {"options", "{\"batch\":\"B" + i + "\"}"});
            redis.call("batch_seal", {"101", "B" + i});
            take();
            complete("j" + i);
            take();
            complete("B" + i + "@done");
        },
        // each that ends forgets some of those before it
        {{"ql:coworker:batches", 3},
         {"ql:coworker:ended", 3},
         {"ql:coworker:batch:B999", 20},
         {"ql:coworker:batch:B998", 20},
         {"ql:coworker:batch:B997", 20}});
}

BOOST_FIXTURE_TEST_CASE(of_jobs_that_wait_for_others, user)
{
    check([&](const std::string& i) {
        put("p" + i);
        put("c" + i, {"depends", "[\"p" + i + "\"]", "options", R"({"on_parent_failure":"go_on"})"});
        put("s" + i, {"depends", "[\"c" + i + "\"]", "options", R"({"on_parent_failure":"skip"})"});
        take();
        complete("p" + i);
        take();
        redis.call("cancel", {"103", "c" + i});
    });
}

BOOST_FIXTURE_TEST_CASE(of_limits_groups_and_order_keys, user)
{
    redis.call("limit_set", {"90", "tenant:*", "max", "1"});
    check(
        [&](const std::string& i) {
            for (const auto* name : {"a", "b"})
                put(name + i, {"limits", "[\"tenant:" + i + "\"]"});
            put("c" + i, {"group", "g" + i});
            for (const auto* name : {"d", "e"})
                put(name + i, {"order", "o" + i});
            for (int turn = 0; turn != 3; ++turn) {
                take();
                for (const auto& jid : redis.raw()("ZRANGE", "ql:w:w:jobs", "0", "-1").elements)
                    complete(jid.text);
            }
        },
        {{"ql:coworker:limits", 1}});
}

BOOST_FIXTURE_TEST_CASE(of_bounds_and_holds, user)
{
    check([&](const std::string& i) {
        redis.call("queue_bound", {"100", "q" + i, "1"});
        redis.call("queue_bound", {"100", "q" + i, "0"});
        redis.call("queue_ageing", {"100", "q" + i, "60"});
        redis.call("queue_ageing", {"101", "q" + i, "0"});
        redis.call("pause_delays", {"100", "q" + i});
        redis.call("unpause", {"101", "q" + i});
        put("j" + i, {"limits", "[\"l" + i + "\"]", "group", "g" + i});
        redis.call("hold", {"100", "limit", "l" + i, "", "30"});
        redis.call("hold", {"100", "group", "g" + i, "q", "30"});
        take();
        redis.call("hold", {"100", "limit", "l" + i, "", "0"});
        redis.call("hold", {"100", "group", "g" + i, "q", "0"});
        take();
        complete("j" + i);
    });
}

BOOST_FIXTURE_TEST_CASE(of_schedules_and_recurring_jobs, user)
{
    check([&](const std::string& i) {
        redis.call("schedule_set",
                   {"100", "s" + i, "160", "* * * * *", "UTC", "0", "0", "once", "q", "k", "{}", "[]"});
        redis.call("schedule_act", {"100", "pause", "s" + i});
        const auto jid = redis.call("schedule_run", {"100", "s" + i}).text;
        redis.call("schedule_act", {"100", "remove", "s" + i});
        redis.call("recur", {"100", "q", "r" + i, "k", "{}", "interval", "60", "0"});
        take();
        redis.call("unrecur", {"101", "r" + i});
        complete(jid);
        complete("r" + i + "-1");
    });
}

BOOST_FIXTURE_TEST_CASE(of_tracked_jobs_that_move_and_retry, user)
{
    check([&](const std::string& i) {
        put("j" + i, {}, "other");
        redis.call("track", {"100", "track", "j" + i});
        put("j" + i);
        take();
        redis.call("note", {"101", "q", "w", "3", "j" + i, "", R"({"percent":50})"});
        redis.call("retry", {"101", "j" + i, "q", "w", "0"});
        take();
        complete("j" + i);
        redis.raw()("ZREM", "ql:tracked", "j" + i); // qless' `untrack` asks for the job, which is gone
    });
}

BOOST_FIXTURE_TEST_CASE(of_workers, user)
{
    redis.call("config_set", {"90", "max-worker-age", "3600"});
    check([&](const std::string& i) {
        redis.call("sign_in", {"100", "w" + i});
        put("j" + i);
        redis.call("pop", {"101", "q", "w" + i, "1"});
        redis.call("complete", {"102", "j" + i, "w" + i, "q", "{}"});
    });
}

BOOST_AUTO_TEST_SUITE_END()
