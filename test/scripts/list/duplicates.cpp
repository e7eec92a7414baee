// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

/// Equal payloads, of which one is in progress and the others are held back, through all of ack_and_fetch.
BOOST_FIXTURE_TEST_SUITE(duplicates, script_test)

ack_and_fetch one(std::string kind)
{
    if (kind == "success")
        return {.succeeded = {{token(7), {"a"}}}};
    return {.others = {{.payload = "a", .token = token(7), .kind = std::move(kind)}}};
}

/// Where one of the held back jobs goes, and what becomes of the one that ended, for each outcome.
struct duplicate_row
{
    std::string kind;
    strings jobs; ///< "x" was there before
    state also;   ///< beside jobs, duplicates and counters
};

const duplicate_row rows[] = {
    {"success", {"x", "a"}, {}},
    {"retry", {"a", "x", "a"}, {{"attempts", hash({"a", "1"})}, {"ready", ready_now({"a"})}}},
    {"failure", {"x", "a"}, {{"failed", list({"a"})}, {"failures", hash({"a", now(0) + " 1 "})}}},
    {"broken", {"x", "a"}, {{"broken", hash({"a", now(0)})}, {"found", zset({"a", due_in(0)})}}},
    {"release", {"x", "a", "a"}, {{"ready", ready_now({"a"})}}},
};

BOOST_AUTO_TEST_CASE(are_released_one_by_one_to_the_front_however_the_first_ends)
{
    for (const auto& [kind, jobs, also] : rows)
        BOOST_TEST_CONTEXT(kind)
        {
            redis()("FLUSHALL");
            state after = also;
            after["jobs"] = list(jobs);
            after["duplicates"] = hash({"a", "1", "b", "5"});
            after["counters"] = hash({kind, "1"});
            check({.before = {{"jobs", list({"x"})},
                              {"progress", hash({"a", token(7)})},
                              {"duplicates", hash({"a", "2", "b", "5"})}},
                   .call = one(kind),
                   .reply = settled(),
                   .after = after});
        }
}

BOOST_AUTO_TEST_CASE(are_forgotten_when_the_last_is_released)
{
    for (const auto& [kind, jobs, also] : rows)
        BOOST_TEST_CONTEXT(kind)
        {
            redis()("FLUSHALL");
            state after = also;
            after["jobs"] = list(jobs);
            after["counters"] = hash({kind, "1"});
            check({.before = {{"jobs", list({"x"})},
                              {"progress", hash({"a", token(7)})},
                              {"duplicates", hash({"a", "1"})}},
                   .call = one(kind),
                   .reply = settled(),
                   .after = after});
        }
}

BOOST_AUTO_TEST_CASE(are_released_among_others_that_have_none)
{
    check({.before = {{"progress", hash({"a", token(7), "b", token(7), "c", token(8)})},
                      {"attempts", hash({"b", "1"})},
                      {"duplicates", hash({"b", "1", "c", "1"})}},
           .call = ack_and_fetch{.succeeded = {{token(7), {"a", "b", "c"}}}},
           .reply = settled({"3"}),
           .after = {{"jobs", list({"b"})},
                     {"progress", hash({"c", token(8)})},
                     {"duplicates", hash({"c", "1"})},
                     {"counters", hash({"success", "2"})}}});
}

BOOST_AUTO_TEST_CASE(are_taken_in_the_step_that_releases_them)
{
    check({.before = {{"jobs", list({"x"})},
                      {"progress", hash({"a", token(7)})},
                      {"duplicates", hash({"a", "2"})},
                      {"workers", hash({"7", "w"})}},
           .call = ack_and_fetch{.count = 1, .worker = 7, .succeeded = {{token(7), {"a"}}}},
           .reply = took(7, {"a"}),
           .after = {{"jobs", list({"x"})},
                     {"progress", hash({"a", now(7)})},
                     {"duplicates", hash({"a", "1"})},
                     {"workers", hash({"7", "w"})},
                     {"counters", hash({"success", "1"})}}});
}

BOOST_AUTO_TEST_CASE(run_each_once_when_all_succeed)
{
    set({{"jobs", list({"a", "b", "a", "a", "b"})}, {"workers", hash({"7", "w"})}});
    int taken = 0;
    strings held;
    std::string lease;
    for (int calls = 0; calls != 10; ++calls) {
        ack_and_fetch next{.count = 8, .worker = 7};
        if (!held.empty())
            next.succeeded = {{lease, held}};
        call(next);
        held = redis()("HKEYS", "progress").texts();
        lease = held.empty() ? "" : redis()("HGET", "progress", held.front()).text;
        taken += static_cast<int>(held.size());
    }
    BOOST_TEST(taken == 5);
    BOOST_TEST(same(get(), {{"workers", hash({"7", "w"})}, {"counters", hash({"success", "5"})}}));
}

BOOST_AUTO_TEST_CASE(settle_and_take_go_together_in_a_paused_queue_only_as_far_as_settling)
{
    check(
        {.before = {{"jobs", list({"x"})},
                    {"progress", hash({"a", token(7)})},
                    {"duplicates", hash({"a", "1"})},
                    {"paused", text("1")}},
         .call = ack_and_fetch{.count = 5, .succeeded = {{token(7), {"a"}}}},
         .reply = settled(),
         .after = {{"jobs", list({"x", "a"})}, {"paused", text("1")}, {"counters", hash({"success", "1"})}}});
}

BOOST_AUTO_TEST_SUITE_END()
