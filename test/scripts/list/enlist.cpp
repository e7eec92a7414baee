// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

/// The registry of workers; take.cpp has what becomes of it when jobs are fetched.
BOOST_FIXTURE_TEST_SUITE(enlist, script_test)

BOOST_AUTO_TEST_CASE(gives_a_worker_a_number_before_it_fetches)
{
    check({.before = {{"paused", text("1")}},
           .call = {"enlist", {"0", "w"}},
           .reply = {"2"},
           .after = {
               {"paused", text("1")}, {"workers", hash({"2", "w"})}, {"counters", hash({"workers", "1"})}}});
}

BOOST_AUTO_TEST_CASE(leaves_a_worker_the_number_that_it_has)
{
    const state registered{{"workers", hash({"41", "other", "42", "w"})},
                           {"counters", hash({"workers", "41"})}};
    for (const auto* known : {"42", "0"}) {
        redis()("FLUSHALL");
        check({.before = registered, .call = {"enlist", {known, "w"}}, .reply = {"42"}, .after = registered});
    }
}

BOOST_AUTO_TEST_CASE(goes_on_in_the_next_call_where_a_thousand_numbers_are_taken)
{
    strings taken;
    for (int i = 2; i != 1502; ++i) {
        taken.push_back(std::to_string(i));
        taken.push_back("other");
    }
    set({{"workers", hash(taken)}});
    BOOST_TEST(call({"enlist", {"0", "w"}}).at(0).find("no worker number is free") != std::string::npos);
    BOOST_TEST(same(call({"enlist", {"0", "w"}}), {"1502"}));
}

BOOST_AUTO_TEST_CASE(never_gives_a_worker_the_number_of_another)
{
    check({.before = {{"workers", hash({"7", "other"})}, {"counters", hash({"workers", "6"})}},
           .call = {"enlist", {"7", "w"}},
           .reply = {"8"},
           .after = {{"workers", hash({"7", "other", "8", "w"})}, {"counters", hash({"workers", "7"})}}});
}

BOOST_AUTO_TEST_SUITE_END()
