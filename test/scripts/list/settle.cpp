// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;
using namespace std::string_literals;

/// What ack_and_fetch does with outcomes when it takes nothing.
BOOST_FIXTURE_TEST_SUITE(settle, script_test)

/// The acknowledgement of one job that worker 7 holds.
ack_and_fetch one(std::string kind, std::string payload = "a")
{
    if (kind == "success")
        return {.succeeded = {{token(7), {std::move(payload)}}}};
    return {.others = {{.payload = std::move(payload), .token = token(7), .kind = std::move(kind)}}};
}

// --- success -------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(removes_jobs_that_succeeded)
{
    check(
        {.before = {{"jobs", list({"x"})}, {"progress", hash({"a", token(7), "b", token(7), "c", token(7)})}},
         .call = ack_and_fetch{.succeeded = {{token(7), {"a", "c"}}}},
         .reply = settled(),
         .after = {{"jobs", list({"x"})},
                   {"progress", hash({"b", token(7)})},
                   {"counters", hash({"success", "2"})}}});
}

BOOST_AUTO_TEST_CASE(removes_jobs_that_were_taken_at_different_times)
{
    check(
        {.before = {{"progress", hash({"a", token(7), "b", token(7, 1), "c", token(7, 2), "d", token(7, 1)})},
                    {"counters", hash({"success", "5"})}},
         .call =
             ack_and_fetch{.succeeded = {{token(7), {"a"}}, {token(7, 1), {"b", "d"}}, {token(7, 2), {"c"}}}},
         .reply = settled(),
         .after = {{"counters", hash({"success", "9"})}}});
}

BOOST_AUTO_TEST_CASE(forgets_the_attempts_of_a_job_that_succeeded)
{
    check({.before = {{"progress", hash({"a", token(7), "b", token(7)})},
                      {"attempts", hash({"a", "2", "b", "3"})}},
           .call = one("success"),
           .reply = settled(),
           .after = {{"progress", hash({"b", token(7)})},
                     {"attempts", hash({"b", "3"})},
                     {"counters", hash({"success", "1"})}}});
}

// --- fencing -------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(changes_nothing_for_a_worker_that_holds_the_job_no_longer)
{
    // Nobody has it; another worker; the same worker, taken again; a peer; a token cut short.
    const state situations[] = {
        {{"jobs", list({"a"})}, {"attempts", hash({"a", "1"})}},
        {{"progress", hash({"a", token(8)})}, {"attempts", hash({"a", "1"})}},
        {{"progress", hash({"a", token(7, 1)})}, {"duplicates", hash({"a", "1"})}},
        {{"progress", hash({"a", R"("2026-01-02T00:00:00Z")"})}},
        {{"progress", hash({"a", token(7).substr(0, 34)})}},
        {{"progress", hash({"b", token(7)})}, {"failed", list({"a"})}},
    };
    for (const auto& before : situations)
        for (const auto kind : {"success", "retry", "failure", "broken", "release"})
            BOOST_TEST_CONTEXT(kind)
            {
                redis()("FLUSHALL");
                check({.before = before, .call = one(kind), .reply = settled({"1"}), .after = before});
            }
}

BOOST_AUTO_TEST_CASE(settles_nothing_twice)
{
    for (const auto kind : {"success", "retry", "failure", "broken", "release"})
        BOOST_TEST_CONTEXT(kind)
        {
            redis()("FLUSHALL");
            set({{"progress", hash({"a", token(7)})}, {"duplicates", hash({"a", "2"})}});
            BOOST_TEST(same(call(one(kind)), settled()));
            const auto once = get();
            BOOST_TEST(same(call(one(kind)), settled({"1"})));
            // `get` leaves the times of the first call as they are now.
            BOOST_TEST(get().size() == once.size());
            BOOST_TEST(redis().integer({"LLEN", "jobs"}) ==
                       static_cast<std::int64_t>(once.at("jobs").items.size()));
            BOOST_TEST(redis()("HGET", "duplicates", "a").text == "1");
        }
}

BOOST_AUTO_TEST_CASE(says_which_leases_were_lost)
{
    check({.before = {{"progress", hash({"a", token(7), "b", token(8), "d", token(7, 1), "e", token(8), "f",
                                         token(7), "g", token(7)})}},
           .call = ack_and_fetch{.succeeded = {{token(7), {"a", "b", "c"}}, {token(7, 1), {"d", "e"}}},
                                 .others = {{.payload = "f", .token = token(8), .kind = "failure"},
                                            {.payload = "g", .token = token(7), .kind = "release"},
                                            {.payload = "h", .token = token(7), .kind = "retry"}}},
           .reply = settled({"2", "3", "5", "6", "8"}),
           .after = {{"jobs", list({"g"})},
                     {"ready", ready_now({"g"})},
                     {"progress", hash({"b", token(8), "e", token(8), "f", token(7)})},
                     {"counters", hash({"success", "2", "release", "1"})}}});
}

// --- retry ---------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(queues_a_retry_behind_all_waiting_jobs)
{
    check({.before = {{"jobs", list({"c", "b"})}, {"progress", hash({"a", token(7)})}},
           .call =
               ack_and_fetch{.others = {{.payload = "a", .token = token(7), .kind = "retry", .attempts = 3}}},
           .reply = settled(),
           .after = {{"jobs", list({"a", "c", "b"})},
                     {"ready", ready_now({"a"})},
                     {"attempts", hash({"a", "3"})},
                     {"counters", hash({"retry", "1"})}}});
}

BOOST_AUTO_TEST_CASE(schedules_a_retry_with_a_delay)
{
    check({.before = {{"jobs", list({"c", "b"})},
                      {"progress", hash({"a", token(7)})},
                      {"attempts", hash({"a", "1"})},
                      {"scheduled", zset({"41:a", "99999999999999"})},
                      {"counters", hash({"sequence", "41"})}},
           .call =
               ack_and_fetch{
                   .others =
                       {{.payload = "a", .token = token(7), .kind = "retry", .attempts = 2, .delay = 1500}}},
           .reply = settled(),
           .after = {{"jobs", list({"c", "b"})},
                     {"attempts", hash({"a", "2"})},
                     {"scheduled", zset({scheduled_member(42, "a"), due_in(1500), "41:a", "99999999999999"})},
                     {"counters", hash({"sequence", "42", "retry", "1"})}}});
}

// --- failure -------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(records_a_failure_with_time_attempts_and_message)
{
    const auto message = " two words,\n\"quotes\" \0 and \xff"s;
    check({.before = {{"progress", hash({"a", token(7)})},
                      {"attempts", hash({"a", "4", "b", "1"})},
                      {"failed", list({"y"})},
                      {"failures", hash({"y", "old"})}},
           .call = ack_and_fetch{.others = {{.payload = "a",
                                             .token = token(7),
                                             .kind = "failure",
                                             .attempts = 5,
                                             .delay = 0,
                                             .message = message}}},
           .reply = settled(),
           .after = {{"attempts", hash({"b", "1"})},
                     {"failed", list({"a", "y"})},
                     {"failures", hash({"a", now(0) + " 5 " + message, "y", "old"})},
                     {"counters", hash({"failure", "1"})}}});
}

/// The reply when so many older failures had to go.
strings settled_and_dropped(int how_many)
{
    auto reply = settled();
    reply.insert(reply.end(), {"(", ")", "(", std::to_string(how_many), "0", ")"});
    return reply;
}

BOOST_AUTO_TEST_CASE(drops_the_oldest_failures_above_the_limit)
{
    auto call = one("failure");
    call.failed_limit = 3;
    check({.before = {{"progress", hash({"a", token(7)})},
                      {"failed", list({"d", "c", "b", "x"})},
                      {"failures", hash({"d", "4", "c", "3", "b", "2", "x", "1"})}},
           .call = call,
           .reply = settled_and_dropped(2),
           .after = {{"failed", list({"a", "d", "c"})},
                     {"failures", hash({"a", now(0) + " 1 ", "d", "4", "c", "3"})},
                     {"counters", hash({"failure", "1", "dropped", "2"})}}});
}

BOOST_AUTO_TEST_CASE(keeps_as_many_failures_as_the_limit_says)
{
    auto call = one("failure");
    call.failed_limit = 1;
    check({.before = {{"progress", hash({"a", token(7)})}},
           .call = call,
           .reply = settled(),
           .after = {{"failed", list({"a"})},
                     {"failures", hash({"a", now(0) + " 1 "})},
                     {"counters", hash({"failure", "1"})}}});
}

BOOST_AUTO_TEST_CASE(keeps_what_is_known_of_a_payload_that_fails_again)
{
    auto call = one("failure");
    call.failed_limit = 2;
    check({.before = {{"progress", hash({"a", token(7)})},
                      {"failed", list({"b", "a"})},
                      {"failures", hash({"a", "old", "b", "2"})}},
           .call = call,
           .reply = settled_and_dropped(1),
           .after = {{"failed", list({"a", "b"})},
                     {"failures", hash({"a", now(0) + " 1 ", "b", "2"})},
                     {"counters", hash({"failure", "1", "dropped", "1"})}}});
}

BOOST_AUTO_TEST_CASE(cuts_a_long_failed_record_step_by_step_and_leaves_nothing_behind)
{
    strings failed, failures;
    for (int i = 0; i != 1'000; ++i) {
        const auto payload = "f" + std::to_string(i);
        failed.push_back(payload);
        failures.insert(failures.end(), {payload, "record"});
    }
    set({{"failed", list(failed)}, {"failures", hash(failures)}});
    for (int i = 0; i != 12; ++i) {
        const auto payload = "new" + std::to_string(i);
        redis()("HSET", "progress", payload, token(7));
        call(ack_and_fetch{.failed_limit = 5,
                           .others = {{.payload = payload, .token = token(7), .kind = "failure"}}});
        BOOST_TEST(redis().integer({"HLEN", "failures"}) == redis().integer({"LLEN", "failed"}));
    }
    BOOST_TEST(same(redis()("LRANGE", "failed", 0, -1).texts(), {"new11", "new10", "new9", "new8", "new7"}));
}

// --- give back -----------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(gives_a_job_back_to_the_front_without_counting_the_attempt)
{
    check({.before = {{"jobs", list({"c", "b"})},
                      {"progress", hash({"a", token(7)})},
                      {"attempts", hash({"a", "2"})}},
           .call = one("release"),
           .reply = settled(),
           .after = {{"jobs", list({"c", "b", "a"})},
                     {"ready", ready_now({"a"})},
                     {"attempts", hash({"a", "2"})},
                     {"counters", hash({"release", "1"})}}});
}

BOOST_AUTO_TEST_CASE(gives_jobs_back_so_that_the_last_one_runs_first)
{
    check({.before = {{"jobs", list({"x"})}, {"progress", hash({"a", token(7), "b", token(7)})}},
           .call = ack_and_fetch{.others = {{.payload = "b", .token = token(7), .kind = "release"},
                                            {.payload = "a", .token = token(7), .kind = "release"}}},
           .reply = settled(),
           .after = {{"jobs", list({"x", "b", "a"})},
                     {"ready", ready_now({"b", "a"})},
                     {"counters", hash({"release", "2"})}}});
}

BOOST_AUTO_TEST_SUITE_END()
