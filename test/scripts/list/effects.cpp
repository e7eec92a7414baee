// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

/// What ack_and_fetch does with jobs that hand over effects.
BOOST_FIXTURE_TEST_SUITE(effects, script_test)

namespace {

ack_and_fetch::other job_with(strings effects, std::string payload = "a",
                              const std::string& held_as = token(7))
{
    ack_and_fetch::other job{.payload = std::move(payload), .token = held_as, .kind = "effects"};
    job.effects = std::move(effects);
    return job;
}

strings settled_but(const strings& failed)
{
    strings reply = settled();
    reply.emplace_back("(");
    reply.insert(reply.end(), failed.begin(), failed.end());
    reply.emplace_back(")");
    return reply;
}

const strings one_increment{"1", "2", "INCR", "n"};

} // namespace

BOOST_AUTO_TEST_CASE(are_carried_out_with_the_acknowledgement)
{
    check({.before = {{"progress", hash({"a", token(7), "b", token(7), "c", token(7)})},
                      {"attempts", hash({"a", "1"})},
                      {"n", text("41")}},
           .call = ack_and_fetch{.succeeded = {{token(7), {"c"}}},
                                 .others = {job_with({"2", "2", "INCR", "n", "4", "RPUSH", "made", "x", "y"}),
                                            {.payload = "b", .token = token(7), .kind = "release"}}},
           .reply = settled(),
           .after = {{"jobs", list({"b"})},
                     {"ready", ready_now({"b"})},
                     {"n", text("42")},
                     {"made", list({"x", "y"})},
                     {"counters", hash({"success", "2", "release", "1"})}}});
}

BOOST_AUTO_TEST_CASE(are_not_carried_out_for_a_worker_that_holds_the_job_no_longer)
{
    const state situations[] = {
        {{"jobs", list({"a"})}, {"attempts", hash({"a", "1"})}},
        {{"progress", hash({"a", token(8)})}},
        {{"progress", hash({"a", token(7, 1)})}},
    };
    for (const auto& before : situations) {
        redis()("FLUSHALL");
        check({.before = before,
               .call = ack_and_fetch{.others = {job_with(one_increment)}},
               .reply = settled({"1"}),
               .after = before});
    }
}

BOOST_AUTO_TEST_CASE(are_not_carried_out_twice)
{
    set({{"progress", hash({"a", token(7)})}});
    const ack_and_fetch acknowledge{.others = {job_with(one_increment)}};
    BOOST_TEST(same(call(acknowledge), settled()));
    BOOST_TEST(same(call(acknowledge), settled({"1"})));
    BOOST_TEST(redis()("GET", "n").text == "1");
}

BOOST_AUTO_TEST_CASE(are_all_left_out_when_one_cannot_be_carried_out)
{
    const std::string why = "effect INCR text: what is there is no number to which this can be added";
    check({.before = {{"progress", hash({"a", token(7), "b", token(7)})}, {"text", text("x")}},
           .call = ack_and_fetch{.others = {job_with({"2", "3", "SET", "n", "x", "2", "INCR", "text"}),
                                            job_with(one_increment, "b")}},
           .reply = settled_but({"1", why}),
           .after = {{"text", text("x")},
                     {"n", text("1")},
                     {"failed", list({"a"})},
                     {"failures", hash({"a", now(0) + " 1 " + why})},
                     {"counters", hash({"failure", "1", "success", "1"})}}});
}

BOOST_AUTO_TEST_CASE(may_not_concern_the_queue_s_own_keys)
{
    const std::string why = "effect DEL x: the key jobs belongs to the queue";
    check({.before = {{"progress", hash({"a", token(7)})}, {"jobs", list({"b"})}},
           .call = ack_and_fetch{.others = {job_with({"1", "3", "DEL", "x", "jobs"})}},
           .reply = settled_but({"1", why}),
           .after = {{"jobs", list({"b"})},
                     {"failed", list({"a"})},
                     {"failures", hash({"a", now(0) + " 1 " + why})},
                     {"counters", hash({"failure", "1"})}}});
}

BOOST_AUTO_TEST_CASE(may_push_to_the_same_queue)
{
    check({.before = {{"progress", hash({"a", token(7)})}, {"jobs", list({"b"})}},
           .call = ack_and_fetch{.others = {job_with({"1", "3", "LPUSH", "jobs", "c"})}},
           .reply = settled(),
           .after = {{"jobs", list({"c", "b"})}, {"counters", hash({"success", "1"})}}});
}

BOOST_AUTO_TEST_SUITE_END()
