// SPDX-License-Identifier: MIT
#include "script_test.hpp"

#include <algorithm>

using namespace coworker::test;

namespace {

/// These, whose ids tell no time, can run since now.
content noted(const strings& payloads)
{
    strings digests, items;
    for (const auto& payload : payloads)
        digests.push_back(digest_of(payload));
    std::sort(digests.begin(), digests.end());
    for (const auto& digest : digests)
        items.insert(items.end(), {digest, due_in(0)});
    return zset(items);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(submit, script_test)

const std::string day = "86400000";

BOOST_AUTO_TEST_CASE(queues_jobs_now_and_later)
{
    check({.before = {{"jobs", list({"old"})}, {"counters", hash({"sequence", "7"})}},
           .call = {"submit",
                    {day, "4", "", "", "", "", "a", "b", "c", "d", "", "+1500", "@99999999999999", ""}},
           .reply = {"1", "1", "1", "1"},
           .after = {{"jobs", list({"d", "a", "old"})},
                     {"ready", noted({"a", "d"})},
                     {"scheduled", zset({scheduled_member(8, "b"), due_in(1500), scheduled_member(9, "c"),
                                         "99999999999999"})},
                     {"counters", hash({"sequence", "9"})}}});
}

BOOST_AUTO_TEST_CASE(queues_an_id_once)
{
    check(
        {.before = {},
         .call = {"submit", {day, "2", "x", "x", "a", "a again"}},
         .reply = {"1", "0"},
         .after = {{"jobs", list({"a"})}, {"ready", noted({"a"})}, {"ids", zset({"x", due_in(86400000)})}}});
}

BOOST_AUTO_TEST_CASE(queues_as_many_as_may_wait)
{
    const strings timeless{"b"};
    check({.before = {{"jobs", list({"a"})}},
           .call = {"submit",
                    {day, "4", "", "x", "", "y", "b", "c", "d", "e", "", "", "@99999999999999", "", "2"}},
           .reply = {"1", "2", "1", "2"},
           .after = {{"jobs", list({"b", "a"})},
                     {"ready", noted(timeless)},
                     {"scheduled", zset({scheduled_member(1, "d"), "99999999999999"})},
                     {"counters", hash({"sequence", "1"})}}});
}

BOOST_AUTO_TEST_CASE(queues_nothing_where_more_wait_than_may)
{
    const state before{{"jobs", list({"a", "b", "c"})}, {"ids", zset({"x", "99999999999999"})}};
    check({.before = before,
           .call = {"submit", {day, "2", "x", "y", "again", "d", "", "", "2"}},
           .reply = {"0", "2"},
           .after = before});
}

BOOST_AUTO_TEST_CASE(remembers_no_id_of_a_job_that_it_could_not_queue)
{
    // Or a client that repeats the call is told that the job had been queued.
    for (const auto& sequence : {"many", "-1", "1.5", "99999999999999999999"}) {
        redis()("FLUSHALL");
        const state before{{"counters", hash({"sequence", sequence})}};
        set(before);
        const script_call later{"submit", {day, "2", "x", "y", "a", "b", "", "+5"}};
        BOOST_TEST(call(later).at(0).find("'sequence'") != std::string::npos);
        BOOST_TEST(same(get(), before));
        redis()("DEL", "counters");
        BOOST_TEST(same(call(later), {"1", "1"}));
        BOOST_TEST(same(call(later), {"0", "0"}));
    }
}

BOOST_AUTO_TEST_CASE(queues_now_whatever_the_counter_holds_that_later_ones_need)
{
    check({.before = {{"counters", hash({"sequence", "many"})}},
           .call = {"submit", {day, "1", "x", "a"}},
           .reply = {"1"},
           .after = {{"counters", hash({"sequence", "many"})},
                     {"jobs", list({"a"})},
                     {"ready", noted({"a"})},
                     {"ids", zset({"x", due_in(86400000)})}}});
}

BOOST_AUTO_TEST_CASE(remembers_the_ids_of_those_that_have_one_and_keeps_their_order)
{
    check({.before = {{"ids", zset({"known", "99999999999999"})}},
           .call = {"submit", {day, "5", "x", "", "known", "y", "", "a", "b", "c", "d", "e"}},
           .reply = {"1", "1", "0", "1", "1"},
           .after = {
               {"jobs", list({"e", "d", "b", "a"})},
               {"ready", noted({"a", "b", "d", "e"})},
               {"ids", zset({"x", due_in(86400000), "y", due_in(86400000), "known", "99999999999999"})}}});
}

BOOST_AUTO_TEST_CASE(needs_no_ids_to_delay_jobs)
{
    check({.before = {{"ids", text("surprise")}},
           .call = {"submit", {"0", "2", "", "", "a", "b", "+5", ""}},
           .reply = {"1", "1"},
           .after = {{"ids", text("surprise")},
                     {"jobs", list({"b"})},
                     {"ready", noted({"b"})},
                     {"scheduled", zset({scheduled_member(1, "a"), due_in(5)})},
                     {"counters", hash({"sequence", "1"})}}});
}

BOOST_AUTO_TEST_CASE(refuses_to_remember_ids_for_longer_than_keys_can_live_before_anything_is_written)
{
    const std::string century = std::to_string(36'525LL * 86'400'000);
    for (const auto& remember : {"9223372036854775807", "3155760000001", "-1", "nan"})
        BOOST_TEST(call({"submit", {remember, "1", "x", "a"}}).at(0).find("century") != std::string::npos);
    BOOST_TEST(same(get(), state{}));
    BOOST_TEST(same(call({"submit", {century, "1", "x", "a"}}), {"1"}));
    BOOST_TEST(redis().integer({"EXISTS", "jobs"}) == 1);
}

BOOST_AUTO_TEST_CASE(refuses_a_time_that_is_none_before_anything_is_written)
{
    for (const auto& start : {"soon", "+", "@", "5", "+1.5"}) {
        const auto reply = call({"submit", {day, "2", "x", "y", "a", "b", "", start}});
        BOOST_TEST(reply.at(0).find("time") != std::string::npos);
        BOOST_TEST(same(get(), {}));
    }
}

BOOST_AUTO_TEST_CASE(notes_since_when_those_wait_whose_id_does_not_tell)
{
    const strings telling{R"(["017f22e2-79b0-7cc3-98c4-dc0c0c073910",1])",
                          R"( [ "017f22e279b07cc398c4dc0c0c073910" ,1])"};
    const strings timeless{R"(["0d6bfb2f-6d5c-4b0e-8f3a-5a6b7c8d9e0f",1])", R"(["order-4711",1])",
                           R"(["",1])", R"(["017f22e2-79b0-7cc3-98c4-dc0c0c0739100",1])",
                           R"(["017f22e2-79b0-7cc3-08c4-dc0c0c073910",1])"};
    for (const auto& payload : telling) {
        redis()("FLUSHALL");
        check({.before = {},
               .call = {"submit", {"0", "1", "", payload}},
               .reply = {"1"},
               .after = {{"jobs", list({payload})}}});
    }
    for (const auto& payload : timeless) {
        redis()("FLUSHALL");
        check({.before = {},
               .call = {"submit", {"0", "1", "", payload}},
               .reply = {"1"},
               .after = {{"jobs", list({payload})}, {"ready", noted({payload})}}});
    }
}

BOOST_AUTO_TEST_CASE(queues_jobs_whatever_stands_where_it_notes_since_when_they_wait)
{
    check({.before = {{"ready", text("surprise")}},
           .call = {"submit", {"0", "1", "", "a"}},
           .reply = {"1"},
           .after = {{"jobs", list({"a"})}, {"ready", text("surprise")}}});
}

BOOST_AUTO_TEST_CASE(leaves_an_id_alone_that_is_known)
{
    const state known{{"ids", zset({"x", "99999999999999"})}};
    check({.before = known, .call = {"submit", {day, "1", "x", "a", "+5"}}, .reply = {"0"}, .after = known});
}

BOOST_AUTO_TEST_CASE(queues_an_id_again_that_was_queued_long_ago)
{
    check(
        {.before = {{"ids", zset({"x", "1000"})}},
         .call = {"submit", {day, "1", "x", "a"}},
         .reply = {"1"},
         .after = {{"jobs", list({"a"})}, {"ready", noted({"a"})}, {"ids", zset({"x", due_in(86400000)})}}});
}

BOOST_AUTO_TEST_CASE(forgets_an_id_that_it_did_not_get_around_to_remove)
{
    check({.before = {{"ids", zset({"u", "997", "v", "998", "w", "999", "x", "1000"})}},
           .call = {"submit", {day, "1", "x", "a"}},
           .reply = {"1"},
           .after = {{"jobs", list({"a"})},
                     {"ready", noted({"a"})},
                     {"ids", zset({"w", "999", "x", due_in(86400000)})}}});
}

BOOST_AUTO_TEST_CASE(lets_the_set_of_ids_end_with_its_last_one)
{
    call({"submit", {"50000", "1", "x", "a"}});
    const auto first = redis().integer({"PTTL", "ids"});
    BOOST_TEST(first > 40000);
    BOOST_TEST(first <= 50000);
    call({"submit", {"10000", "1", "y", "b"}});
    BOOST_TEST(redis().integer({"PTTL", "ids"}) > 40000);
    call({"submit", {"90000", "1", "z", "c"}});
    BOOST_TEST(redis().integer({"PTTL", "ids"}) > 80000);
}

BOOST_AUTO_TEST_CASE(writes_nothing_when_a_key_holds_something_else)
{
    for (const auto* const key : {"jobs", "scheduled", "counters", "ids"}) {
        redis()("FLUSHALL");
        const state before{{key, text("surprise")}};
        set(before);
        const auto reply = call({"submit", {day, "2", "x", "", "a", "b", "", "+5"}});
        BOOST_TEST(reply.at(0).starts_with("WRONGTYPE"), reply.at(0));
        BOOST_TEST(same(get(), before));
    }
}

BOOST_AUTO_TEST_SUITE_END()
