// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;
using namespace std::string_literals;

/// Running jobs that are cancelled, and what their workers say afterwards.
BOOST_FIXTURE_TEST_SUITE(cancel, script_test)

namespace {

const std::string a = R"(["a",1])", b = R"(["b",2])";
const std::string peers = R"("2026-11-21T09:54:29.612715072Z")";
const auto seven = hash({"7", "w"});

script_call cancel_of(const std::string& payload)
{
    return {"act", {"cancel", "running", payload}};
}

/// The whole state but for when it was cancelled, which the clock says.
state without_time(state found)
{
    if (const auto at = found.find("cancelled"); at != found.end() && at->second.items.size() == 2)
        at->second.items[1] = "now";
    if (const auto at = found.find("failures"); at != found.end())
        for (auto& item : at->second.items)
            if (item.starts_with('"')) // the record of an earlier call
                item.replace(0, item.find(' '), now(0));
    return found;
}

const auto note_of_a = zset({sha1(a), "now"});

/// Takes payload a as worker 7; returns its start time.
std::string take_a(script_test& test)
{
    test.redis()("FLUSHALL");
    test.set({{"jobs", list({a})}, {"workers", seven}});
    test.call(ack_and_fetch{.count = 1, .worker = 7});
    return test.redis()("HGET", "progress", a).text;
}

/// What there is after it was cancelled, and nothing else happened.
state cancelled_a()
{
    return {{"failed", list({a})},
            {"failures", hash({a, now(0) + " 1 cancelled"})},
            {"counters", hash({"failure", "1"})},
            {"cancelled", note_of_a},
            {"workers", seven}};
}

} // namespace

BOOST_AUTO_TEST_CASE(makes_a_running_job_a_failed_one)
{
    set({{"progress", hash({a, token(7), b, token(7)})},
         {"attempts", hash({a, "3", b, "1"})},
         {"failed", list({"old"})},
         {"failures", hash({"old", "record"})},
         {"workers", seven}});
    BOOST_TEST(same(call({"act", {"cancel", "running", a, "running", "nobody"}}), {"1", "0"}));
    BOOST_TEST(same(without_time(get()), {{"progress", hash({b, token(7)})},
                                          {"attempts", hash({b, "1"})},
                                          {"failed", list({a, "old"})},
                                          {"failures", hash({a, now(0) + " 4 cancelled", "old", "record"})},
                                          {"counters", hash({"failure", "1"})},
                                          {"cancelled", note_of_a},
                                          {"workers", seven}}));
}

BOOST_AUTO_TEST_CASE(cancels_nothing_but_running_jobs)
{
    const state before{{"jobs", list({a})}, {"failed", list({a})}, {"scheduled", zset({"x:" + a, "5"})}};
    check({.before = before,
           .call = {"act", {"cancel", "waiting", a, "failed", a, "scheduled", "x:" + a, "running", a}},
           .reply = {"-1", "-1", "-1", "0"},
           .after = before});
}

BOOST_AUTO_TEST_CASE(refuses_what_a_peer_runs)
{
    const state before{{"progress", hash({a, peers, "false", peers})}};
    check({.before = before,
           .call = {"act", {"cancel", "running", a, "running", "false"}},
           .reply = {"-1", "-1"},
           .after = before});
}

BOOST_AUTO_TEST_CASE(cancels_a_run_that_is_held_beside_a_peers)
{
    set({{"progress", hash({a, peers})}, {"shared", hash({a, token(7)})}, {"duplicates", hash({a, "1"})}});
    BOOST_TEST(same(call(cancel_of(a)), {"1"}));
    auto after = cancelled_a();
    after.erase("workers");
    after["progress"] = hash({a, peers});
    after["duplicates"] = hash({a, "1"}); // the one in progress is the peer's
    BOOST_TEST(same(without_time(get()), after));
    BOOST_TEST(same(call(cancel_of(a)), {"-1"}));
}

BOOST_AUTO_TEST_CASE(lets_the_next_of_equal_payloads_run)
{
    const auto first = take_a(*this);
    redis()("LPUSH", "jobs", a);
    call(ack_and_fetch{.count = 1, .worker = 7});
    BOOST_TEST(same(call(cancel_of(a)), {"1"}));
    auto after = cancelled_a();
    after["jobs"] = list({a});
    BOOST_TEST(same(without_time(get()), after));
    // The second one runs, and ends; what the first run says changes nothing.
    call(ack_and_fetch{.count = 1, .worker = 7});
    const auto second = redis()("HGET", "progress", a).text;
    BOOST_TEST(call(ack_and_fetch{.worker = 7, .succeeded = {{first, {a}}}}).at(4) == "1");
    BOOST_TEST(same(call({"renew", {"7", "w", "120000", a, first, "0"}}), {now(7), "1"}));
    // Nor if a renewal of it was not answered: the later start time is not its own.
    BOOST_TEST(same(call({"renew", {"7", "w", "120000", a, first, "1"}}), {now(7), "1"}));
    BOOST_TEST(redis()("HGET", "progress", a).text == second);
    BOOST_TEST(same(call({"count_lost", {a, first, "1"}}), {"0"}));
    BOOST_TEST(call(ack_and_fetch{.worker = 7, .succeeded = {{second, {a}}}}).at(4) == ")");
    BOOST_TEST(redis()("HGET", "counters", "success").text == "1");
}

BOOST_AUTO_TEST_CASE(leaves_nothing_that_a_late_worker_could_change)
{
    const struct
    {
        std::string kind;
        std::string attempts = "1";
    } rows[] = {{"success"}, {"retry"}, {"failure"}, {"broken"}, {"release"}};
    for (const auto& row : rows)
        for (const bool beside : {false, true}) // a peer takes an equal one meanwhile
            BOOST_TEST_CONTEXT(row.kind << beside)
            {
                const auto lease = take_a(*this);
                call(cancel_of(a));
                auto after = cancelled_a();
                if (beside) {
                    redis()("HSET", "progress", a, peers);
                    after["progress"] = hash({a, peers});
                }
                ack_and_fetch late{.worker = 7};
                if (row.kind == "success")
                    late.succeeded.push_back({lease, {a}});
                else
                    late.others.push_back({.payload = a, .token = lease, .kind = row.kind});
                BOOST_TEST(same(call(late), {"", "7", "0", "(", "1", ")", "(", ")", "(", ")"}));
                BOOST_TEST(same(without_time(get()), after));
                for (const auto& unsure : {"0"s, "1"s})
                    BOOST_TEST(same(call({"renew", {"7", "w", "120000", a, lease, unsure}}), {now(7), "1"}));
                BOOST_TEST(same(call({"count_lost", {a, lease, "1"}}), {"0"}));
                BOOST_TEST(same(without_time(get()), after));
            }
}

BOOST_AUTO_TEST_CASE(knows_a_run_whose_renewal_was_not_answered)
{
    const auto lease = take_a(*this);
    call({"renew", {"7", "w", "120000", a, lease, "0"}}); // the answer does not arrive
    call(cancel_of(a));
    BOOST_TEST(same(call({"renew", {"7", "w", "120000", a, lease, "1"}}), {now(7), "1"}));
    BOOST_TEST(same(without_time(get()), cancelled_a()));
}

BOOST_AUTO_TEST_CASE(does_not_disturb_the_next_run_of_an_equal_payload)
{
    take_a(*this);
    call(cancel_of(a));
    redis()("LPUSH", "jobs", a);
    call(ack_and_fetch{.count = 1, .worker = 7});
    auto lease = redis()("HGET", "progress", a).text;
    redis()("HSET", "progress", a, peers); // a peer takes another
    BOOST_TEST(same(call({"renew", {"7", "w", "120000", a, lease, "0"}}), {now(7)}));
    lease = redis()("HGET", "shared", a).text;
    BOOST_TEST(call(ack_and_fetch{.worker = 7, .succeeded = {{lease, {a}}}}).at(4) == ")");
    BOOST_TEST(redis()("HGET", "counters", "success").text == "1");
}

BOOST_AUTO_TEST_CASE(can_be_retried)
{
    take_a(*this);
    call(cancel_of(a));
    BOOST_TEST(same(call({"act", {"retry", "failed", a}}), {"1"}));
    BOOST_TEST(same(call(ack_and_fetch{.count = 1, .worker = 7}), took(7, {a})));
}

BOOST_AUTO_TEST_CASE(leaves_nothing_for_a_monitor)
{
    const recovery sweep{.threshold = far_ahead};
    const auto lease = take_a(*this);
    call(cancel_of(a));
    BOOST_TEST(same(call(sweep), {"0", "0"}));
    BOOST_TEST(same(call({"release", {a, lease}}), {"0"}));
    BOOST_TEST(same(without_time(get()), cancelled_a()));
    // Nor the other way round.
    take_a(*this);
    call(sweep);
    BOOST_TEST(same(call(cancel_of(a)), {"0"}));
    BOOST_TEST(same(get().at("jobs").items, {a}));
}

BOOST_AUTO_TEST_CASE(is_known_for_a_day)
{
    set({{"cancelled", zset({"older", "1000", sha1(b), "9000000000000000"})}});
    redis()("HSET", "progress", a, token(7));
    call(cancel_of(a));
    const auto found = get().at("cancelled").items;
    BOOST_TEST(found.size() == 4u); // the older one is gone
    const auto left = redis()("TTL", "cancelled").integer;
    BOOST_TEST(left > 86'000);
    BOOST_TEST(left <= 86'400);
}

BOOST_AUTO_TEST_CASE(is_done_to_jobs_that_are_searched)
{
    set({{"progress", hash({a, token(7), b, token(7), R"(["c",3])", peers})}});
    const auto reply = call(
        {"search", {"cancel", "running", "", "100", "100", "1000", "", "", "", "", "", "", "", "a", "c"}});
    BOOST_TEST(same(reply, {"", "a"}));
    BOOST_TEST(same(get().at("failed").items, {a}));
}

BOOST_AUTO_TEST_SUITE_END()
