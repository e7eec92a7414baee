// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

/// A server that refuses writes for want of memory: what empties it must work, what fills it must be refused
/// before anything is written.
struct full_server : script_test
{
    ~full_server() { redis()("CONFIG", "SET", "maxmemory", 0); }

    void fill() { redis()("CONFIG", "SET", "maxmemory", 1); }

    void check_full(const row& what)
    {
        redis()("CONFIG", "SET", "maxmemory", 0);
        redis()("FLUSHALL");
        set(what.before);
        fill();
        BOOST_TEST(same(call(what.call), what.reply));
        BOOST_TEST(same(get(what.after), what.after));
    }

    void check_refused(const state& before, const script_call& what)
    {
        redis()("CONFIG", "SET", "maxmemory", 0);
        redis()("FLUSHALL");
        set(before);
        fill();
        const auto reply = call(what);
        BOOST_TEST(reply.at(0).starts_with("OOM"), reply.at(0));
        BOOST_TEST(same(get(), before));
    }
};

BOOST_FIXTURE_TEST_SUITE(full_memory, full_server)

const auto seven = hash({"7", "w"});

BOOST_AUTO_TEST_CASE(refuses_an_ordinary_write)
{
    fill();
    BOOST_TEST(redis()
                   .try_command({"LPUSH", "jobs", "a"})
                   .text.starts_with("OOM")); // the tests below test something
}

BOOST_AUTO_TEST_CASE(lets_jobs_be_taken)
{
    check_full({.before = {{"jobs", list({"b", "a", "a"})},
                           {"scheduled", zset({"1:c", "1000"})},
                           {"workers", seven}},
                .call = ack_and_fetch{.count = 3, .worker = 7},
                .reply = took(7, {"a", "b"}),
                .after = {{"jobs", list({"c"})},
                          {"ready", zset({digest_of("c"), "1000"})},
                          {"progress", hash({"a", now(7), "b", now(7)})},
                          {"duplicates", hash({"a", "1"})},
                          {"workers", seven}}});
}

BOOST_AUTO_TEST_CASE(lets_a_worker_arrive)
{
    check_full({.before = {{"jobs", list({"a"})}},
                .call = ack_and_fetch{.count = 1},
                .reply = took(2, {"a"}),
                .after = {{"progress", hash({"a", now(2)})},
                          {"workers", hash({"2", "w"})},
                          {"counters", hash({"workers", "1"})}}});
}

BOOST_AUTO_TEST_CASE(lets_every_outcome_be_stored)
{
    ack_and_fetch all{.succeeded = {{token(7), {"a"}}}, .others = {}};
    for (const auto& [payload, kind] :
         {std::pair{"b", "retry"}, {"c", "failure"}, {"d", "broken"}, {"e", "release"}})
        all.others.push_back({.payload = payload, .token = token(7), .kind = kind});
    all.others.push_back({.payload = "f", .token = token(7), .kind = "retry", .attempts = 1, .delay = 500});
    check_full({.before = {{"progress", hash({"a", token(7), "b", token(7), "c", token(7), "d", token(7), "e",
                                              token(7), "f", token(7)})}},
                .call = all,
                .reply = settled(),
                .after = {{"jobs", list({"b", "e"})},
                          {"ready", ready_now({"b", "e"})},
                          {"attempts", hash({"b", "1", "f", "1"})},
                          {"scheduled", zset({scheduled_member(1, "f"), due_in(500)})},
                          {"failed", list({"c"})},
                          {"failures", hash({"c", now(0) + " 1 "})},
                          {"broken", hash({"d", now(0)})},
                          {"found", zset({"d", due_in(0)})},
                          {"counters", hash({"success", "1", "retry", "2", "failure", "1", "broken", "1",
                                             "release", "1", "sequence", "1"})}}});
}

BOOST_AUTO_TEST_CASE(lets_leases_be_renewed)
{
    check_full({.before = {{"progress", hash({"a", token(7)})}},
                .call = {"renew", {"7", "w", "120000", "a", token(7), "0"}},
                .reply = {now(7)},
                .after = {{"progress", hash({"a", now(7)})}}});
}

BOOST_AUTO_TEST_CASE(lets_the_monitor_work)
{
    check_full({.before = {},
                .call = {"redis/lead", {"w", "60000"}},
                .reply = {"0"},
                .after = {{"monitor", text("w")}}});
    check_full({.before = {},
                .call = {"note_absence", {"9000", "1", "7"}},
                .reply = {"1"},
                .after = {{"gone", hash({"7", "9000"})}}});
    check_full({.before = {{"progress", hash({"a", token(7), "b", "odd"})}},
                .call = recovery{.threshold = token(0, 1)},
                .reply = {"0", "1"},
                .after = {{"jobs", list({"a"})},
                          {"ready", ready_now({"a"})},
                          {"progress", hash({"b", now(0)})},
                          {"attempts", hash({"a", "1"})},
                          {"counters", hash({"recovered", "1"})}}});
    check_full({.before = {{"duplicates", hash({"a", "1"})}},
                .call = {"tidy", {}},
                .reply = {"1"},
                .after = {{"jobs", list({"a"})}}});
}

BOOST_AUTO_TEST_CASE(lets_workers_release_what_they_do_not_know_of)
{
    check_full({.before = {{"progress", hash({"a", token(7)})}},
                .call = {"own_leases", {"0", "128", "1", "7"}},
                .reply = {"0", "a", token(7)},
                .after = {{"progress", hash({"a", token(7)})}}});
    check_full({.before = {{"progress", hash({"a", token(7)})}},
                .call = {"release", {"a", token(7)}},
                .reply = {"1"},
                .after = {{"jobs", list({"a"})},
                          {"ready", ready_now({"a"})},
                          {"counters", hash({"returned", "1"})}}});
}

BOOST_AUTO_TEST_CASE(lets_workers_wait)
{
    check_full({.before = {{"jobs", list({"a"})}},
                .call = {"wait", {}},
                .reply = {"1", "-1", "0"},
                .after = {{"jobs", list({"a"})}}});
    check_full({.before = {{"progress", hash({"a", token(7)})}},
                .call = {"count_running", {}},
                .reply = {"1"},
                .after = {{"progress", hash({"a", token(7)})}}});
}

BOOST_AUTO_TEST_CASE(lets_failed_jobs_be_deleted)
{
    check_full({.before = {{"failed", list({"a", "b"})}, {"failures", hash({"a", "1", "b", "2"})}},
                .call = {"act", {"delete", "failed", "a"}},
                .reply = {"1"},
                .after = {{"failed", list({"b"})}, {"failures", hash({"b", "2"})}}});
}

BOOST_AUTO_TEST_CASE(lets_failed_jobs_be_queued_again)
{
    check_full({.before = {{"failed", list({"a"})}, {"failures", hash({"a", "1"})}},
                .call = {"act", {"retry", "failed", "a"}},
                .reply = {"1"},
                .after = {{"jobs", list({"a"})}, {"ready", ready_now({"a"})}}});
}

BOOST_AUTO_TEST_CASE(refuses_new_jobs)
{
    check_refused({}, push_later("+500", {"a"}));
    check_refused({}, {"submit", {"1000", "1", "x", "a"}});
}

BOOST_AUTO_TEST_SUITE_END()
