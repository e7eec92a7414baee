// SPDX-License-Identifier: MIT
#include "conformance/worker_test.hpp"

#include <functional>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What every `job_source` does while there is nothing to do, and under a worker.
BOOST_AUTO_TEST_SUITE(waiting_and_workers)

namespace {

asio::awaitable<void> wait_for_jobs(job_source& source)
{
    co_await source.wait_for_jobs();
}

asio::awaitable<void> wait_for_leases(job_source& source)
{
    co_await source.wait_for_leases();
}

/// Lets a worker that was started go on until `ended` holds, and stops it.
asio::awaitable<void> work_until(test_worker& one, std::function<bool()> ended)
{
    co_await eventually("the worker has done it", ended);
    co_await one.stop();
}

} // namespace

BOOST_AUTO_TEST_CASE(a_wait_ends_when_a_job_is_pushed)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        member one{kind};
        co_await one.open();
        BOOST_TEST((co_await one.take(1)).empty());
        for (int i = 0; i != 3; ++i) {
            background waiting{kind.io.get_executor(), wait_for_jobs(*one.source)};
            co_await let_pass(20ms);
            BOOST_TEST(!waiting.has_ended());
            kind.push("job" + std::to_string(i));
            co_await waiting.join();
            const auto job = co_await one.take_one();
            BOOST_TEST(co_await one.settle(job, success()));
        }
    });
}

BOOST_AUTO_TEST_CASE(a_wait_ends_when_a_delayed_job_is_due)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        member one{kind};
        co_await one.open();
        kind.push_later("a");
        BOOST_TEST((co_await one.take(1)).empty());
        background waiting{kind.io.get_executor(), wait_for_jobs(*one.source)};
        co_await let_pass(20ms);
        BOOST_TEST(!waiting.has_ended());
        kind.make_due();
        co_await waiting.join();
        BOOST_TEST((co_await one.take_one()).id() == "a");
    });
}

BOOST_AUTO_TEST_CASE(a_wait_ends_at_once_when_there_is_a_job)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        member one{kind};
        co_await one.open();
        kind.push("a");
        BOOST_TEST((co_await one.source->wait_for_jobs() == job_source::wake_up::ready));
    });
}

BOOST_AUTO_TEST_CASE(a_wait_can_be_cancelled)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        member one{kind};
        co_await one.open();
        background waiting{kind.io.get_executor(), wait_for_jobs(*one.source)};
        co_await let_pass(20ms);
        waiting.cancel();
        const auto told = co_await waiting.join_and_tell();
        BOOST_TEST(!told.empty());
    });
}

BOOST_AUTO_TEST_CASE(an_idle_monitor_wakes_when_a_job_is_in_progress)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        member one{kind}, other{kind};
        co_await one.open();
        co_await other.open();
        BOOST_TEST((co_await one.source->recover(2min, 1500ms)).idle);
        background waiting{kind.io.get_executor(), wait_for_leases(*one.source)};
        co_await let_pass(20ms);
        BOOST_TEST(!waiting.has_ended());
        kind.push("a");
        const auto job = co_await other.take_one();
        co_await waiting.join();
        BOOST_TEST(co_await other.settle(job, success()));
    });
}

BOOST_AUTO_TEST_CASE(a_worker_runs_the_jobs_of_any_source)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind};
        push_all(kind, numbered(200));
        std::vector<std::string> seen;
        const auto handler = [&](std::string text) { seen.push_back(std::move(text)); };
        const std::function<bool()> ended = [&] { return seen.size() == 200 && kind.running() == 0; };
        one.start(handler);
        co_await work_until(one, ended);
        std::sort(seen.begin(), seen.end());
        BOOST_TEST((std::unique(seen.begin(), seen.end()) == seen.end()));
        BOOST_TEST(kind.waiting() == 0);
        BOOST_TEST(kind.given_up() == 0);
    });
}

BOOST_AUTO_TEST_CASE(a_handler_that_throws_is_run_again)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind};
        kind.push("a");
        std::vector<unsigned> attempts;
        const auto handler = [&](std::string, job_context& context) {
            attempts.push_back(context.attempt());
            if (attempts.size() < 3)
                throw std::runtime_error{"not yet"};
        };
        handle_options options;
        options.backoff = no_backoff;
        const std::function<bool()> ended = [&] { return attempts.size() == 3 && kind.running() == 0; };
        one.start(handler, options);
        co_await work_until(one, ended);
        BOOST_TEST(attempts == (std::vector<unsigned>{1, 2, 3}), boost::test_tools::per_element());
        BOOST_TEST(kind.given_up() == 0);
        const auto retries = one.events.of(event_kind::retried);
        BOOST_REQUIRE(retries.size() == 2u);
        for (unsigned i = 0; i != 2; ++i) {
            BOOST_TEST(retries[i].message == "not yet");
            BOOST_TEST(retries[i].attempt == i + 1);
        }
        BOOST_TEST(one.events.count(event_kind::succeeded) == 1u);
    });
}

BOOST_AUTO_TEST_CASE(a_handler_may_give_its_job_back)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind};
        kind.push("a");
        std::vector<unsigned> attempts;
        const auto handler = [&](std::string, job_context& context) {
            attempts.push_back(context.attempt());
            return attempts.size() < 3 ? release() : success();
        };
        const std::function<bool()> ended = [&] { return attempts.size() == 3 && kind.running() == 0; };
        one.start(handler);
        co_await work_until(one, ended);
        BOOST_TEST(attempts == (std::vector<unsigned>{1, 1, 1}), boost::test_tools::per_element());
        BOOST_TEST(one.events.count(event_kind::released) == 2u);
        BOOST_TEST(one.events.count(event_kind::lease_lost) == 0u);
        BOOST_TEST(kind.waiting() == 0);
        BOOST_TEST(kind.given_up() == 0);
    });
}

BOOST_AUTO_TEST_CASE(a_job_that_does_not_decode_is_given_up)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind};
        kind.push("no number");
        one.start<int>([](int) {});
        co_await eventually("it is given up", [&] { return kind.given_up() == 1; });
        co_await one.stop();
        BOOST_TEST(kind.running() == 0);
    });
}

BOOST_AUTO_TEST_SUITE_END()
