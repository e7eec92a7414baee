// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"

#include "coworker/run_blocking.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(blocking_work)

namespace {

struct pool_test : client_test
{
    asio::thread_pool pool{3};
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_function_runs_on_the_pool_and_its_result_returns, pool_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto loop = std::this_thread::get_id();
        const auto where =
            co_await async_run_blocking(pool.get_executor(), [] { return std::this_thread::get_id(); });
        BOOST_TEST((where != loop));
        BOOST_TEST((std::this_thread::get_id() == loop));

        bool ran = false;
        co_await async_run_blocking(pool.get_executor(), [&] { ran = true; });
        BOOST_TEST(ran);
        auto owned =
            co_await async_run_blocking(pool.get_executor(), [] { return std::make_unique<int>(17); });
        BOOST_TEST(*owned == 17);
    });
}

BOOST_FIXTURE_TEST_CASE(an_exception_comes_back, pool_test)
{
    run([&]() -> asio::awaitable<void> {
        std::string told;
        try {
            co_await async_run_blocking(pool.get_executor(),
                                        [] { throw std::runtime_error{"from the pool"}; });
        } catch (const std::runtime_error& error) {
            told = error.what();
        }
        BOOST_TEST(told == "from the pool");
    });
}

BOOST_FIXTURE_TEST_CASE(the_function_and_its_error_are_gone_when_it_completes, pool_test)
{
    run([&]() -> asio::awaitable<void> {
        // On the thread that waits, the order is always the same.
        const asio::any_io_executor here = co_await asio::this_coro::executor;
        const auto held = std::make_shared<int>(17);
        const auto returns = [held] { return *held; };
        const auto ends = [held] {};
        const auto throws = [held] { throw held; };
        const auto before = held.use_count();

        BOOST_TEST(co_await async_run_blocking(here, returns) == 17);
        BOOST_TEST(held.use_count() == before);
        co_await async_run_blocking(here, ends);
        BOOST_TEST(held.use_count() == before);
        try {
            co_await async_run_blocking(here, throws);
        } catch (const std::shared_ptr<int>&) {
            BOOST_TEST(held.use_count() == before + 1); // the exception's
        }
        BOOST_TEST(held.use_count() == before);
    });
}

BOOST_FIXTURE_TEST_CASE(the_lease_is_kept_alive_meanwhile, pool_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::vector<int> jobs{1, 2, 3};
        co_await numbers.async_push_many(jobs);
        std::atomic<bool> go_on = false;
        worker subject{redis, observed()};
        subject.handle(numbers,
                       [&](int) -> asio::awaitable<void> {
                           co_await async_run_blocking(pool.get_executor(), [&] { go_on.wait(false); });
                       },
                       {.lease = 5s});
        auto running = start(subject);
        co_await events.wait_until("more than a lease to pass", [](const event_log& log) {
            return log.total(event_kind::leases_renewed) >= 12;
        });
        go_on = true;
        go_on.notify_all();
        co_await events.wait_for(event_kind::succeeded, 3);
        co_await stop(subject, running);
        BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
        BOOST_TEST(events.total(event_kind::recovered) == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(the_worker_goes_on_with_other_jobs_meanwhile, pool_test)
{
    list_queue<int> quick{redis, "quick"};
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        std::atomic<bool> go_on = false;
        worker subject{redis, observed()};
        subject.handle(numbers, [&](int) -> asio::awaitable<void> {
            co_await async_run_blocking(pool.get_executor(), [&] {
                while (!go_on)
                    std::this_thread::yield();
            });
        });
        subject.handle(quick, [](int) {});
        auto running = start(subject);
        co_await events.wait_for(event_kind::started);
        for (int i = 0; i != 10; ++i)
            co_await quick.async_push(i);
        co_await events.wait_for(event_kind::succeeded, 10);
        BOOST_TEST(subject.running() == 1u);
        go_on = true;
        co_await events.wait_for(event_kind::succeeded, 11);
        co_await stop(subject, running);
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_that_stops_waits_for_the_function, pool_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        std::atomic<bool> go_on = false, ended = false;
        worker subject{redis, observed({.shutdown_timeout = 0ms})};
        subject.handle(numbers, [&](int) -> asio::awaitable<void> {
            co_await async_run_blocking(pool.get_executor(), [&] {
                while (!go_on)
                    std::this_thread::yield();
                ended = true;
            });
            co_await let_pass(1h); // where the cancellation reaches it
        });
        auto running = start(subject);
        co_await events.wait_for(event_kind::started);
        subject.stop();
        co_await events.wait_for(event_kind::stopping);
        co_await numbers.async_sizes();
        BOOST_TEST(!running.has_ended());
        go_on = true;
        co_await running.join();
        BOOST_TEST(ended);
        BOOST_TEST(events.count(event_kind::released) == 1u);
        BOOST_TEST(length() == 1);
    });
}

namespace {

/// How often others were given the executor.
struct turns_test : client_test
{
    static constexpr std::size_t jobs = 50; // one batch
    unsigned turns = 0;
    std::vector<unsigned> turns_before; ///< each run

    template<class Handler>
    void check(Handler handler)
    {
        run([&]() -> asio::awaitable<void> {
            std::vector<int> all(jobs);
            co_await numbers.async_push_many(all);
            bool counting = true;
            background counter{io.get_executor(), [](unsigned& count, bool& go_on) -> asio::awaitable<void> {
                                   const auto executor = co_await asio::this_coro::executor;
                                   while (go_on) {
                                       ++count;
                                       co_await asio::post(executor, asio::use_awaitable);
                                   }
                               }(turns, counting)};
            worker subject{redis, observed({.concurrency = 2 * jobs})};
            subject.handle(numbers, std::move(handler));
            co_await work(subject, jobs);
            counting = false;
            co_await counter.join();
            BOOST_TEST(events.of(event_kind::fetched).at(0).count == jobs);
            BOOST_REQUIRE(turns_before.size() == jobs);
            BOOST_TEST(turns_before.back() - turns_before.front() >= 3u);
            const auto sizes = co_await numbers.async_sizes();
            BOOST_TEST(sizes.total_succeeded == jobs);
        });
    }

    void block()
    {
        turns_before.push_back(turns);
        std::this_thread::sleep_for(2ms);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(others_have_their_turn_between_functions_that_take_their_time, turns_test)
{
    check([this](int) { block(); });
}

BOOST_FIXTURE_TEST_CASE(others_have_their_turn_between_coroutines_that_never_wait, turns_test)
{
    check([this](int) -> asio::awaitable<void> {
        block();
        co_return;
    });
}

BOOST_FIXTURE_TEST_CASE(a_stop_is_heard_between_functions_that_take_their_time, turns_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<int> all(jobs);
        co_await numbers.async_push_many(all);
        worker subject{redis, observed({.concurrency = 2 * jobs})};
        subject.handle(numbers, [&](int) {
            if (turns_before.empty())
                asio::post(io, [&] { subject.stop(); });
            block();
        });
        co_await subject.async_run();
        BOOST_TEST(turns_before.size() < jobs);
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == turns_before.size());
        BOOST_TEST((co_await numbers.async_sizes()).waiting == jobs - turns_before.size());
        BOOST_TEST(events.count(event_kind::released) == jobs - turns_before.size());
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_runs_on_a_strand_of_several_threads, redis_test)
{
    constexpr int jobs = 2'000;
    asio::thread_pool threads{3}, pool{2};
    const asio::any_io_executor strand = asio::make_strand(threads.get_executor());
    std::exception_ptr error;
    std::set<int> seen;
    std::set<std::thread::id> used;
    const auto test = [&]() -> asio::awaitable<void> {
        client redis{strand, options()};
        list_queue<int> numbers{redis, "numbers"};
        std::vector<int> all(jobs);
        for (int i = 0; i != jobs; ++i)
            all[static_cast<std::size_t>(i)] = i;
        co_await numbers.async_push_many(all);
        worker subject{redis, {.concurrency = 50}};
        subject.handle(numbers,
                       [&](int n) -> asio::awaitable<void> {
                           used.insert(std::this_thread::get_id());
                           int result = n;
                           if (n % 10 == 0)
                               result = co_await async_run_blocking(pool.get_executor(), [n] { return n; });
                           seen.insert(result);
                           if (seen.size() == jobs)
                               subject.stop();
                       },
                       {.lease = 5s});
        co_await subject.async_run();
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == std::uint64_t{jobs});
        co_await redis.async_stop();
    };
    asio::co_spawn(strand, test(), [&](std::exception_ptr thrown) { error = thrown; });
    threads.join();
    if (error)
        std::rethrow_exception(error);
    BOOST_TEST(seen.size() == static_cast<std::size_t>(jobs));
}

BOOST_AUTO_TEST_SUITE_END()
