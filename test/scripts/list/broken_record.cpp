// SPDX-License-Identifier: MIT
#include "script_test.hpp"

#include <algorithm>

using namespace coworker::test;
using namespace std::string_literals;

/// retry_broken.
BOOST_FIXTURE_TEST_SUITE(broken_record, script_test)

const std::string found = R"("2026-11-21T09:54:29.5903624Z")";

BOOST_AUTO_TEST_CASE(queues_one_payload_behind_all_waiting_ones)
{
    check(
        {.before = {{"broken", hash({"a", found, "b", found})}, {"jobs", list({"x"})}},
         .call = {"retry_broken", {"0", "a"}},
         .reply = {"1"},
         .after = {{"broken", hash({"b", found})}, {"jobs", list({"a", "x"})}, {"ready", ready_now({"a"})}}});
}

BOOST_AUTO_TEST_CASE(queues_nothing_that_is_not_there)
{
    const state before{{"broken", hash({"a", found})}, {"jobs", list({"x"})}};
    check({.before = before, .call = {"retry_broken", {"0", "y"}}, .reply = {"0"}, .after = before});
    redis()("FLUSHALL");
    check({.before = {}, .call = {"retry_broken", {"128"}}, .reply = {"0"}, .after = {}});
}

BOOST_AUTO_TEST_CASE(queues_as_many_as_asked_for)
{
    set({{"broken", hash({"a", found, "b", found, "c", found})}});
    BOOST_TEST(same(call({"retry_broken", {"2"}}), {"2"}));
    BOOST_TEST(redis().integer({"LLEN", "jobs"}) == 2);
    BOOST_TEST(same(call({"retry_broken", {"2"}}), {"1"}));
    auto jobs = get().at("jobs").items;
    std::sort(jobs.begin(), jobs.end());
    BOOST_TEST(same(jobs, {"a", "b", "c"}));
    BOOST_TEST(get().size() == 2); // and since when they can run
}

BOOST_AUTO_TEST_CASE(queues_any_bytes)
{
    const auto odd = "\0\r\n\xff"s;
    for (const auto& payload : {odd, ""s, "false"s}) {
        redis()("FLUSHALL");
        check({.before = {{"broken", hash({payload, found})}},
               .call = {"retry_broken", {"0", payload}},
               .reply = {"1"},
               .after = {{"jobs", list({payload})}, {"ready", ready_now({payload})}}});
    }
}

BOOST_AUTO_TEST_CASE(forgets_the_reason_of_what_it_queues_or_deletes)
{
    const state before{{"broken", hash({"a", found, "b", found})},
                       {"found", zset({"a", "1", "b", "2"})},
                       {"reasons", hash({sha1("a"), "odd", sha1("b"), "strange"})}};
    const state left{{"broken", hash({"b", found})},
                     {"found", zset({"b", "2"})},
                     {"reasons", hash({sha1("b"), "strange"})}};
    check({.before = before, .call = {"delete_broken", {"a"}}, .reply = {"1"}, .after = left});
    check({.before = {}, .call = {"delete_broken", {"a"}}, .reply = {"0"}, .after = left});
    check({.before = {},
           .call = {"retry_broken", {"5"}},
           .reply = {"1"},
           .after = {{"jobs", list({"b"})}, {"ready", ready_now({"b"})}}});
}

BOOST_AUTO_TEST_SUITE_END()
