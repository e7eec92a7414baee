// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <set>
#include <thread>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Leases of list queues in particular; see conformance/renewals.
BOOST_AUTO_TEST_SUITE(leases)

namespace {

using clock = std::chrono::steady_clock;

/// The start time of a lease that another worker of coworker's has.
const std::string others = R"("2999-01-01T00:00:00.000000000099Z")";

struct lease_test : client_test
{
    asio::steady_timer gate{io, clock::time_point::max()};

    /// A handler that goes on until the gate opens, or until it is cancelled.
    auto hold()
    {
        return [this](int) -> asio::awaitable<void> {
            boost::system::error_code ec;
            co_await gate.async_wait(asio::redirect_error(asio::use_awaitable, ec));
        };
    }

    /// Somebody else holds the job from now on.
    void rob(const std::string& payload) { server("HSET", "hworker-progress-numbers", payload, others); }
};

const std::string payload = R"(["id",1])";

} // namespace

BOOST_FIXTURE_TEST_CASE(an_outcome_that_comes_too_late_counts_as_an_attempt, lease_test)
{
    run([&]() -> asio::awaitable<void> {
        push_raw(payload);
        worker subject{redis, observed()};
        subject.handle(numbers, hold(), {.monitor = false});
        auto running = start(subject);
        co_await events.wait_for(event_kind::started);
        rob(payload);
        gate.cancel();
        const auto lost = co_await events.wait_for(event_kind::lease_lost);
        BOOST_TEST(lost.message.find("its outcome was dropped") != std::string::npos, lost.message);
        co_await stop(subject, running);
        const auto left = server("HGETALL", "hworker-progress-numbers").pairs();
        BOOST_TEST(left.size() == 1u);
        BOOST_TEST(left.at(payload) == others);
        // Nobody else has counted it.
        BOOST_TEST(server("HGET", "hworker-attempts-numbers", payload).text == "1");
    });
}

BOOST_FIXTURE_TEST_CASE(one_late_outcome_among_many_is_refused_alone, lease_test)
{
    run([&]() -> asio::awaitable<void> {
        for (int i = 0; i != 50; ++i)
            push_raw("[\"id" + std::to_string(i) + "\",1]");
        worker subject{redis, observed()};
        subject.handle(numbers, hold(), {.monitor = false});
        auto running = start(subject);
        co_await events.wait_for(event_kind::started, 50);
        rob(R"(["id7",1])");
        rob(R"(["id33",1])");
        gate.cancel();
        co_await events.wait_for(event_kind::lease_lost, 2);
        co_await stop(subject, running);
        std::set<std::string> lost;
        for (const auto& event : events.of(event_kind::lease_lost))
            lost.insert(event.job_id);
        const std::set<std::string> expected{"id33", "id7"};
        BOOST_TEST(lost == expected, boost::test_tools::per_element());
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 48u);
        BOOST_TEST((co_await numbers.async_sizes()).running == 2u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_busy_loop_does_not_cost_the_lease_while_it_lasts, lease_test)
{
    run([&]() -> asio::awaitable<void> {
        push_raw(payload);
        worker subject{redis, observed()};
        subject.handle(numbers,
                       [&](int, job_context& context) -> asio::awaitable<void> {
                           std::this_thread::sleep_for(1700ms); // blocks everything, renewals too
                           BOOST_TEST((co_await context.async_extend()).has_value());
                       },
                       {.lease = 5s});
        co_await work(subject, 1);
        BOOST_TEST(events.count(event_kind::succeeded) == 1u);
        BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_loop_that_was_busy_for_too_long_keeps_what_nobody_has_taken, lease_test)
{
    constexpr auto lease = 4s;
    run([&]() -> asio::awaitable<void> {
        push_raw(R"(["beside",2])");
        worker subject{redis, observed()};
        subject.handle(numbers,
                       [&](int number) -> asio::awaitable<void> {
                           if (number == 1)
                               std::this_thread::sleep_for(lease);
                           else
                               co_await events.wait_for(event_kind::leases_renewed);
                       },
                       {.lease = lease, .monitor = false});
        auto running = start(subject);
        co_await events.wait_for(event_kind::started);
        push_raw(payload);
        co_await events.wait_for(event_kind::succeeded, 2);
        co_await stop(subject, running);
        BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
        BOOST_TEST(events.count(event_kind::started) == 2u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_loop_that_was_busy_for_longer_than_the_lease_loses_no_job, lease_test)
{
    run([&]() -> asio::awaitable<void> {
        push_raw(payload);
        int runs = 0;
        worker subject{redis, observed()};
        subject.handle(numbers,
                       [&](int) -> asio::awaitable<void> {
                           if (++runs == 1)
                               std::this_thread::sleep_for(500ms);
                           co_await let_pass(50ms);
                       },
                       {.lease = 200ms});
        co_await work(subject, 1);
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 1u);
        BOOST_TEST((co_await numbers.async_sizes()).running == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(extend_waits_for_the_answer_of_a_renewal_that_is_under_way, lease_test)
{
    run([&]() -> asio::awaitable<void> {
        push_raw(payload);
        const auto ask = [](job_context& context, std::optional<bool>& held) -> asio::awaitable<void> {
            held = (co_await context.async_extend()).has_value();
        };
        std::optional<bool> first_says, second_says;
        worker subject{redis, observed()};
        subject.handle(numbers, [&](int, job_context& context) -> asio::awaitable<void> {
            rob(payload);
            server.freeze();
            background first{io.get_executor(), ask(context, first_says)};
            background second{io.get_executor(), ask(context, second_says)};
            co_await let_pass(50ms);
            BOOST_TEST(!first_says.has_value());
            BOOST_TEST(!second_says.has_value(), "nobody can know that yet");
            server.thaw();
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
            co_await first.join();
            co_await second.join();
        });
        auto running = start(subject);
        co_await events.wait_for(event_kind::lease_lost);
        co_await eventually("both have their answers", [&] { return first_says && second_says; });
        co_await stop(subject, running);
        BOOST_TEST(first_says.value() == false);
        BOOST_TEST(second_says.value() == false);
    });
}

BOOST_AUTO_TEST_SUITE_END()
