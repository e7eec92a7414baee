// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;
using namespace std::string_literals;

/// retry_failed and delete_failed.
BOOST_FIXTURE_TEST_SUITE(failed_record, script_test)

const state three{{"failed", list({"c", "b", "a"})},
                  {"failures", hash({"a", "1", "b", "2", "c", "3"})},
                  {"jobs", list({"x"})}};

BOOST_AUTO_TEST_CASE(queues_one_job_behind_all_waiting_ones)
{
    check({.before = three,
           .call = {"retry_failed", {"0", "b"}},
           .reply = {"1"},
           .after = {{"failed", list({"c", "a"})},
                     {"failures", hash({"a", "1", "c", "3"})},
                     {"jobs", list({"b", "x"})},
                     {"ready", ready_now({"b"})}}});
}

BOOST_AUTO_TEST_CASE(lets_the_attempts_begin_again)
{
    for (const auto* which : {"0", "2"}) {
        redis()("FLUSHALL");
        check(
            {.before = {{"failed", list({"a"})}, {"attempts", hash({"a", "3", "b", "1"})}},
             .call = {"retry_failed", {which, "a"}},
             .reply = {"1"},
             .after = {{"attempts", hash({"b", "1"})}, {"jobs", list({"a"})}, {"ready", ready_now({"a"})}}});
    }
}

BOOST_AUTO_TEST_CASE(queues_about_a_megabyte_at_a_time)
{
    strings failed;
    for (int i = 0; i != 10; ++i)
        failed.push_back(std::string(400'000, 'a') + std::to_string(i));
    set({{"failed", list(failed)}});
    BOOST_TEST(same(call({"retry_failed", {"10"}}), {"3"}));
    BOOST_TEST(redis()("LINDEX", "jobs", -1).text == failed.back()); // the oldest is the first to run
}

BOOST_AUTO_TEST_CASE(queues_nothing_that_is_not_there)
{
    check({.before = three, .call = {"retry_failed", {"0", "y"}}, .reply = {"0"}, .after = three});
    redis()("FLUSHALL");
    check({.before = {}, .call = {"retry_failed", {"0", "y"}}, .reply = {"0"}, .after = {}});
    check({.before = {}, .call = {"retry_failed", {"128"}}, .reply = {"0"}, .after = {}});
}

BOOST_AUTO_TEST_CASE(queues_the_oldest_first)
{
    check({.before = three,
           .call = {"retry_failed", {"2"}},
           .reply = {"2"},
           .after = {{"failed", list({"c"})},
                     {"failures", hash({"c", "3"})},
                     {"jobs", list({"b", "a", "x"})},
                     {"ready", ready_now({"a", "b"})}}});
}

BOOST_AUTO_TEST_CASE(queues_all_there_are)
{
    check({.before = three,
           .call = {"retry_failed", {"128"}},
           .reply = {"3"},
           .after = {{"jobs", list({"c", "b", "a", "x"})}, {"ready", ready_now({"a", "b", "c"})}}});
}

BOOST_AUTO_TEST_CASE(queues_what_a_peer_recorded)
{
    // hworker keeps no messages.
    check({.before = {{"failed", list({"b", "a"})}},
           .call = {"retry_failed", {"1"}},
           .reply = {"1"},
           .after = {{"failed", list({"b"})}, {"jobs", list({"a"})}, {"ready", ready_now({"a"})}}});
}

BOOST_AUTO_TEST_CASE(queues_one_of_equal_payloads)
{
    check({.before = {{"failed", list({"a", "b", "a"})}, {"failures", hash({"a", "1", "b", "2"})}},
           .call = {"retry_failed", {"0", "a"}},
           .reply = {"1"},
           .after = {{"failed", list({"b", "a"})},
                     {"failures", hash({"b", "2"})},
                     {"jobs", list({"a"})},
                     {"ready", ready_now({"a"})}}});
}

BOOST_AUTO_TEST_CASE(queues_any_bytes)
{
    const auto odd = "\0\r\n\xff"s;
    check({.before = {{"failed", list({odd, ""})}},
           .call = {"retry_failed", {"5"}},
           .reply = {"2"},
           .after = {{"jobs", list({odd, ""})}, {"ready", ready_now({odd, ""})}}});
}

BOOST_AUTO_TEST_CASE(deletes_one_job)
{
    check({.before = three,
           .call = {"delete_failed", {"b"}},
           .reply = {"1"},
           .after = {{"failed", list({"c", "a"})},
                     {"failures", hash({"a", "1", "c", "3"})},
                     {"jobs", list({"x"})}}});
}

BOOST_AUTO_TEST_CASE(deletes_nothing_that_is_not_there)
{
    check({.before = three, .call = {"delete_failed", {"y"}}, .reply = {"0"}, .after = three});
}

BOOST_AUTO_TEST_SUITE_END()
