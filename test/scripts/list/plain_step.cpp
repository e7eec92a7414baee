// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

/// The short way of ack_and_fetch, for a worker that waits for jobs of a queue where few come at a time.
BOOST_FIXTURE_TEST_SUITE(plain_step, script_test)

const auto seven = hash({"7", "w"}); // the registry of a worker that has its number

BOOST_AUTO_TEST_CASE(acknowledges_a_job_and_takes_the_next)
{
    check({.before = {{"jobs", list({"b"})},
                      {"progress", hash({"a", token(7), "c", token(8)})},
                      {"workers", seven}},
           .call = ack_and_fetch{.count = 5, .worker = 7, .succeeded = {{token(7), {"a"}}}},
           .reply = took(7, {"b"}),
           .after = {{"progress", hash({"b", now(7), "c", token(8)})},
                     {"counters", hash({"success", "1"})},
                     {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(acknowledges_a_job_where_no_other_waits)
{
    check({.before = {{"progress", hash({"a", token(7)})}, {"workers", seven}},
           .call = ack_and_fetch{.count = 1, .worker = 7, .succeeded = {{token(7), {"a"}}}},
           .reply = took(7, {}),
           .after = {{"counters", hash({"success", "1"})}, {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(does_what_the_long_way_does)
{
    const strings waiting[] = {{}, {"x"}, {"a"}, {"x", "y"}, {"x", "x"}, {std::string(70'000, 'x')}};
    const ack_and_fetch asked[] = {
        {.count = 1, .worker = 7},
        {.count = 8, .worker = 7, .succeeded = {{token(7), {"a"}}}},
        {.count = 0, .worker = 7, .succeeded = {{token(7), {"a"}}}},
        {.count = 1, .worker = 8, .succeeded = {{token(7), {"a"}}}},
        {.count = 1, .worker = 7, .name = "v", .succeeded = {{token(7), {"a"}}}},
        {.count = 1, .name = "", .succeeded = {{token(7), {"a"}}}},
        {.count = 1, .worker = 7, .succeeded = {{token(7, 1), {"a"}}}},
        {.count = 1, .worker = 7, .succeeded = {{token(7), {"gone"}}}},
        {.count = 1, .worker = 7, .succeeded = {{token(7), {"a", "b"}}}},
        {.count = 1, .worker = 7, .succeeded = {{token(7), {"a"}}, {token(7, 1), {"b"}}}},
        {.count = 1, .worker = 7, .others = {{.payload = "a", .token = token(7), .kind = "retry"}}},
        {.count = 1,
         .worker = 7,
         .succeeded = {{token(7), {"a"}}},
         .others = {{.payload = "b", .token = token(7, 1), .kind = "failure"}}},
    };
    const state besides[] = {
        {},
        {{"attempts", hash({"a", "1", "x", "2"})}},
        {{"duplicates", hash({"a", "1"})}},
        {{"paused", text("1")}},
        {{"ready", zset({digest_of("x"), "1", digest_of("y"), "2"})}},
        {{"scheduled", zset({"1:z", "0"})}},
        {{"shared", hash({"a", token(7)})}},
        {{"counters", hash({"success", "4", "workers", "7"})}},
    };
    for (const auto& payloads : waiting)
        for (const auto& what : asked)
            for (state before : besides) {
                if (!payloads.empty())
                    before["jobs"] = list(payloads);
                before["progress"] = hash({"a", token(7), "b", token(7, 1)});
                before["workers"] = hash({"7", "w", "8", "other"});
                check_both_ways(before, what);
            }
}

BOOST_AUTO_TEST_SUITE_END()
