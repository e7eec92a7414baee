// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

BOOST_FIXTURE_TEST_SUITE(delete_queue, script_test)

BOOST_AUTO_TEST_CASE(deletes_a_queue_without_jobs)
{
    check({.before = {{"counters", hash({"success", "1"})},
                      {"paused", coworker::test::text("1")},
                      {"history", list({"60 1 0 0"})},
                      {"remote", zset({"w", "1"})},
                      {"progress", hash({"false", token(7)})}},
           .call = {"delete_queue", {"0"}},
           .reply = {"1"},
           .after = {}});
}

BOOST_AUTO_TEST_CASE(keeps_a_queue_with_jobs_unless_they_are_to_be_deleted)
{
    const state situations[] = {{{"jobs", list({"a"})}},           {{"progress", hash({"a", token(7)})}},
                                {{"scheduled", zset({"a", "1"})}}, {{"failed", list({"a"})}},
                                {{"broken", hash({"a", "t"})}},    {{"duplicates", hash({"a", "1"})}}};
    for (auto before : situations) {
        redis()("FLUSHALL");
        before["counters"] = hash({"success", "1"});
        check({.before = before, .call = {"delete_queue", {"0"}}, .reply = {"0"}, .after = before});
        check({.before = {}, .call = {"delete_queue", {"1"}}, .reply = {"1"}, .after = {}});
    }
}

BOOST_AUTO_TEST_CASE(keeps_a_queue_whose_jobs_run_if_it_is_to_be_idle)
{
    for (const auto* place : {"progress", "shared"}) {
        redis()("FLUSHALL");
        const state before{{place, hash({"a", token(7)})}, {"jobs", list({"b"})}};
        check({.before = before, .call = {"delete_queue", {"idle"}}, .reply = {"-1"}, .after = before});
    }
    redis()("FLUSHALL");
    check({.before = {{"progress", hash({"false", token(7)})}, {"jobs", list({"b"})}},
           .call = {"delete_queue", {"idle"}},
           .reply = {"1"},
           .after = {}});
}

BOOST_AUTO_TEST_SUITE_END()
