// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

BOOST_FIXTURE_TEST_SUITE(recover, script_test)

const std::string peer = R"("2026-11-21T09:54:29.612715072Z")";

BOOST_AUTO_TEST_CASE(requeues_a_job_to_the_front_and_counts_the_attempt)
{
    check({.before = {{"jobs", list({"c", "b"})}, {"progress", hash({"a", token(7), "x", token(7)})}},
           .call = {"recover", {"a", token(7), "requeue"}},
           .reply = {"1"},
           .after = {{"jobs", list({"c", "b", "a"})},
                     {"ready", ready_now({"a"})},
                     {"progress", hash({"x", token(7)})},
                     {"attempts", hash({"a", "1"})},
                     {"counters", hash({"recovered", "1"})}}});
}

BOOST_AUTO_TEST_CASE(adds_to_the_attempts_there_were)
{
    check({.before = {{"progress", hash({"a", peer})},
                      {"attempts", hash({"a", "4"})},
                      {"counters", hash({"recovered", "7"})}},
           .call = {"recover", {"a", peer, "requeue"}},
           .reply = {"1"},
           .after = {{"jobs", list({"a"})},
                     {"ready", ready_now({"a"})},
                     {"attempts", hash({"a", "5"})},
                     {"counters", hash({"recovered", "8"})}}});
}

BOOST_AUTO_TEST_CASE(releases_a_job_that_was_never_started_without_counting)
{
    check({.before = {{"jobs", list({"b"})},
                      {"progress", hash({"a", token(7)})},
                      {"attempts", hash({"a", "2"})}},
           .call = {"recover", {"a", token(7), "release"}},
           .reply = {"1"},
           .after = {{"jobs", list({"b", "a"})},
                     {"ready", ready_now({"a"})},
                     {"attempts", hash({"a", "2"})},
                     {"counters", hash({"returned", "1"})}}});
}

BOOST_AUTO_TEST_CASE(adopts_a_lease_with_an_unreadable_start)
{
    check({.before = {{"progress", hash({"a", "yesterday", "b", ""})}},
           .call = {"recover", {"a", "yesterday", "adopt", "b", "", "adopt"}},
           .reply = {"0"},
           .after = {{"progress", hash({"a", now(0), "b", now(0)})}}});
}

BOOST_AUTO_TEST_CASE(does_not_adopt_a_lease_that_has_begun)
{
    const state before{{"progress", hash({"a", token(7), "b", peer})}};
    check({.before = before,
           .call = {"recover", {"a", token(7), "adopt", "b", peer, "adopt"}},
           .reply = {"0"},
           .after = before});
}

BOOST_AUTO_TEST_CASE(drops_hworkers_phantom)
{
    check({.before = {{"progress", hash({"false", peer})}},
           .call = {"recover", {"false", peer, "drop"}},
           .reply = {"0"},
           .after = {}});
}

BOOST_AUTO_TEST_CASE(leaves_alone_what_has_changed_since)
{
    // Settled, renewed, taken by another.
    const state situations[] = {{{"jobs", list({"a"})}},
                                {{"progress", hash({"a", token(7, 1)})}},
                                {{"progress", hash({"a", token(8)})}, {"duplicates", hash({"a", "1"})}}};
    for (const auto& before : situations)
        for (const auto action : {"requeue", "release", "adopt", "drop"})
            BOOST_TEST_CONTEXT(action)
            {
                redis()("FLUSHALL");
                check({.before = before,
                       .call = {"recover", {"a", token(7), action}},
                       .reply = {"0"},
                       .after = before});
            }
}

BOOST_AUTO_TEST_CASE(returns_a_job_once_when_two_monitors_find_it)
{
    set({{"progress", hash({"a", token(7)})}, {"duplicates", hash({"a", "1"})}});
    const script_call found{"recover", {"a", token(7), "requeue"}};
    BOOST_TEST(same(call(found), {"1"}));
    const state noted{{"ready", ready_now({"a"})}};
    const auto ready = get(noted).at("ready");
    BOOST_TEST(same(ready.items, noted.at("ready").items));
    BOOST_TEST(same(call(found), {"0"}));
    redis()("DEL", "ready");
    BOOST_TEST(same(get(), {{"jobs", list({"a", "a"})},
                            {"attempts", hash({"a", "1"})},
                            {"counters", hash({"recovered", "1"})}}));
}

BOOST_AUTO_TEST_CASE(releases_one_that_was_held_back_as_well)
{
    check({.before = {{"progress", hash({"a", token(7)})}, {"duplicates", hash({"a", "2", "b", "1"})}},
           .call = {"recover", {"a", token(7), "requeue"}},
           .reply = {"1"},
           .after = {{"jobs", list({"a", "a"})},
                     {"ready", ready_now({"a"})},
                     {"duplicates", hash({"a", "1", "b", "1"})},
                     {"attempts", hash({"a", "1"})},
                     {"counters", hash({"recovered", "1"})}}});
}

BOOST_AUTO_TEST_CASE(deals_with_many_at_once)
{
    check({.before = {{"jobs", list({"x"})},
                      {"progress",
                       hash({"a", token(7), "b", token(8), "c", "odd", "d", token(7), "false", peer})}},
           .call = {"recover",
                    {"a", token(7), "requeue", "b", token(7), "requeue", "c", "odd", "adopt", "d", token(7),
                     "release", "false", peer, "drop"}},
           .reply = {"2"},
           .after = {{"jobs", list({"x", "a", "d"})},
                     {"ready", ready_now({"a", "d"})},
                     {"progress", hash({"b", token(8), "c", now(0)})},
                     {"attempts", hash({"a", "1"})},
                     {"counters", hash({"recovered", "1", "returned", "1"})}}});
}

BOOST_AUTO_TEST_CASE(does_nothing_without_anything_to_do)
{
    check({.before = {{"progress", hash({"a", token(7)})}},
           .call = {"recover", {}},
           .reply = {"0"},
           .after = {{"progress", hash({"a", token(7)})}}});
}

BOOST_AUTO_TEST_SUITE_END()
