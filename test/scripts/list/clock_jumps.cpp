// SPDX-License-Identifier: MIT
#include "jumping_server.hpp"
#include "script_test.hpp"

#include "list/start_time.hpp"

#include <algorithm>

using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

/// The server's clock is as the real one when a test begins, and behind it.
struct jumps : script_test
{
    jumps() { set_clock(0s); }
    ~jumps() { set_clock(0s); }

    /// So far ahead of the real clock, whether it has jumped or time has passed.
    void be_ahead(std::chrono::seconds time) { BOOST_TEST_REQUIRE(set_clock(time)); }

    /// The payloads that a worker gets now.
    strings take() { return taken(call(ack_and_fetch{.count = 10, .worker = 7})); }

    static strings taken(const strings& reply)
    {
        const auto is = [](const char* word) {
            return [word](const std::string& each) { return each == word; };
        };
        // behind the start time, the number, those that wait and the list of lost ones
        auto begin = std::find_if(reply.begin(), reply.end(), is(")")) + 2;
        return {begin, std::find_if(begin, reply.end(), is(")"))};
    }

    /// Pushes a job with an id that is remembered for a day; says whether it was queued.
    bool push_once(const std::string& id) { return call({"submit", {"86400000", "1", id, id}}).at(0) == "1"; }

    void retry(const std::string& payload, std::int64_t delay)
    {
        const auto started = redis()("HGET", "progress", payload).text;
        BOOST_TEST(
            same(call(ack_and_fetch{.others = {{payload, started, "retry", 1, delay, "again"}}}), settled()));
    }
};

} // namespace

/// What docs/guarantees.md says of a clock that jumps, of delays and ids.
BOOST_FIXTURE_TEST_SUITE(clock_jumps, jumps, *boost::unit_test::enable_if<can_jump>())

// --- delays --------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(jobs_that_are_delayed_run_early_when_it_jumps_forward)
{
    call({"submit", {"0", "1", "", "retried"}});
    BOOST_TEST(same(take(), {"retried"}));
    retry("retried", 3'300'000);
    call({"submit", {"0", "2", "", "", "a", "later", "+3400000", "+7200000"}});
    call(push_later("+3500000", {"b"}));
    be_ahead(55min - 10s);
    BOOST_TEST(same(take(), {}));
    be_ahead(1h);
    BOOST_TEST(same(take(), {"retried", "a", "b"}));
    be_ahead(0s);
    BOOST_TEST(same(take(), {}));
    be_ahead(2h);
    BOOST_TEST(same(take(), {"later"}));
}

/// It has not taken place for those that nobody took meanwhile.
BOOST_AUTO_TEST_CASE(jobs_that_are_delayed_run_in_time_when_it_was_ahead_meanwhile)
{
    call({"submit", {"0", "1", "", "a", "+60000"}});
    be_ahead(1h);
    call({"submit", {"0", "1", "", "other", "+60000"}});
    be_ahead(50s);
    BOOST_TEST(same(take(), {}));
    be_ahead(61s);
    BOOST_TEST(same(take(), {"a"}));
}

BOOST_AUTO_TEST_CASE(jobs_that_were_delayed_when_it_was_ahead_run_late_by_as_much)
{
    be_ahead(1h);
    call({"submit", {"0", "1", "", "retried"}});
    BOOST_TEST(same(take(), {"retried"}));
    retry("retried", 60'000);
    call({"submit", {"0", "1", "", "a", "+60000"}});
    call(push_later("+60000", {"b"}));
    for (const auto later : {0s, 61s, 3'640s}) {
        be_ahead(later);
        BOOST_TEST(same(take(), {}));
    }
    be_ahead(1h + 61s);
    BOOST_TEST(same(take(), {"retried", "a", "b"}));
}

/// Others need not wait for them.
BOOST_AUTO_TEST_CASE(jobs_that_are_delayed_after_it_was_set_back_run_in_time)
{
    be_ahead(1h);
    call({"submit", {"0", "1", "", "ahead", "+60000"}});
    be_ahead(0s);
    call({"submit", {"0", "1", "", "a", "+60000"}});
    be_ahead(61s);
    BOOST_TEST(same(take(), {"a"}));
}

BOOST_AUTO_TEST_CASE(jobs_for_a_time_run_at_that_time_whenever_they_were_pushed)
{
    const auto seconds = std::stoll(redis()("TIME").texts().at(0));
    const auto at = std::to_string((seconds + 60) * 1000);
    be_ahead(-1h);
    call(push_later('@' + at, {"a"}));
    be_ahead(30s);
    call({"submit", {"0", "1", "", "b", '@' + at}});
    be_ahead(0s);
    BOOST_TEST(same(take(), {}));
    be_ahead(61s);
    BOOST_TEST(same(take(), {"a", "b"}));
}

// --- ids -----------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(ids_are_forgotten_early_when_it_jumps_forward)
{
    BOOST_TEST(push_once("x"));
    be_ahead(23h);
    BOOST_TEST(!push_once("x"));
    be_ahead(24h + 1s);
    BOOST_TEST(push_once("x"));
}

/// Redis itself lets the set of ids expire, even if nobody looks at it.
BOOST_AUTO_TEST_CASE(ids_that_it_has_passed_stay_forgotten_when_it_is_set_back)
{
    BOOST_TEST(push_once("x"));
    be_ahead(24h + 1s);
    BOOST_TEST(redis().integer({"EXISTS", "ids"}) == 0);
    be_ahead(0s);
    BOOST_TEST(push_once("x"));
}

BOOST_AUTO_TEST_CASE(ids_that_it_has_not_passed_are_remembered_when_it_is_set_back)
{
    BOOST_TEST(push_once("x"));
    be_ahead(23h);
    BOOST_TEST(push_once("y"));
    be_ahead(0s);
    BOOST_TEST(!push_once("x"));
    be_ahead(24h + 1s);
    BOOST_TEST(push_once("x"));
}

BOOST_AUTO_TEST_CASE(ids_of_when_it_was_ahead_are_remembered_longer_by_as_much)
{
    be_ahead(1h);
    BOOST_TEST(push_once("x"));
    for (const auto later : {0s, 86'410s, 89'950s}) {
        be_ahead(later);
        BOOST_TEST(!push_once("x"));
        BOOST_TEST(push_once("other" + std::to_string(later.count())));
    }
    be_ahead(25h + 1s);
    BOOST_TEST(push_once("x"));
}

// --- runs that were cancelled --------------------------------------------------------

/// Where it is not in `progress` any more, only a mark tells that a run was cancelled.
BOOST_AUTO_TEST_CASE(a_cancelled_run_stays_cancelled_wherever_it_jumps)
{
    const std::string a = R"(["a",1])";
    const struct
    {
        std::chrono::seconds begins, is_cancelled, ends; ///< how far the clock is ahead then
    } rows[] = {{0s, 0s, 0s}, {0s, 0s, 1h}, {0s, 0s, 25h}, {0s, 1h, 0s}, {0s, 1h, 1h}, {0s, 1h, 25h},
                {1h, 0s, 0s}, {1h, 0s, 1h}, {1h, 1h, 0s},  {1h, 1h, 1h}, {1h, 0s, 23h}};
    for (const auto& row : rows)
        for (const bool beside : {false, true}) // a peer takes an equal one meanwhile
            BOOST_TEST_CONTEXT(row.begins.count()
                               << ' ' << row.is_cancelled.count() << ' ' << row.ends.count() << beside)
            {
                redis()("FLUSHALL");
                be_ahead(row.begins);
                call({"submit", {"0", "1", "", a}});
                BOOST_TEST(same(take(), {a}));
                const auto lease = redis()("HGET", "progress", a).text;
                be_ahead(row.is_cancelled);
                BOOST_TEST(same(call({"act", {"cancel", "running", a}}), {"1"}));
                if (beside)
                    redis()("HSET", "progress", a, R"("2026-11-21T09:54:29.612715072Z")");
                be_ahead(row.ends);
                BOOST_TEST(call({"renew", {"7", "w", "120000", a, lease, "0"}}).size() == 2u);
                BOOST_TEST(same(call(ack_and_fetch{.succeeded = {{lease, {a}}}}), settled({"1"})));
            }
}

BOOST_AUTO_TEST_CASE(a_run_counts_as_cancelled_no_sooner_than_it_began)
{
    using namespace std::chrono;
    const auto day = [](int y, unsigned m, unsigned d) { return sys_days{year{y} / int(m) / int(d)}; };
    for (const auto when :
         {day(2099, 12, 31) + 86'399s, day(2100, 1, 1) + 0s, day(2100, 2, 28) + 3'661s, day(2100, 3, 1) + 59s,
          day(2104, 2, 29) + 43'200s, day(2200, 3, 1) + 1s, day(2200, 12, 31) + 1s}) {
        const auto began = coworker::timestamp{when} + 612'716us;
        redis()("HSET", "progress", "a", coworker::detail::format_start_time(began, 7));
        BOOST_TEST(same(call({"act", {"cancel", "running", "a"}}), {"1"}));
        BOOST_TEST(redis()("ZSCORE", "cancelled", sha1("a")).text ==
                   std::to_string(began.time_since_epoch() / 1us));
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_start_time_is_cancelled_all_the_same)
{
    redis()("HSET", "shared", "a", "surprise");
    BOOST_TEST(same(call({"act", {"cancel", "running", "a"}}), {"1"}));
    BOOST_TEST(redis()("ZSCORE", "cancelled", sha1("a")).text.starts_with("1"));
    BOOST_TEST(redis().integer({"EXISTS", "shared"}) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
