#include "support/client_test.hpp"
#include "support/expect.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(stopping)

namespace {

using clock = std::chrono::steady_clock;

struct stop_test : client_test
{
    asio::steady_timer gate{io, clock::time_point::max()};

    /// A handler that waits for the gate; ends at once when it is cancelled.
    auto hold()
    {
        return [this](int) -> asio::awaitable<void> {
            boost::system::error_code ec;
            co_await gate.async_wait(asio::redirect_error(asio::use_awaitable, ec));
        };
    }

    static asio::awaitable<void> take_for_ever(int) { co_await let_pass(1h); }

    /// Pushes `count` jobs, whose numbers are their ids.
    asio::awaitable<void> fill(int count)
    {
        for (int i = 0; i != count; ++i) {
            const std::string id = std::to_string(i);
            co_await numbers.async_push(i, {.id = id});
        }
    }

    std::vector<int> waiting_numbers()
    {
        std::vector<int> result;
        for (const auto& payload : payloads())
            result.push_back(std::stoi(payload.substr(2)));
        return result;
    }

    /// No trace of the worker is left.
    void check_nothing_left()
    {
        for (const char* part : {"progress", "workers", "gone", "twins"})
            BOOST_TEST(server("EXISTS", std::string{"hworker-"} + part + "-numbers").integer == 0, part);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(running_handlers_may_finish, stop_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fill(10);
        worker subject{redis, observed({.concurrency = 4})};
        subject.handle(numbers, hold());
        auto running = start(subject);
        co_await events.wait_for(event_kind::started, 4);
        subject.stop();
        const auto draining = co_await events.wait_for(event_kind::stopping);
        BOOST_TEST(draining.count == 4u);
        co_await numbers.async_sizes();
        BOOST_TEST(!running.has_ended());
        gate.cancel();
        co_await running.join();
        BOOST_TEST(events.count(event_kind::succeeded) == 4u);
        BOOST_TEST((events.all().back().kind == event_kind::stopped));
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 4u);
        const std::vector<int> expected{4, 5, 6, 7, 8, 9};
        BOOST_TEST(waiting_numbers() == expected, boost::test_tools::per_element());
        check_nothing_left();
    });
}

BOOST_FIXTURE_TEST_CASE(handlers_that_take_too_long_are_cancelled_and_their_jobs_given_back, stop_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fill(10);
        worker subject{redis, observed({.concurrency = 6, .shutdown_timeout = 100ms})};
        subject.handle(numbers, take_for_ever);
        auto running = start(subject);
        co_await events.wait_for(event_kind::started, 6);
        const auto asked = clock::now();
        co_await stop(subject, running);
        BOOST_TEST((clock::now() - asked >= 100ms));
        BOOST_TEST(events.count(event_kind::released) == 6u);
        // In front of the others, in their order.
        const std::vector<int> expected{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        BOOST_TEST(waiting_numbers() == expected, boost::test_tools::per_element());
        BOOST_TEST(server("EXISTS", "hworker-attempts-numbers").integer == 0); // no attempt is counted
        check_nothing_left();
    });
}

BOOST_FIXTURE_TEST_CASE(many_jobs_given_back_keep_their_order, stop_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fill(600); // several batches
        worker subject{redis, observed({.concurrency = 500, .shutdown_timeout = 0ms})};
        subject.handle(numbers, take_for_ever);
        auto running = start(subject);
        co_await events.wait_for(event_kind::started, 500);
        co_await stop(subject, running);
        const auto left = waiting_numbers();
        BOOST_REQUIRE(left.size() == 600u);
        for (int i = 0; i != 600; ++i)
            BOOST_REQUIRE(left[static_cast<std::size_t>(i)] == i);
        check_nothing_left();
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_that_were_taken_and_not_started_go_back_in_their_order, stop_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fill(60);
        std::vector<int> ran;
        worker subject{redis, observed({.concurrency = 80})}; // 40 in one batch
        subject.handle(numbers, [&](int n) {
            ran.push_back(n);
            if (n == 2)
                subject.stop();
        });
        co_await subject.async_run();
        const std::vector<int> expected{0, 1, 2};
        BOOST_TEST(ran == expected, boost::test_tools::per_element());
        const auto left = waiting_numbers();
        BOOST_REQUIRE(left.size() == 57u);
        for (int i = 0; i != 57; ++i)
            BOOST_TEST(left[static_cast<std::size_t>(i)] == i + 3);
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 3u);
        BOOST_TEST(server("EXISTS", "hworker-attempts-numbers").integer == 0);
        check_nothing_left();
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_not_started_go_back_while_running_handlers_may_finish, stop_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fill(20);
        worker subject{redis, observed({.concurrency = 40})};
        subject.handle(numbers, [&](int n) -> asio::awaitable<void> {
            if (n == 3) {
                subject.stop();
                co_return;
            }
            boost::system::error_code ec;
            co_await gate.async_wait(asio::redirect_error(asio::use_awaitable, ec));
        });
        auto running = start(subject);
        co_await eventually("what was not started is back", [&] { return length() == 16; });
        BOOST_TEST(events.count(event_kind::started) == 4u);
        BOOST_TEST(subject.running() == 3u);
        gate.cancel();
        co_await running.join();
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 4u);
        BOOST_TEST(waiting_numbers().front() == 4);
        BOOST_TEST(waiting_numbers().back() == 19);
        check_nothing_left();
    });
}

BOOST_FIXTURE_TEST_CASE(cancelled_jobs_stand_in_front_of_those_not_started, stop_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fill(200);
        worker subject{redis, observed({.concurrency = 240, .shutdown_timeout = 0ms})};
        subject.handle(numbers, [&](int n) -> asio::awaitable<void> {
            if (n == 10)
                subject.stop();
            co_await let_pass(1h);
        });
        co_await subject.async_run();
        const auto left = waiting_numbers();
        BOOST_REQUIRE(left.size() == 200u);
        for (int i = 0; i != 200; ++i)
            BOOST_REQUIRE(left[static_cast<std::size_t>(i)] == i);
        BOOST_TEST(events.count(event_kind::started) == 11u);
        check_nothing_left();
    });
}

BOOST_FIXTURE_TEST_CASE(a_handler_that_ignores_its_cancellation_is_waited_for, stop_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fill(1);
        worker subject{redis, observed({.shutdown_timeout = 0ms})};
        subject.handle(numbers, [](int) -> asio::awaitable<void> {
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
            co_await let_pass(300ms);
        });
        auto running = start(subject);
        co_await events.wait_for(event_kind::started);
        co_await stop(subject, running);
        BOOST_TEST(events.count(event_kind::succeeded) == 1u);
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 1u);
        check_nothing_left();
    });
}

BOOST_FIXTURE_TEST_CASE(every_outcome_is_stored_before_run_returns, stop_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fill(2'000);
        int ended = 0;
        worker subject{redis, observed({.concurrency = 300})};
        subject.handle(numbers, [&](int n, job_context& context) -> asio::awaitable<outcome> {
            co_await let_pass(1ms);
            if (++ended == 1'000)
                subject.stop();
            co_return n % 3 == 0 && context.attempt() == 1 ? retry("again", 1h) : success();
        });
        co_await subject.async_run();
        const auto sizes = co_await numbers.async_sizes();
        BOOST_TEST(sizes.total_succeeded == events.count(event_kind::succeeded));
        BOOST_TEST(sizes.scheduled == events.count(event_kind::retried));
        BOOST_TEST(sizes.waiting + sizes.scheduled + sizes.total_succeeded == 2'000u);
        check_nothing_left();
    });
}

BOOST_FIXTURE_TEST_CASE(stop_may_be_called_again_and_again, stop_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fill(3);
        worker subject{redis, observed()};
        subject.handle(numbers, hold());
        auto running = start(subject);
        co_await events.wait_for(event_kind::started, 3);
        subject.stop();
        subject.stop();
        co_await events.wait_for(event_kind::stopping);
        subject.stop();
        gate.cancel();
        co_await running.join();
        subject.stop();
        BOOST_TEST(events.count(event_kind::stopping) == 1u);
        BOOST_TEST(events.count(event_kind::stopped) == 1u);
        check_nothing_left();
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_stopped_before_it_runs_returns_at_once, stop_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fill(1);
        worker subject{redis, observed()};
        subject.handle(numbers, hold());
        subject.stop();
        co_await subject.async_run();
        BOOST_TEST(events.count(event_kind::started) == 0u);
        BOOST_TEST(length() == 1);
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_runs_once, stop_test)
{
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()}, idle{redis};
        subject.handle(numbers, hold());
        auto running = start(subject);
        co_await wait_until_armed(5);
        BOOST_TEST(co_await error_of(subject.async_run()) == errc::already_running);
        BOOST_TEST(error_in([&] { subject.handle(numbers, hold()); }) == errc::already_running);
        co_await stop(subject, running);
        BOOST_TEST(co_await error_of(subject.async_run()) == errc::already_running);
        BOOST_TEST(co_await error_of(idle.async_run()) == errc::invalid_worker);
    });
}

BOOST_FIXTURE_TEST_CASE(cancelling_run_gives_jobs_back, stop_test)
{
    run([&]() -> asio::awaitable<void> {
        for (const auto type : {asio::cancellation_type::terminal, asio::cancellation_type::partial,
                                asio::cancellation_type::total}) {
            const auto before = events.count(event_kind::started);
            co_await fill(3);
            worker subject{redis, observed({.concurrency = 2})};
            subject.handle(numbers, take_for_ever);
            // As a cancellation of any type reaches an operation: this coroutine accepts them all.
            background running{io.get_executor(), [](worker& on) -> asio::awaitable<void> {
                                   co_await asio::this_coro::reset_cancellation_state(
                                       asio::enable_total_cancellation());
                                   co_await on.async_run();
                               }(subject)};
            co_await events.wait_for(event_kind::started, before + 2);
            running.cancel(type);
            error_code code;
            try {
                co_await running.join();
            } catch (const system_error& error) {
                code = error.code();
            }
            BOOST_TEST((code == asio::error::operation_aborted), code.message());
            BOOST_TEST(length() == 3);
            check_nothing_left();
            co_await numbers.async_destroy();
        }
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_stops_while_it_connects, stop_test)
{
    run([&]() -> asio::awaitable<void> {
        server.kill();
        worker subject{redis, observed()};
        subject.handle(numbers, hold());
        auto running = start(subject);
        co_await events.wait_for(event_kind::disconnected, 2);
        co_await stop(subject, running);
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_stops_although_redis_is_gone, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        auto impatient = options();
        impatient.command_timeout = 500ms;
        client redis{io.get_executor(), impatient};
        list_queue<int> numbers{redis, "numbers"};
        co_await numbers.async_push(1);
        worker subject{redis, {.shutdown_timeout = 0ms, .observers = {events.observe()}}};
        subject.handle(numbers, stop_test::take_for_ever);
        background running{io.get_executor(), subject.async_run(asio::use_awaitable)};
        co_await events.wait_for(event_kind::started);
        server.kill();
        subject.stop();
        co_await running.join();
        BOOST_TEST(events.count(event_kind::stopped) == 1u);
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(run_ends_when_its_session_does, stop_test)
{
    redis_test::run([&]() -> asio::awaitable<void> {
        co_await fill(3);
        worker subject{redis, observed()};
        subject.handle(numbers, take_for_ever);
        auto running = start(subject);
        co_await events.wait_for(event_kind::started, 3);
        co_await redis.async_stop();
        BOOST_TEST(co_await error_of(running.join()) == errc::stopped);
        BOOST_TEST(server("HLEN", "hworker-progress-numbers").integer == 3); // recovery returns them
    });
}

BOOST_FIXTURE_TEST_CASE(run_tells_what_is_wrong_with_a_key, redis_test)
{
    for (const char* part : {"jobs", "progress", "broken", "failed", "scheduled", "attempts", "twins",
                             "failures", "counters", "workers", "gone"}) {
        stop_test each;
        const std::string key = std::string{"hworker-"} + part + "-numbers";
        each.server("SET", key, "something else");
        each.run([&]() -> asio::awaitable<void> {
            worker subject{each.redis, each.observed()};
            subject.handle(each.numbers, each.hold());
            const auto error = co_await error_of(subject.async_run());
            BOOST_TEST(error == errc::wrong_key_type);
            BOOST_TEST(error.says(key), error);
        });
    }
}

BOOST_FIXTURE_TEST_CASE(run_tells_what_is_wrong_with_the_server, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        auto unknown = options();
        unknown.user = "nobody";
        unknown.password = "secret";
        client redis{io.get_executor(), unknown};
        list_queue<int> numbers{redis, "numbers"};
        worker subject{redis};
        subject.handle(numbers, [](int) {});
        BOOST_TEST(co_await error_of(subject.async_run()) == errc::authentication_refused);
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
