// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

/// How ack_and_fetch takes jobs that are large, or too large.
BOOST_FIXTURE_TEST_SUITE(take_large, script_test)

const auto seven = hash({"7", "w"}); // the registry of a worker that has its number

BOOST_AUTO_TEST_CASE(takes_about_a_megabyte_at_a_time)
{
    const std::string a(600'000, 'a'), b(600'000, 'b'), c(400'000, 'c');
    set({{"jobs", list({"x", c, b, a})}, {"workers", seven}});
    BOOST_TEST(same(call(ack_and_fetch{.count = 4, .worker = 7}), took(7, {a})));
    BOOST_TEST(same(call(ack_and_fetch{.count = 4, .worker = 7}), took(7, {b, c, "x"})));
}

BOOST_AUTO_TEST_CASE(takes_a_large_job_alone)
{
    const std::string large(3'000'000, 'a');
    check({.before = {{"jobs", list({"b", large})}, {"workers", seven}},
           .call = ack_and_fetch{.count = 4, .worker = 7},
           .reply = took(7, {large}),
           .after = {{"jobs", list({"b"})}, {"progress", hash({large, now(7)})}, {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(sets_a_job_aside_that_cannot_be_delivered)
{
    const std::string huge(2'000'000, 'a');
    check({.before = {{"jobs", list({"c", "b", huge})}, {"attempts", hash({huge, "2"})}, {"workers", seven}},
           .call = ack_and_fetch{.count = 2, .worker = 7, .deliverable = 1'900'000},
           .reply = took(7, {"b", "c"}),
           .after = {{"progress", hash({"b", now(7), "c", now(7)})},
                     {"broken", hash({huge, now(0)})},
                     {"found", zset({huge, due_in(0)})},
                     {"reasons",
                      hash({sha1(huge), "it has 2000000 bytes, and at most 1900000 can be delivered to a "
                                        "worker"})},
                     {"counters", hash({"broken", "1"})},
                     {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(takes_what_comes_before_a_job_that_cannot_be_delivered)
{
    const std::string huge(2'000'000, 'a');
    check({.before = {{"jobs", list({huge, "b"})}, {"workers", seven}},
           .call = ack_and_fetch{.count = 2, .worker = 7, .deliverable = 1'900'000},
           .reply = took(7, {"b"}),
           .after = {{"jobs", list({huge})}, {"progress", hash({"b", now(7)})}, {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(sets_one_aside_at_a_time)
{
    const std::string first(2'000'000, 'a'), second(2'000'000, 'b');
    set({{"jobs", list({"c", second, first})}, {"workers", seven}});
    const ack_and_fetch call{.count = 2, .worker = 7, .deliverable = 1'900'000};
    BOOST_TEST(same(this->call(call), took(7, {})));
    BOOST_TEST(redis().integer({"LLEN", "jobs"}) == 2);
    BOOST_TEST(same(this->call(call), took(7, {"c"})));
    BOOST_TEST(redis().integer({"HLEN", "broken"}) == 2);
}

BOOST_AUTO_TEST_CASE(takes_the_same_however_many_it_looks_at_first)
{
    strings payloads;
    for (int i = 0; i != 128; ++i)
        payloads.push_back(std::to_string(i));
    for (const unsigned first : {1u, 2u, 16u, 200u}) {
        redis()("FLUSHALL");
        set({{"jobs", list({payloads.rbegin(), payloads.rend()})}, {"workers", seven}});
        BOOST_TEST(same(call(ack_and_fetch{.count = 100, .worker = 7, .first = first}),
                        took(7, {payloads.begin(), payloads.begin() + 100})));
    }
}

BOOST_AUTO_TEST_CASE(moves_about_a_megabyte_of_due_jobs_at_a_time)
{
    strings due;
    for (int i = 0; i != 10; ++i)
        due.insert(due.end(), {scheduled_member(static_cast<unsigned>(i), std::string(400'000, 'a')),
                               std::to_string(i)});
    set({{"scheduled", zset(due)}, {"workers", seven}});
    call(ack_and_fetch{.count = 1, .worker = 7});
    BOOST_TEST(redis().integer({"ZCARD", "scheduled"}) >= 6);
    BOOST_TEST(redis().integer({"ZCARD", "scheduled"}) <= 8);
    for (int calls = 0; calls != 10; ++calls)
        call(ack_and_fetch{.count = 1, .worker = 7});
    BOOST_TEST(redis().integer({"EXISTS", "scheduled"}) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
