// SPDX-License-Identifier: MIT
#include "suspended_job_test.hpp"

#include "coworker/inspector.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Jobs that sleep.
BOOST_AUTO_TEST_SUITE(managed_sleeps)

namespace {

struct sleep_test : suspended_job_test
{
    inspector look{redis};

    /// What an operator does who does not want to wait.
    asio::awaitable<void> wake(std::string jid)
    {
        const auto woken =
            co_await look.async_act(job_action::run_now, queue_ref::managed("mail"), text_list{jid});
        BOOST_TEST(woken.size() == 1u);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_long_sleep_takes_no_attempt_and_no_place, sleep_test)
{
    std::vector<unsigned> attempts;
    int slept = 0;
    put("a", "Letter");
    run_with(
        [&](raw_json, job_context& context) -> asio::awaitable<void> {
            attempts.push_back(context.attempt());
            co_await context.sleep_for("days", 72h);
            ++slept;
        },
        [&]() -> asio::awaitable<void> {
            co_await wait_until_asleep("a");
            BOOST_TEST(field("a", "worker") == "");
            BOOST_TEST(field("a", "remaining") == field("a", "retries"));
            const auto due =
                server("ZSCORE", "ql:q:mail-scheduled", "a").text; // Redis versions write it otherwise
            BOOST_TEST(std::stod(due) == std::stod(field("a", "wait:1:sleep:days")));
            BOOST_TEST(slept == 0);
            co_await wake("a");
            co_await events.wait_for(event_kind::succeeded);
        });
    BOOST_TEST(slept == 1);
    BOOST_TEST(attempts == (std::vector{1U, 1U}), boost::test_tools::per_element());
    BOOST_TEST(server("HEXISTS", "ql:j:a", "waits").integer == 0);
    BOOST_TEST(events.of(event_kind::released).at(0).message == "sleeps: days");
    BOOST_TEST(events.count(event_kind::retried) == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_short_sleep_stays_in_the_handler, sleep_test)
{
    int runs = 0;
    put("a", "Letter");
    run_with(
        [&](raw_json, job_context& context) -> asio::awaitable<void> {
            ++runs;
            co_await context.sleep_for("moment", 1ms);
            co_await context.sleep_for("none", -1ms);
            co_await context.sleep_until("before", timestamp{});
            const auto soon =
                std::chrono::time_point_cast<timestamp::duration>(std::chrono::system_clock::now());
            co_await context.sleep_until("soon", soon + 10ms);
        },
        [&]() -> asio::awaitable<void> { co_await events.wait_for(event_kind::succeeded); });
    BOOST_TEST(runs == 1);
    BOOST_TEST(events.count(event_kind::released) == 0u);
}

BOOST_FIXTURE_TEST_CASE(sleeps_of_one_name_come_one_after_the_other, sleep_test)
{
    int runs = 0;
    std::vector<int> at;
    put("a", "Letter");
    run_with(
        [&](raw_json, job_context& context) -> asio::awaitable<void> {
            ++runs;
            for (int i = 0; i != 3; ++i) {
                at.push_back(i);
                co_await context.sleep_for("again", 1h);
            }
        },
        [&]() -> asio::awaitable<void> {
            for (int i = 0; i != 3; ++i) {
                co_await eventually("it sleeps once more",
                                    [&] { return state("a") == "scheduled" && runs == i + 1; });
                co_await wake("a");
            }
            co_await events.wait_for(event_kind::succeeded);
        });
    BOOST_TEST(at == (std::vector{0, 0, 1, 0, 1, 2, 0, 1, 2}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(who_catches_everything_passes_it_on, sleep_test)
{
    int passed = 0, caught = 0;
    put("a", "Letter");
    run_with(
        [&](raw_json, job_context& context) -> asio::awaitable<void> {
            try {
                co_await context.sleep_for("days", 72h);
            } catch (const std::exception&) {
                ++caught;
            } catch (...) {
                ++passed;
                throw;
            }
        },
        [&]() -> asio::awaitable<void> { co_await wait_until_asleep("a"); });
    BOOST_TEST(passed == 1);
    BOOST_TEST(caught == 0);
}

BOOST_FIXTURE_TEST_CASE(a_handler_returns_that_its_job_is_suspended, sleep_test)
{
    int runs = 0;
    put("a", "Letter");
    run_with(
        [&](raw_json, job_context&) -> outcome {
            if (++runs == 2)
                return success();
            return suspend(job_wait{.name = "days", .length = 72h});
        },
        [&]() -> asio::awaitable<void> {
            co_await wait_until_asleep("a");
            co_await wake("a");
            co_await events.wait_for(event_kind::succeeded);
        });
    BOOST_TEST(runs == 2);
}

BOOST_FIXTURE_TEST_CASE(a_name_is_needed, sleep_test)
{
    error_code empty;
    put("a", "Letter");
    run_with(
        [&](raw_json, job_context& context) -> asio::awaitable<outcome> {
            try {
                co_await context.sleep_for("", 1h);
            } catch (const system_error& error) {
                empty = error.code();
            }
            co_return suspend(job_wait{.length = 1h});
        },
        [&]() -> asio::awaitable<void> { co_await events.wait_for(event_kind::failed); });
    BOOST_TEST((empty == errc::invalid_option));
}

BOOST_FIXTURE_TEST_CASE(who_has_lost_the_lease_does_not_sleep, sleep_test)
{
    error_code told;
    put("a", "Letter");
    run_with(
        [&](raw_json, job_context& context) -> asio::awaitable<void> {
            server("HSET", "ql:j:a", "worker", "another"); // which nobody announces
            try {
                co_await context.sleep_for("days", 72h);
            } catch (const system_error& error) {
                told = error.code();
            }
            server("HSET", "ql:j:a", "worker", redis.client_name());
        },
        [&]() -> asio::awaitable<void> { co_await events.wait_for(event_kind::succeeded); });
    BOOST_TEST((told == errc::lease_lost));
    BOOST_TEST(server("HEXISTS", "ql:j:a", "waits").integer == 0);
}

BOOST_FIXTURE_TEST_CASE(a_killed_worker_leaves_when_the_sleep_ends, sleep_test)
{
    std::vector<std::string> deadlines;
    put("a", "Letter");
    run([&]() -> asio::awaitable<void> {
        client first{io.get_executor(), options()};
        const managed_queue of_first{first, "mail"};
        worker killed{first, {.shutdown_timeout = 0ms}};
        bool asked = false;
        const auto hangs = [&](raw_json, job_context& context) -> asio::awaitable<void> {
            try {
                co_await context.sleep_for("days", 72h);
            } catch (const suspended&) { // and before it could tell anybody
                asked = true;
            }
            co_await let_pass(60s);
        };
        killed.handle(of_first, hangs, {.worker_grace = 200ms});
        background dying{io.get_executor(), killed.async_run()};
        co_await eventually("it has asked", [&] { return asked; });
        deadlines.push_back(field("a", "wait:1:sleep:days"));
        co_await first.async_stop(); // as seen from Redis: the connection is closed without a word
        (void)co_await dying.join_and_tell();

        worker survivor{redis, observed()};
        const auto sleeps = [](raw_json, job_context& context) { return context.sleep_for("days", 72h); };
        survivor.handle(mail, sleeps, {.worker_grace = 200ms});
        auto running = start(survivor);
        co_await wait_until_asleep("a");
        deadlines.push_back(server("ZSCORE", "ql:q:mail-scheduled", "a").text);
        co_await stop(survivor, running);
    });
    BOOST_TEST(std::stod(deadlines.at(0)) == std::stod(deadlines.at(1)));
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(jobs_of_list_queues_do_not_sleep_for_long, sleep_test)
{
    error_code refused;
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(numbers, [&](int number, job_context& context) -> asio::awaitable<outcome> {
            if (number == 2)
                co_return suspend(job_wait{.name = "days", .length = 72h});
            co_await context.sleep_for("moment", 1ms);
            try {
                co_await context.sleep_for("days", 72h);
            } catch (const system_error& error) {
                refused = error.code();
            }
            co_return success();
        });
        co_await numbers.async_push(1);
        co_await numbers.async_push(2);
        co_await work(subject, 2);
    });
    BOOST_TEST((refused == errc::not_supported));
    BOOST_TEST(events.count(event_kind::succeeded) == 1u);
    BOOST_TEST(events.count(event_kind::failed) == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
