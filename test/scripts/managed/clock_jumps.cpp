// SPDX-License-Identifier: MIT
#include "jumping_server.hpp"
#include "managed_redis.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

/// The server's clock is as the real one when a test begins, and behind it.
struct jumps
{
    managed_redis redis;

    jumps() { managed_redis::set_clock(0s); }
    ~jumps() { managed_redis::set_clock(0s); }

    /// So far ahead of the real clock, whether it has jumped or time has passed.
    static void be_ahead(std::chrono::seconds time) { BOOST_TEST_REQUIRE(managed_redis::set_clock(time)); }

    /// Calls a script at the time of the server.
    redis_value call(const std::string& script, std::vector<std::string> arguments)
    {
        arguments.insert(arguments.begin(), "server");
        return redis.call(script, arguments);
    }

    /// Puts a job and takes it.
    void run(const std::string& jid, const std::string& options = "{}")
    {
        call("put", {"w", "q", jid, "k", "{}", "0", "options", options});
        call("pop", {"q", "w", "1"});
    }

    void complete(const std::string& jid, const std::string& options = "{}")
    {
        run(jid, options);
        call("complete", {jid, "w", "q", "{}"});
    }

    void fail(const std::string& jid, const std::string& options)
    {
        run(jid, options);
        call("fail", {jid, "w", "group", "message"});
    }

    bool is_kept(const std::string& jid) { return redis.raw().integer({"EXISTS", "ql:j:" + jid}) == 1; }

    /// Whether it is kept when another job has been completed, at which old ones are forgotten.
    bool is_kept_by_completions(const std::string& jid)
    {
        complete("another");
        return is_kept(jid);
    }

    /// The same with what the monitor does every minute.
    bool is_kept_by_monitor(const std::string& jid)
    {
        call("note_minute", {"0", "0"});
        return is_kept(jid);
    }

    std::string result_of(const std::string& jid) { return call("status", {jid}).elements.at(4).text; }
};

const std::string for_an_hour = R"({"retention": 3600})";

} // namespace

/// What docs/guarantees.md says of a clock that jumps, of what is kept for a time.
BOOST_FIXTURE_TEST_SUITE(clock_jumps, jumps, *boost::unit_test::enable_if<can_jump>())

// --- failed jobs ---------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(failed_jobs_are_forgotten_early_when_it_jumps_forward)
{
    fail("a", for_an_hour);
    fail("kept", "{}");
    be_ahead(59min);
    BOOST_TEST(is_kept_by_monitor("a"));
    be_ahead(1h + 1s);
    BOOST_TEST(!is_kept_by_monitor("a"));
    BOOST_TEST(is_kept("kept"));
}

BOOST_AUTO_TEST_CASE(failed_jobs_that_it_has_not_passed_are_kept_as_long_as_they_would_have_been)
{
    fail("a", for_an_hour);
    be_ahead(59min);
    BOOST_TEST(is_kept_by_monitor("a"));
    be_ahead(0s);
    BOOST_TEST(is_kept_by_monitor("a"));
    be_ahead(1h + 1s);
    BOOST_TEST(!is_kept_by_monitor("a"));
}

BOOST_AUTO_TEST_CASE(failed_jobs_of_when_it_was_ahead_are_kept_longer_by_as_much)
{
    be_ahead(1h);
    fail("a", for_an_hour);
    for (const auto later : {0s, 3'610s, 7'150s}) {
        be_ahead(later);
        BOOST_TEST(is_kept_by_monitor("a"));
    }
    be_ahead(2h + 1s);
    BOOST_TEST(!is_kept_by_monitor("a"));
}

// --- complete jobs -------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(complete_jobs_are_forgotten_early_when_it_jumps_forward)
{
    complete("a", for_an_hour);
    complete("week");
    be_ahead(59min);
    BOOST_TEST(is_kept_by_completions("a"));
    be_ahead(1h + 1s);
    BOOST_TEST(!is_kept_by_completions("a"));
    be_ahead(7 * 24h - 1min);
    BOOST_TEST(is_kept_by_completions("week"));
    be_ahead(7 * 24h + 1s);
    BOOST_TEST(!is_kept_by_completions("week"));
}

BOOST_AUTO_TEST_CASE(complete_jobs_that_it_has_not_passed_are_kept_as_long_as_they_would_have_been)
{
    complete("a", for_an_hour);
    be_ahead(59min);
    BOOST_TEST(is_kept_by_completions("a"));
    be_ahead(0s);
    BOOST_TEST(is_kept_by_completions("a"));
    be_ahead(1h + 1s);
    BOOST_TEST(!is_kept_by_completions("a"));
}

BOOST_AUTO_TEST_CASE(complete_jobs_of_when_it_was_ahead_are_kept_longer_by_as_much)
{
    be_ahead(1h);
    complete("a", for_an_hour);
    complete("week");
    for (const auto later : {0s, 3'610s, 7'150s}) {
        be_ahead(later);
        BOOST_TEST(is_kept_by_completions("a"));
    }
    be_ahead(2h + 1s);
    BOOST_TEST(!is_kept_by_completions("a"));
    be_ahead(7 * 24h + 59min);
    BOOST_TEST(is_kept_by_completions("week"));
    be_ahead(7 * 24h + 1h + 1s);
    BOOST_TEST(!is_kept_by_completions("week"));
}

/// Only so many are kept, and those count as the latest until the clock is there again.
BOOST_AUTO_TEST_CASE(complete_jobs_of_when_it_was_ahead_outlive_those_that_complete_afterwards)
{
    call("config_set", {"jobs-history-count", "2"});
    complete("before");
    be_ahead(1h);
    complete("a");
    be_ahead(0s);
    complete("b");
    BOOST_TEST(!is_kept("before"));
    complete("c");
    BOOST_TEST((is_kept("a") && !is_kept("b") && is_kept("c")));
    be_ahead(1h + 10s);
    complete("d");
    complete("e");
    BOOST_TEST((!is_kept("a") && !is_kept("c") && is_kept("d") && is_kept("e")));
}

// --- results and batches -------------------------------------------------------------

BOOST_AUTO_TEST_CASE(results_are_forgotten_early_when_it_jumps_forward)
{
    run("a");
    call("complete", {"a", "w", "q", "{}", "result", "42", "keep", "3600000"});
    be_ahead(59min);
    BOOST_TEST(result_of("a") == "42");
    be_ahead(1h + 1s);
    BOOST_TEST(result_of("a") == "");
    BOOST_TEST(is_kept("a"));
}

BOOST_AUTO_TEST_CASE(results_of_when_it_was_ahead_are_kept_longer_by_as_much)
{
    be_ahead(1h);
    run("a");
    call("complete", {"a", "w", "q", "{}", "result", "42", "keep", "3600000"});
    for (const auto later : {0s, 3'610s, 7'150s}) {
        be_ahead(later);
        BOOST_TEST(result_of("a") == "42");
    }
    be_ahead(2h + 1s);
    BOOST_TEST(result_of("a") == "");
}

BOOST_AUTO_TEST_CASE(batches_are_kept_for_a_shorter_or_a_longer_time)
{
    const auto end_batch = [&](const std::string& id) {
        call("batch_open", {id, "retention", "3600"});
        call("batch_seal", {id});
    };
    auto is_batch_kept = [&, others = 0](const std::string& id) mutable {
        end_batch("other" + std::to_string(++others)); // forgets some
        return redis.raw().integer({"EXISTS", "ql:coworker:batch:" + id}) == 1;
    };
    end_batch("b");
    be_ahead(1h + 1s);
    BOOST_TEST(!is_batch_kept("b"));
    end_batch("ahead");
    be_ahead(0s);
    BOOST_TEST(is_batch_kept("ahead"));
    be_ahead(2h - 1min);
    BOOST_TEST(is_batch_kept("ahead"));
    be_ahead(2h + 1s);
    BOOST_TEST(!is_batch_kept("ahead"));
}

BOOST_AUTO_TEST_SUITE_END()
