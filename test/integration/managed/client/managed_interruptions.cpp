// SPDX-License-Identifier: MIT
#include "integration/managed/client/managed_test.hpp"
#include "support/client_list.hpp"

#include "coworker/inspector.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What a caller may rely on when the connection is lost, or Redis is full, in the middle of a call.
BOOST_AUTO_TEST_SUITE(managed_interruptions)

namespace {

struct interrupted_test : managed_test
{
    std::int64_t waiting() { return server("ZCARD", "ql:q:mail-work").integer; }

    asio::awaitable<bool> is_consistent()
    {
        const inspector all{redis};
        std::string cursor;
        std::size_t findings = 0;
        do {
            auto page = co_await all.async_check(queue_ref::managed({}), std::move(cursor), false, 1000);
            findings += page.findings.size();
            cursor = std::move(page.next);
        } while (!cursor.empty());
        co_return findings == 0;
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(jobs_with_jids_of_ones_own_are_put_again_without_harm, interrupted_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<new_managed_job> many(20'000);
        for (std::size_t i = 0; i != many.size(); ++i) {
            many[i].kind = "k";
            many[i].options.jid = std::to_string(i);
            many[i].options.tags = {"red"};
        }
        background first{io.get_executor(),
                         [](managed_queue& queue, const auto& all) -> asio::awaitable<void> {
                             co_await queue.async_push_many(all);
                         }(mail, many)};
        while (waiting() < 1000) // looks between its steps, not now and then
            co_await asio::post(asio::use_awaitable);
        server("CLIENT", "PAUSE", 60'000, "WRITE");
        co_await eventually("a batch is held up",
                            [&] { return server.raw().info("clients", "blocked_clients") == "1"; });
        cut_connections(server);
        server("CLIENT", "UNPAUSE");
        BOOST_TEST(!(co_await first.join_and_tell()).empty());
        BOOST_TEST(waiting() < 20'000);
        co_await mail.async_push_many(many);
        BOOST_TEST((co_await mail.async_counts()).length() == many.size());
        BOOST_TEST((co_await jobs.async_tagged("red")).total == many.size());
        BOOST_TEST(co_await is_consistent());
    });
}

BOOST_FIXTURE_TEST_CASE(a_new_connection_and_lost_scripts_are_not_noticed, interrupted_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_push("k", nothing, {.jid = "a"});
        cut_connections(server);
        co_await events.wait_for(event_kind::reconnected);
        BOOST_TEST((co_await jobs.async_get("a")).has_value());
        server("SCRIPT", "FLUSH");
        BOOST_TEST((co_await jobs.async_get("a")).has_value());
        BOOST_TEST(jids_of(co_await pop("w")) == listed("a"));
    });
}

BOOST_FIXTURE_TEST_CASE(a_full_redis_takes_no_new_jobs_and_lets_the_old_ones_end, interrupted_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto popped = co_await pop_new(3);
        co_await mail.async_push("k", nothing, {.jid = "waits"});
        server("CONFIG", "SET", "maxmemory", "1");
        const auto refused = co_await error_of([&] { return mail.async_push("k", nothing); });
        BOOST_TEST(refused == errc::command_refused);
        BOOST_TEST(refused.says("OOM"), refused.message);
        BOOST_TEST((co_await heartbeat_job(jobs, popped[0])).has_value());
        BOOST_TEST((co_await complete_job(jobs, popped[0])).has_value());
        BOOST_TEST((co_await fail_job(jobs, popped[1], "g", "m")).has_value());
        BOOST_TEST((co_await retry_job(jobs, popped[2])).has_value());
        BOOST_TEST((co_await pop("w", 5)).size() == 2u);
        server("CONFIG", "SET", "maxmemory", "0");
        co_await mail.async_push("k", nothing);
    });
}

BOOST_FIXTURE_TEST_CASE(a_cancelled_call_does_not_disturb_the_next, interrupted_test)
{
    run([&]() -> asio::awaitable<void> {
        for (int i = 0; i != 20; ++i) {
            background call{io.get_executor(), [](managed_client& all) -> asio::awaitable<void> {
                                co_await pop_jobs(all, "mail", "w", 500);
                            }(jobs)};
            call.cancel();
            (void)co_await call.join_and_tell();
            const auto jid = co_await mail.async_push("k", nothing);
            BOOST_TEST((co_await jobs.async_get(jid)).value().jid == jid);
        }
        BOOST_TEST(co_await is_consistent());
    });
}

BOOST_AUTO_TEST_SUITE_END()
