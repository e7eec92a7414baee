// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

BOOST_FIXTURE_TEST_SUITE(renew, script_test)

/// Renews as worker 7, for each: payload, token, and whether an earlier renewal was not answered.
script_call renewal(strings jobs)
{
    jobs.insert(jobs.begin(), {"7", "w", "120000"});
    return {"renew", jobs};
}

BOOST_AUTO_TEST_CASE(starts_a_lease_again_from_now)
{
    check({.before = {{"progress", hash({"a", token(7), "b", token(8)})}},
           .call = renewal({"a", token(7), "0"}),
           .reply = {now(7)},
           .after = {{"progress", hash({"a", now(7), "b", token(8)})}}});
}

BOOST_AUTO_TEST_CASE(renews_leases_that_began_at_different_times)
{
    check({.before = {{"progress", hash({"a", token(7), "b", token(7, 1), "c", token(7, 2)})}},
           .call = renewal({"a", token(7), "0", "b", token(7, 1), "0", "c", token(7, 2), "0"}),
           .reply = {now(7)},
           .after = {{"progress", hash({"a", now(7), "b", now(7), "c", now(7)})}}});
}

BOOST_AUTO_TEST_CASE(says_which_jobs_are_no_longer_held)
{
    check({.before = {{"progress", hash({"b", token(8), "c", token(7), "d", token(7, 1), "e", ""})}},
           .call = renewal({"a", token(7), "0", "b", token(7), "0", "c", token(7), "0", "d", token(7), "0",
                            "e", token(7), "0"}),
           .reply = {now(7), "1", "2", "4", "5"},
           .after = {{"progress", hash({"b", token(8), "c", now(7), "d", token(7, 1), "e", ""})}}});
}

BOOST_AUTO_TEST_CASE(writes_nothing_when_nothing_is_held)
{
    check({.before = {},
           .call = renewal({"a", token(7), "0", "b", token(7), "1"}),
           .reply = {now(7), "1", "2"},
           .after = {}});
}

BOOST_AUTO_TEST_CASE(takes_the_token_of_a_renewal_that_was_not_answered_for_its_own)
{
    check({.before = {{"progress", hash({"a", token(7, 500)})}},
           .call = renewal({"a", token(7), "1"}),
           .reply = {now(7)},
           .after = {{"progress", hash({"a", now(7)})}}});
}

BOOST_AUTO_TEST_CASE(takes_the_old_token_if_the_unanswered_renewal_was_not_carried_out)
{
    check({.before = {{"progress", hash({"a", token(7)})}},
           .call = renewal({"a", token(7), "1"}),
           .reply = {now(7)},
           .after = {{"progress", hash({"a", now(7)})}}});
}

BOOST_AUTO_TEST_CASE(takes_nobody_elses_token_for_its_own_after_an_unanswered_renewal)
{
    // Another worker's; an earlier one of its own; a peer's, which has no number.
    for (const auto& stored :
         {token(8, 500), token(17, 500), std::string{R"("2026-11-21T09:54:29.612715072Z")"},
          std::string{R"("2030-01-01T00:00:00Z")"}})
        BOOST_TEST_CONTEXT(stored)
        {
            redis()("FLUSHALL");
            const state before{{"progress", hash({"a", stored})}};
            check({.before = before,
                   .call = renewal({"a", token(7, 100), "1"}),
                   .reply = {now(7), "1"},
                   .after = before});
        }
    redis()("FLUSHALL");
    const state earlier{{"progress", hash({"a", token(7, 99)})}};
    check({.before = earlier,
           .call = renewal({"a", token(7, 100), "1"}),
           .reply = {now(7), "1"},
           .after = earlier});
}

BOOST_AUTO_TEST_CASE(renews_a_whole_batch)
{
    strings leases, jobs, renewed;
    for (int i = 0; i != 128; ++i) {
        const auto payload = std::to_string(i);
        leases.insert(leases.end(), {payload, token(7)});
        jobs.insert(jobs.end(), {payload, token(7), "0"});
        renewed.insert(renewed.end(), {payload, now(7)});
    }
    check({.before = {{"progress", hash(leases)}},
           .call = renewal(jobs),
           .reply = {now(7)},
           .after = {{"progress", hash(renewed)}}});
}

BOOST_AUTO_TEST_SUITE_END()
