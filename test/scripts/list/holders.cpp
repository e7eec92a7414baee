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
               .call = {"holders", {most}},
               .reply = {"w:7", "2", "w:8", "0", "", "2"},
               .after = before});
}

BOOST_AUTO_TEST_CASE(tells_nothing_of_a_queue_that_is_none)
{
    check({.before = {}, .call = {"holders", {"100"}}, .reply = {}, .after = {}});
}

BOOST_AUTO_TEST_SUITE_END()
