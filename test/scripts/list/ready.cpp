// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

/// Since when jobs can run is noted of those whose id does not tell, and crossed out when they are taken.
BOOST_FIXTURE_TEST_SUITE(ready, script_test)

namespace {

const content seven = hash({"7", "w"});

/// What sizes answers in the order of its header, from the third on; the times of the next job and of the one due
/// for the longest time are at the end.
strings sizes_of(script_test& test)
{
    auto reply = test.call({"sizes", {"300000"}});
    BOOST_TEST_REQUIRE(reply.size() >= 22u);
    reply.erase(reply.begin(), reply.begin() + 2);
    return reply;
}

} // namespace

BOOST_AUTO_TEST_CASE(jobs_that_are_taken_are_crossed_out)
{
    check({.before = {{"jobs", list({"c", "b", "a"})},
                      {"ready", zset({digest_of("a"), "1", digest_of("c"), "3"})},
                      {"workers", seven}},
           .call = ack_and_fetch{.count = 2, .worker = 7},
           .reply = took(7, {"a", "b"}),
           .after = {{"jobs", list({"c"})},
                     {"ready", zset({digest_of("c"), "3"})},
                     {"progress", hash({"a", now(7), "b", now(7)})},
                     {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(nothing_is_left_of_an_empty_queue_whatever_peers_took)
{
    const state left{{"ready", zset({digest_of("taken by a peer"), "1", digest_of("a"), "2"})}};
    auto before = left;
    before["jobs"] = list({"a"});
    before["workers"] = seven;
    check({.before = before,
           .call = ack_and_fetch{.count = 2, .worker = 7},
           .reply = took(7, {"a"}),
           .after = {{"progress", hash({"a", now(7)})}, {"workers", seven}}});
    redis()("FLUSHALL");
    check({.before = left, .call = {"tidy", {}}, .reply = {"0"}, .after = {}});
}

BOOST_AUTO_TEST_CASE(never_more_are_noted_than_wait)
{
    // Two were taken by a peer; the oldest go.
    check({.before = {{"jobs", list({"c"})},
                      {"ready", zset({digest_of("a"), "1", digest_of("b"), "2", digest_of("c"), "3"})},
                      {"failed", list({"d"})}},
           .call = {"act", {"retry", "failed", "d"}},
           .reply = {"1"},
           .after = {{"jobs", list({"d", "c"})},
                     {"ready", zset({digest_of("c"), "3", digest_of("d"), due_in(0)})}}});
}

BOOST_AUTO_TEST_CASE(a_retry_that_is_taken_at_once_leaves_nothing)
{
    check({.before = {{"progress", hash({"a", token(7)})}, {"workers", seven}},
           .call = ack_and_fetch{.count = 1,
                                 .worker = 7,
                                 .others = {{.payload = "a", .token = token(7), .kind = "retry"}}},
           .reply = took(7, {"a"}, {"1"}),
           .after = {{"progress", hash({"a", now(7)})},
                     {"attempts", hash({"a", "1"})},
                     {"counters", hash({"retry", "1"})},
                     {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(large_payloads_are_told_apart_by_their_beginning)
{
    const std::string rest(1'000'000, 'x');
    const auto a = "[\"a\",\"" + rest, b = "[\"b\",\"" + rest;
    check({.before = {{"failed", list({b, a})}},
           .call = {"act", {"retry", "failed", a, "failed", b}},
           .reply = {"1", "1"},
           .after = {{"jobs", list({b, a})}, {"ready", ready_now({a, b})}}});
}

BOOST_AUTO_TEST_CASE(sizes_count_due_jobs_and_tell_since_when_they_are_due)
{
    const state queue{
        {"jobs", list({"[\"w\",1]", "[ \"next-one\" , 1]"})},
        {"progress", hash({"p", token(7), "false", token(7)})},
        {"scheduled", zset({"1:[\"first\",1]", "1000", "2:[\"second\",1]", "2000", "3:x", "99999999999999"})},
        {"duplicates", hash({"t", "3"})},
        {"failed", list({"f", "g"})},
        {"broken", hash({"b", token(7)})},
        {"paused", text("1")},
        {"counters", hash({"success", "5", "recovered", "6", "dropped", "7", "dropped_broken", "8"})},
        {"workers", hash({"7", "w"})},
        {"ready", zset({digest_of("[ \"next-one\" , 1]"), "1500"})}};
    set(queue);
    BOOST_TEST(
        same(sizes_of(*this), {"2", "3", "1", "3", "2",        "2",    "1",     "1",    "5", "0", "0",
                               "0", "6", "7", "8", "next-one", "1500", "first", "1000", "0", "0", "w"}));
    BOOST_TEST(same(get(), queue));
}

BOOST_AUTO_TEST_CASE(sizes_of_an_empty_queue_tell_no_times)
{
    BOOST_TEST(same(sizes_of(*this), {"0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0",
                                      "0", "0", "0", "0", "",  "",  "",  "",  "0", "0"}));
    BOOST_TEST(same(get(), {}));
}

BOOST_AUTO_TEST_CASE(sizes_tell_no_id_that_is_none)
{
    for (const auto* payload : {"no job", "[1,2]", "[\"a\\u0062\",1]", "[\"never ends"}) {
        redis()("FLUSHALL");
        set({{"jobs", list({payload})}});
        BOOST_TEST(sizes_of(*this).at(15) == "", payload);
    }
}

BOOST_AUTO_TEST_CASE(the_next_job_is_noted_when_it_is_first_seen)
{
    set({{"jobs", list({"b", "a"})}, {"ready", zset({digest_of("b"), "5"})}});
    const auto reply = call({"see_next", {}});
    const state after{{"jobs", list({"b", "a"})},
                      {"ready", zset({digest_of("b"), "5", digest_of("a"), due_in(0)})}};
    BOOST_TEST(same(get(after), after));
    BOOST_TEST(same(call({"see_next", {}}), reply));
}

BOOST_AUTO_TEST_CASE(what_is_noted_of_the_next_job_stays)
{
    const state noted{{"jobs", list({"b", "a"})}, {"ready", zset({digest_of("a"), "5"})}};
    check({.before = noted, .call = {"see_next", {}}, .reply = {"5"}, .after = noted});
    redis()("FLUSHALL");
    check({.before = {}, .call = {"see_next", {}}, .reply = {"nil"}, .after = {}});
}

BOOST_AUTO_TEST_SUITE_END()
