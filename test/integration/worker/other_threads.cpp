// SPDX-License-Identifier: MIT
#include "support/redis_test.hpp"

#include "coworker/batches.hpp"
#include "coworker/handlers_by_kind.hpp"
#include "coworker/inspector.hpp"
#include "coworker/job_taker.hpp"
#include "coworker/list_queue.hpp"
#include "coworker/managed_client.hpp"
#include "coworker/managed_events.hpp"
#include "coworker/managed_queue.hpp"
#include "coworker/monitor.hpp"
#include "coworker/worker.hpp"

#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

/// A client on the threads of a pool, where a worker is busy. This thread makes other objects of the client, feeds, runs
/// and stops them, and destroys them: each is used by this thread alone.
namespace coworker::test {
namespace {

using namespace std::chrono_literals;

constexpr int rounds = is_sanitized ? 40 : 200;

struct busy_pool : redis_test
{
    asio::thread_pool pool{2};
    client redis{pool, options()};
    list_queue<int> numbers{redis, "numbers"};
    managed_queue mail{redis, "mail"};
    managed_queue sums{redis, "sums"}; ///< of jobs that return something
    worker busy{redis};
    std::atomic<int> jobs = 0;
    std::atomic<bool> is_over = false;
    std::future<void> running;

    busy_pool()
    {
        // There is one job of each queue at a time: so the worker waits for jobs again and again.
        busy.handle(numbers, [this](int number) -> asio::awaitable<void> {
            ++jobs;
            if (!is_over)
                co_await numbers.async_push(number);
        });
        busy.handle(mail, [this](raw_json) -> asio::awaitable<void> {
            if (!is_over)
                co_await mail.async_push("Letter", 1);
        });
        handlers_by_kind by_kind;
        by_kind.on<int>("Sum", [](int number) { return number + 1; });
        busy.handle(sums, by_kind);
        running = busy.async_run(asio::use_future);
        std::ignore = numbers.async_push(1, asio::use_future).get();
        std::ignore = mail.async_push("Letter", 1, asio::use_future).get();
    }

    ~busy_pool()
    {
        is_over = true;
        busy.stop();
        running.get();
        redis.async_stop(asio::use_future).get();
        pool.join();
    }

    /// Calls `use` while the worker is busy: as often as is said, and until it has run as many jobs.
    template<class Use>
    void beside_the_worker(Use use)
    {
        for (int round = 0; round < rounds || jobs < rounds; ++round)
            use(round);
    }

    /// A worker with queues of each kind, of which one is divided.
    worker make_worker(int round)
    {
        worker made{redis};
        list_queue<int> own{redis, "own-" + std::to_string(round % 3)};
        list_queue<int> divided{redis, "divided", {.partitions = 2}};
        managed_queue letters{redis, "letters"};
        made.handle(own, [](int) {});
        made.handle(divided, [](int) {});
        made.handle(letters, [](raw_json) {});
        return made;
    }
};

/// The futures of what was destroyed with the object may have any end; but they have one.
template<class... Future>
void wait_for(Future&... ended)
{
    (ended.wait(), ...);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(other_threads, busy_pool)

BOOST_AUTO_TEST_CASE(workers_that_never_run_come_and_go)
{
    beside_the_worker([&](int round) {
        auto made = make_worker(round);
        auto moved = std::move(made);
    });
}

BOOST_AUTO_TEST_CASE(workers_run_and_are_stopped)
{
    beside_the_worker([&](int round) {
        auto made = make_worker(round);
        auto ended = made.async_run(asio::use_future);
        made.stop();
        ended.get();
    });
}

BOOST_AUTO_TEST_CASE(running_workers_are_destroyed)
{
    std::future<void> ended;
    beside_the_worker([&](int round) {
        auto made = make_worker(round);
        ended = made.async_run(asio::use_future);
        if (round % 2 == 0)
            std::ignore = list_queue<int>{redis, "own-" + std::to_string(round % 3)}
                              .async_push(1, asio::use_future)
                              .get();
    });
    wait_for(ended);
}

BOOST_AUTO_TEST_CASE(monitors_come_and_go)
{
    std::future<void> ended;
    beside_the_worker([&](int round) {
        std::optional<monitor> made{redis};
        made->watch(numbers);
        made->watch(mail);
        if (round % 3 == 0)
            return;
        ended = made->async_run(asio::use_future);
        if (round % 3 == 1) {
            made->stop();
            ended.get();
        } else {
            made.reset();
            ended.wait();
        }
    });
}

BOOST_AUTO_TEST_CASE(listeners_to_events_come_and_go)
{
    beside_the_worker([&](int round) {
        std::optional<managed_events> heard{redis};
        auto event = heard->async_next(asio::use_future);
        if (round % 2 == 0)
            heard->async_stop(asio::use_future).get();
        heard.reset();
        wait_for(event);
    });
}

BOOST_AUTO_TEST_CASE(results_are_waited_for)
{
    const auto never = managed_queue{redis, "nobodys"}.async_push("Letter", 1, asio::use_future).get();
    auto in_vain = managed_client{redis}.async_wait_for(never, asio::use_future);
    beside_the_worker([&](int round) {
        std::optional<managed_client> jobs{redis};
        auto own = std::make_unique<managed_queue>(redis, "sums");
        const auto id = own->async_push("Sum", round, asio::use_future).get();
        auto result = round % 2 == 0 ? jobs->async_wait_for<int>(id, asio::use_future)
                                     : own->async_wait_for<int>(id, asio::use_future);
        auto none = own->async_wait_for("none", asio::use_future);
        jobs.reset(); // while they wait
        own.reset();
        BOOST_TEST(result.get() == round + 1);
        BOOST_CHECK_THROW(none.get(), system_error);
    });
    (void)managed_client{redis}.async_cancel(text_list{never}, asio::use_future).get();
    BOOST_CHECK_THROW(in_vain.get(), system_error);
}

BOOST_AUTO_TEST_CASE(batches_are_waited_for)
{
    beside_the_worker([&](int round) {
        std::optional<batches> all{redis};
        const auto id = all->async_open(asio::use_future).get();
        auto ended = all->async_wait_for(id, asio::use_future);
        managed_push_options options;
        options.batch = id;
        auto first = sums.async_push("Sum", round, options, asio::use_future);
        auto second = sums.async_push("Sum", round + 1, options, asio::use_future);
        wait_for(first, second);
        auto sealed = all->async_seal(id, asio::use_future);
        auto listed = all->async_list("", 10, asio::use_future);
        all.reset();
        wait_for(sealed, listed);
        BOOST_TEST(ended.get().succeeded == 2u);
    });
}

BOOST_AUTO_TEST_CASE(job_takers_come_and_go)
{
    beside_the_worker([&](int round) {
        std::optional<job_taker> taker{redis};
        take_options who;
        who.worker = "elsewhere";
        who.wait = round % 3 == 0 ? 0ms : 10s;
        auto list = taker->async_take(queue_ref::list("none"), who, asio::use_future);
        auto managed = taker->async_take(queue_ref::managed("none"), who, asio::use_future);
        if (round % 3 == 1)
            taker->stop();
        else
            taker.reset();
        wait_for(list, managed);
    });
}

BOOST_AUTO_TEST_CASE(inspectors_and_queues_come_and_go)
{
    beside_the_worker([&](int) {
        std::optional<inspector> look{redis};
        auto workers = look->async_workers(asio::use_future);
        auto queues = look->async_queues(queue_kind::list, "", 10, asio::use_future);
        look.reset();
        auto sizes = std::make_unique<list_queue<int>>(redis, "divided", list_queue_options{.partitions = 2})
                         ->async_sizes(asio::use_future);
        wait_for(workers, queues, sizes);
    });
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace coworker::test
