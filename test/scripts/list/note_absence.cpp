// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

BOOST_FIXTURE_TEST_SUITE(note_absence, script_test)

BOOST_AUTO_TEST_CASE(notes_since_when_workers_are_missing)
{
    check({.before = {{"gone", hash({"5", "1000"})}},
           .call = {"note_absence", {"9000", "2", "7", "8"}},
           .reply = {"2"},
           .after = {{"gone", hash({"5", "1000", "7", "9000", "8", "9000"})}}});
}

BOOST_AUTO_TEST_CASE(leaves_alone_what_another_monitor_has_noted)
{
    check({.before = {{"gone", hash({"7", "1000"})}},
           .call = {"note_absence", {"9000", "1", "7"}},
           .reply = {"1"},
           .after = {{"gone", hash({"7", "1000"})}}});
}

BOOST_AUTO_TEST_CASE(forgets_workers_that_are_back)
{
    check({.before = {{"gone", hash({"7", "1000", "8", "1000", "9", "1000"})}},
           .call = {"note_absence", {"9000", "1", "5", "7", "9", "77"}},
           .reply = {"4"},
           .after = {{"gone", hash({"5", "9000", "8", "1000"})}}});
    redis()("FLUSHALL");
    check({.before = {{"gone", hash({"7", "1000"})}},
           .call = {"note_absence", {"9000", "0", "7"}},
           .reply = {"1"},
           .after = {}});
}

BOOST_AUTO_TEST_SUITE_END()
