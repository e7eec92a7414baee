// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

/// What a waiting monitor reads.
BOOST_FIXTURE_TEST_SUITE(count_running, script_test)

const std::string peer = R"("2026-11-21T09:54:29.612715072Z")";

void check_counts(script_test& test, const state& before, const std::string& leases)
{
    test.redis()("FLUSHALL");
    row what;
    what.before = before;
    what.call.script = "count_running";
    what.reply.push_back(leases);
    what.after = before;
    test.check(what);
}

BOOST_AUTO_TEST_CASE(counts_jobs_in_progress_and_those_held_back)
{
    check_counts(*this, {{"jobs", list({"x"})}}, "0");
    check_counts(*this, {{"progress", hash({"a", token(7), "b", peer})}}, "2");
    check_counts(*this, {{"progress", hash({"a", token(7)})}, {"duplicates", hash({"a", "5", "b", "1"})}},
                 "3");
    check_counts(*this, {{"duplicates", hash({"a", "1"})}}, "1");
}

BOOST_AUTO_TEST_CASE(does_not_count_hworkers_phantom)
{
    check_counts(*this, {{"progress", hash({"false", peer})}}, "0");
    check_counts(*this, {{"progress", hash({"false", peer, "a", token(7)})}}, "1");
}

BOOST_AUTO_TEST_SUITE_END()
