// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

namespace {

/// `a` is held, and settled as broken.
struct broken_test : script_test
{
    void settle(state before, state after, int dropped = 0)
    {
        before["progress"] = hash({"a", token(7)});
        after.try_emplace("found", zset({"a", due_in(0)}));
        after["counters"] = hash({"broken", "1"});
        auto reply = settled();
        if (dropped != 0) {
            after["counters"] = hash({"broken", "1", "dropped_broken", std::to_string(dropped)});
            reply.insert(reply.end(), {"(", ")", "(", "0", std::to_string(dropped), ")"});
        }
        check({.before = before, .call = call, .reply = reply, .after = after});
    }

    ack_and_fetch call{.others = {{.payload = "a", .token = token(7), .kind = "broken"}}};
};

} // namespace

/// Jobs that end in the broken record.
BOOST_FIXTURE_TEST_SUITE(settle_broken, broken_test)

BOOST_AUTO_TEST_CASE(records_a_payload_that_did_not_decode)
{
    settle({{"attempts", hash({"a", "1"})}, {"broken", hash({"x", R"("2026-11-21T09:54:29.5903624Z")"})}},
           {{"broken", hash({"a", now(0), "x", R"("2026-11-21T09:54:29.5903624Z")"})}});
}

BOOST_AUTO_TEST_CASE(drops_the_oldest_broken_payload_above_the_limit_never_the_new_one)
{
    call.broken_limit = 2;
    settle({{"broken", hash({"x", R"("2026-11-21T09:54:29Z")", "y", R"("2025-11-21T09:54:29Z")"})}},
           {{"broken", hash({"a", now(0), "x", R"("2026-11-21T09:54:29Z")"})}}, 1);
}

BOOST_AUTO_TEST_CASE(drops_none_without_a_limit)
{
    strings broken;
    for (int i = 0; i != 1'200; ++i)
        broken.insert(broken.end(), {"p" + std::to_string(i), token(0)});
    auto with_new = broken;
    with_new.insert(with_new.end(), {"a", now(0)});
    call.broken_limit = 0;
    settle({{"broken", hash(broken)}}, {{"broken", hash(with_new)}});
}

BOOST_AUTO_TEST_CASE(makes_room_for_a_broken_payload_whatever_time_a_peer_wrote)
{
    call.broken_limit = 1;
    settle({{"broken", hash({"x", "no time"})}}, {{"broken", hash({"a", now(0)})}}, 1);
}

BOOST_AUTO_TEST_CASE(counts_no_broken_payload_as_dropped_that_somebody_has_removed)
{
    call.broken_limit = 1;
    settle({{"broken", hash({"x", token(0)})}, {"found", zset({"gone", "1", "x", "2"})}},
           {{"broken", hash({"a", now(0), "x", token(0)})}, {"found", zset({"x", "2", "a", due_in(0)})}});
}

BOOST_AUTO_TEST_CASE(needs_no_room_for_a_payload_that_is_recorded_already)
{
    call.broken_limit = 2;
    settle({{"broken", hash({"a", token(0), "x", token(0)})}},
           {{"broken", hash({"a", now(0), "x", token(0)})}});
}

BOOST_AUTO_TEST_CASE(keeps_the_reason_of_a_broken_payload)
{
    call.others[0].message = "it is no job";
    settle({}, {{"broken", hash({"a", now(0)})}, {"reasons", hash({sha1("a"), "it is no job"})}});
}

BOOST_AUTO_TEST_CASE(drops_the_oldest_of_many_broken_payloads_with_what_is_known_of_it)
{
    strings broken, found, reasons, left, left_found, left_reasons;
    for (int i = 0; i != 500; ++i) {
        const auto payload = "p" + std::to_string((i * 7) % 500); // in no order of their own
        const strings entry{payload, token(0)}, when{payload, std::to_string(1000 + i)},
            why{sha1(payload), "odd"};
        broken.insert(broken.end(), entry.begin(), entry.end());
        found.insert(found.end(), when.begin(), when.end());
        reasons.insert(reasons.end(), why.begin(), why.end());
        if (i < 3)
            continue;
        left.insert(left.end(), entry.begin(), entry.end());
        left_found.insert(left_found.end(), when.begin(), when.end());
        left_reasons.insert(left_reasons.end(), why.begin(), why.end());
    }
    left.insert(left.end(), {"a", now(0)});
    left_found.insert(left_found.end(), {"a", due_in(0)});
    call.broken_limit = 498; // it was 500 before
    settle({{"broken", hash(broken)}, {"found", zset(found)}, {"reasons", hash(reasons)}},
           {{"broken", hash(left)}, {"found", zset(left_found)}, {"reasons", hash(left_reasons)}}, 3);
}

BOOST_AUTO_TEST_SUITE_END()
