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
    BOOST_TEST(same(test.call(exchange{.count = 1, .worker = 7}), took(7, {payload})));
}

std::string lease_of(const std::string& payload)
{
    return script_test::redis()("HGET", "progress", payload).text;
}

BOOST_AUTO_TEST_CASE(get_their_payloads_taken_and_settled)
{
    for (const auto& payload : payloads) {
        take_one(*this, payload);
        call(exchange{.succeeded = {{lease_of(payload), {payload}}}});
        BOOST_TEST(same(get(), {{"workers", seven}, {"counters", hash({"success", "1"})}}));
    }
}

BOOST_AUTO_TEST_CASE(find_their_payloads_unchanged_wherever_they_end)
{
    for (const auto& payload : payloads)
        for (const auto& [kind, key] :
             {std::pair{"retry", "jobs"}, {"give_back", "jobs"}, {"failure", "failed"}}) {
            take_one(*this, payload);
            call(exchange{.others = {{.payload = payload, .token = lease_of(payload), .kind = kind}}});
            BOOST_TEST(same(get().at(key).items, {payload}));
        }
    for (const auto& payload : payloads) {
        take_one(*this, payload);
        call(exchange{.others = {{.payload = payload, .token = lease_of(payload), .kind = "broken"}}});
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
                   .call = {"recover", {payloads.front(), time, "requeue"}},
                   .reply = {"1"},
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
               .call = exchange{.succeeded = {{token(7), {"a"}}}},
               .reply = settled({"1"}),
               .after = held});
        BOOST_TEST(same(call({"renew", {"7", "a", token(7), "1"}}), {now(7), "1"}));
        BOOST_TEST(same(get(), held));
    }
}

BOOST_AUTO_TEST_CASE(may_end_a_job_that_coworker_holds)
{
    // hworker's monitor and its late worker delete the field without comparing: the lease is lost, and said
    // so.
    take_one(*this, "a");
    const auto lease = lease_of("a");
    redis()("HDEL", "progress", "a");
    BOOST_TEST(same(call(exchange{.succeeded = {{lease, {"a"}}}}), settled({"1"})));
    BOOST_TEST(same(get(), {{"workers", seven}}));
}

BOOST_AUTO_TEST_SUITE_END()
