// SPDX-License-Identifier: MIT
#include "conformance/worker_test.hpp"
#include "support/expect.hpp"

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// How a worker ends, and what it leaves behind.
BOOST_AUTO_TEST_SUITE(stopping)

namespace {

/// What waits is these jobs, none with an attempt counted, and first those that were given back. Nothing is left of the
/// worker.
asio::awaitable<void> check_waiting(source_kind& kind, std::vector<std::string> expected,
                                    std::ptrdiff_t released)
{
    auto left = kind.waiting_ids();
    BOOST_REQUIRE(left.size() == expected.size());
    BOOST_TEST(kind.left_of_workers() == "");
    member next{kind};
    co_await next.open();
    for (const auto& each : co_await next.take(expected.size()))
        BOOST_TEST(each.attempt == 1u);
    if (!kind.keeps_order()) {
        std::sort(left.begin(), left.begin() + released);
        std::sort(expected.begin(), expected.begin() + released);
    }
    BOOST_TEST(left == expected, boost::test_tools::per_element());
}

std::vector<std::string> without_first(std::vector<std::string> all, std::ptrdiff_t count)
{
    all.erase(all.begin(), all.begin() + count);
    return all;
}

worker_options with_places(std::size_t places)
{
    worker_options options;
    options.concurrency = places;
    return options;
}

} // namespace

BOOST_AUTO_TEST_CASE(running_handlers_may_finish)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind, with_places(4)};
        push_all(kind, numbered(10));
        one.start(one.hold());
        co_await one.events.wait_for(event_kind::started, 4);
        one.subject.stop();
        const auto told = co_await one.events.wait_for(event_kind::stopping);
        BOOST_TEST(told.count == 4u);
        co_await let_pass(20ms); // for as long as they run
        BOOST_TEST(!one.running().has_ended());
        BOOST_TEST(kind.running() == 4);
        one.open_gate();
        co_await one.running().join();
        BOOST_TEST(one.cancelled == 0u);
        BOOST_TEST(one.events.count(event_kind::succeeded) == 4u);
        BOOST_TEST((one.events.all().back().kind == event_kind::stopped));
        BOOST_TEST(kind.succeeded() == 4);
        co_await check_waiting(kind, without_first(numbered(10), 4), 0);
    });
}

BOOST_AUTO_TEST_CASE(handlers_that_take_too_long_are_cancelled_and_their_jobs_released)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        auto options = with_places(6);
        options.shutdown_timeout = 100ms;
        test_worker one{kind, options};
        push_all(kind, numbered(10));
        one.start(test_worker::run_for_ever);
        co_await one.events.wait_for(event_kind::started, 6);
        const auto asked = std::chrono::steady_clock::now();
        co_await one.stop();
        BOOST_TEST((std::chrono::steady_clock::now() - asked >= 100ms));
        BOOST_TEST(one.events.count(event_kind::released) == 6u);
        co_await check_waiting(kind, numbered(10), 6); // in front of the others, in their order
    });
}

BOOST_AUTO_TEST_CASE(many_jobs_released_keep_their_order)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind, in_a_hurry(500)};
        push_all(kind, numbered(600)); // several batches
        one.start(test_worker::run_for_ever);
        co_await one.events.wait_for(event_kind::started, 500);
        co_await one.stop();
        co_await check_waiting(kind, numbered(600), 500);
    });
}

BOOST_AUTO_TEST_CASE(jobs_that_were_not_started_go_back_in_their_order)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind, with_places(80)}; // 40 in one batch
        push_all(kind, numbered(60));
        std::size_t ran = 0;
        const auto handler = [&](std::string) {
            if (++ran == 3)
                one.subject.stop();
        };
        one.start(handler);
        co_await one.running().join();
        BOOST_TEST(ran == 3u);
        BOOST_TEST(kind.succeeded() == 3);
        co_await check_waiting(kind, without_first(numbered(60), 3), 57);
    });
}

BOOST_AUTO_TEST_CASE(jobs_that_were_not_started_go_back_while_running_handlers_may_finish)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind, with_places(40)};
        push_all(kind, numbered(20));
        std::size_t started = 0;
        const auto handler = [&, hold = one.hold()](std::string job) -> asio::awaitable<void> {
            if (++started == 4)
                one.subject.stop();
            else
                co_await hold(job);
        };
        one.start(handler);
        co_await eventually("what was not started is back", [&] { return kind.waiting() == 16; });
        BOOST_TEST(started == 4u);
        BOOST_TEST(one.subject.running() == 3u);
        one.open_gate();
        co_await one.running().join();
        BOOST_TEST(kind.succeeded() == 4);
        co_await check_waiting(kind, without_first(numbered(20), 4), 16);
    });
}

BOOST_AUTO_TEST_CASE(cancelled_jobs_stand_in_front_of_those_not_started)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind, in_a_hurry(240)};
        push_all(kind, numbered(200));
        std::size_t started = 0;
        const auto handler = [&](std::string job) -> asio::awaitable<void> {
            if (++started == 11)
                one.subject.stop();
            co_await test_worker::run_for_ever(job);
        };
        one.start(handler);
        co_await one.running().join();
        BOOST_TEST(one.events.count(event_kind::started) == 11u);
        co_await check_waiting(kind, numbered(200), 200);
    });
}

BOOST_AUTO_TEST_CASE(a_handler_that_ignores_its_cancellation_is_waited_for)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind, in_a_hurry()};
        kind.push("a");
        const auto handler = [hold = one.hold()](std::string job) -> asio::awaitable<void> {
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
            co_await hold(job);
        };
        one.start(handler);
        co_await one.events.wait_for(event_kind::started);
        one.subject.stop();
        co_await let_pass(100ms); // for as long as it runs
        BOOST_TEST(!one.running().has_ended());
        one.open_gate();
        co_await one.running().join();
        BOOST_TEST(one.events.count(event_kind::succeeded) == 1u);
        BOOST_TEST(kind.succeeded() == 1);
        BOOST_TEST(kind.left_of_workers() == "");
    });
}

BOOST_AUTO_TEST_CASE(every_outcome_is_stored_before_run_returns)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind, with_places(300)};
        push_all(kind, numbered(1'000));
        int ended = 0;
        const auto handler = [&](std::string, job_context& context) -> asio::awaitable<outcome> {
            co_await let_pass(1ms);
            const int number = ++ended;
            if (number == 500)
                one.subject.stop();
            co_return number % 3 == 0 && context.attempt() == 1 ? retry("again", 1h) : success();
        };
        one.start(handler);
        co_await one.running().join();
        const auto succeeded = static_cast<std::int64_t>(one.events.count(event_kind::succeeded));
        const auto retried = static_cast<std::int64_t>(one.events.count(event_kind::retried));
        BOOST_TEST(kind.succeeded() == succeeded);
        BOOST_TEST(kind.scheduled() == retried);
        BOOST_TEST(succeeded + retried >= 500);
        BOOST_TEST(kind.waiting() + kind.scheduled() + kind.succeeded() == 1'000);
        BOOST_TEST(kind.left_of_workers() == "");
    });
}

BOOST_AUTO_TEST_CASE(cancelling_run_gives_jobs_back)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        push_all(kind, numbered(3));
        for (const auto type : {asio::cancellation_type::terminal, asio::cancellation_type::partial,
                                asio::cancellation_type::total}) {
            test_worker one{kind, with_places(2)};
            one.subject.handle_source<std::string>(kind.make_source(), test_worker::run_for_ever);
            // As a cancellation of any type reaches an operation: this coroutine accepts them all.
            const auto run = [](worker& on) -> asio::awaitable<void> {
                co_await asio::this_coro::reset_cancellation_state(asio::enable_total_cancellation());
                co_await on.async_run(asio::use_awaitable);
            };
            background running{kind.io.get_executor(), run(one.subject)};
            co_await one.events.wait_for(event_kind::started, 2);
            running.cancel(type);
            const auto error = co_await error_of([&] { return running.join(); });
            BOOST_TEST((error.code == error_code{asio::error::operation_aborted}), error);
            BOOST_TEST(kind.waiting() == 3);
            BOOST_TEST(kind.left_of_workers() == "");
        }
        co_await check_waiting(kind, numbered(3), 2);
    });
}

BOOST_AUTO_TEST_SUITE_END()
