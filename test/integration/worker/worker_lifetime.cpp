// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <list>
#include <optional>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

// Workers may be destroyed at any moment. What was leased stays leased; nothing is left at work.
BOOST_AUTO_TEST_SUITE(worker_lifetime)

namespace {

/// A client with a worker that is busy: jobs end at once, late, never, or come again.
struct busy_worker
{
    client redis;
    list_queue<int> numbers{redis, "numbers"};
    worker subject;

    busy_worker(const asio::any_io_executor& executor, client_options options)
        : redis{executor, std::move(options)}, subject{redis, {.concurrency = 10}}
    {
        subject.handle(numbers,
                       [](int n, job_context& context) -> asio::awaitable<outcome> {
                           if (n % 4 == 1)
                               co_await let_pass(1ms);
                           if (n % 4 == 2)
                               co_await let_pass(1h);
                           co_return n % 4 == 3 && context.attempt() == 1 ? retry("again", 0ms) : success();
                       },
                       {.lease = 100ms, .timeout = 50ms});
    }
};

struct lifetime_test : redis_test
{
    lifetime_test()
    {
        for (int i = 0; i != 40; ++i)
            server("LPUSH", "hworker-jobs-numbers",
                   "[\"a" + std::to_string(i) + "\"," + std::to_string(i) + "]");
    }

    void do_steps(asio::io_context& context, unsigned count)
    {
        context.restart();
        for (unsigned i = 0; i != count; ++i)
            context.run_one_for(1ms);
    }

    void expect_rest(unsigned steps)
    {
        io.restart();
        io.run_for(patience);
        BOOST_REQUIRE_MESSAGE(io.stopped(), "something is still at work after " << steps << " steps");
    }
};

constexpr unsigned most_steps = 300;

} // namespace

BOOST_FIXTURE_TEST_CASE(an_unused_worker_can_be_destroyed, lifetime_test)
{
    {
        busy_worker unused{io.get_executor(), options()};
    }
    BOOST_TEST(io.run() == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_worker_and_its_session_can_be_destroyed_at_any_step, lifetime_test)
{
    for (unsigned steps = 1; steps < most_steps; steps += 1 + steps / 10) {
        std::optional<busy_worker> busy{std::in_place, io.get_executor(), options()};
        background running{io.get_executor(), busy->subject.async_run(asio::use_awaitable)};
        do_steps(io, steps);
        busy.reset();
        expect_rest(steps);
        BOOST_REQUIRE(running.has_ended());
    }
}

BOOST_FIXTURE_TEST_CASE(a_worker_can_be_destroyed_before_its_session_at_any_step, lifetime_test)
{
    for (unsigned steps = 1; steps < most_steps; steps += 1 + steps / 10) {
        std::optional<client> redis{std::in_place, io.get_executor(), options()};
        list_queue<int> numbers{*redis, "numbers"};
        std::optional<worker> subject{std::in_place, *redis};
        subject->handle(numbers, [](int) -> asio::awaitable<void> { co_await let_pass(1h); });
        background running{io.get_executor(), subject->async_run()};
        do_steps(io, steps);
        subject.reset();
        do_steps(io, steps);
        redis.reset();
        expect_rest(steps);
        BOOST_REQUIRE(running.has_ended());
        // The rest of the jobs for the next round.
        server("DEL", "hworker-progress-numbers");
    }
}

BOOST_FIXTURE_TEST_CASE(a_context_can_be_destroyed_with_a_worker_at_any_step, lifetime_test)
{
    for (unsigned steps = 1; steps < most_steps; steps += 1 + steps / 10) {
        std::optional<asio::io_context> context{std::in_place, 1};
        auto busy = std::make_unique<busy_worker>(context->get_executor(), options());
        // The coroutine's frame owns everything and goes with the context.
        asio::co_spawn(
            *context,
            [](std::unique_ptr<busy_worker> owned) -> asio::awaitable<void> {
                co_await owned->subject.async_run();
            }(std::move(busy)),
            [](std::exception_ptr) {});
        do_steps(*context, steps);
        context.reset();
    }
}

BOOST_FIXTURE_TEST_CASE(a_worker_can_outlive_its_stopped_context, lifetime_test)
{
    // As in a program that keeps both as globals: the context no longer runs, then all are destroyed.
    for (unsigned steps = 1; steps < most_steps; steps += 1 + steps / 5) {
        asio::io_context context{1};
        busy_worker busy{context.get_executor(), options()};
        busy.subject.async_run([](error_code) {});
        do_steps(context, steps);
    }
}

BOOST_FIXTURE_TEST_CASE(a_worker_can_be_destroyed_by_its_own_handler, lifetime_test)
{
    std::optional<client> redis{std::in_place, io.get_executor(), options()};
    list_queue<int> numbers{*redis, "numbers"};
    std::optional<worker> subject{std::in_place, *redis};
    int handled = 0;
    subject->handle(numbers, [&](int) -> asio::awaitable<void> {
        if (++handled == 5)
            subject.reset();
        co_return;
    });
    background running{io.get_executor(), subject->async_run()};
    while (!running.has_ended() && io.run_one_for(patience) != 0)
        ;
    BOOST_TEST(running.has_ended());
    BOOST_TEST(handled >= 5);
    redis.reset();
    expect_rest(0);
}

BOOST_FIXTURE_TEST_CASE(a_worker_can_be_destroyed_by_an_observer, lifetime_test)
{
    for (const auto kind : {event_kind::connected, event_kind::fetched, event_kind::started,
                            event_kind::succeeded, event_kind::stopping, event_kind::stopped}) {
        std::optional<client> redis{std::in_place, io.get_executor(), options()};
        list_queue<int> numbers{*redis, "numbers"};
        std::optional<worker> subject;
        worker_options watched;
        watched.observers.push_back([&](const event& what) {
            if (what.kind == kind)
                subject.reset();
        });
        subject.emplace(*redis, watched);
        int handled = 0;
        subject->handle(numbers, [&](int) -> asio::awaitable<void> {
            if (++handled == 3 && subject)
                subject->stop();
            co_return;
        });
        background running{io.get_executor(), subject->async_run()};
        io.restart();
        while (!running.has_ended() && io.run_one_for(patience) != 0)
            ;
        BOOST_REQUIRE_MESSAGE(running.has_ended(), to_string(kind));
        BOOST_TEST(!subject.has_value());
        redis.reset();
        expect_rest(0);
        server("LPUSH", "hworker-jobs-numbers", R"(["b",4])", R"(["c",4])", R"(["d",4])", R"(["e",4])");
    }
}

BOOST_FIXTURE_TEST_CASE(what_a_destroyed_worker_held_runs_again, lifetime_test)
{
    run([&]() -> asio::awaitable<void> {
        std::optional<client> redis{std::in_place, io.get_executor(), options()};
        std::optional<list_queue<int>> numbers{std::in_place, *redis, "numbers"};
        std::optional<worker> subject{std::in_place, *redis, worker_options{.observers = {events.observe()}}};
        subject->handle(*numbers, [](int) -> asio::awaitable<void> { co_await let_pass(1h); });
        background running{io.get_executor(), subject->async_run()};
        co_await events.wait_for(event_kind::started, 40);
        subject.reset();
        numbers.reset();
        redis.reset();

        client other{io.get_executor(), options()};
        list_queue<int> same{other, "numbers"};
        event_log log{io.get_executor()};
        worker second{other, {.observers = {log.observe()}}};
        second.handle(same, [](int) {});
        background again{io.get_executor(), second.async_run(asio::use_awaitable)};
        co_await log.wait_for(event_kind::succeeded, 40);
        second.stop();
        co_await again.join();
        co_await other.async_stop();
        BOOST_TEST(running.has_ended());
    });
}

// Several workers hear of the connection, and one that is told destroys them all.
BOOST_FIXTURE_TEST_CASE(observers_of_the_connection_may_destroy_workers, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<std::optional<worker>> workers(6);
        bool is_lost = false;
        const auto destroy_all = [&](const event& what) {
            is_lost = is_lost || what.kind == event_kind::disconnected;
            if (what.kind == event_kind::disconnected)
                for (auto& each : workers)
                    each.reset();
        };
        client redis{io, options()};
        std::list<background> running;
        for (std::size_t i = 0; i != workers.size(); ++i) {
            auto& each = workers[i].emplace(redis, worker_options{.observers = {destroy_all}});
            list_queue<int> numbers{redis, "numbers-" + std::to_string(i)};
            each.handle(numbers, [](int) {});
            if (i % 2 == 0) // the others never run
                running.emplace_back(io.get_executor(), each.async_run());
        }
        co_await eventually("they work",
                            [&] { return server("EXISTS", "hworker-workers-numbers-4").integer == 1; });
        co_await redis.async_ping();
        server("CLIENT", "KILL", "TYPE", "pubsub");
        co_await eventually("the connection is lost", [&] { return is_lost; });
        for (auto& each : running)
            (void)co_await each.join_and_tell();
        co_await redis.async_ping();
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
