// SPDX-License-Identifier: MIT
#include "script_test.hpp"

#include <algorithm>

using namespace coworker::test;
using namespace std::string_literals;

/// What ack_and_fetch does when it settles nothing.
BOOST_FIXTURE_TEST_SUITE(take, script_test)

const auto seven = hash({"7", "w"}); // the registry of a worker that has its number

BOOST_AUTO_TEST_CASE(writes_nothing_when_the_queue_is_empty)
{
    check({.before = {{"workers", seven}},
           .call = ack_and_fetch{.count = 10, .worker = 7},
           .reply = took(7, {}),
           .after = {{"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(leases_a_job_to_the_worker)
{
    check({.before = {{"jobs", list({"a"})}, {"workers", seven}},
           .call = ack_and_fetch{.count = 1, .worker = 7},
           .reply = took(7, {"a"}),
           .after = {{"progress", hash({"a", now(7)})}, {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(leases_a_job_to_nobody_who_is_registered)
{
    check({.before = {{"jobs", list({"a"})}, {"workers", seven}},
           .call = ack_and_fetch{.count = 1, .worker = 0, .name = ""},
           .reply = took(0, {"a"}),
           .after = {{"progress", hash({"a", now(0)})}, {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(takes_from_the_tail_and_no_more_than_asked_for)
{
    check({.before = {{"jobs", list({"d", "c", "b", "a"})}, {"workers", seven}},
           .call = ack_and_fetch{.count = 3, .worker = 7},
           .reply = took(7, {"a", "b", "c"}),
           .after = {{"jobs", list({"d"})},
                     {"progress", hash({"a", now(7), "b", now(7), "c", now(7)})},
                     {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(takes_what_there_is)
{
    check({.before = {{"jobs", list({"b", "a"})}, {"workers", seven}},
           .call = ack_and_fetch{.count = 128, .worker = 7},
           .reply = took(7, {"a", "b"}),
           .after = {{"progress", hash({"a", now(7), "b", now(7)})}, {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(takes_nothing_when_nothing_is_asked_for)
{
    check({.before = {{"jobs", list({"a"})}, {"scheduled", zset({"1:b", "0"})}},
           .call = ack_and_fetch{.count = 0},
           .reply = settled(),
           .after = {{"jobs", list({"a"})}, {"scheduled", zset({"1:b", "0"})}}});
}

BOOST_AUTO_TEST_CASE(takes_nothing_from_a_paused_queue)
{
    const state paused{{"jobs", list({"a"})}, {"scheduled", zset({"1:b", "0"})}, {"paused", text("1")}};
    check({.before = paused, .call = ack_and_fetch{.count = 10}, .reply = settled(), .after = paused});
}

BOOST_AUTO_TEST_CASE(leaves_jobs_of_others_alone)
{
    check(
        {.before = {{"jobs", list({"a"})},
                    {"progress", hash({"x", token(8), "y", R"("2026-11-21T09:54:29.612715072Z")", "z", ""})},
                    {"workers", seven}},
         .call = ack_and_fetch{.count = 1, .worker = 7},
         .reply = took(7, {"a"}),
         .after = {{"progress",
                    hash({"a", now(7), "x", token(8), "y", R"("2026-11-21T09:54:29.612715072Z")", "z", ""})},
                   {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(tells_the_attempts_so_far_if_any_job_has_some)
{
    check({.before = {{"jobs", list({"c", "b", "a"})},
                      {"attempts", hash({"b", "3", "x", "9"})},
                      {"workers", seven}},
           .call = ack_and_fetch{.count = 3, .worker = 7},
           .reply = took(7, {"a", "b", "c"}, {"nil", "3", "nil"}),
           .after = {{"progress", hash({"a", now(7), "b", now(7), "c", now(7)})},
                     {"attempts", hash({"b", "3", "x", "9"})},
                     {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(carries_any_bytes)
{
    const strings payloads{R"(["783cf770-2145-47f0-ab4e-2a5ca721b83c",0])", // recorded from hworker
                           R"( [ "id" , {"n":1,"s":".."} ] trailing)",
                           "[\"\",\"\xc3\xa9 \\n \\\" \\\\ / <\"]",
                           "[\"a\",12345678901234567890123456789]",
                           "false",
                           "",
                           "\0\0"s,
                           "\r\n$5\r\n*1\r\n",
                           "\xff\xfe\x80",
                           "%s%d",
                           std::string(100'000, 'x')};
    strings leases;
    for (const auto& payload : payloads)
        leases.insert(leases.end(), {payload, now(7)});
    check({.before = {{"jobs", list({payloads.rbegin(), payloads.rend()})}, {"workers", seven}},
           .call = ack_and_fetch{.count = 20, .worker = 7},
           .reply = took(7, payloads),
           .after = {{"progress", hash(leases)}, {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(takes_a_whole_batch)
{
    strings payloads, leases;
    for (int i = 0; i != 128; ++i) {
        payloads.push_back(std::to_string(i));
        leases.insert(leases.end(), {payloads.back(), now(7)});
    }
    check({.before = {{"jobs", list({payloads.rbegin(), payloads.rend()})}, {"workers", seven}},
           .call = ack_and_fetch{.count = 128, .worker = 7},
           .reply = took(7, payloads),
           .after = {{"progress", hash(leases)}, {"workers", seven}}});
}

// --- equal payloads ------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(holds_a_payload_back_that_is_in_progress)
{
    check({.before = {{"jobs", list({"b", "a"})}, {"progress", hash({"a", token(8)})}, {"workers", seven}},
           .call = ack_and_fetch{.count = 2, .worker = 7},
           .reply = took(7, {"b"}),
           .after = {{"progress", hash({"a", token(8), "b", now(7)})},
                     {"duplicates", hash({"a", "1"})},
                     {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(takes_the_first_of_equal_payloads_in_a_batch)
{
    check({.before = {{"jobs", list({"a", "b", "a", "a"})}, {"workers", seven}},
           .call = ack_and_fetch{.count = 4, .worker = 7},
           .reply = took(7, {"a", "b"}),
           .after = {{"progress", hash({"a", now(7), "b", now(7)})},
                     {"duplicates", hash({"a", "2"})},
                     {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(counts_the_payloads_it_holds_back)
{
    check({.before = {{"jobs", list({"a", "a"})},
                      {"progress", hash({"a", token(8)})},
                      {"duplicates", hash({"a", "3"})},
                      {"workers", seven}},
           .call = ack_and_fetch{.count = 2, .worker = 7},
           .reply = took(7, {}),
           .after = {
               {"progress", hash({"a", token(8)})}, {"duplicates", hash({"a", "5"})}, {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(lets_no_phantom_of_a_peer_hide_a_job)
{
    // hworker's field `false` is in progress; a broken job with these bytes waits.
    check({.before = {{"jobs", list({"a", "false"})},
                      {"progress", hash({"false", R"("2026-11-21T09:54:29Z")"})},
                      {"workers", seven}},
           .call = ack_and_fetch{.count = 2, .worker = 7},
           .reply = took(7, {"a"}),
           .after = {{"progress", hash({"false", R"("2026-11-21T09:54:29Z")", "a", now(7)})},
                     {"duplicates", hash({"false", "1"})},
                     {"workers", seven}}});
}

// --- scheduled jobs ------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(queues_due_jobs_behind_waiting_ones_the_longest_due_first)
{
    check({.before = {{"jobs", list({"b", "a"})},
                      {"scheduled", zset({"3:c", "1000", "1:d", "2000", "2:e", "3000"})},
                      {"workers", seven}},
           .call = ack_and_fetch{.count = 4, .worker = 7},
           .reply = took(7, {"a", "b", "c", "d"}),
           .after = {{"jobs", list({"e"})},
                     {"ready", zset({digest_of("e"), "3000"})},
                     {"progress", hash({"a", now(7), "b", now(7), "c", now(7), "d", now(7)})},
                     {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(takes_a_due_member_without_a_colon_as_a_whole)
{
    check({.before = {{"scheduled", zset({"[1]", "1000"})}, {"workers", seven}},
           .call = ack_and_fetch{.count = 1, .worker = 7},
           .reply = took(7, {"[1]"}),
           .after = {{"progress", hash({"[1]", now(7)})}, {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(leaves_jobs_alone_that_are_not_due)
{
    check({.before = {{"scheduled", zset({"1:a", "1000", "2:b", "99999999999999"})}, {"workers", seven}},
           .call = ack_and_fetch{.count = 2, .worker = 7},
           .reply = took(7, {"a"}),
           .after = {{"scheduled", zset({"2:b", "99999999999999"})},
                     {"progress", hash({"a", now(7)})},
                     {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(takes_payloads_with_colons_and_any_bytes_from_the_schedule)
{
    const auto odd = ":\0:\xff:"s;
    check({.before = {{"scheduled", zset({"1:" + odd, "1000", "2:", "2000"})}, {"workers", seven}},
           .call = ack_and_fetch{.count = 2, .worker = 7},
           .reply = took(7, {odd, ""}),
           .after = {{"progress", hash({odd, now(7), "", now(7)})}, {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(queues_a_hundred_due_jobs_at_a_time)
{
    strings scheduled, left, waiting, ready;
    for (int i = 100; i != 250; ++i) {
        auto& into = i < 200 ? scheduled : left;
        into.insert(into.end(), {std::to_string(i) + ":j" + std::to_string(i), std::to_string(i)});
        if (i > 100 && i < 200) {
            waiting.insert(waiting.begin(), "j" + std::to_string(i));
            ready.insert(ready.end(), {digest_of(waiting.front()), std::to_string(i)});
        }
    }
    scheduled.insert(scheduled.end(), left.begin(), left.end());
    check({.before = {{"scheduled", zset(scheduled)}, {"workers", seven}},
           .call = ack_and_fetch{.count = 1, .worker = 7},
           .reply = took(7, {"j100"}),
           .after = {{"jobs", list(waiting)},
                     {"ready", zset(ready)},
                     {"scheduled", zset(left)},
                     {"progress", hash({"j100", now(7)})},
                     {"workers", seven}}});
}

// --- worker numbers ------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(gives_a_new_worker_a_number)
{
    check({.before = {},
           .call = ack_and_fetch{.count = 1, .worker = 0, .name = "new"},
           .reply = took(2, {}),
           .after = {{"workers", hash({"2", "new"})}, {"counters", hash({"workers", "1"})}}});
}

BOOST_AUTO_TEST_CASE(gives_the_next_worker_the_next_number)
{
    check({.before = {{"workers", hash({"42", "old"})}, {"counters", hash({"workers", "41"})}},
           .call = ack_and_fetch{.count = 1, .worker = 0, .name = "new"},
           .reply = took(43, {}),
           .after = {{"workers", hash({"42", "old", "43", "new"})}, {"counters", hash({"workers", "42"})}}});
}

BOOST_AUTO_TEST_CASE(gives_a_worker_the_number_that_it_has_already)
{
    // Its first calls are under way together, and it has not been told yet.
    const state registered{{"workers", hash({"41", "other", "42", "w"})},
                           {"counters", hash({"workers", "41"})}};
    check({.before = registered,
           .call = ack_and_fetch{.count = 1, .worker = 0},
           .reply = took(42, {}),
           .after = registered});
}

BOOST_AUTO_TEST_CASE(gives_a_worker_that_was_forgotten_a_new_number)
{
    check({.before = {{"counters", hash({"workers", "41"})}},
           .call = ack_and_fetch{.count = 1, .worker = 7},
           .reply = took(43, {}),
           .after = {{"workers", hash({"43", "w"})}, {"counters", hash({"workers", "42"})}}});
}

BOOST_AUTO_TEST_CASE(never_lets_a_worker_use_the_number_of_another)
{
    check({.before = {{"workers", hash({"7", "other"})}, {"counters", hash({"workers", "41"})}},
           .call = ack_and_fetch{.count = 1, .worker = 7},
           .reply = took(43, {}),
           .after = {{"workers", hash({"7", "other", "43", "w"})}, {"counters", hash({"workers", "42"})}}});
}

BOOST_AUTO_TEST_CASE(skips_numbers_that_are_taken)
{
    check({.before = {{"workers", hash({"43", "a", "44", "b"})}, {"counters", hash({"workers", "41"})}},
           .call = ack_and_fetch{.count = 1},
           .reply = took(45, {}),
           .after = {{"workers", hash({"43", "a", "44", "b", "45", "w"})},
                     {"counters", hash({"workers", "44"})}}});
}

BOOST_AUTO_TEST_CASE(begins_again_with_one_after_the_last_number_that_fits)
{
    check(
        {.before = {{"workers", hash({"999999", "a", "1", "b"})}, {"counters", hash({"workers", "999997"})}},
         .call = ack_and_fetch{.count = 1},
         .reply = took(2, {}),
         .after = {{"workers", hash({"999999", "a", "1", "b", "2", "w"})},
                   {"counters", hash({"workers", "1000000"})}}});
}

BOOST_AUTO_TEST_CASE(uses_the_last_number_that_fits)
{
    check({.before = {{"jobs", list({"a"})}, {"counters", hash({"workers", "999997"})}},
           .call = ack_and_fetch{.count = 1},
           .reply = took(999999, {"a"}),
           .after = {{"progress", hash({"a", now(999999)})},
                     {"workers", hash({"999999", "w"})},
                     {"counters", hash({"workers", "999998"})}}});
}

BOOST_AUTO_TEST_SUITE_END()
