// SPDX-License-Identifier: MIT
#include "taken_job_test.hpp"

#include "coworker/managed_client.hpp"

#include <boost/asio/use_awaitable.hpp>

/// Jobs that are run elsewhere, and wait for signals.
BOOST_AUTO_TEST_SUITE(signals_of_taken_jobs)

using namespace coworker::test;
using namespace coworker;
using namespace std::chrono_literals;

namespace {

struct taken_signals_test : taken_job_test
{
    managed_client jobs{redis};

    asio::awaitable<taken_job> take()
    {
        take_options options;
        options.checkpoints = true;
        options.wait = 20s;
        co_return co_await take_one(options);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_signal_wakes_a_job_that_was_taken, taken_signals_test)
{
    put("a", "Order");
    run([&]() -> asio::awaitable<void> {
        auto job = co_await take();
        BOOST_TEST(!job.signals.any());
        const job_wait wait{.name = "yes", .what = wait_kind::signal, .length = 24h, .after = 1};
        auto ended = co_await acknowledge(job.token, suspend(wait));
        BOOST_TEST(ended.has_value());
        ended = co_await acknowledge(job.token, suspend(wait)); // it does not hold it any more
        BOOST_TEST(ended.error() == errc::lease_lost);
        for (int i = 0; i != 2; ++i) {
            BOOST_TEST(state("a") == "scheduled");
            const auto sent = co_await jobs.async_signal("a", "yes", i);
            BOOST_TEST(sent.has_value());
        }
        job = co_await take();
        BOOST_TEST(job.attempt == 1u);
        BOOST_TEST(job.signals.received == R"({"yes":[0,1]})");
        BOOST_TEST(job.signals.slept == "[]");
        ended = co_await acknowledge(job.token, success());
        BOOST_TEST(ended.has_value());
    });
    BOOST_TEST(server("HEXISTS", "ql:j:a", "waits").integer == 0);
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(a_job_that_was_taken_sleeps_again_and_again, taken_signals_test)
{
    put("a", "Order");
    run([&]() -> asio::awaitable<void> {
        for (int i = 0; i != 3; ++i) {
            const auto job = co_await take();
            BOOST_TEST(job.signals.slept == (i == 0 ? "" : R"(["nap"])"));
            const job_wait nap{.name = "nap", .length = 10ms};
            const auto ended = co_await acknowledge(job.token, suspend(nap));
            BOOST_TEST(ended.has_value());
        }
    });
    BOOST_TEST(field("a", "waits") == "3");
    BOOST_TEST(broken() == "");
}

BOOST_AUTO_TEST_SUITE_END()
