// SPDX-License-Identifier: MIT
#include "support/managed_worker_test.hpp"

#include "coworker/handlers_by_kind.hpp"
#include "coworker/managed_client.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <latch>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Handlers on an executor of their own: `handle_options::executor`.
BOOST_AUTO_TEST_SUITE(handler_executors)

namespace {

/// What handlers have seen, on whichever thread.
class sightings
{
public:
    void add(const std::string& what)
    {
        const std::lock_guard lock{mutex_};
        all_.insert(what);
    }
    bool has(const std::string& what) const
    {
        const std::lock_guard lock{mutex_};
        return all_.contains(what);
    }
    std::set<std::string> all() const
    {
        const std::lock_guard lock{mutex_};
        return all_;
    }

private:
    mutable std::mutex mutex_;
    std::set<std::string> all_;
};

struct pool_test : managed_worker_test
{
    asio::thread_pool pool{2}; // after the context of the client, so that it ends first
    const std::thread::id loop = std::this_thread::get_id();
    sightings seen;

    handle_options on_pool(handle_options how = {})
    {
        how.executor = pool.get_executor();
        return how;
    }
    bool is_elsewhere() const { return std::this_thread::get_id() != loop; }
    void note_place(const std::string& who)
    {
        seen.add(who + (is_elsewhere() ? " elsewhere" : " on the loop"));
    }

    /// A wait on the executor of the coroutine that waits.
    static asio::awaitable<void> rest(std::chrono::milliseconds time)
    {
        asio::steady_timer timer{co_await asio::this_coro::executor, time};
        co_await timer.async_wait(asio::use_awaitable);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(two_threads_run_two_handlers_at_the_same_time, pool_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::vector<int> jobs{1, 2};
        co_await numbers.async_push_many(jobs);
        std::latch both{2};
        worker subject{redis, observed()};
        subject.handle(
            numbers, [&](int) { both.arrive_and_wait(); }, on_pool());
        co_await work(subject, 2);
        BOOST_TEST(events.count(event_kind::succeeded) == 2u);
    });
}

BOOST_FIXTURE_TEST_CASE(functions_coroutines_and_middleware_run_there, pool_test)
{
    put("a", "Function");
    put("b", "Coroutine");
    run([&]() -> asio::awaitable<void> {
        const auto watch = [&](const char* who) {
            return [this, who](job_context&, next_handler next) -> asio::awaitable<outcome> {
                note_place(who);
                auto result = co_await next();
                note_place(who);
                co_return result;
            };
        };
        auto how = observed();
        how.middleware = {middleware{watch("outer")}};
        worker subject{redis, how};
        handlers_by_kind handlers;
        handlers.on("Function", [&](raw_json) { note_place("function"); });
        handlers.on("Coroutine", [&](raw_json, job_context& context) -> asio::awaitable<outcome> {
            note_place("coroutine");
            (void)co_await context.async_extend();
            note_place("coroutine");
            co_await rest(1ms);
            note_place("coroutine");
            co_return success();
        });
        auto options = on_pool();
        options.middleware = {middleware{watch("inner")}};
        subject.handle(mail, handlers, options);
        co_await work(subject, 2);
        BOOST_TEST(events.count(event_kind::succeeded) == 2u);
    });
    const std::set<std::string> expected{"outer elsewhere", "inner elsewhere", "function elsewhere",
                                         "coroutine elsewhere"};
    BOOST_TEST(seen.all() == expected, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(all_of_a_context_works_beside_renewals, pool_test)
{
    constexpr int jobs = is_sanitized ? 40 : 200;
    for (int i = 0; i != jobs; ++i)
        put("job" + std::to_string(i), "Count");
    run([&]() -> asio::awaitable<void> {
        std::atomic<int> wrong = 0;
        const auto expect = [&](bool condition) { wrong += condition ? 0 : 1; };
        const auto place = trace_context::make();
        worker subject{redis, observed({.concurrency = 20})};
        subject.handle(
            mail,
            [&](raw_json, job_context& context) -> asio::awaitable<outcome> {
                context.set_trace(place);
                expect(context.trace()->traceparent() == place.traceparent());
                context.set_timeout(1h);
                context.effects().add({"INCR", "runs"});
                for (int i = 0; i != 20; ++i) {
                    context.set_progress(i / 20.0, "step " + std::to_string(i));
                    expect(!context.cancelled() && !context.lease_token().empty());
                    expect(context.kind() == "Count" && context.attempt() == 1 && context.queue() == "mail");
                    if (i % 5 == 0)
                        expect((co_await context.async_save(i)).has_value());
                    else if (i % 5 == 1)
                        expect((co_await context.async_checkpoint<int>()) == i - 1);
                    else if (i % 5 == 2)
                        expect((co_await context.async_extend()).has_value());
                    expect(is_elsewhere());
                }
                try {
                    (void)co_await context.async_parent_result<int>("none");
                    expect(false);
                } catch (const system_error& error) {
                    expect(error.code() == errc::job_not_found && is_elsewhere());
                }
                co_return success();
            },
            on_pool());
        co_await work(subject, jobs);
        BOOST_TEST(wrong == 0);
        BOOST_TEST(events.count(event_kind::succeeded) == std::size_t{jobs});
        BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
    });
    BOOST_TEST(server("GET", "runs").text == std::to_string(jobs));
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(the_latest_progress_is_stored, pool_test)
{
    put("a", "Count");
    run([&]() -> asio::awaitable<void> {
        const managed_client jobs{redis};
        std::atomic<bool> go_on = false;
        worker subject{redis, observed()};
        subject.handle(
            mail,
            [&](raw_json, job_context& context) {
                for (int i = 0; i <= 10'000; ++i)
                    context.set_progress(i / 20'000.0);
                go_on.wait(false);
            },
            on_pool());
        auto running = start(subject);
        double told = 0;
        while (told < 0.5) {
            const auto status = co_await jobs.async_status("a");
            told = status.value().progress ? status.value().progress->fraction : 0;
        }
        BOOST_TEST(told == 0.5);
        go_on = true;
        go_on.notify_all();
        co_await events.wait_for(event_kind::succeeded);
        co_await stop(subject, running);
    });
}

BOOST_FIXTURE_TEST_CASE(an_exception_has_the_job_run_again, pool_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        worker subject{redis, observed()};
        subject.handle(
            numbers,
            [](int, job_context& context) -> asio::awaitable<void> {
                co_await rest(1ms);
                if (context.attempt() == 1)
                    throw std::runtime_error{"from the pool"};
            },
            on_pool({.backoff = no_backoff}));
        co_await work(subject, 1);
        BOOST_TEST(events.of(event_kind::retried).at(0).message == "from the pool");
        BOOST_TEST(events.count(event_kind::succeeded) == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_timeout_reaches_handlers_that_wait_and_handlers_that_compute, pool_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::vector<int> jobs{1, 2, 3};
        co_await numbers.async_push_many(jobs);
        worker subject{redis, observed()};
        subject.handle(
            numbers,
            [&](int job, job_context& context) -> asio::awaitable<void> {
                if (job == 1) {
                    co_await rest(1h);
                } else if (job == 2) {
                    while (!context.cancelled())
                        std::this_thread::yield();
                    throw std::runtime_error{"cancelled"};
                } else {
                    asio::steady_timer own{co_await asio::this_coro::executor, 1h};
                    bool told = false;
                    context.cancellation_slot().assign([&](asio::cancellation_type) {
                        told = true;
                        note_place("the slot");
                    });
                    try {
                        co_await own.async_wait(asio::use_awaitable);
                    } catch (const system_error&) { // the slot is told on this strand, before or after
                    }
                    co_await asio::this_coro::reset_cancellation_state();
                    while (!told)
                        co_await rest(1ms);
                    throw std::runtime_error{"cancelled"};
                }
            },
            on_pool({.timeout = 50ms, .exceptions = on_exception::fail}));
        co_await work(subject, 3);
        for (const auto& each : events.of(event_kind::failed))
            BOOST_TEST(each.message == "its timeout has passed");
    });
    BOOST_TEST(seen.has("the slot elsewhere"));
}

BOOST_FIXTURE_TEST_CASE(a_lost_lease_cancels_the_handler, pool_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        worker subject{redis, observed()};
        std::atomic<bool> was_cancelled = false;
        subject.handle(
            numbers,
            [&](int, job_context& context) -> asio::awaitable<void> {
                try {
                    co_await rest(1h);
                } catch (const system_error&) {
                    was_cancelled = context.cancelled();
                    throw;
                }
            },
            on_pool({.lease = 1s}));
        auto running = start(subject);
        co_await events.wait_for(event_kind::started);
        take_away();
        co_await events.wait_for(event_kind::lease_lost);
        co_await stop(subject, running);
        BOOST_TEST(was_cancelled);
        BOOST_TEST(events.count(event_kind::succeeded) + events.count(event_kind::failed) == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_stop_releases_what_waits_and_what_has_not_begun, pool_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<int> jobs(10);
        co_await numbers.async_push_many(jobs);
        std::atomic<int> begun = 0;
        std::atomic<bool> go_on = false;
        worker subject{redis, observed({.shutdown_timeout = 0ms})};
        subject.handle(
            numbers,
            [&](int) -> asio::awaitable<void> {
                ++begun;
                go_on.wait(false); // both threads of the pool, so that the others do not begin
                co_await rest(1h);
            },
            on_pool());
        auto running = start(subject);
        co_await events.wait_for(event_kind::started, 10);
        co_await eventually("two to begin", [&] { return begun == 2; });
        subject.stop();
        co_await events.wait_for(event_kind::stopping);
        co_await numbers.async_sizes();
        BOOST_TEST(!running.has_ended());
        go_on = true;
        go_on.notify_all();
        co_await running.join();
        BOOST_TEST(begun == 2);
        BOOST_TEST(events.count(event_kind::released) == 10u);
        BOOST_TEST(length() == 10);
    });
}

BOOST_FIXTURE_TEST_CASE(a_context_that_only_the_worker_needs_goes_on, redis_test)
{
    asio::io_context elsewhere;
    std::jthread thread;
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), options()};
        list_queue<int> numbers{redis, "numbers"};
        worker subject{redis, {.observers = {events.observe()}}};
        handle_options how;
        how.executor = elsewhere.get_executor();
        subject.handle(
            numbers, [](int) {}, how);
        background running{io.get_executor(), subject.async_run()};
        co_await wait_until_armed(3, 1);
        thread = std::jthread{[&] { elsewhere.run(); }}; // would return at once, if it had nothing to do
        for (int i = 0; i != 3; ++i) {
            co_await numbers.async_push(i);
            co_await events.wait_for(event_kind::succeeded, static_cast<std::size_t>(i) + 1);
        }
        subject.stop();
        co_await running.join();
        co_await redis.async_stop();
    });
    thread.join(); // returns, since the worker has ended
}

BOOST_FIXTURE_TEST_CASE(a_context_that_stops_ends_the_worker_and_loses_nothing, pool_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<int> jobs(20);
        co_await numbers.async_push_many(jobs);
        std::atomic<int> begun = 0;
        {
            worker subject{redis, observed({.concurrency = 5})};
            subject.handle(
                numbers,
                [&](int) -> asio::awaitable<void> {
                    ++begun;
                    co_await rest(1h);
                },
                on_pool({.lease = 1s, .monitor = false}));
            auto running = start(subject);
            co_await eventually("five to begin", [&] { return begun >= 5; });
            pool.stop();
            BOOST_TEST((co_await running.join_and_tell()).find("keep its context running") !=
                       std::string::npos);
        }
        BOOST_TEST(events.count(event_kind::succeeded) == 0u);
        worker other{redis, observed()};
        std::size_t done = 0;
        other.handle(numbers, [&](int) { ++done; }, {.lease = 1s});
        co_await work(other, 20);
        BOOST_TEST(done >= 20u);
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 20u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_context_that_has_stopped_before_is_told_of, pool_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        pool.stop();
        worker subject{redis, observed()};
        subject.handle(
            numbers, [](int) {}, on_pool());
        auto running = start(subject);
        BOOST_TEST((co_await running.join_and_tell()).find("queue 'numbers'") != std::string::npos);
        BOOST_TEST(length() == 1);
    });
}

BOOST_FIXTURE_TEST_CASE(a_stop_does_not_wait_for_a_context_that_has_stopped, pool_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        std::atomic<bool> begun = false;
        worker subject{redis, observed({.shutdown_timeout = 1h})};
        subject.handle(
            numbers,
            [&](int) -> asio::awaitable<void> {
                begun = true;
                co_await rest(1h);
            },
            on_pool());
        auto running = start(subject);
        co_await eventually("it to begin", [&] { return begun.load(); });
        pool.stop();
        subject.stop();
        BOOST_TEST((co_await running.join_and_tell()).find("has stopped") != std::string::npos);
    });
}

BOOST_FIXTURE_TEST_CASE(what_is_left_in_a_stopped_context_needs_nothing_of_the_worker, redis_test)
{
    std::atomic<bool> begun = false;
    asio::thread_pool pool{1}; // before the client's context, which therefore ends first
    asio::io_context own{1};
    run_coroutine(own,
                  [](client_options how, asio::any_io_executor elsewhere, asio::thread_pool& threads,
                     std::atomic<bool>& has_begun) -> asio::awaitable<void> {
                      client redis{co_await asio::this_coro::executor, how};
                      list_queue<int> numbers{redis, "numbers"};
                      co_await numbers.async_push(1);
                      worker subject{redis, {.observers = {}}};
                      handle_options options;
                      options.executor = elsewhere;
                      subject.handle(
                          numbers,
                          [&](int, job_context& context) -> asio::awaitable<void> {
                              context.cancellation_slot().assign([](asio::cancellation_type) {});
                              has_begun = true;
                              co_await let_pass(1h);
                          },
                          options);
                      background running{co_await asio::this_coro::executor, subject.async_run()};
                      co_await eventually("it to begin", [&] { return has_begun.load(); });
                      threads.stop();
                      subject.stop();
                      BOOST_TEST((co_await running.join_and_tell()).find("has stopped") != std::string::npos);
                      co_await redis.async_stop();
                  }(options(), pool.get_executor(), pool, begun));
}

BOOST_FIXTURE_TEST_CASE(the_clients_own_threads_may_be_used, redis_test)
{
    constexpr int jobs = 200;
    asio::thread_pool threads{2};
    {
        client redis{threads, options()};
        list_queue<int> numbers{redis, "numbers"};
        worker subject{redis, {.observers = {}}};
        std::atomic<int> left = jobs;
        std::latch both{2};
        handle_options how;
        how.executor = threads.get_executor();
        subject.handle(
            numbers,
            [&](int job) {
                if (job < 2) // on both threads at the same time, though the worker has none meanwhile
                    both.arrive_and_wait();
                if (--left == 0)
                    subject.stop();
            },
            how);
        std::vector<int> all(jobs);
        for (int i = 0; i != jobs; ++i)
            all[static_cast<std::size_t>(i)] = i;
        (void)numbers.async_push_many(all, asio::use_future).get();
        subject.async_run(asio::use_future).get();
        BOOST_TEST(numbers.async_sizes(asio::use_future).get().total_succeeded == std::uint64_t{jobs});
        redis.async_stop(asio::use_future).get();
    }
    threads.join();
}

BOOST_AUTO_TEST_SUITE_END()
