// SPDX-License-Identifier: MIT
#include "script_test.hpp"

#include "list/start_time.hpp"

#include <set>

using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_FIXTURE_TEST_SUITE(recover_leases, script_test)

namespace {

/// Later than the server's clock, so that this does not matter.
const auto day = coworker::timestamp{std::chrono::sys_days{std::chrono::year{2999} / 11 / 21}};

std::string started(std::chrono::microseconds time_of_day, unsigned worker = 7)
{
    return coworker::detail::format_start_time(day + time_of_day, worker);
}

/// Leases that began before 12:00:00.5 have ended, and no clock has passed 14:00.
recovery sweep(const strings& dead = {}, const std::string& looked = started(14h, 999'999))
{
    return {.threshold = started(12h + 500ms, 0),
            .dead = dead,
            .looked = looked,
            .latest = started(14h, 999'999)};
}

const std::string large(300'000, 'x');

enum class verdict
{
    kept,
    requeued,
    adopted,
    dropped
};

/// A queue in which the workers 7 and 9 are registered, and `payload` has this start time. Another lease goes on.
state with_lease(const std::string& payload, const std::string& start)
{
    return {{"progress", hash({payload, start, "other", started(13h, 9)})},
            {"jobs", list({"x"})},
            {"workers", hash({"7", "w", "9", "v"})}};
}

void check_verdict(script_test& test, const std::string& payload, const std::string& start, verdict expected,
                   const recovery& call)
{
    script_test::redis()("FLUSHALL");
    const auto before = with_lease(payload, start);
    auto after = before;
    if (expected == verdict::adopted) {
        after = with_lease(payload, now(0));
    } else if (expected != verdict::kept) {
        after["progress"] = hash({"other", started(13h, 9)});
    }
    if (expected == verdict::requeued) {
        after["jobs"] = list({"x", payload});
        after["ready"] = ready_now({payload});
        after["attempts"] = hash({payload, "1"});
        after["counters"] = hash({"recovered", "1"});
    }
    test.check({.before = before,
                .call = call,
                .reply = {"0", expected == verdict::requeued ? "1" : "0"},
                .after = after});
}

/// Each of these start times is judged like this, whether the payload is small or large.
void check_all(script_test& test, verdict expected, const strings& starts, const recovery& call = sweep())
{
    for (const auto& start : starts)
        for (const auto& payload : {std::string{"a"}, large})
            BOOST_TEST_CONTEXT(start << ", " << payload.size() << " bytes")
            {
                check_verdict(test, payload, start, expected, call);
            }
}

} // namespace

BOOST_AUTO_TEST_CASE(finds_nothing_in_nothing)
{
    check({.before = {}, .call = sweep(), .reply = {"0", "0"}, .after = {}});
}

// --- leases of coworker's workers ----------------------------------------------------

BOOST_AUTO_TEST_CASE(takes_a_lease_back_when_it_is_older_than_its_length)
{
    check_all(*this, verdict::requeued,
              {started(12h + 500ms - 1us), started(12h), started(12h - 1s), started(-24h * 365), token(7),
               started(11h, 0), started(11h, 8), started(11h, 999'999)});
    // hworker compares strictly, too
    check_all(*this, verdict::kept,
              {started(12h + 500ms, 0), started(12h + 500ms), started(12h + 500ms + 1us), started(13h)});
}

BOOST_AUTO_TEST_CASE(takes_the_leases_of_dead_workers_back_at_once)
{
    check_all(*this, verdict::requeued, {started(13h), started(11h)}, sweep({"7"}));
    check_all(*this, verdict::requeued, {started(13h, 8), started(13h, 700'007)}, sweep({"700007", "8"}));
    // of others, and of peers, whose digits are no number
    check_all(*this, verdict::kept,
              {started(13h, 8), started(13h, 70), started(13h, 700'007),
               R"("2999-11-21T13:00:00.000000007Z")", R"("2999-11-21T13:00:00.0000000000007Z")"},
              sweep({"7"}));
}

/// The monitor has stood still since it looked, and the worker is back.
BOOST_AUTO_TEST_CASE(keeps_what_a_worker_has_taken_since_it_was_found_dead)
{
    const auto call = sweep({"7"}, started(13h, 999'999));
    check_all(*this, verdict::requeued, {started(13h)}, call);
    check_all(*this, verdict::kept, {started(13h + 1us), started(14h)}, call);
    check_all(*this, verdict::requeued, {started(14h + 1us)}, call); // the clock was put back
}

BOOST_AUTO_TEST_CASE(keeps_a_lease_that_is_ahead_by_less_than_its_length)
{
    check_all(*this, verdict::kept, {started(14h), started(14h, 8), started(14h, 0)});
}

BOOST_AUTO_TEST_CASE(lets_a_lease_begin_now_that_is_ahead_of_any_clock)
{
    check_all(*this, verdict::adopted,
              {started(14h + 1us, 8), started(14h + 1us, 0), R"("9999-11-21T09:54:29.612715000042Z")"});
}

/// The server's clock was put back: the worker renews it.
BOOST_AUTO_TEST_CASE(keeps_a_lease_ahead_of_any_clock_whose_worker_is_registered)
{
    check_all(*this, verdict::kept, {started(14h + 1us, 7), started(24h * 365, 7)});
    check_all(*this, verdict::requeued, {started(24h * 365, 7)}, sweep({"7"}));
}

/// Its idea of the time is as old as its look.
BOOST_AUTO_TEST_CASE(takes_nothing_that_began_while_the_monitor_stood_still)
{
    const recovery old{.threshold = token(0, 1), .dead = {}, .looked = token(0, 3), .latest = token(0, 3)};
    auto with_dead = old;
    with_dead.dead = {"7", "8"};
    for (const auto& call : {old, with_dead}) {
        check_all(*this, verdict::kept, {token(7, 4), token(8, 4), token(0, 4)}, call);
        check_all(*this, verdict::requeued, {token(7, 0)}, call);
    }
    check_all(*this, verdict::kept, {R"("2026-01-03T00:00:00Z")", R"("2026-01-03T00:00:00.5Z")"}, old);
    check_all(*this, verdict::adopted, {started(13h, 8)}, old);
}

// --- leases of peers -----------------------------------------------------------------

BOOST_AUTO_TEST_CASE(takes_leases_of_peers_back_when_they_have_ended)
{
    // Recorded from hworker, then the other forms that it reads.
    check_all(*this, verdict::requeued,
              {R"("2999-11-21T11:59:59.612715072Z")", R"("2999-11-21T11:59:59.5903624Z")",
               R"("2999-11-21T11:59:59.12Z")", R"("2999-11-21T11:59:59Z")", R"("2998-12-31T23:59:59Z")",
               R"("2999-11-21 11:59:59Z")", R"("2999-11-21T11:59Z")", R"("2999-11-21T11:59.5Z")",
               R"("2999-11-21T11:58:60Z")", R"("2999-11-21T11:59:59.1234567890123Z")",
               R"("2999-11-21T11:59:59+00:00")", R"("2999-11-21T12:59:59.5+0100")",
               R"("2999-11-21T10:29:59-01:30")", R"("2999-11-22T01:59:59+14:00")",
               R"("2999-11-21T12:59:59.1234567+01:00")", R"("2999-11-21T11:59:59Z" trailing)",
               "\"2999-11-21T11:59:59Z\"\xff\n"});
}

BOOST_AUTO_TEST_CASE(keeps_leases_of_peers_that_go_on)
{
    check_all(*this, verdict::kept,
              {R"("2999-11-21T12:00:01.612715072Z")", R"("2999-11-21T12:00:01.5903624Z")",
               R"("2999-11-21T12:00:01.12Z")", R"("2999-11-21T12:00:01Z")", R"("2999-11-21 13:00:00Z")",
               R"("2999-11-21T13:00Z")", R"("2999-11-21T12:00:60Z")", R"("2999-11-21T14:00:01+01:00")",
               R"("2999-11-21T11:00:01-0100")", R"("2999-11-22T03:00:00+14:00")",
               R"("2999-11-21T12:00:01Z" trailing)", R"("2999-11-21T14:00:00.999999999Z")"});
}

/// They are judged by whole seconds: none too soon.
BOOST_AUTO_TEST_CASE(keeps_leases_of_peers_that_began_in_the_second_of_the_threshold)
{
    check_all(*this, verdict::kept,
              {R"("2999-11-21T12:00:00Z")", R"("2999-11-21T12:00:00.499999999Z")",
               R"("2999-11-21T12:00:00.5Z")", R"("2999-11-21T12:00:00.999999999Z")",
               R"("2999-11-21T13:00:00.1+01:00")", R"("2999-11-21 12:00Z")", R"("2999-11-21T11:59:60Z")"});
}

BOOST_AUTO_TEST_CASE(lets_leases_of_peers_begin_now_that_are_ahead_of_any_clock)
{
    check_all(*this, verdict::adopted,
              {R"("2999-11-21T14:00:01Z")", R"("2999-11-21T14:00:01.612715072Z")",
               R"("9999-01-01T00:00:00Z")", R"("2999-11-21T13:30:00-01:00")", R"("2999-11-22 00:00Z")"});
}

// --- what tells nothing --------------------------------------------------------------

BOOST_AUTO_TEST_CASE(lets_leases_begin_now_whose_start_nobody_can_read)
{
    check_all(*this, verdict::adopted,
              {"",
               "now",
               "false",
               "1795254869",
               "null",
               "{}",
               R"("")",
               "2026-11-21T09:54:29Z",
               R"("2026-11-21t09:54:29Z")",
               R"("2026-11-21T09:54:29z")",
               R"("2026-11-21T09:54:29")",
               R"("2026-11-21T09:54:29.Z")",
               R"("2026-11-21T09:54:29,5Z")",
               R"("2026-11-21T09:54:29+1")",
               R"("2026-11-21T09:54:29 Z")",
               R"("2026-11-21T9:54:29Z")",
               R"("2026-11-21T09:54:29Z)",
               R"("2026-11-21T09:54:29.612715000042Z)",
               R"("12026-11-21T09:54:29Z")",
               R"("26-11-21T09:54:29Z")",
               R"(" 2026-11-21T09:54:29Z")",
               R"("2026-11-21T09:54:Z")",
               R"("2026-11-21T09Z")",
               std::string(35, 'x'),
               R"("2026-11-21T09:54:29.xxxxxx000042Z")"});
}

BOOST_AUTO_TEST_CASE(lets_leases_begin_now_whose_date_does_not_exist)
{
    strings starts;
    for (const std::string time :
         {"2026-13-21T09:54:29", "2026-00-21T09:54:29", "2026-11-31T09:54:29", "2026-11-00T09:54:29",
          "2026-02-30T09:54:29", "2100-02-29T09:54:29", "2026-11-21T24:00:00", "2026-11-21T09:60:00",
          "2026-11-21T09:54:61", "2999-13-41T99:99:99"})
        for (const std::string zone : {"Z\"", ".612715000042Z\"", "+01:00\""})
            starts.push_back('"' + time + zone);
    check_all(*this, verdict::adopted, starts);
    check_all(*this, verdict::requeued,
              {R"("2024-02-29T09:54:29Z")", R"("2000-02-29T09:54:29.612715000042Z")"});
}

BOOST_AUTO_TEST_CASE(takes_them_back_one_lease_later)
{
    for (const std::string start : {"?", R"("2026-02-30T09:54:29Z")", far_ahead}) {
        set({{"progress", hash({"a", start})}});
        BOOST_TEST(same(call(sweep()), {"0", "0"}));
        const auto begins = redis()("HGET", "progress", "a").text;
        BOOST_TEST(same(call(recovery{.threshold = begins}), {"0", "0"}));
        BOOST_TEST(redis()("HGET", "progress", "a").text == begins);
        BOOST_TEST(same(call(sweep()), {"0", "1"}));
    }
}

BOOST_AUTO_TEST_CASE(drops_hworkers_trace_of_an_empty_queue_instead_of_queueing_it)
{
    const auto check_false = [&](verdict expected, const strings& starts) {
        for (const auto& start : starts)
            BOOST_TEST_CONTEXT(start)
            {
                check_verdict(*this, "false", start, expected, sweep());
            }
    };
    check_false(verdict::dropped, {R"("2999-11-21T11:59:59.612715072Z")", started(11h), token(0)});
    check_false(verdict::kept, {R"("2999-11-21T12:00:00Z")", R"("2999-11-21T12:00:01Z")", started(13h)});
    check_false(verdict::adopted, {"now", R"("9999-01-01T00:00:00Z")"});
    check_verdict(*this, R"("false")", started(11h), verdict::requeued, sweep());
}

// --- what becomes of the job ---------------------------------------------------------

BOOST_AUTO_TEST_CASE(adds_to_the_attempts_there_were)
{
    check({.before = {{"progress", hash({"a", token(7)})},
                      {"attempts", hash({"a", "4", "b", "1"})},
                      {"counters", hash({"recovered", "7"})}},
           .call = sweep(),
           .reply = {"0", "1"},
           .after = {{"jobs", list({"a"})},
                     {"ready", ready_now({"a"})},
                     {"attempts", hash({"a", "5", "b", "1"})},
                     {"counters", hash({"recovered", "8"})}}});
}

BOOST_AUTO_TEST_CASE(releases_one_that_was_held_back_as_well)
{
    check({.before = {{"progress", hash({"a", token(7)})}, {"duplicates", hash({"a", "2", "b", "1"})}},
           .call = sweep(),
           .reply = {"0", "1"},
           .after = {{"jobs", list({"a", "a"})},
                     {"ready", ready_now({"a"})},
                     {"duplicates", hash({"a", "1", "b", "1"})},
                     {"attempts", hash({"a", "1"})},
                     {"counters", hash({"recovered", "1"})}}});
}

BOOST_AUTO_TEST_CASE(returns_a_job_once)
{
    set({{"progress", hash({"a", token(7)})}});
    BOOST_TEST(same(call(sweep()), {"0", "1"}));
    const auto once = get();
    BOOST_TEST(same(call(sweep()), {"0", "0"}));
    BOOST_TEST(same(get(), once));
}

// --- many ----------------------------------------------------------------------------

/// Every third of so many leases has ended.
strings some_ended(int count)
{
    strings fields;
    for (int i = 0; i != count; ++i)
        fields.insert(fields.end(), {"job " + std::to_string(i), started(i % 3 == 0 ? 11h : 13h)});
    return fields;
}

BOOST_AUTO_TEST_CASE(goes_through_many_leases_in_parts_and_misses_none)
{
    set({{"progress", hash(some_ended(3'000))}});
    auto next = sweep();
    int returned = 0, calls = 0;
    do {
        const auto reply = call(next);
        returned += std::stoi(reply.at(1));
        next.cursor = reply.at(0);
        ++calls;
    } while (next.cursor != "0");
    BOOST_TEST(returned == 1'000);
    BOOST_TEST((calls >= 15 && calls <= 60), calls);
    const auto back = redis()("LRANGE", "jobs", 0, -1).texts();
    std::set<std::string> found{back.begin(), back.end()};
    BOOST_TEST(found.size() == 1'000u);
    for (int i = 0; i < 3'000; i += 3)
        BOOST_TEST(found.contains("job " + std::to_string(i)));
    BOOST_TEST(redis()("HLEN", "progress").integer == 2'000);
}

BOOST_AUTO_TEST_CASE(looks_at_about_as_many_as_asked_for)
{
    set({{"progress", hash(some_ended(3'000))}});
    const auto reply = call(recovery{.threshold = started(14h)});
    BOOST_TEST(reply.at(0) != "0");
    const auto returned = std::stoi(reply.at(1));
    BOOST_TEST((returned > 50 && returned <= 200), returned);
}

BOOST_AUTO_TEST_CASE(stops_early_when_payloads_are_large)
{
    strings fields;
    for (int i = 0; i != 200; ++i)
        fields.insert(fields.end(), {std::string(100'000, 'x') + std::to_string(i), started(11h)});
    set({{"progress", hash(fields)}});
    const auto reply = call(sweep());
    BOOST_TEST(reply.at(0) != "0");
    BOOST_TEST(std::stoi(reply.at(1)) < 40);
    auto next = sweep();
    do
        next.cursor = call(next).at(0);
    while (next.cursor != "0");
    BOOST_TEST(redis()("LLEN", "jobs").integer == 200);
}

BOOST_AUTO_TEST_SUITE_END()
