#include "support/client_list.hpp"
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

BOOST_AUTO_TEST_SUITE(leases)

namespace {

using clock = std::chrono::steady_clock;

/// The start time of a lease that another worker of coworker's has.
const std::string others = R"("2999-01-01T00:00:00.000000000099Z")";

struct lease_test : client_test
{
    asio::steady_timer gate{io, clock::time_point::max()};
    std::optional<clock::time_point> cancelled; ///< when a handler of `hold` was

    /// A handler that goes on until the gate opens, and notes when it is cancelled.
    auto hold(outcome result = success())
    {
        return [this, result](int) -> asio::awaitable<outcome> {
            boost::system::error_code ec;
            co_await gate.async_wait(asio::redirect_error(asio::use_awaitable, ec));
            const auto state = co_await asio::this_coro::cancellation_state;
            if (state.cancelled() != asio::cancellation_type::none)
                cancelled = clock::now();
            co_return result;
        };
    }

    std::string token() { return server("HVALS", "hworker-progress-numbers").texts().at(0); }

    /// Somebody else holds the job from now on.
    void rob(const std::string& payload) { server("HSET", "hworker-progress-numbers", payload, others); }
};

const std::string payload = R"(["id",1])";

} // namespace

BOOST_FIXTURE_TEST_CASE(a_lease_is_renewed_for_as_long_as_the_handler_runs, lease_test)
{
    run([&]() -> asio::awaitable<void> {
        for (int i = 0; i != 5; ++i)
            co_await numbers.async_push(i);
        worker subject{redis, observed()}, other{redis, observed()};
        subject.handle(numbers, hold(), {.lease = 2s});
        auto running = start(subject);
        co_await events.wait_for(event_kind::started, 5);
        const std::string first = token();
        // A second worker would take over what is not renewed.
        other.handle(numbers, hold(), {.lease = 2s});
        auto running_other = start(other);
        co_await events.wait_until("every lease to be renewed four times", [](const event_log& log) {
            return log.total(event_kind::leases_renewed) >= 20;
        });
        BOOST_TEST(token() > first);
        gate.cancel();
        co_await events.wait_for(event_kind::succeeded, 5);
        co_await stop(other, running_other);
        co_await stop(subject, running);
        BOOST_TEST(events.count(event_kind::started) == 5u);
        BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 5u);
    });
}

BOOST_FIXTURE_TEST_CASE(an_outcome_that_comes_too_late_changes_nothing, redis_test)
{
    for (const auto& result : {success(), failure("no"), retry("no", 0ms), retry("no", 1h), release(),
                               outcome{outcome::kind::broken, "no"}}) {
        lease_test each;
        each.run([&]() -> asio::awaitable<void> {
            each.push_raw(payload);
            worker subject{each.redis, each.observed()};
            subject.handle(each.numbers, each.hold(result), {.monitor = false});
            auto running = each.start(subject);
            co_await each.events.wait_for(event_kind::started);
            each.rob(payload);
            each.gate.cancel();
            const auto lost = co_await each.events.wait_for(event_kind::lease_lost);
            BOOST_TEST(lost.message.find("its outcome was dropped") != std::string::npos, lost.message);
            co_await each.stop(subject, running);
            const auto left = each.server("HGETALL", "hworker-progress-numbers").pairs();
            BOOST_TEST(left.size() == 1u);
            BOOST_TEST(left.at(payload) == others);
            // But the run counts, as nobody else has counted it.
            BOOST_TEST(each.server("HGET", "hworker-attempts-numbers", payload).text == "1");
            for (const char* part : {"jobs", "failed", "failures", "broken", "scheduled"})
                BOOST_TEST(each.server("EXISTS", std::string{"hworker-"} + part + "-numbers").integer == 0,
                           part);
        });
    }
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
        BOOST_TEST((co_await numbers.async_sizes()).in_progress == 2u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_handler_is_cancelled_before_its_lease_ends_when_redis_is_silent, lease_test)
{
    run([&]() -> asio::awaitable<void> {
        push_raw(payload);
        worker subject{redis, observed()};
        constexpr auto lease = 5s;
        subject.handle(numbers, hold(), {.lease = lease});
        auto running = start(subject);
        const auto started = co_await events.wait_for(event_kind::started);
        server.freeze();
        co_await events.wait_for(event_kind::lease_lost);
        co_await eventually("the handler is cancelled", [&] { return cancelled.has_value(); });
        // A renewal may have been answered just before.
        const auto renewed = events.of(event_kind::leases_renewed);
        const auto held_since = renewed.empty() ? started.when : renewed.back().when;
        BOOST_TEST((*cancelled - held_since < lease));
        server.thaw();
        // The outcome was dropped, and the job given back as soon as Redis could be asked.
        co_await events.wait_for(event_kind::started, 2);
        gate.cancel();
        co_await events.wait_for(event_kind::succeeded);
        co_await stop(subject, running);
        BOOST_TEST(events.of(event_kind::started).at(1).attempt == 1u);
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_cut_connection_does_not_cost_the_lease, lease_test)
{
    run([&]() -> asio::awaitable<void> {
        push_raw(payload);
        worker subject{redis, observed()};
        subject.handle(numbers, hold(), {.lease = 2s});
        auto running = start(subject);
        co_await events.wait_for(event_kind::started);
        for (unsigned i = 1; i <= 5; ++i) {
            cut_connections(server);
            co_await events.wait_for(event_kind::reconnected, i);
        }
        gate.cancel();
        co_await events.wait_for(event_kind::succeeded);
        co_await stop(subject, running);
        BOOST_TEST(events.count(event_kind::started) == 1u);
        BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(an_outcome_that_could_not_be_written_is_written_after_the_reconnection, lease_test)
{
    run([&]() -> asio::awaitable<void> {
        push_raw(payload);
        worker subject{redis, observed()};
        subject.handle(numbers, hold(failure("kept")));
        auto running = start(subject);
        co_await events.wait_for(event_kind::started);
        server.freeze();
        gate.cancel();
        co_await events.wait_for(event_kind::failed);
        co_await let_pass(20ms); // until it has been written
        server.thaw();
        cut_connections(server);
        co_await events.wait_for(event_kind::reconnected);
        co_await eventually("it is recorded",
                            [&] { return server("LLEN", "hworker-failed-numbers").integer == 1; });
        co_await stop(subject, running);
        BOOST_TEST((co_await numbers.async_failed()).at(0).message == "kept");
        BOOST_TEST((co_await numbers.async_sizes()).in_progress == 0u);
        BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
        BOOST_TEST(events.count(event_kind::started) == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_busy_loop_does_not_cost_the_lease_while_it_lasts, lease_test)
{
    run([&]() -> asio::awaitable<void> {
        push_raw(payload);
        worker subject{redis, observed()};
        subject.handle(numbers,
                       [&](int, job_context& context) -> asio::awaitable<void> {
                           std::this_thread::sleep_for(1100ms); // blocks everything, renewals too
                           BOOST_TEST((co_await context.async_extend()).has_value());
                       },
                       {.lease = 3s});
        co_await work(subject, 1);
        BOOST_TEST(events.count(event_kind::succeeded) == 1u);
        BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_loop_that_was_busy_for_longer_than_the_lease_runs_the_job_again, lease_test)
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
        BOOST_TEST((co_await numbers.async_sizes()).in_progress == 0u);
        BOOST_TEST(runs >= 2);
    });
}

BOOST_AUTO_TEST_SUITE_END()
