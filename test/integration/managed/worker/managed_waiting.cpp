// SPDX-License-Identifier: MIT
#include "support/managed_worker_test.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What wakes a waiting worker of a managed queue in particular; see conformance/idle_workers.
BOOST_AUTO_TEST_SUITE(managed_waiting)

namespace {

/// Of these a waiting worker reads seven: the prefix, work, scheduled, recur, paused_queues, config and open lanes; and
/// its idle monitor another one, workers.
constexpr std::size_t keys_per_queue = 8;

struct waiting_test : managed_worker_test
{
    std::optional<worker> subject;
    std::optional<background> running;
    std::vector<std::string> ran;

    /// Starts a worker and waits until it sleeps.
    asio::awaitable<void> fall_asleep()
    {
        subject.emplace(redis, observed());
        subject->handle(mail, [this](raw_json, job_context& context) { ran.emplace_back(context.id()); });
        running.emplace(start(*subject));
        co_await wait_until_armed(keys_per_queue);
    }

    asio::awaitable<void> finish()
    {
        BOOST_TEST(events.count(event_kind::fallback_poll_found_work) == 0u);
        co_await stop(*subject, *running);
        BOOST_TEST(broken() == "");
    }

    asio::awaitable<void> expect_a_run(std::size_t count = 1)
    {
        co_await events.wait_for(event_kind::succeeded, count);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_recurring_job_is_spawned_when_it_is_due, waiting_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fall_asleep();
        qless("recur", "mail", "daily", "Letter", "{}", "interval", "0.2", "0.2");
        co_await expect_a_run(3);
        co_await finish();
    });
    ran.resize(3);
    BOOST_TEST(ran == (std::vector<std::string>{"daily-1", "daily-2", "daily-3"}),
               boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(the_end_of_a_pause_wakes_the_worker, waiting_test)
{
    qless("pause", "mail");
    run([&]() -> asio::awaitable<void> {
        co_await fall_asleep();
        put("a", "Letter");
        co_await let_pass(200ms);
        BOOST_TEST(ran.empty());
        BOOST_TEST(state("a") == "waiting");
        qless("unpause", "mail");
        co_await expect_a_run();
        co_await finish();
    });
}

BOOST_FIXTURE_TEST_CASE(an_unlocked_dependency_wakes_the_worker, waiting_test)
{
    run([&]() -> asio::awaitable<void> {
        qless("put", "", "press", "paper", "Buy", "{}", "0");
        put("a", "Letter", "{}", "depends", R"(["paper"])");
        co_await fall_asleep();
        BOOST_TEST(state("a") == "depends");
        qless("pop", "press", "someone", 1);
        qless("complete", "paper", "someone", "press", "{}");
        co_await expect_a_run();
        co_await finish();
    });
}

BOOST_FIXTURE_TEST_CASE(a_place_that_becomes_free_in_a_full_queue_wakes_the_worker, waiting_test)
{
    set_option("mail-max-concurrency", "1");
    put("first", "Letter");
    qless("pop", "mail", "someone", 1);
    put("second", "Letter");
    run([&]() -> asio::awaitable<void> {
        subject.emplace(redis, observed());
        subject->handle(mail, [this](raw_json, job_context& context) { ran.emplace_back(context.id()); });
        running.emplace(start(*subject));
        co_await wait_until_armed(keys_per_queue + 1); // with the locks
        BOOST_TEST(ran.empty());
        qless("complete", "first", "someone", "mail", "{}");
        co_await expect_a_run();
        BOOST_TEST(ran == std::vector<std::string>{"second"});
        co_await finish();
    });
}

BOOST_FIXTURE_TEST_CASE(the_end_of_another_client_s_lock_wakes_the_worker, waiting_test)
{
    set_option("heartbeat", "0.2");
    set_option("grace-period", "0.2");
    put("a", "Letter");
    qless("pop", "mail", "someone", 1);
    set_option("heartbeat", "60"); // of the worker
    run([&]() -> asio::awaitable<void> {
        co_await fall_asleep();
        co_await expect_a_run();
        co_await finish();
    });
    BOOST_TEST(history("a") == "put popped timed-out popped done");
}

BOOST_FIXTURE_TEST_CASE(two_queues_and_a_list_queue_are_worked_in_order, waiting_test)
{
    managed_queue urgent{redis, "urgent"};
    run([&]() -> asio::awaitable<void> {
        for (int i = 0; i != 3; ++i) {
            qless("put", "", "urgent", 'u' + std::to_string(i), "Letter", "{}", "0", "priority", 10 - i);
            put('m' + std::to_string(i), "Letter", "{}", "priority", std::to_string(10 - i));
            co_await numbers.async_push(i);
        }
        auto note = [this](raw_json, job_context& context) { ran.emplace_back(context.id()); };
        subject.emplace(redis, observed({.concurrency = 1}));
        subject->handle(urgent, note);
        subject->handle(mail, note);
        subject->handle(numbers, [this](int n) { ran.push_back(std::to_string(n)); });
        running.emplace(start(*subject));
        co_await expect_a_run(9);
        co_await finish();
    });
    BOOST_TEST(ran == (std::vector<std::string>{"u0", "u1", "u2", "m0", "m1", "m2", "0", "1", "2"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
