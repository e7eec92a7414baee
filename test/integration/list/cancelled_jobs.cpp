// SPDX-License-Identifier: MIT
#include "hworker.hpp"
#include "redis/script.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Running jobs of a list queue that somebody cancels.
BOOST_AUTO_TEST_SUITE(cancelled_jobs)

namespace {

const auto list = queue_ref::list("numbers");

struct cancel_test : fleet_test
{
    std::optional<worker> subject;
    std::optional<background> running;
    bool heard = false; ///< the handler was told to end

    asio::awaitable<void> start_worker(worker_options options = {.concurrency = 1})
    {
        subject.emplace(redis, observed(std::move(options)));
        // The first run goes on until it is cancelled; after it, `first` is its outcome.
        subject->handle(numbers,
                        [this](int, job_context& context) -> asio::awaitable<outcome> {
                            attempts.push_back(context.attempt());
                            if (attempts.size() == 1) {
                                boost::system::error_code ec;
                                co_await gate.async_wait(asio::redirect_error(asio::use_awaitable, ec));
                                heard = context.cancelled();
                            }
                            co_return success();
                        },
                        {.lease = 60s}); // nothing is renewed before a third of it has passed
        running.emplace(start(*subject));
        co_await events.wait_for(event_kind::started);
    }
    asio::awaitable<void> end_worker() { co_await stop(*subject, *running); }

    asio::awaitable<std::vector<action_result>> cancel_running()
    {
        text_list keys;
        const auto jobs = co_await jobs_in(job_state::running);
        for (const auto& job : jobs)
            keys.push_back(job.key);
        const inspector act{redis};
        co_return co_await act.async_act(job_action::cancel, list, std::move(keys));
    }

    /// From another process, while this one is busy with something else.
    std::int64_t cancel_behind(const std::string& payload)
    {
        const std::string text = detail::find_script("list/act").text();
        const auto key = [](const std::string& name) { return "hworker-" + name + "-numbers"; };
        const auto reply =
            server("EVAL", text, 15, key("jobs"), key("scheduled"), key("failed"), key("failures"),
                   key("broken"), key("found"), key("reasons"), key("attempts"), key("ready"),
                   key("progress"), key("shared"), key("cancelled"), key("workers"), key("duplicates"),
                   key("counters"), "cancel", "running", payload);
        return reply.elements.at(0).integer;
    }

    asio::awaitable<void> expect_failed(std::size_t count)
    {
        const auto failed = co_await jobs_in(job_state::failed);
        BOOST_TEST_REQUIRE(failed.size() == count);
        for (const auto& job : failed)
            BOOST_TEST(job.message == "cancelled");
    }
};

bool is_done(const std::vector<action_result>& results)
{
    return results == std::vector{action_result::done};
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_cancelled_job_has_its_handler_cancelled_and_is_failed, cancel_test)
{
    push_raw(same);
    run([&]() -> asio::awaitable<void> {
        co_await start_worker();
        const auto results = co_await cancel_running();
        BOOST_TEST(is_done(results));
        co_await events.wait_for(event_kind::lease_lost);
        co_await eventually("the handler has ended", [&] { return heard; });
        co_await expect_failed(1);
        BOOST_TEST(left() == 0);
        // Its outcome, a success, was dropped; by hand it runs again.
        const auto retried = co_await act_on_all(job_action::retry, job_state::failed);
        BOOST_TEST(retried == 1u);
        co_await events.wait_for(event_kind::succeeded);
        co_await end_worker();
        const std::vector<unsigned> expected{1, 1};
        BOOST_TEST(attempts == expected, boost::test_tools::per_element());
        BOOST_TEST(server("HGET", "hworker-counters-numbers", "success").text == "1");
        BOOST_TEST(server("HGET", "hworker-counters-numbers", "failure").text == "1");
        BOOST_TEST(left() == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(an_id_with_escapes_is_found_as_well, cancel_test)
{
    push_raw(R"( [ "a\"\u00e9\\" , 7 ])");
    run([&]() -> asio::awaitable<void> {
        co_await start_worker();
        const auto results = co_await cancel_running();
        BOOST_TEST(is_done(results));
        co_await events.wait_for(event_kind::lease_lost);
        co_await end_worker();
        co_await expect_failed(1);
    });
}

BOOST_FIXTURE_TEST_CASE(of_equal_jobs_the_other_one_runs, cancel_test)
{
    push_raw(same);
    push_raw(same);
    run([&]() -> asio::awaitable<void> {
        co_await start_worker();
        const auto results = co_await cancel_running();
        BOOST_TEST(is_done(results));
        co_await events.wait_for(event_kind::succeeded);
        co_await end_worker();
        co_await expect_failed(1);
        const std::vector<unsigned> expected{1, 1}; // the lost run is not counted for the other job
        BOOST_TEST(attempts == expected, boost::test_tools::per_element());
        BOOST_TEST(left() == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_that_hears_of_it_too_late_changes_nothing, cancel_test)
{
    // Nothing is read or sent while the handler runs: the acknowledgement goes before the message arrives.
    push_raw(same);
    run([&]() -> asio::awaitable<void> {
        worker frozen{redis, observed({.concurrency = 1})};
        frozen.handle(numbers, [&](int) { BOOST_TEST(cancel_behind(same) == 1); });
        auto run_of_it = start(frozen);
        co_await events.wait_for(event_kind::lease_lost);
        co_await stop(frozen, run_of_it);
        co_await expect_failed(1);
        BOOST_TEST(left() == 0);
        BOOST_TEST(server("HEXISTS", "hworker-counters-numbers", "success").integer == 0);
        BOOST_TEST(server("EXISTS", "hworker-attempts-numbers").integer == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(the_next_run_of_a_cancelled_job_is_not_disturbed_by_the_first, cancel_test)
{
    // Cancelled, retried by hand, and taken by another worker before this one goes on.
    push_raw(same);
    const std::string others = R"("2999-01-01T00:00:00.000000000099Z")";
    run([&]() -> asio::awaitable<void> {
        worker frozen{redis, observed({.concurrency = 1})};
        frozen.handle(numbers, [&](int) {
            BOOST_TEST(cancel_behind(same) == 1);
            server("LREM", "hworker-failed-numbers", 1, same);
            server("HSET", "hworker-progress-numbers", same, others);
        });
        auto run_of_it = start(frozen);
        co_await events.wait_for(event_kind::lease_lost);
        co_await stop(frozen, run_of_it);
        BOOST_TEST(server("HEXISTS", "hworker-progress-numbers", same).integer == 1);
        BOOST_TEST(server("EXISTS", "hworker-attempts-numbers").integer == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(the_job_of_a_dead_worker_does_not_come_back, cancel_test)
{
    const std::string other = R"(["other",8])";
    for (const auto& payload : {same, other})
        server("HSET", "hworker-progress-numbers", payload, R"("2026-11-21T09:54:29.612715000042Z")");
    server("HSET", "hworker-workers-numbers", "42", "coworker:gone");
    BOOST_TEST(cancel_behind(same) == 1);
    gate.expires_after(0s);
    run([&]() -> asio::awaitable<void> {
        co_await start_worker(); // which is the monitor, too
        co_await events.wait_for(event_kind::succeeded);
        co_await end_worker();
        BOOST_TEST(events.count(event_kind::succeeded) == 1u);
        BOOST_TEST(attempts.at(0) == 2u); // that of the other job
        co_await expect_failed(1);
        BOOST_TEST(left() == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(the_job_of_a_worker_of_hworker_s_is_left_alone, cancel_test)
{
    push_raw(same);
    peer.take();
    run([&]() -> asio::awaitable<void> {
        const auto results = co_await cancel_running();
        BOOST_TEST((results == std::vector{action_result::refused}));
        BOOST_TEST(peer.succeed(same));
        BOOST_TEST(server("EXISTS", "hworker-failed-numbers").integer == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(an_equal_job_of_a_worker_of_hworker_s_is_left_alone, cancel_test)
{
    // The peer's start time stands over ours when the worker says how the cancelled run has ended.
    push_raw(same);
    run([&]() -> asio::awaitable<void> {
        worker frozen{redis, observed({.concurrency = 1})};
        frozen.handle(numbers, [&](int) {
            BOOST_TEST(cancel_behind(same) == 1);
            push_raw(same);
            BOOST_TEST(peer.take() == same);
        });
        auto run_of_it = start(frozen);
        co_await events.wait_for(event_kind::lease_lost);
        co_await stop(frozen, run_of_it);
        co_await expect_failed(1);
        BOOST_TEST(server("EXISTS", "hworker-shared-numbers").integer == 0);
        BOOST_TEST(peer.succeed(same));
        BOOST_TEST(left() == 0);
    });
}

BOOST_AUTO_TEST_SUITE_END()
