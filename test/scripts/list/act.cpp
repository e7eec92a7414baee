// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;
using namespace std::string_literals;

BOOST_FIXTURE_TEST_SUITE(act, script_test)

const std::string a = R"(["a",1])", b = R"(["b",2])";

BOOST_AUTO_TEST_CASE(retries_failed_and_broken_jobs)
{
    check({.before = {{"failed", list({b, a})},
                      {"failures", hash({a, "record of a", b, "record of b"})},
                      {"attempts", hash({a, "3"})},
                      {"broken", hash({"junk", "t"})},
                      {"found", zset({"junk", "5"})},
                      {"reasons", hash({sha1("junk"), "odd"})}},
           .call = {"act", {"retry", "failed", a, "failed", "nobody", "broken", "junk", "broken", "nobody"}},
           .reply = {"1", "0", "1", "0"},
           .after = {{"jobs", list({"junk", a})},
                     {"failed", list({b})},
                     {"failures", hash({b, "record of b"})},
                     {"ready", ready_now({a, "junk"})}}});
}

BOOST_AUTO_TEST_CASE(retries_what_a_peer_recorded)
{
    // hworker keeps no messages.
    check({.before = {{"failed", list({b, a})}, {"jobs", list({"x"})}},
           .call = {"act", {"retry", "failed", a}},
           .reply = {"1"},
           .after = {{"failed", list({b})}, {"jobs", list({a, "x"})}, {"ready", ready_now({a})}}});
}

BOOST_AUTO_TEST_CASE(retries_one_of_equal_payloads)
{
    check({.before = {{"failed", list({a, b, a})}, {"failures", hash({a, "1", b, "2"})}},
           .call = {"act", {"retry", "failed", a}},
           .reply = {"1"},
           .after = {{"failed", list({a, b})},
                     {"failures", hash({b, "2"})},
                     {"jobs", list({a})},
                     {"ready", ready_now({a})}}});
}

BOOST_AUTO_TEST_CASE(retries_any_bytes)
{
    for (const auto& odd : {"\0\r\n\xff"s, ""s, "false"s}) {
        redis()("FLUSHALL");
        check({.before = {{"failed", list({odd})}, {"broken", hash({odd, "t"})}},
               .call = {"act", {"retry", "failed", odd, "broken", odd}},
               .reply = {"1", "1"},
               .after = {{"jobs", list({odd, odd})}, {"ready", ready_now({odd})}}});
    }
}

BOOST_AUTO_TEST_CASE(deletes_jobs_that_do_not_run)
{
    check({.before = {{"jobs", list({a, b, a})},
                      {"scheduled", zset({"x:" + a, "5", "y:" + b, "6"})},
                      {"failed", list({b, a})},
                      {"failures", hash({a, "record"})},
                      {"broken", hash({"junk", "t"})}},
           .call = {"act",
                    {"delete", "waiting", a, "scheduled", "x:" + a, "failed", a, "broken", "junk", "waiting",
                     "no"}},
           .reply = {"1", "1", "1", "1", "0"},
           .after = {{"jobs", list({a, b})}, {"scheduled", zset({"y:" + b, "6"})}, {"failed", list({b})}}});
}

BOOST_AUTO_TEST_CASE(leaves_the_rest_to_the_next_call_where_lists_are_long)
{
    redis()("EVAL", "for i = 1, 60000 do redis.call('LPUSH', 'jobs', i) end", 0);
    const strings three{"delete", "waiting", "7", "waiting", "8", "waiting", "9"};
    BOOST_TEST(same(call({"act", three}), {"1"}));
    BOOST_TEST(
        same(call({"act", {"delete", "waiting", "8", "scheduled", "none", "waiting", "9"}}), {"1", "0"}));
    BOOST_TEST(redis().integer({"LLEN", "jobs"}) == 59998);
}

/// A job that was queued lately is looked for from the other end.
BOOST_AUTO_TEST_CASE(searches_long_lists_from_the_end_that_is_nearer)
{
    const auto payload = [](const std::string& number) {
        return "[\"0193" + number + "-0000-7000-8000-000000000000\",1]";
    };
    redis()("EVAL",
            "for i = 1, 1200 do local id = string.format('0193%04x-0000-7000-8000-000000000000', i) "
            "redis.call('LPUSH', 'jobs', '[\"' .. id .. '\",1]') end",
            0);
    const auto old = payload("0001"), late = payload("04b0");
    redis()("RPUSH", "jobs", late); // both once more, at the wrong end
    redis()("LPUSH", "jobs", old);
    BOOST_TEST(same(call({"act", {"delete", "waiting", late, "waiting", old}}), {"1", "1"}));
    BOOST_TEST(redis()("LINDEX", "jobs", -1).text == late);
    BOOST_TEST(redis()("LINDEX", "jobs", 0).text == old);
    BOOST_TEST(redis().integer({"LLEN", "jobs"}) == 1200);
}

BOOST_AUTO_TEST_CASE(runs_scheduled_jobs_now)
{
    check({.before = {{"jobs", list({b})}, {"scheduled", zset({scheduled_member(1, a), "5"})}},
           .call = {"act", {"run", "scheduled", scheduled_member(1, a), "scheduled", "no"}},
           .reply = {"1", "0"},
           .after = {{"jobs", list({a, b})}, {"ready", ready_now({a})}}});
}

BOOST_AUTO_TEST_CASE(refuses_what_cannot_be_done_in_a_state)
{
    const state before{{"jobs", list({a})}, {"progress", hash({b, token(7)})}};
    check({.before = before,
           .call = {"act", {"retry", "waiting", a, "running", b, "strange", a}},
           .reply = {"-1", "-1", "-1"},
           .after = before});
}

BOOST_AUTO_TEST_SUITE_END()
