// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;
using namespace std::string_literals;

BOOST_FIXTURE_TEST_SUITE(pushing_later, script_test)

BOOST_AUTO_TEST_CASE(schedules_jobs_so_many_ms_from_now)
{
    check({.before = {},
           .call = push_later("+1500", {"a", "b"}),
           .reply = {"1", "1"},
           .after = {{"scheduled",
                      zset({scheduled_member(1, "a"), due_in(1500), scheduled_member(2, "b"), due_in(1500)})},
                     {"counters", hash({"sequence", "2"})}}});
}

BOOST_AUTO_TEST_CASE(schedules_jobs_at_a_time)
{
    check({.before = {},
           .call = push_later("@1795254869123", {"a"}),
           .reply = {"1"},
           .after = {{"scheduled", zset({scheduled_member(1, "a"), "1795254869123"})},
                     {"counters", hash({"sequence", "1"})}}});
}

BOOST_AUTO_TEST_CASE(keeps_equal_payloads_apart)
{
    check(
        {.before = {{"scheduled", zset({scheduled_member(41, "a"), "1795254869000"})},
                    {"counters", hash({"sequence", "41"})}},
         .call = push_later("@1795254869123", {"a", "a"}),
         .reply = {"1", "1"},
         .after = {{"scheduled", zset({scheduled_member(41, "a"), "1795254869000", scheduled_member(42, "a"),
                                       "1795254869123", scheduled_member(43, "a"), "1795254869123"})},
                   {"counters", hash({"sequence", "43"})}}});
}

BOOST_AUTO_TEST_CASE(keeps_the_order_of_jobs_that_are_due_together)
{
    strings payloads;
    for (int i = 0; i != 100; ++i)
        payloads.push_back("job " + std::to_string(i));
    set({{"workers", hash({"7", "w"})}});
    call(push_later("@1000", payloads));
    BOOST_TEST(same(call(ack_and_fetch{.count = 100, .worker = 7}), took(7, payloads)));
}

BOOST_AUTO_TEST_CASE(carries_any_bytes)
{
    const auto odd = ":\0:\xff\r\n"s;
    check({.before = {},
           .call = push_later("@1795254869123", {odd, ""}),
           .reply = {"1", "1"},
           .after = {{"scheduled", zset({scheduled_member(1, odd), "1795254869123", scheduled_member(2, ""),
                                         "1795254869123"})},
                     {"counters", hash({"sequence", "2"})}}});
}

BOOST_AUTO_TEST_SUITE_END()
