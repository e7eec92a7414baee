// SPDX-License-Identifier: MIT
#include "conformance/worker_test.hpp"

#include <boost/asio/post.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// A worker that is told to fetch no more jobs, and goes on: `worker::stop_fetching`.
BOOST_AUTO_TEST_SUITE(quiet_workers)

namespace {

worker_options with_places(std::size_t places)
{
    worker_options options;
    options.concurrency = places;
    return options;
}

/// Another worker runs what is left in the queue, until so many jobs have succeeded in all.
asio::awaitable<void> let_another_run_the_rest(source_kind& kind, std::int64_t all)
{
    test_worker other{kind};
    other.start([](std::string) {});
    co_await eventually("the other worker has run the rest", [&] { return kind.succeeded() == all; });
    co_await other.stop();
}

} // namespace

BOOST_AUTO_TEST_CASE(a_quiet_worker_finishes_what_runs_and_fetches_nothing_more)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind, in_a_hurry(4)}; // its shutdown timeout is over at once, were it to begin
        push_all(kind, numbered(10));
        std::size_t begun = 0;
        one.start([&, hold = one.hold()](std::string job) -> asio::awaitable<outcome> {
            const bool is_first = ++begun == 1;
            co_await hold(job);
            co_return is_first ? retry("once more", 0s) : success();
        });
        co_await one.events.wait_for(event_kind::started, 4);
        one.subject.stop_fetching();
        one.subject.stop_fetching(); // nothing changes
        kind.push("pushed later");
        one.open_gate();
        co_await one.events.wait_for(event_kind::succeeded, 3);
        co_await one.events.wait_for(event_kind::retried);
        co_await let_another_run_the_rest(kind, 11); // what is to be retried, too
        BOOST_TEST(one.events.count(event_kind::started) == 4u);
        BOOST_TEST(one.events.count(event_kind::stopping) == 0u);
        BOOST_TEST(one.cancelled == 0u);
        BOOST_TEST(one.subject.running() == 0u);
        BOOST_TEST(!one.running().has_ended());
        co_await one.stop();
        BOOST_TEST((one.events.all().back().kind == event_kind::stopped));
        BOOST_TEST(kind.left_of_workers() == "");
    });
}

BOOST_AUTO_TEST_CASE(a_quiet_worker_keeps_the_leases_of_what_runs)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind, with_places(2)};
        push_all(kind, numbered(2));
        one.start(one.hold(), kind.leased_for(3s));
        co_await one.events.wait_for(event_kind::started, 2);
        one.subject.stop_fetching();
        co_await one.events.wait_until("each lease to be renewed twice", [](const event_log& log) {
            return log.total(event_kind::leases_renewed) >= 4;
        });
        BOOST_TEST(kind.running() == 2);
        one.open_gate();
        co_await eventually("they have run", [&] { return kind.succeeded() == 2; });
        BOOST_TEST(one.events.count(event_kind::lease_lost) == 0u);
        co_await one.stop();
    });
}

// Jobs that have been fetched and not begun: they begin as places become free.
BOOST_AUTO_TEST_CASE(what_was_fetched_ahead_runs_in_a_quiet_worker)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        constexpr std::int64_t all = 3'000;
        push_all(kind, numbered(all));
        test_worker one{kind, with_places(3)};
        std::size_t begun = 0, begun_before = 0, had = 0;
        one.start([&](std::string) -> asio::awaitable<void> {
            ++begun;
            if (had == 0 && one.subject.running() > 3) {
                had = one.subject.running();
                begun_before = begun;
                one.subject.stop_fetching();
            }
            co_await asio::post(one.subject.get_executor(), asio::use_awaitable);
        });
        co_await eventually("it has run what it had, or everything", [&] {
            return kind.succeeded() == all || (had != 0 && one.subject.running() == 0 && kind.running() == 0);
        });
        const auto succeeded = kind.succeeded();
        BOOST_TEST(had > 3u);
        BOOST_TEST(begun > begun_before);
        BOOST_TEST(succeeded == static_cast<std::int64_t>(begun));
        BOOST_TEST(kind.waiting() == all - succeeded);
        co_await let_another_run_the_rest(kind, all);
        BOOST_TEST(begun == static_cast<std::size_t>(succeeded));
        co_await one.stop();
    });
}

// Those that would wait for long go to other workers, as ever.
BOOST_AUTO_TEST_CASE(what_was_fetched_ahead_goes_back_when_the_handlers_of_a_quiet_worker_become_slow)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        constexpr std::int64_t all = 3'000;
        push_all(kind, numbered(all));
        test_worker one{kind, with_places(3)};
        std::size_t had = 0;
        one.start([&, hold = one.hold()](std::string job) -> asio::awaitable<void> {
            if (had == 0 && one.subject.running() > 3) {
                had = one.subject.running();
                one.subject.stop_fetching();
            }
            if (had != 0)
                co_await hold(job);
        });
        co_await eventually("it has only those that run",
                            [&] { return had != 0 && one.subject.running() == 3; });
        co_await let_another_run_the_rest(kind, all - 3);
        BOOST_TEST(kind.running() == 3);
        one.open_gate();
        co_await eventually("all have run", [&] { return kind.succeeded() == all; });
        for (const auto attempt : one.attempts())
            BOOST_TEST(attempt == 1u);
        co_await one.stop();
    });
}

BOOST_AUTO_TEST_CASE(a_worker_that_is_quiet_from_the_start_returns_the_jobs_of_dead_ones)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        member victim{kind};
        co_await victim.open();
        kind.push("a");
        (void)co_await victim.take_one();
        test_worker one{kind};
        one.subject.stop_fetching();
        handle_options how;
        how.worker_grace = 200ms;
        one.start(test_worker::run_for_ever, how);
        co_await victim.die(kind);
        const auto told = co_await one.events.wait_for(event_kind::recovered);
        BOOST_TEST(told.count == 1u);
        co_await let_another_run_the_rest(kind, 1);
        BOOST_TEST(one.events.count(event_kind::fetched) == 0u);
        co_await one.stop();
        BOOST_TEST(one.events.count(event_kind::released) == 0u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
