// SPDX-License-Identifier: MIT
#include "conformance/worker_test.hpp"

#include "coworker/metrics.hpp"

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What a worker does when a job is taken away from it, wherever its jobs are kept.
BOOST_AUTO_TEST_SUITE(lost_leases)

namespace {

/// A worker that runs one job, which another one takes away from it.
struct robbed_worker
{
    event_counters counters;
    test_worker loser;
    member winner;
    fetched_job job; ///< the winner's

    explicit robbed_worker(source_kind& kind) : loser{kind, options()}, winner{kind} {}

    /// With a place that is free, or becomes free, it might take the job itself as soon as it is back in the queue.
    worker_options options() const
    {
        worker_options result;
        result.concurrency = 1;
        result.observers = {counters.observe()};
        return result;
    }

    asio::awaitable<void> happen(source_kind& kind, std::chrono::milliseconds lease)
    {
        co_await winner.open();
        kind.push("a");
        handle_options how;
        how.lease = lease;
        how.monitor = false;
        const auto run = [this, hold = loser.hold()](std::string text) -> asio::awaitable<void> {
            co_await hold(text);
            loser.subject.stop();
        };
        loser.start(run, how);
        co_await loser.events.wait_for(event_kind::started);
        kind.end_leases();
        job = co_await winner.take_over();
    }

    /// The loss was told once, nothing else of the job, and it is still the winner's.
    asio::awaitable<void> check(source_kind& kind)
    {
        const auto lost = loser.events.of(event_kind::lease_lost);
        BOOST_REQUIRE_MESSAGE(lost.size() == 1u, loser.events.tell());
        BOOST_TEST(lost.front().job_id == "a");
        BOOST_TEST(loser.events.count(event_kind::started) == 1u, loser.events.tell());
        BOOST_TEST(loser.events.count(event_kind::released) == 0u, loser.events.tell());
        BOOST_TEST(counters.running() == 0u);
        BOOST_TEST(kind.running() == 1);
        BOOST_TEST(kind.waiting() == 0);
        BOOST_TEST(kind.scheduled() == 0);
        BOOST_TEST(kind.given_up() == 0);
        BOOST_TEST(job.attempt == 2u);
        BOOST_TEST(co_await winner.settle(job, success()));
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_handler_whose_job_was_taken_away_is_cancelled_and_its_outcome_dropped)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        robbed_worker one{kind};
        co_await one.happen(kind, 2s);
        co_await one.loser.events.wait_for(event_kind::lease_lost);
        co_await one.loser.running().join();
        BOOST_TEST(one.loser.cancelled == 1u);
        BOOST_TEST(one.loser.events.count(event_kind::succeeded) == 0u);
        co_await one.check(kind);
    });
}

BOOST_AUTO_TEST_CASE(an_outcome_of_a_job_that_was_taken_away_is_dropped)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        robbed_worker one{kind};
        co_await one.happen(kind, 1h); // too long for a renewal to notice
        one.loser.open_gate();
        co_await one.loser.running().join();
        co_await one.check(kind);
    });
}

BOOST_AUTO_TEST_SUITE_END()
