// SPDX-License-Identifier: MIT
#include "hworker.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// A worker beside one of hworker's.
BOOST_AUTO_TEST_SUITE(mixed_fleets)

// --- a monitor with a shorter timeout ------------------------------------------------

BOOST_FIXTURE_TEST_CASE(a_job_that_a_peer_returns_again_and_again_ends, fleet_test)
{
    push_raw(same);
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed({.concurrency = 1})};
        handle_options options;
        options.max_attempts = 4;
        subject.handle(
            numbers,
            [&](int, job_context& context) {
                attempts.push_back(context.attempt());
                peer.take_back(same); // its timeout is shorter than this run
            },
            options);
        auto running = start(subject);
        co_await events.wait_for(event_kind::failed);
        co_await eventually("nothing is left", [&] { return left() == 0; });
        co_await stop(subject, running);
        // The job may be taken again before the loss of the run before has been noticed.
        BOOST_TEST(attempts.back() == 4u);
        BOOST_TEST(attempts.size() <= 8u);
        BOOST_TEST(std::is_sorted(attempts.begin(), attempts.end()));
        BOOST_TEST(server("EXISTS", "hworker-attempts-numbers").integer == 0);
        BOOST_TEST((co_await jobs_in(job_state::failed)).size() == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_lost_run_is_counted_once, fleet_test)
{
    // Not by the worker that lost the job as well as by the monitor that returned it.
    push_raw(same);
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed({.concurrency = 1})};
        subject.handle(numbers, [&](int, job_context& context) {
            attempts.push_back(context.attempt());
            if (attempts.size() != 1)
                return;
            peer.take_back(same);
            server("HINCRBY", "hworker-attempts-numbers", same, 1); // as coworker's monitor does
        });
        co_await work(subject, 2);
        const std::vector<unsigned> expected{1, 2};
        BOOST_TEST(attempts == expected, boost::test_tools::per_element());
    });
}

// --- what peers leave behind ---------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(attempts_of_jobs_that_a_peer_has_finished_are_forgotten_beside_an_idle_peer,
                        fleet_test)
{
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed({.concurrency = 1})};
        subject.handle(numbers, [&](int) { return retry("again", 1h); });
        auto running = start(subject);
        for (int i = 0; i != 3; ++i) {
            const auto job = "[\"" + std::to_string(i) + "\",1]";
            push_raw(job);
            co_await events.wait_for(event_kind::retried, static_cast<std::size_t>(i) + 1);
            co_await eventually("it is scheduled",
                                [&] { return server("ZCARD", "hworker-scheduled-numbers").integer == 1; });
            server("DEL", "hworker-scheduled-numbers");
            server("HSET", "hworker-progress-numbers", job, R"("2999-01-01T00:00:00Z")");
            peer.succeed(job);
            peer.take(); // nothing
        }
        co_await eventually("they are forgotten",
                            [&] { return server("EXISTS", "hworker-attempts-numbers").integer == 0; });
        co_await stop(subject, running);
    });
}

BOOST_FIXTURE_TEST_CASE(what_a_job_leaves_behind_that_was_gone_before_the_monitor_looked_is_forgotten,
                        fleet_test)
{
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(numbers, [](int) {});
        auto running = start(subject);
        co_await wait_until_armed(6, 1);
        server("HSET", "hworker-attempts-numbers", same, 2);
        server("EVAL", "redis.call('HSET', KEYS[1], 'x', 'y') redis.call('HDEL', KEYS[1], 'x')", 1,
               "hworker-progress-numbers");
        co_await eventually("it is forgotten",
                            [&] { return server("EXISTS", "hworker-attempts-numbers").integer == 0; });
        co_await stop(subject, running);
    });
}

// --- idle together -------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(the_polls_of_an_idle_peer_rouse_the_monitor_seldom, fleet_test)
{
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(numbers, [](int) {});
        auto running = start(subject);
        co_await wait_until_armed(6, 1);
        server("CONFIG", "RESETSTAT");
        const auto began = std::chrono::steady_clock::now();
        for (int polls = 0; polls != 150;
             ++polls) { // as one thread of hworker's sends in a second and a half
            peer.take();
            co_await let_pass(10ms);
        }
        const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        const auto calls = server.raw().info("commandstats", "cmdstat_evalsha");
        const auto count = std::stod(calls.substr(calls.find("calls=") + 6));
        BOOST_TEST(count <= 2 + seconds, calls);
        // And it still sees what is in progress.
        push_raw(same);
        co_await events.wait_for(event_kind::succeeded);
        co_await stop(subject, running);
    });
}

BOOST_AUTO_TEST_SUITE_END()
