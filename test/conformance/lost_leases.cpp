#include "conformance/conformance_test.hpp"
#include "support/event_log.hpp"

#include "coworker/worker.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <optional>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What a worker does when a job is taken away from it, wherever its jobs are kept.
BOOST_AUTO_TEST_SUITE(lost_leases)

namespace {

/// A worker with one handler, which waits until it is cancelled or let go.
struct loser
{
    event_log events;
    asio::steady_timer gate;
    worker subject;
    bool was_cancelled = false;
    std::optional<background> running;

    loser(source_kind& kind, std::chrono::milliseconds lease)
        : events{kind.io.get_executor()}, gate{kind.io, asio::steady_timer::time_point::max()}, subject{
                                                                                                    kind.io,
                                                                                                    options()}
    {
        handle_options how;
        how.lease = lease;
        how.monitor = false;
        subject.handle_source(kind.make_source(), hold(), how);
    }

    /// With a place that is free, or becomes free, it might take the job itself as soon as it is back in the queue.
    worker_options options() const
    {
        worker_options result;
        result.concurrency = 1;
        result.observers.push_back(events.observe());
        return result;
    }

    job_handler hold()
    {
        return make_handler<std::string>([this](std::string) -> asio::awaitable<void> {
            error_code ignored;
            co_await gate.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
            const auto state = co_await asio::this_coro::cancellation_state;
            was_cancelled = state.cancelled() != asio::cancellation_type::none;
            subject.stop();
        });
    }

    asio::awaitable<void> begin(source_kind& kind)
    {
        running.emplace(kind.io.get_executor(), subject.async_run(asio::use_awaitable));
        co_await events.wait_for(event_kind::started);
    }

    /// The loss was told once, nothing else of the job, and it is still the winner's.
    void check(source_kind& kind) const
    {
        const auto lost = events.of(event_kind::lease_lost);
        BOOST_REQUIRE_MESSAGE(lost.size() == 1u, events.tell());
        BOOST_TEST(lost.front().job_id == "a");
        BOOST_TEST(events.count(event_kind::started) == 1u, events.tell());
        BOOST_TEST(events.count(event_kind::released) == 0u, events.tell());
        BOOST_TEST(kind.running() == 1);
        BOOST_TEST(kind.waiting() == 0);
        BOOST_TEST(kind.scheduled() == 0);
        BOOST_TEST(kind.given_up() == 0);
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_handler_whose_job_was_taken_away_is_cancelled_and_its_outcome_dropped)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        loser one{kind, 600ms};
        member winner{kind};
        co_await winner.open();
        kind.push("a");
        co_await one.begin(kind);
        kind.end_leases();
        const auto job = co_await winner.take_over();
        co_await one.events.wait_for(event_kind::lease_lost);
        co_await one.running->join();
        BOOST_TEST(one.was_cancelled);
        BOOST_TEST(one.events.count(event_kind::succeeded) == 0u);
        one.check(kind);
        BOOST_TEST(job.attempt == 2u);
        BOOST_TEST(co_await winner.settle(job, success()));
    });
}

BOOST_AUTO_TEST_CASE(an_outcome_of_a_job_that_was_taken_away_is_dropped)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        loser one{kind, 1h}; // too long for a renewal to notice
        member winner{kind};
        co_await winner.open();
        kind.push("a");
        co_await one.begin(kind);
        kind.end_leases();
        const auto job = co_await winner.take_over();
        one.gate.cancel();
        co_await one.running->join();
        one.check(kind);
        BOOST_TEST(co_await winner.settle(job, success()));
    });
}

BOOST_AUTO_TEST_SUITE_END()
