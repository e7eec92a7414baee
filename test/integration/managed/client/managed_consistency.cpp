// SPDX-License-Identifier: MIT
#include "integration/managed/client/managed_test.hpp"

#include "coworker/inspector.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(managed_consistency)

namespace {

/// Checks the whole database.
asio::awaitable<std::vector<finding>> check_all(inspector all, bool repair)
{
    std::vector<finding> findings;
    std::string cursor;
    do {
        auto page = co_await all.async_check(queue_ref::managed({}), std::move(cursor), repair, 50);
        findings.insert(findings.end(), page.findings.begin(), page.findings.end());
        cursor = std::move(page.next);
    } while (!cursor.empty());
    co_return findings;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(nothing_is_found_in_a_database_in_use, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto popped = co_await pop_new(300);
        for (std::size_t i = 0; i != 100; ++i)
            co_await complete_job(jobs, popped[i]);
        BOOST_TEST((co_await check_all(inspector{redis}, false)).empty());
    });
}

BOOST_FIXTURE_TEST_CASE(what_does_not_fit_together_is_found_and_repaired, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await pop_new(3);
        server("ZREM", "ql:q:mail-locks", "2");
        server("ZADD", "ql:q:mail-work", "5", "ghost");
        server("ZADD", "ql:tags", "7", "drifted");
        const auto found = co_await check_all(inspector{redis}, false);
        BOOST_TEST_REQUIRE(found.size() == 3u);
        const auto lost = std::find_if(found.begin(), found.end(),
                                       [](const auto& finding) { return finding.kind == "job_nowhere"; });
        BOOST_TEST_REQUIRE((lost != found.end()));
        BOOST_TEST(lost->broken);
        BOOST_TEST(lost->key == "ql:q:mail-locks");
        BOOST_TEST(lost->member == "2");
        BOOST_TEST(!lost->repaired);
        BOOST_TEST(std::count_if(found.begin(), found.end(), [](const auto& each) { return !each.broken; }) ==
                   1);
        const auto repaired = co_await check_all(inspector{redis}, true);
        BOOST_TEST(repaired.size() == 3u);
        BOOST_TEST(repaired.front().repaired);
        BOOST_TEST((co_await check_all(inspector{redis}, false)).empty());
        BOOST_TEST((co_await mail.async_jobs(managed_state::running)).size() == 3u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_cursor_that_was_not_returned_is_refused, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const inspector all{redis};
        BOOST_TEST(co_await error_of(all.async_check(queue_ref::managed({}), "nonsense")) ==
                   errc::command_refused);
    });
}

BOOST_AUTO_TEST_SUITE_END()
