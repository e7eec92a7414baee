// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;
using namespace std::string_literals;

/// Bytes that hworker wrote, recorded, on their way through every key.
BOOST_FIXTURE_TEST_SUITE(peers, script_test)

const auto seven = hash({"7", "w"});

/// Payloads of its own, and what its producers or others may have pushed.
const strings payloads{R"(["783cf770-2145-47f0-ab4e-2a5ca721b83c",0])",
                       R"(["783cf770-2145-47f0-ab4e-2a5ca721b83d",[]])",
                       R"(["783cf770-2145-47f0-ab4e-2a5ca721b83e","C1"])",
                       R"(["783cf770-2145-47f0-ab4e-2a5ca721b83f",{"n":1,"s":".."}])",
                       R"(["783cf770-2145-47f0-ab4e-2a5ca721b840",{"contents":[1,"a"],"tag":"E2"}])",
                       R"(["783cf770-2145-47f0-ab4e-2a5ca721b841",1.0e25])",
                       "[\"783cf770-2145-47f0-ab4e-2a5ca721b842\",\"\xc3\xa9 / < \\n \\\" \\\\\"]",
                       "  [ \"\" , 5 ] and what follows\r\n"s,
                       "false",
                       "",
                       "[\"truncated"};

/// Start times as it writes them, and as it can read them.
const strings times{R"("2026-11-21T09:54:29.612715072Z")",
                    R"("2026-11-21T09:54:29.5903624Z")",
                    R"("2026-11-21T09:54:29.12Z")",
                    R"("2026-11-21T09:54:29Z")",
                    R"("2026-11-21 09:54:29Z")",
                    R"("2026-11-21T09:54Z")",
                    R"("2026-11-21T09:54:29+00:00")",
                    R"("2026-11-21T09:54:29+0100")",
                    R"("2026-11-21T09:54:29Z" trailing)",
                    R"("2026-11-21T09:54:60Z")",
                    R"("2026-11-21T09:54:29.1234567890123Z")"};

void take_one(script_test& test, const std::string& payload)
{
    test.redis()("FLUSHALL");
    test.set({{"jobs", list({payload})}, {"workers", seven}});
    BOOST_TEST(same(test.call(ack_and_fetch{.count = 1, .worker = 7}), took(7, {payload})));
}

std::string lease_of(const std::string& payload)
{
    return script_test::redis()("HGET", "progress", payload).text;
}

BOOST_AUTO_TEST_CASE(get_their_payloads_taken_and_settled)
{
    for (const auto& payload : payloads) {
        take_one(*this, payload);
        call(ack_and_fetch{.succeeded = {{lease_of(payload), {payload}}}});
        BOOST_TEST(same(get(), {{"workers", seven}, {"counters", hash({"success", "1"})}}));
    }
}

BOOST_AUTO_TEST_CASE(find_their_payloads_unchanged_wherever_they_end)
{
    for (const auto& payload : payloads)
        for (const auto& [kind, key] :
             {std::pair{"retry", "jobs"}, {"release", "jobs"}, {"failure", "failed"}}) {
            take_one(*this, payload);
            call(ack_and_fetch{.others = {{.payload = payload, .token = lease_of(payload), .kind = kind}}});
            BOOST_TEST(same(get().at(key).items, {payload}));
        }
    for (const auto& payload : payloads) {
        take_one(*this, payload);
        call(ack_and_fetch{.others = {{.payload = payload, .token = lease_of(payload), .kind = "broken"}}});
        const auto broken = get().at("broken");
        BOOST_TEST(same(broken.items, {payload, now(0)}));
    }
}

BOOST_AUTO_TEST_CASE(find_start_times_they_can_read)
{
    take_one(*this, "a");
    const auto lease = lease_of("a");
    // A JSON string of 12 fraction digits, which hworker reads; its own have at most as many.
    BOOST_TEST(lease.size() == 35);
    BOOST_TEST(lease.front() == '"');
    BOOST_TEST(lease.substr(11, 1) == "T");
    BOOST_TEST(lease.substr(20, 1) == ".");
    BOOST_TEST(lease.substr(27) == "000007Z\"");
}

BOOST_AUTO_TEST_CASE(get_their_jobs_back_to_the_front_when_a_lease_has_ended)
{
    for (const auto& time : times)
        BOOST_TEST_CONTEXT(time)
        {
            redis()("FLUSHALL");
            check({.before = {{"jobs", list({"x"})}, {"progress", hash({payloads.front(), time})}},
                   .call = recovery{.threshold = R"("2026-11-21T09:55:01.000000000000Z")"},
                   .reply = {"0", "1"},
                   .after = {{"jobs", list({"x", payloads.front()})},
                             {"ready", ready_now({payloads.front()})},
                             {"attempts", hash({payloads.front(), "1"})},
                             {"counters", hash({"recovered", "1"})}}});
        }
}

BOOST_AUTO_TEST_CASE(keep_their_jobs_while_they_hold_them)
{
    // Ours cannot be settled against theirs, whatever the time looks like.
    for (const auto& time : times) {
        redis()("FLUSHALL");
        const state held{{"progress", hash({"a", time})}};
        check({.before = held,
               .call = ack_and_fetch{.succeeded = {{token(7), {"a"}}}},
               .reply = settled({"1"}),
               .after = held});
        BOOST_TEST(same(call({"renew", {"7", "w", "120000", "a", token(7), "1"}}), {now(7), "1"}));
        BOOST_TEST(same(get(), held));
    }
}

BOOST_AUTO_TEST_CASE(may_end_a_job_that_coworker_holds)
{
    // hworker's late worker deletes the field without comparing, and its monitor, which then queues the job: the lease
    // is lost, and said so.
    take_one(*this, "a");
    auto lease = lease_of("a");
    redis()("HDEL", "progress", "a");
    BOOST_TEST(same(call(ack_and_fetch{.succeeded = {{lease, {"a"}}}}), settled()));
    BOOST_TEST(same(get(), {{"counters", hash({"success", "1"})}, {"workers", seven}}));
    take_one(*this, "a");
    lease = lease_of("a");
    redis()("HDEL", "progress", "a");
    redis()("RPUSH", "jobs", "a");
    BOOST_TEST(same(call(ack_and_fetch{.succeeded = {{lease, {"a"}}}}), settled({"1"})));
    BOOST_TEST(same(get(), {{"jobs", list({"a"})}, {"workers", seven}}));
}

// --- equal payloads ------------------------------------------------------------------

/// Takes one of two equal payloads, as worker 7; a peer takes the other. Returns the worker's start time.
std::string take_beside_a_peer(script_test& test)
{
    take_one(test, "a");
    const auto lease = lease_of("a");
    test.redis()("HSET", "progress", "a", times.front());
    return lease;
}

BOOST_AUTO_TEST_CASE(do_not_end_what_is_held_beside_them)
{
    const struct
    {
        std::string kind;
        state also;
    } rows[] = {
        {"success", {}},
        {"retry", {{"jobs", list({"a"})}, {"attempts", hash({"a", "1"})}, {"ready", ready_now({"a"})}}},
        {"failure", {{"failed", list({"a"})}, {"failures", hash({"a", now(0) + " 1 "})}}},
        {"release", {{"jobs", list({"a"})}, {"ready", ready_now({"a"})}}}};
    for (const auto& [kind, also] : rows)
        for (const bool has_ended : {false, true})
            BOOST_TEST_CONTEXT(kind << has_ended)
            {
                const auto lease = take_beside_a_peer(*this);
                state after = also;
                after["workers"] = seven;
                after["counters"] = hash({kind, "1"});
                if (has_ended)
                    redis()("DEL", "progress");
                else
                    after["progress"] = hash({"a", times.front()});
                ack_and_fetch settle{.worker = 7};
                if (kind == "success")
                    settle.succeeded.push_back({lease, {"a"}});
                else
                    settle.others.push_back({.payload = "a", .token = lease, .kind = kind});
                BOOST_TEST(same(call(settle), {"", "7", "0", "(", ")", "(", ")", "(", ")"}));
                BOOST_TEST(same(get(after), after));
            }
}

BOOST_AUTO_TEST_CASE(let_a_lease_be_renewed_beside_theirs)
{
    auto lease = take_beside_a_peer(*this);
    BOOST_TEST(same(call({"renew", {"7", "w", "120000", "a", lease, "0"}}), {now(7)}));
    BOOST_TEST(same(
        get(),
        {{"progress", hash({"a", times.front()})}, {"shared", hash({"a", now(7)})}, {"workers", seven}}));
    // However old it gets.
    lease = redis()("HGET", "shared", "a").text;
    BOOST_TEST(same(call({"renew", {"7", "w", "0", "a", lease, "0"}}), {now(7)}));
    // An earlier renewal was not answered.
    BOOST_TEST(same(call({"renew", {"7", "w", "0", "a", lease, "1"}}), {now(7)}));
    BOOST_TEST(same(call({"renew", {"7", "w", "0", "a", lease, "0"}}), {now(7), "1"}));
    // Once the peer is done it stands where it should.
    lease = redis()("HGET", "shared", "a").text;
    redis()("DEL", "progress");
    BOOST_TEST(same(call({"renew", {"7", "w", "0", "a", lease, "0"}}), {now(7)}));
    BOOST_TEST(same(get(), {{"progress", hash({"a", now(7)})}, {"workers", seven}}));
}

BOOST_AUTO_TEST_CASE(have_taken_a_job_away_when_they_can_have)
{
    const auto is_lost = [&](const std::string& lease) {
        const auto before = get();
        BOOST_TEST(same(call({"renew", {"7", "w", "120000", "a", lease, "0"}}), {now(7), "1"}));
        BOOST_TEST(same(call(ack_and_fetch{.worker = 7, .succeeded = {{lease, {"a"}}}}),
                        {"", "7", "0", "(", "1", ")", "(", ")", "(", ")"}));
        BOOST_TEST(same(get(), before));
    };
    // Another worker of coworker's holds it.
    auto lease = take_beside_a_peer(*this);
    redis()("HSET", "progress", "a", token(8));
    is_lost(lease);
    // It is in the queue again.
    lease = take_beside_a_peer(*this);
    redis()("DEL", "progress");
    redis()("RPUSH", "jobs", "x", "a", "y");
    is_lost(lease);
    // The worker was taken for dead, or the queue was destroyed.
    lease = take_beside_a_peer(*this);
    redis()("DEL", "workers");
    is_lost(lease);
    // The lease is so old that a peer can have taken it for ended.
    take_beside_a_peer(*this);
    is_lost(token(7));
}

BOOST_AUTO_TEST_CASE(get_no_second_copy_of_a_job_whose_outcome_is_sent_again)
{
    const auto lease = take_beside_a_peer(*this);
    redis()("DEL", "progress");
    redis()("HSET", "attempts", "a", 1); // a retry that was stored
    ack_and_fetch again{.worker = 7, .others = {{.payload = "a", .token = lease, .kind = "retry"}}};
    BOOST_TEST(same(call(again), {"", "7", "0", "(", "1", ")", "(", ")", "(", ")"}));
    redis()("DEL", "attempts");
    again.lease = 0; // says that it was sent before
    BOOST_TEST(same(call(again), {"", "7", "0", "(", "1", ")", "(", ")", "(", ")"}));
    BOOST_TEST(same(get(), {{"workers", seven}}));
}

// --- jobs that they take away --------------------------------------------------------

BOOST_AUTO_TEST_CASE(have_the_runs_counted_that_they_end)
{
    const state there[] = {{{"jobs", list({"x", "a"})}}, {{"progress", hash({"a", times.front()})}}};
    for (const auto& before : there) {
        redis()("FLUSHALL");
        auto after = before;
        after["attempts"] = hash({"a", "3"});
        check(
            {.before = before, .call = {"count_lost", {"a", token(7), "3"}}, .reply = {"1"}, .after = after});
        check({.before = {},
               .call = {"count_lost", {"a", token(7), "3", "a", token(7), "2"}},
               .reply = {"0"},
               .after = after});
    }
    redis()("FLUSHALL");
    check({.before = {{"jobs", list({"x"})}},
           .call = {"count_lost", {"a", token(7), "3"}},
           .reply = {"0"},
           .after = {{"jobs", list({"x"})}}});
}

BOOST_AUTO_TEST_SUITE_END()
