// SPDX-License-Identifier: MIT
#include "worker/worker_life.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <random>

/// How the pumps of a worker are woken: as few as needed, and never too few.
BOOST_AUTO_TEST_SUITE(worker_life)

namespace {

namespace asio = boost::asio;

/// Pumps that find steps, each of which takes until it is let go, or one turn of the context.
struct pumps
{
    pumps(int count, bool steps_last)
    {
        for (int i = 0; i != count; ++i)
            asio::co_spawn(io, pump(steps_last), asio::detached);
        io.poll();
    }

    asio::awaitable<void> pump(bool steps_last)
    {
        for (;;) {
            ++looks;
            if (steps == 0) {
                co_await life.wait_for_work();
                continue;
            }
            --steps;
            life.there_is_work();
            ++busy;
            if (steps_last)
                co_await end_of_steps.wait();
            else
                co_await asio::post(asio::use_awaitable);
            --busy;
        }
    }

    asio::io_context io;
    coworker::detail::worker_life life{io.get_executor(), {}};
    coworker::detail::signal end_of_steps{io.get_executor()};
    int steps = 0;
    int busy = 0;
    int looks = 0;
};

} // namespace

BOOST_AUTO_TEST_CASE(one_of_many_looks_for_a_step)
{
    pumps all{200, true};
    all.looks = 0;
    for (int i = 0; i != 10; ++i)
        all.life.there_is_work();
    all.io.poll();
    BOOST_TEST(all.looks == 1);

    all.steps = 1;
    all.life.there_is_work();
    all.io.poll();
    BOOST_TEST(all.busy == 1);
    BOOST_TEST(all.looks == 3); // the one that finds it wakes another, which finds none
}

BOOST_AUTO_TEST_CASE(there_are_as_many_at_work_as_there_are_steps)
{
    pumps all{20, true};
    all.steps = 15;
    all.life.there_is_work();
    all.io.poll();
    BOOST_TEST(all.busy == 15);

    all.steps = 15; // for five of them
    all.life.there_is_work();
    all.io.poll();
    BOOST_TEST(all.busy == 20);
    BOOST_TEST(all.steps == 10);

    all.end_of_steps.notify();
    all.io.poll();
    BOOST_TEST(all.busy == 10);
    BOOST_TEST(all.steps == 0);

    all.steps = 1;
    all.life.there_is_work();
    all.io.poll();
    BOOST_TEST(all.busy == 11);
}

BOOST_AUTO_TEST_CASE(no_step_is_left)
{
    std::mt19937 random{7};
    pumps all{4, false};
    for (int round = 0; round != 10'000; ++round) {
        for (auto calls = random() % 4; calls != 0; --calls) {
            all.steps += static_cast<int>(random() % 3);
            all.life.there_is_work();
            for (auto turns = random() % 3; turns != 0; --turns)
                all.io.poll_one();
        }
        if (round % 100 == 99) {
            all.io.poll();
            BOOST_REQUIRE(all.steps == 0);
            BOOST_REQUIRE(all.busy == 0);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
