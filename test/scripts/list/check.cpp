// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

BOOST_FIXTURE_TEST_SUITE(check, script_test)

namespace {

const std::string job = R"(["1",1])";

script_call look(std::string mode = "")
{
    return {"check", {"0", "1000", std::move(mode)}};
}

/// One thing that is wrong: how it is told, and what a repair makes of it.
struct finding
{
    state before;
    std::string severity, kind, key, member;
    state repaired;
    bool can_be_repaired = true;
};

} // namespace

BOOST_AUTO_TEST_CASE(finds_nothing_in_a_healthy_queue)
{
    state healthy{{"jobs", list({"x", job, "["})},
                  {"progress", hash({job, token(7), "hworker's", R"("2026-11-21T09:54:29Z")", "its monitor's",
                                     R"("2026-11-21 09:54+01:00")"})},
                  {"broken", hash({"[", "\"2026-11-21T09:54:29Z\""})},
                  {"found", zset({"[", "5"})},
                  {"reasons", hash({sha1("["), "it is no job"})},
                  {"shared", hash({"hworker's", token(7)})},
                  {"failed", list({"f", "peer's"})},
                  {"scheduled", zset({"000000000001:[\"a:b\",{\"c\":1}]", "5", "[own:x", "6"})},
                  {"attempts", hash({job, "3", "x", "1", R"(["a:b",{"c":1}])", "2"})},
                  {"duplicates", hash({job, "2", "x", "1"})},
                  {"failures", hash({"f", "\"time\" 1 message"})},
                  {"paused", text("1")},
                  {"counters", hash({"success", "5", "sequence", "1", "workers", "7"})},
                  {"workers", hash({"7", "coworker:0123456789abcdef0123456789abcdef"})},
                  {"gone", hash({"7", "1767225600000"})},
                  {"ready", zset({"0123456789abcdef", "1767225600000"})},
                  {"ids", zset({"id", "5"})},
                  {"history", list({"120 1 0 0", "60 1 2 3"})},
                  {"plans", hash({"data:a:b", "1", "next:a:b", "5", "data:p", "1", "paused:p", "1"})},
                  {"schedules", zset({"a:b", "5", "p", "inf"})}};
    for (const auto* mode : {"", "repair"}) {
        redis()("FLUSHALL");
        check({.before = healthy, .call = look(mode), .reply = {"0"}, .after = healthy});
    }
    redis()("FLUSHALL");
    check({.before = {}, .call = look(), .reply = {"0"}, .after = {}});
}

BOOST_AUTO_TEST_CASE(finds_and_repairs_what_is_wrong)
{
    const auto worker = hash({"7", "w"});
    const finding findings[] = {
        {{{"progress", hash({"false", token(0)})}}, "drift", "trace_of_empty_queue", "progress", "false", {}},
        {{{"progress", hash({job, "soon"})}},
         "broken",
         "unreadable_start",
         "progress",
         job,
         {{"progress", hash({job, now(0)})}}},
        {{{"progress", hash({job, R"("2026-13-21T09:54:29Z")"})}},
         "broken",
         "unreadable_start",
         "progress",
         job,
         {{"progress", hash({job, now(0)})}}},
        {{{"progress", hash({job, R"("2026-02-30T09:54:29.612715000042Z")"})}},
         "broken",
         "unreadable_start",
         "progress",
         job,
         {{"progress", hash({job, now(0)})}}},
        {{{"progress", hash({job, R"("2999-11-21T09:54:29.612715000042Z")"})}},
         "broken",
         "future_start",
         "progress",
         job,
         {{"progress", hash({job, now(0)})}}},
        {{{"progress", hash({job, R"("2999-11-21T09:54:29.612715000007Z")"})}, {"workers", worker}},
         "broken",
         "future_start",
         "progress",
         job,
         {{"progress", hash({job, R"("2999-11-21T09:54:29.612715000007Z")"})}, {"workers", worker}},
         false},
        {{{"shared", hash({job, "soon"})}},
         "broken",
         "unreadable_start",
         "shared",
         job,
         {{"shared", hash({job, now(0)})}}},
        {{{"found", zset({"odd", "5"})}, {"reasons", hash({sha1("odd"), "it is"})}},
         "drift",
         "found_of_nobody",
         "found",
         "odd",
         {}},
        {{{"progress", hash({job, token(7)})}},
         "drift",
         "unknown_holder",
         "progress",
         job,
         {{"progress", hash({job, token(7)})}},
         false},
        {{{"duplicates", hash({job, "2"})}},
         "drift",
         "duplicates_of_nobody",
         "duplicates",
         job,
         {{"jobs", list({job, job})}}},
        {{{"duplicates", hash({job, "many"})}},
         "broken",
         "bad_duplicates",
         "duplicates",
         job,
         {{"jobs", list({job})}}},
        {{{"scheduled", zset({"[1]", "5"})}},
         "broken",
         "no_unique_part",
         "scheduled",
         "[1]",
         {{"scheduled", zset({scheduled_member(1, "[1]"), "5"})}, {"counters", hash({"sequence", "1"})}}},
        {{{"scheduled", zset({R"(["1",{"a":1}])", "5"})}},
         "broken",
         "no_unique_part",
         "scheduled",
         R"(["1",{"a":1}])",
         {{"scheduled", zset({scheduled_member(1, R"(["1",{"a":1}])"), "5"})},
          {"counters", hash({"sequence", "1"})}}},
        {{{"attempts", hash({job, "2"})}}, "drift", "attempts_of_nobody", "attempts", job, {}},
        {{{"schedules", zset({"s", "5"})}}, "drift", "no_such_schedule", "schedules", "s", {}},
        {{{"plans", hash({"runs:a:b", "5"})}}, "drift", "field_of_no_schedule", "plans", "runs:a:b", {}},
        {{{"plans", hash({"data:a:b", "1", "next:a:b", "5"})}},
         "broken",
         "schedule_nowhere",
         "schedules",
         "a:b",
         {{"plans", hash({"data:a:b", "1", "next:a:b", "5"})}, {"schedules", zset({"a:b", "5"})}}},
        {{{"plans", hash({"data:s", "1", "next:s", "5", "paused:s", "1"})}},
         "broken",
         "schedule_nowhere",
         "schedules",
         "s",
         {{"plans", hash({"data:s", "1", "next:s", "5", "paused:s", "1"})},
          {"schedules", zset({"s", "inf"})}}},
        {{{"jobs", list({job})}, {"attempts", hash({job, "-2"})}},
         "broken",
         "bad_attempts",
         "attempts",
         job,
         {{"jobs", list({job})}}},
        {{{"failures", hash({job, "x"})}}, "drift", "failure_of_nobody", "failures", job, {}},
        {{{"workers", hash({"x", "w"})}}, "broken", "bad_worker", "workers", "x", {}},
        {{{"gone", hash({"8", "5"})}, {"workers", worker}},
         "drift",
         "absence_of_nobody",
         "gone",
         "8",
         {{"workers", worker}}},
        {{{"gone", hash({"7", "x"})}, {"workers", worker}},
         "broken",
         "bad_absence",
         "gone",
         "7",
         {{"workers", worker}}},
        {{{"counters", hash({"success", "lots"})}}, "broken", "bad_counter", "counters", "success", {}},
        {{{"monitor", text("w")}}, "broken", "endless_monitor", "monitor", "w", {}},
    };
    for (const auto& each : findings) {
        BOOST_TEST_CONTEXT(each.kind)
        {
            redis()("FLUSHALL");
            check({.before = each.before,
                   .call = look(),
                   .reply = {"0", each.severity, each.kind, each.key, each.member, "0"},
                   .after = each.before});
            BOOST_TEST(same(call(look("repair")), {"0", each.severity, each.kind, each.key, each.member,
                                                   each.can_be_repaired ? "1" : "0"}));
            BOOST_TEST(same(get(each.repaired), each.repaired));
            if (each.can_be_repaired)
                BOOST_TEST(same(call(look()), {"0"}));
        }
    }
}

BOOST_AUTO_TEST_CASE(leaves_keys_of_another_type_alone)
{
    const state before{{"jobs", text("somebody's")}, {"duplicates", list({"x"})}, {"gone", hash({"8", "5"})}};
    check({.before = before,
           .call = look("repair"),
           .reply = {"0", "broken", "wrong_type", "jobs", "string", "0", "broken", "wrong_type", "duplicates",
                     "list", "0"},
           .after = before});
}

BOOST_AUTO_TEST_CASE(a_new_sequence_number_is_ahead_of_all_others)
{
    set({{"counters", hash({"sequence", "x"})}});
    call(look("repair"));
    BOOST_TEST(redis()("HGET", "counters", "sequence").text.size() == 12U);
}

BOOST_AUTO_TEST_CASE(keeps_attempts_while_it_cannot_tell_whose_they_are)
{
    strings waiting;
    for (int i = 0; i != 100; ++i)
        waiting.push_back("job " + std::to_string(i));
    const state before{{"jobs", list(waiting)}, {"attempts", hash({"nobody's", "2"})}};
    check({.before = before, .call = look("repair"), .reply = {"0"}, .after = before});
}

BOOST_AUTO_TEST_CASE(looks_at_everything_in_bounded_steps)
{
    strings progress, duplicates;
    for (int i = 0; i != 3'000; ++i) {
        progress.insert(progress.end(), {"job " + std::to_string(i), i % 3 == 0 ? "x" : token(0)});
        duplicates.insert(duplicates.end(), {"twin " + std::to_string(i), "1"});
    }
    set({{"progress", hash(progress)}, {"duplicates", hash(duplicates)}});
    std::map<std::string, int> kinds;
    std::string cursor = "0";
    int calls = 0;
    do {
        const auto reply = call({"check", {cursor, "100", ""}});
        BOOST_TEST(reply.size() <= 1 + 150 * 5);
        for (std::size_t i = 2; i < reply.size(); i += 5)
            ++kinds[reply[i]];
        cursor = reply[0];
        ++calls;
    } while (cursor != "0" && calls != 1'000);
    BOOST_TEST(cursor == "0");
    BOOST_TEST(calls >= 50);
    BOOST_TEST(kinds["unreadable_start"] == 1'000);
    BOOST_TEST(kinds["duplicates_of_nobody"] == 3'000);
}

BOOST_AUTO_TEST_SUITE_END()
