// SPDX-License-Identifier: MIT
#include "integration/queue/promotion_test.hpp"
#include "integration/queue/pushes_under_way.hpp"
#include "support/expect.hpp"

#include "coworker/durability.hpp"
#include "coworker/managed_queue.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Pushes whose server is replaced, or loses its role, while replicas are waited for.
BOOST_AUTO_TEST_SUITE(confirmed_failovers)

namespace {

struct failing_push : pushes_under_way<promotion_test>
{
    list_queue<int> numbers{*redis, "numbers"};
    list_queue<int> safe{numbers.with(durability::replicated(1, 60s))};

    /// Runs a test when the replica has caught up, and stops the client, so once only.
    template<class Test>
    void run(Test test)
    {
        redis_test::run([&]() -> asio::awaitable<void> {
            co_await until_it_follows(successor, server);
            co_await test();
            co_await redis->async_stop();
        });
    }

    outcome& begin_push(int job, push_options how = {})
    {
        return begin([&](auto token) { safe.async_push(job, std::move(how), std::move(token)); });
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_promotion_leaves_the_push_in_doubt_and_a_second_one_tells, failing_push)
{
    run([&]() -> asio::awaitable<void> {
        const push_options once{.id = "one", .unique_for = 1h};
        successor.freeze();
        auto& push = begin_push(1, once);
        co_await until_it_waits();
        replace_primary();
        successor.thaw(); // and reads what it was sent
        co_await eventually("it knows that its primary is gone", [&] {
            return successor.raw().info("replication", "master_link_status") == "down";
        });
        co_await wait_for(push);
        BOOST_TEST(push.error == errc::in_doubt);
        successor("REPLICAOF", "NO", "ONE");
        follow(third, successor);
        BOOST_TEST((co_await safe.async_push(1, once)) == "one");
        BOOST_TEST(successor("LLEN", "hworker-jobs-numbers").integer == 1);
        BOOST_TEST(third("LLEN", "hworker-jobs-numbers").integer == 1);
    });
}

BOOST_FIXTURE_TEST_CASE(a_primary_that_is_demoted_while_it_waits_confirms_nothing, failing_push)
{
    run([&]() -> asio::awaitable<void> {
        successor.freeze();
        auto& push = begin_push(1);
        co_await until_it_waits();
        server("REPLICAOF", "127.0.0.1", 1);
        co_await wait_for(push);
        BOOST_TEST(push.error == errc::unconfirmed);
        BOOST_TEST(server("LLEN", "hworker-jobs-numbers").integer == 1);
    });
}

BOOST_FIXTURE_TEST_CASE(what_a_demoted_server_refuses_is_confirmed_by_the_next_primary, failing_push)
{
    run([&]() -> asio::awaitable<void> {
        (void)co_await safe.async_push(1);
        successor("REPLICAOF", "NO", "ONE");
        follow(third, successor);
        co_await until_it_follows(third, successor);
        server("REPLICAOF", "127.0.0.1", 1); // of nobody, so that only the third can confirm
        std::filesystem::remove(address);
        std::filesystem::create_symlink(successor.socket_path(), address);
        server("SCRIPT", "FLUSH");         // nor does the next one know any script
        (void)co_await safe.async_push(2); // READONLY
        (void)co_await safe.async_push(3, {.delay = 1h});
        (void)co_await managed_queue{*redis, "mail"}
            .with(durability::replicated(1, 60s))
            .async_push("Letter", 4, {.jid = "letter"});
        BOOST_TEST(third("LLEN", "hworker-jobs-numbers").integer == 2);
        BOOST_TEST(third("ZCARD", "hworker-scheduled-numbers").integer == 1);
        BOOST_TEST(third("EXISTS", "ql:j:letter").integer == 1);
    });
}

BOOST_AUTO_TEST_SUITE_END()
