// SPDX-License-Identifier: MIT
#include "conformance/worker_test.hpp"
#include "support/client_list.hpp"

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What a worker does to keep the leases of its jobs, and when it cannot.
BOOST_AUTO_TEST_SUITE(renewals)

namespace {

void make_redis_refuse(source_kind& kind)
{
    (*kind.server())("ACL", "SETUSER", "default", "-evalsha");
}

void make_redis_accept(source_kind& kind)
{
    (*kind.server())("ACL", "SETUSER", "default", "+evalsha");
}

} // namespace

BOOST_AUTO_TEST_CASE(a_lease_is_renewed_for_as_long_as_the_handler_runs)
{
    for_each_kind_in_redis([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind};
        member other{kind};
        co_await other.open();
        push_all(kind, numbered(5));
        one.start(one.hold(), kind.leased_for(5s));
        co_await one.events.wait_for(event_kind::started, 5);
        co_await one.events.wait_until("more than a lease to pass", [](const event_log& log) {
            return log.total(event_kind::leases_renewed) >= 20;
        });
        const auto found = co_await other.source->recover(5s, 1h);
        BOOST_TEST(found.recovered == 0u);
        BOOST_TEST((co_await other.take(5)).empty());
        one.open_gate();
        co_await one.events.wait_for(event_kind::succeeded, 5);
        co_await one.stop();
        BOOST_TEST(one.events.count(event_kind::started) == 5u);
        BOOST_TEST(one.events.count(event_kind::lease_lost) == 0u);
        BOOST_TEST(kind.succeeded() == 5);
        co_await other.source->close();
        BOOST_TEST(kind.left_of_workers() == "");
    });
}

BOOST_AUTO_TEST_CASE(a_handler_is_cancelled_when_redis_refuses_to_renew_its_lease)
{
    for_each_kind_in_redis([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind};
        kind.push("a");
        one.start(one.hold(), kind.leased_for(1s));
        co_await one.events.wait_for(event_kind::started);
        make_redis_refuse(kind);
        const auto lost = co_await one.events.wait_for(event_kind::lease_lost);
        BOOST_TEST(lost.message == "it could not be renewed in time");
        co_await eventually("the handler is cancelled", [&] { return one.cancelled == 1; });
        BOOST_TEST(one.events.count(event_kind::warning) != 0u); // it was said why
        make_redis_accept(kind);
        co_await one.events.wait_for(event_kind::started, 2);
        one.open_gate();
        co_await one.events.wait_for(event_kind::succeeded);
        co_await one.stop();
        BOOST_TEST(kind.succeeded() == 1);
    });
}

BOOST_AUTO_TEST_CASE(a_job_that_was_given_up_while_redis_was_silent_runs_again_as_soon_as_it_answers)
{
    for_each_kind_in_redis([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind};
        kind.push("a");
        auto how = kind.leased_for(1s);
        how.monitor = false; // so that nobody waits for the end of that lease
        one.start(one.hold(), how);
        co_await one.events.wait_for(event_kind::started);
        kind.server()->freeze();
        co_await one.events.wait_for(event_kind::lease_lost);
        co_await eventually("the handler is cancelled", [&] { return one.cancelled == 1; });
        kind.server()->thaw();
        // The renewal that waited has given the worker another lease.
        co_await one.events.wait_for(event_kind::started, 2);
        one.open_gate();
        co_await one.events.wait_for(event_kind::succeeded);
        co_await one.stop();
        BOOST_TEST(one.attempts().at(1) == 1u, "the run was ended through no fault of its own");
        BOOST_TEST(one.events.count(event_kind::released) == 0u, "its end has been told already");
        BOOST_TEST(kind.succeeded() == 1);
        BOOST_TEST(kind.left_of_workers() == "");
    });
}

BOOST_AUTO_TEST_CASE(an_outcome_that_waits_for_a_renewal_is_kept_while_redis_is_away)
{
    for_each_kind_in_redis([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind};
        kind.push("a");
        const auto extend = [](job_context& renewed) -> asio::awaitable<void> {
            co_await renewed.async_extend();
        };
        const auto handler = [&](std::string, job_context& context) -> asio::awaitable<void> {
            kind.server()->freeze();
            background renewal{kind.io.get_executor(), extend(context)};
            renewal.cancel(); // whether it was carried out is unknown now
            (void)co_await renewal.join_and_tell();
        };
        auto how = kind.leased_for(1s);
        how.monitor = false;
        one.start(handler, how);
        co_await one.events.wait_for(event_kind::succeeded);
        co_await let_pass(1s); // the lease, by the worker's own clock
        kind.server()->thaw();
        co_await eventually("the outcome is stored", [&] { return kind.succeeded() == 1; });
        co_await one.stop();
        BOOST_TEST(one.events.count(event_kind::started) == 1u);
        BOOST_TEST(one.events.count(event_kind::lease_lost) == 0u);
    });
}

BOOST_AUTO_TEST_CASE(cut_connections_do_not_cost_the_lease)
{
    for_each_kind_in_redis([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind};
        kind.push("a");
        one.start(one.hold());
        co_await one.events.wait_for(event_kind::started);
        for (unsigned i = 1; i <= 5; ++i) {
            cut_connections(*kind.server());
            co_await kind.connections.wait_for(event_kind::reconnected, i);
            // Others may have taken the job for lost meanwhile.
            co_await one.events.wait_for(event_kind::leases_renewed, i);
        }
        one.open_gate();
        co_await one.events.wait_for(event_kind::succeeded);
        co_await one.stop();
        BOOST_TEST(one.events.count(event_kind::started) == 1u);
        BOOST_TEST(one.events.count(event_kind::lease_lost) == 0u);
        BOOST_TEST(kind.succeeded() == 1);
    });
}

BOOST_AUTO_TEST_CASE(an_outcome_that_could_not_be_stored_is_stored_after_the_reconnection)
{
    for_each_kind_in_redis([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind};
        kind.push("a");
        auto& server = *kind.server();
        const auto handler = [&](std::string) {
            server("CLIENT", "PAUSE", 60'000, "WRITE");
            return failure("kept");
        };
        one.start(handler);
        co_await eventually("it is held up", [&] {
            return one.events.count(event_kind::failed) == 1 &&
                   server.raw().info("clients", "blocked_clients") != "0";
        });
        cut_connections(server);
        server("CLIENT", "UNPAUSE");
        co_await kind.connections.wait_for(event_kind::reconnected);
        co_await eventually("it is stored", [&] { return kind.given_up() == 1; });
        co_await one.stop();
        BOOST_TEST(kind.running() == 0);
        BOOST_TEST(one.events.count(event_kind::lease_lost) == 0u);
        BOOST_TEST(one.events.count(event_kind::started) == 1u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
