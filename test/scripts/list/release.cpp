// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

BOOST_FIXTURE_TEST_SUITE(release, script_test)

BOOST_AUTO_TEST_CASE(returns_a_job_to_the_front_without_counting_an_attempt)
{
    check({.before = {{"jobs", list({"c", "b"})},
                      {"progress", hash({"a", token(7), "x", token(7)})},
                      {"attempts", hash({"a", "2"})},
                      {"counters", hash({"returned", "7"})}},
           .call = {"release", {"a", token(7)}},
           .reply = {"1"},
           .after = {{"jobs", list({"c", "b", "a"})},
                     {"ready", ready_now({"a"})},
                     {"progress", hash({"x", token(7)})},
                     {"attempts", hash({"a", "2"})},
                     {"counters", hash({"returned", "8"})}}});
}

BOOST_AUTO_TEST_CASE(leaves_alone_what_has_changed_since)
{
    // Settled, renewed, taken by another.
    const state situations[] = {{{"jobs", list({"a"})}},
                                {{"progress", hash({"a", token(7, 1)})}},
                                {{"progress", hash({"a", token(8)})}, {"duplicates", hash({"a", "1"})}}};
    for (const auto& before : situations) {
        redis()("FLUSHALL");
        check({.before = before, .call = {"release", {"a", token(7)}}, .reply = {"0"}, .after = before});
    }
}

BOOST_AUTO_TEST_CASE(returns_a_job_once)
{
    set({{"progress", hash({"a", token(7)})}, {"duplicates", hash({"a", "1"})}});
    const script_call found{"release", {"a", token(7)}};
    BOOST_TEST(same(call(found), {"1"}));
    const auto once = get();
    BOOST_TEST(same(once.at("jobs").items, {"a", "a"}));
    BOOST_TEST(same(call(found), {"0"}));
    BOOST_TEST(same(get(), once));
}

BOOST_AUTO_TEST_CASE(releases_one_that_was_held_back_as_well)
{
    check({.before = {{"progress", hash({"a", token(7)})}, {"duplicates", hash({"a", "2", "b", "1"})}},
           .call = {"release", {"a", token(7)}},
           .reply = {"1"},
           .after = {{"jobs", list({"a", "a"})},
                     {"ready", ready_now({"a"})},
                     {"duplicates", hash({"a", "1", "b", "1"})},
                     {"counters", hash({"returned", "1"})}}});
}

BOOST_AUTO_TEST_CASE(deals_with_many_at_once)
{
    check({.before = {{"jobs", list({"x"})},
                      {"progress", hash({"a", token(7), "b", token(8), "c", token(7), "d", token(7)})}},
           .call = {"release", {"a", token(7), "b", token(7), "d", token(7)}},
           .reply = {"2"},
           .after = {{"jobs", list({"x", "a", "d"})},
                     {"ready", ready_now({"a", "d"})},
                     {"progress", hash({"b", token(8), "c", token(7)})},
                     {"counters", hash({"returned", "2"})}}});
}

BOOST_AUTO_TEST_SUITE_END()
