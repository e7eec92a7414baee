// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

BOOST_FIXTURE_TEST_SUITE(holders, script_test)

BOOST_AUTO_TEST_CASE(counts_what_workers_peers_and_strangers_hold)
{
    const std::string peer = R"("2026-11-21T09:54:29.612715072Z")";
    const state before{
        {"workers", hash({"7", "w:7", "8", "w:8"})},
        {"progress", hash({"a", token(7), "b", token(7), "c", token(9), "d", peer, "false", peer})}};
    for (const auto* most : {"100", "2"}) // at once, or in steps; few fields come together anyway
        check({.before = before,
               .call = {"holders", {most, "300000"}},
               .reply = {"(", "w:7", "2", "w:8", "0", "", "2", ")", "(", ")"},
               .after = before});
}

BOOST_AUTO_TEST_CASE(tells_nothing_of_a_queue_that_is_none)
{
    check({.before = {}, .call = {"holders", {"100", "300000"}}, .reply = {"(", ")", "(", ")"}, .after = {}});
}

// Those over HTTP.
BOOST_AUTO_TEST_CASE(names_workers_without_a_connection_that_were_seen_lately)
{
    const auto age = [](std::int64_t seconds) {
        return std::to_string((std::stoll(redis()("TIME").texts().at(0)) - seconds) * 1000);
    };
    // One was seen too long ago; one will be seen in an hour, since the clock was ahead.
    const state before{{"remote", zset({"old", age(400), "a", age(200), "b", age(1), "later", age(-3600)})}};
    check(
        {.before = before,
         .call = {"holders", {"100", "300000"}},
         .reply = {"(", ")", "(", "a", before.at("remote").items[3], "b", before.at("remote").items[5], ")"},
         .after = before});
    BOOST_TEST(call({"sizes", {"300000"}}).at(21) == "2");
    check({.before = {},
           .call = {"note_remote", {"c", "300000"}},
           .reply = {"3"},
           .after = {{"remote", zset({"a", before.at("remote").items[3], "b", before.at("remote").items[5],
                                      "c", due_in(0)})}}});
    const auto left = redis().integer({"PTTL", "remote"});
    BOOST_TEST(left > 0);
    BOOST_TEST(left <= 300'000);
}

BOOST_AUTO_TEST_CASE(keeps_a_bounded_number_of_them)
{
    redis()("EVAL",
            "for i = 1, 10000 do redis.call('ZADD', 'remote', redis.call('TIME')[1] * 1000, 'w' .. i) end",
            0);
    BOOST_TEST(same(call({"note_remote", {"new", "300000"}}), {"10000"}));
    BOOST_TEST(!redis()("ZSCORE", "remote", "new").is_nil());
}

BOOST_AUTO_TEST_SUITE_END()
