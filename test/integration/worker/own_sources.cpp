// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/own_source.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// A worker on a `job_source` of the user's own.
BOOST_AUTO_TEST_SUITE(own_sources)

namespace {

struct source_test : client_test
{
    source_script script;

    template<class Handler>
    void handle(worker& subject, Handler handler, handle_options options = {})
    {
        subject.handle_source<std::string>(std::make_unique<own_source>("own", script), std::move(handler),
                                           std::move(options));
    }
};

asio::awaitable<void> take_for_ever(std::string)
{
    co_await let_pass(1h);
}

} // namespace

BOOST_FIXTURE_TEST_CASE(jobs_are_run_and_settled, source_test)
{
    run([&]() -> asio::awaitable<void> {
        script.add("a", R"("1")");
        script.add("b", R"("2")");
        std::string seen;
        worker subject{redis, observed()};
        handle(subject, [&](std::string text) { seen += text; });
        co_await work(subject, 2);
        BOOST_TEST(seen == "12");
        const std::vector<std::string> expected{"a success", "b success"};
        BOOST_TEST(script.settled == expected, boost::test_tools::per_element());
    });
}

BOOST_FIXTURE_TEST_CASE(the_monitor_is_told_what_the_options_say, source_test)
{
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        handle(subject, [](std::string) {}, {.lease = 7min, .worker_grace = 0ms});
        script.grace = 1h;
        auto running = start(subject);
        co_await eventually("the monitor looks", [&] { return script.grace == 0ms; });
        co_await stop(subject, running);
        BOOST_TEST((script.lease == 7min));
    });
}

// --- exceptions that nobody expects --------------------------------------------------

BOOST_FIXTURE_TEST_CASE(an_unexpected_exception_of_any_call_ends_run_with_it, redis_test)
{
    for (const char* call : {"open", "ack_and_fetch", "renew", "reconcile", "recover", "wait_for_jobs",
                             "wait_for_leases", "wait_for_losses", "close"})
        BOOST_TEST_CONTEXT(call)
        {
            source_test each;
            each.script.throws = call;
            each.script.unanswered = std::string_view{call} == "reconcile";
            each.script.add("a", R"("job")");
            each.run([&]() -> asio::awaitable<void> {
                worker subject{each.redis, each.observed({.shutdown_timeout = 0ms})};
                each.handle(subject, take_for_ever, {.lease = 1s});
                auto running = each.start(subject);
                if (std::string_view{call} == "close") {
                    co_await each.events.wait_for(event_kind::started);
                    subject.stop();
                }
                const auto told = co_await running.join_and_tell();
                BOOST_TEST(told == std::string{"thrown by "} + call);
                BOOST_TEST(subject.running() == 0u);
            });
        }
}

BOOST_FIXTURE_TEST_CASE(an_unexpected_exception_does_not_cost_the_outcomes_of_other_queues, source_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        worker subject{redis, observed()};
        subject.handle(numbers, [&](int) -> asio::awaitable<void> {
            script.throws = "ack_and_fetch";
            script.add("a", R"("job")"); // wakes the other queue
            boost::system::error_code ec;
            asio::steady_timer timer{io, 1h};
            co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ec));
            // Cancelled, and done all the same.
        });
        handle(subject, take_for_ever);
        auto running = start(subject);
        const auto told = co_await running.join_and_tell();
        BOOST_TEST(told == "thrown by ack_and_fetch");
        BOOST_TEST(events.count(event_kind::succeeded) == 1u);
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 1u);
        BOOST_TEST((co_await numbers.async_sizes()).running == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_that_stops_while_it_looks_for_leases_ends_as_soon_as_it_has, source_test)
{
    run([&]() -> asio::awaitable<void> {
        auto patient = options();
        patient.command_timeout = 0ms; // would be waited for
        client other{io.get_executor(), patient};
        script.unanswered = true;
        worker subject{other, observed()};
        handle(subject, [](std::string) {});
        auto running = start(subject);
        co_await eventually("it looks", [&] { return script.reconciles; });
        co_await stop(subject, running);
        BOOST_TEST(events.count(event_kind::stopped) == 1u);
        co_await other.async_stop();
    });
}

// --- leases that have ended before the handler is called -----------------------------

BOOST_FIXTURE_TEST_CASE(a_job_whose_lease_ended_on_its_way_is_not_run, source_test)
{
    run([&]() -> asio::awaitable<void> {
        script.answer_time = 300ms;
        script.add("late", R"("job")", 200ms);
        script.add("in time", R"("job")", 1h);
        std::vector<std::string> ran;
        worker subject{redis, observed()};
        handle(subject, [&](std::string, job_context& context) { ran.emplace_back(context.id()); });
        auto running = start(subject);
        co_await events.wait_for(event_kind::succeeded);
        const auto lost = co_await events.wait_for(event_kind::lease_lost);
        BOOST_TEST(lost.job_id == "late");
        BOOST_TEST(subject.running() == 0u);
        co_await stop(subject, running);
        // If Redis still holds it for this worker, it goes back at once.
        const std::vector<std::string> expected{"in time"}, settled{"late release", "in time success"};
        BOOST_TEST(ran == expected, boost::test_tools::per_element());
        BOOST_TEST(script.settled == settled, boost::test_tools::per_element());
        BOOST_TEST(events.count(event_kind::lease_lost) == 1u);
        BOOST_TEST(events.count(event_kind::released) == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_whose_lease_ended_while_others_ran_before_it_is_not_run, source_test)
{
    run([&]() -> asio::awaitable<void> {
        script.renews = false;
        script.add("first", R"("job")", 1h);
        script.add("second", R"("job")", 100ms);
        std::vector<std::string> ran;
        worker subject{redis, observed()};
        handle(subject, [&](std::string, job_context& context) {
            ran.emplace_back(context.id());
            const auto until = std::chrono::steady_clock::now() + 110ms;
            while (std::chrono::steady_clock::now() < until)
                ;
        });
        auto running = start(subject);
        co_await events.wait_for(event_kind::lease_lost);
        co_await events.wait_for(event_kind::succeeded);
        co_await stop(subject, running);
        const std::vector<std::string> expected{"first"}, settled{"first success", "second release"};
        BOOST_TEST(ran == expected, boost::test_tools::per_element());
        BOOST_TEST(script.settled == settled, boost::test_tools::per_element());
    });
}

// --- memory --------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(an_idle_worker_keeps_nothing_of_the_jobs_it_had, source_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<std::weak_ptr<const job_details>> details;
        for (int i = 0; i != 600; ++i) {
            script.add(std::to_string(i), R"("job")");
            auto one = std::make_shared<const job_details>();
            script.jobs.back().details = one;
            details.push_back(one);
        }
        worker subject{redis, observed({.concurrency = 600})};
        handle(subject, [](std::string) {});
        auto running = start(subject);
        co_await eventually("everything is settled", [&] { return script.settled.size() == 600; });
        co_await let_pass(1ms); // until the answer is here
        for (const auto& each : details)
            BOOST_TEST_REQUIRE(each.expired());
        co_await stop(subject, running);
    });
}

#if defined(__GLIBC__)
BOOST_FIXTURE_TEST_CASE(an_idle_worker_releases_the_memory_of_its_peak, source_test)
{
    if (is_sanitized) // has memory management of its own
        return;
    const auto in_use = [] {
        const auto all = mallinfo2();
        return all.uordblks + all.hblkhd;
    };
    run([&]() -> asio::awaitable<void> {
        constexpr std::size_t payload = 100'000, jobs = 400;
        worker subject{redis, observed({.concurrency = jobs})};
        handle(subject, [](std::string) { return failure(std::string(payload, 'y')); });
        auto running = start(subject);
        co_await let_pass(20ms);
        const auto before = in_use();
        for (std::size_t i = 0; i != jobs; ++i)
            script.add(std::to_string(i), '"' + std::string(payload, 'x') + '"');
        co_await eventually("everything is settled", [&] { return script.settled.size() == jobs; });
        co_await let_pass(1ms);
        // The observer's log keeps the reasons, once; nothing else is kept.
        BOOST_TEST(in_use() - before < (jobs + jobs / 2) * payload);
        co_await stop(subject, running);
    });
}
#endif

BOOST_AUTO_TEST_SUITE_END()
