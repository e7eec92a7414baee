// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/expect.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <set>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(queue_act)

namespace {

std::string payload(int n)
{
    return "[\"id" + std::to_string(n) + "\"," + std::to_string(n) + "]";
}

struct act_test : client_test
{
    /// Runs jobs 0 to count-1, which all fail.
    asio::awaitable<void> fail_jobs(int count)
    {
        for (int i = 0; i != count; ++i)
            push_raw(payload(i));
        worker subject{redis, observed({.concurrency = 1})};
        subject.handle(numbers, [](int) { return failure("no"); });
        co_await work(subject, static_cast<std::size_t>(count));
    }

    void add_broken(int count)
    {
        for (int i = 0; i != count; ++i)
            server("HSET", "hworker-broken-numbers", payload(i), R"("2020-01-01T00:00:00Z")");
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_failed_job_that_is_queued_again_starts_with_its_first_attempt, act_test)
{
    run([&]() -> asio::awaitable<void> {
        push_raw(payload(0));
        {
            worker subject{redis, observed()};
            subject.handle(numbers, [](int, job_context&) { return retry("no", 0ms); }, {.max_attempts = 3});
            co_await work(subject, 1);
        }
        BOOST_TEST((co_await jobs_in(job_state::failed)).at(0).attempts == 3u);
        BOOST_TEST((co_await act_on_all(job_action::retry, job_state::failed)) == 1u);
        unsigned attempt = 0;
        worker subject{redis, observed()};
        subject.handle(numbers, [&](int, job_context& context) { attempt = context.attempt(); });
        co_await work(subject, 2);
        BOOST_TEST(attempt == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_that_fail_again_meanwhile_are_not_queued_again_and_again, act_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fail_jobs(300);
        worker subject{redis, observed()};
        subject.handle(numbers, [](int) { return failure("no"); });
        auto working = start(subject);
        BOOST_TEST((co_await act_on_all(job_action::retry, job_state::failed)) == 300u);
        co_await stop(subject, working);
    });
}

BOOST_FIXTURE_TEST_CASE(the_failed_record_keeps_the_newest, client_test)
{
    const list_queue_options few{.failed_limit = 5};
    list_queue<int> bounded{redis, "numbers", few};
    run([&]() -> asio::awaitable<void> {
        for (int i = 0; i != 20; ++i)
            co_await bounded.async_push(i);
        worker subject{redis, observed({.concurrency = 1})};
        subject.handle(bounded, [](int) { return failure("no"); });
        co_await work(subject, 20);
        const auto failed = co_await jobs_in(job_state::failed);
        BOOST_REQUIRE(failed.size() == 5u);
        for (int i = 0; i != 5; ++i) {
            BOOST_TEST(failed[static_cast<std::size_t>(i)].data == std::to_string(19 - i));
            BOOST_TEST(failed[static_cast<std::size_t>(i)].message == "no");
        }
        BOOST_TEST(server("HLEN", "hworker-failures-numbers").integer == 5);
        const auto sizes = co_await bounded.async_sizes();
        BOOST_TEST(sizes.total_failed == 20u);
        BOOST_TEST(sizes.total_dropped == 15u);
        const auto told = events.of(event_kind::warning);
        BOOST_TEST_REQUIRE(told.size() == 1u); // not one for each
        BOOST_TEST(told[0].message.find("queue 'numbers': the record of failed jobs is full") == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(no_broken_job_is_dropped_and_all_are_queued_again_at_once, client_test)
{
    constexpr int count = 1'500;
    list_queue<std::string> others{redis, "numbers"};
    run([&]() -> asio::awaitable<void> {
        std::vector<std::string> texts;
        for (int i = 0; i != count; ++i)
            texts.push_back(std::to_string(i));
        co_await others.async_push_many(texts);
        {
            worker old{redis, observed()};
            old.handle(numbers, [](int) {});
            co_await work(old, count);
        }
        BOOST_TEST((co_await numbers.async_sizes()).broken == unsigned{count});
        BOOST_TEST((co_await numbers.async_sizes()).total_broken == unsigned{count});
        BOOST_TEST((co_await act_on_all(job_action::retry, job_state::broken)) == std::size_t{count});
        std::set<std::string> done;
        worker mended{redis, observed()};
        mended.handle(others, [&](const std::string& text) { done.insert(text); });
        co_await work(mended, std::size_t{2} * count);
        BOOST_TEST(done.size() == std::size_t{count});
        BOOST_TEST((co_await numbers.async_sizes()).broken == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(the_broken_record_has_a_bound_that_was_asked_for, client_test)
{
    const list_queue_options few{.broken_limit = 5};
    list_queue<int> bounded{redis, "numbers", few};
    run([&]() -> asio::awaitable<void> {
        for (int i = 0; i != 20; ++i)
            push_raw("broken " + std::to_string(i));
        worker subject{redis, observed({.concurrency = 1})};
        subject.handle(bounded, [](int) {});
        co_await work(subject, 20);
        const auto sizes = co_await bounded.async_sizes();
        BOOST_TEST(sizes.broken == 5u);
        BOOST_TEST(sizes.total_broken == 20u);
        BOOST_TEST(sizes.total_dropped_broken == 15u);
        BOOST_TEST(sizes.total_dropped == 0u);
        const auto told = events.of(event_kind::warning);
        BOOST_TEST_REQUIRE(told.size() == 1u); // not one for each
        BOOST_TEST(told[0].message.find(
                       "queue 'numbers': the record of broken jobs is full (broken_limit is 5)") == 0u);
        BOOST_TEST(server("HEXISTS", "hworker-broken-numbers", "broken 19").integer == 1);
    });
}

BOOST_FIXTURE_TEST_CASE(a_paused_queue_hands_out_nothing_until_it_is_resumed, client_test)
{
    list_queue<int> others{redis, "others"};
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_pause();
        co_await numbers.async_pause();
        co_await numbers.async_push(1);
        co_await numbers.async_push(1, {.at = timestamp{1h}}); // due
        worker subject{redis, observed()};
        subject.handle(numbers, [](int) {});
        subject.handle(others, [](int) {});
        auto running = start(subject);
        co_await wait_until_armed(6, 2);
        // Others are not concerned.
        co_await others.async_push(1);
        co_await events.wait_for(event_kind::succeeded);
        co_await numbers.async_push(2);
        co_await others.async_push(2);
        co_await events.wait_for(event_kind::succeeded, 2);
        for (const auto& event : events.of(event_kind::succeeded))
            BOOST_TEST(event.queue == "others");
        const auto paused = co_await numbers.async_sizes();
        BOOST_TEST(paused.waiting == 3u);
        BOOST_TEST(paused.overdue == 1u);

        co_await numbers.async_resume();
        co_await events.wait_for(event_kind::succeeded, 5);
        BOOST_TEST(events.count(event_kind::fallback_poll_found_work) == 0u);
        BOOST_TEST(!(co_await numbers.async_sizes()).paused);
        co_await stop(subject, running);
    });
}

BOOST_FIXTURE_TEST_CASE(what_runs_when_a_queue_is_paused_is_finished, client_test)
{
    run([&]() -> asio::awaitable<void> {
        asio::steady_timer gate{io, asio::steady_timer::time_point::max()};
        co_await numbers.async_push(1);
        worker subject{redis, observed()};
        subject.handle(numbers, [&](int) -> asio::awaitable<void> {
            boost::system::error_code ignored;
            co_await gate.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        });
        auto running = start(subject);
        co_await events.wait_for(event_kind::started);
        co_await numbers.async_pause();
        gate.cancel();
        co_await events.wait_for(event_kind::succeeded);
        co_await eventually("it is acknowledged",
                            [&] { return server("EXISTS", "hworker-progress-numbers").integer == 0; });
        co_await stop(subject, running);
    });
}

BOOST_FIXTURE_TEST_CASE(a_destroyed_queue_leaves_nothing_behind, act_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fail_jobs(3);
        add_broken(3);
        co_await numbers.async_push(1);
        co_await numbers.async_push(1, {.delay = 1h});
        co_await numbers.async_pause();
        server("SET", "unrelated", "stays");
        co_await numbers.async_destroy();
        const auto left = server("KEYS", "*").texts();
        BOOST_TEST(left == std::vector<std::string>{"unrelated"}, boost::test_tools::per_element());
        co_await numbers.async_destroy(); // nothing to do
    });
}

BOOST_FIXTURE_TEST_CASE(a_queue_is_known_once_a_worker_has_opened_it, act_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fail_jobs(1);
        BOOST_TEST(server("SMEMBERS", "hworker-queues").texts() == std::vector<std::string>{numbers.name()},
                   boost::test_tools::per_element());
        co_await numbers.async_destroy();
        BOOST_TEST(server("EXISTS", "hworker-queues").integer == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(a_queue_is_destroyed_although_the_set_of_known_ones_cannot_be_written, client_test)
{
    // As in a cluster, where it lies in another slot.
    server("SET", "hworker-queues", "not a set");
    push_raw(R"(["a",1])");
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(numbers, [](int) {});
        co_await work(subject, 1);
        push_raw(R"(["b",1])");
        co_await numbers.async_destroy();
        BOOST_TEST(server("KEYS", "hworker-*-numbers").texts().empty());
    });
}

BOOST_AUTO_TEST_SUITE_END()
