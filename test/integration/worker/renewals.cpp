#include "support/client_list.hpp"
#include "support/client_test.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Renewals that are refused, that come too late, or that somebody waits for.
BOOST_AUTO_TEST_SUITE(renewals)

namespace {

const std::string payload = R"(["id",1])";

struct renewal_test : client_test
{
    asio::steady_timer gate{io, clock::time_point::max()};
    using clock = std::chrono::steady_clock;

    /// A handler that goes on until the gate opens, or until it is cancelled.
    auto hold()
    {
        return [this](int) -> asio::awaitable<void> {
            boost::system::error_code ec;
            co_await gate.async_wait(asio::redirect_error(asio::use_awaitable, ec));
        };
    }

    /// A client of a user whose permissions can be changed.
    client_options of_ada() const
    {
        auto how = observed_options();
        how.user = "ada";
        how.password = "secret";
        return how;
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_handler_is_cancelled_when_redis_refuses_to_renew_its_lease, renewal_test)
{
    server("ACL", "SETUSER", "ada", "on", ">secret", "~*", "&*", "+@all");
    run([&]() -> asio::awaitable<void> {
        client own{io.get_executor(), of_ada()};
        list_queue<int> queue{own, "numbers"};
        worker subject{own, observed()};
        subject.handle(queue, hold(), {.lease = 1s});
        auto running = start(subject);
        push_raw(payload);
        co_await events.wait_for(event_kind::started);
        server("ACL", "SETUSER", "ada", "-evalsha");
        co_await events.wait_for(event_kind::lease_lost);
        server("ACL", "SETUSER", "ada", "+evalsha");
        co_await events.wait_for(event_kind::started, 2);
        gate.cancel();
        co_await events.wait_for(event_kind::succeeded);
        co_await stop(subject, running);
        co_await own.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_that_was_given_up_runs_again_as_soon_as_redis_answers, renewal_test)
{
    run([&]() -> asio::awaitable<void> {
        push_raw(payload);
        worker subject{redis, observed()};
        subject.handle(numbers, hold(), {.lease = 1s});
        auto running = start(subject);
        co_await events.wait_for(event_kind::started);
        server.freeze();
        co_await events.wait_for(event_kind::lease_lost);
        server.thaw();
        // The renewal that waited has given the worker another lease.
        co_await events.wait_for(event_kind::started, 2);
        gate.cancel();
        co_await events.wait_for(event_kind::succeeded);
        co_await stop(subject, running);
        BOOST_TEST(events.total(event_kind::recovered) == 0u, "nobody waited for the end of that lease");
        BOOST_TEST(events.of(event_kind::started).at(1).attempt == 1u,
                   "the run was ended through no fault of its own");
        BOOST_TEST(events.count(event_kind::lease_lost) == 1u);
        BOOST_TEST(events.count(event_kind::released) == 0u, "its end has been told already");
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 1u);
        BOOST_TEST((co_await numbers.async_sizes()).in_progress == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(an_outcome_that_waits_for_a_renewal_is_kept_while_redis_is_away, renewal_test)
{
    run([&]() -> asio::awaitable<void> {
        push_raw(payload);
        worker subject{redis, observed()};
        subject.handle(numbers,
                       [&](int, job_context& context) -> asio::awaitable<void> {
                           server.freeze();
                           background renewal{io.get_executor(),
                                              [](job_context& renewed) -> asio::awaitable<void> {
                                                  co_await renewed.async_extend();
                                              }(context)};
                           renewal.cancel(); // whether it was carried out is unknown now
                           (void)co_await renewal.join_and_tell();
                       },
                       {.lease = 1s});
        auto running = start(subject);
        co_await events.wait_for(event_kind::succeeded);
        co_await let_pass(1s); // the lease, by the worker's own clock
        server.thaw();
        co_await eventually("the outcome is stored", [&] {
            return server("HGET", "hworker-counters-numbers", "success").text == "1";
        });
        co_await stop(subject, running);
        BOOST_TEST(events.count(event_kind::started) == 1u);
        BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(extend_waits_for_the_answer_of_a_renewal_that_is_under_way, renewal_test)
{
    run([&]() -> asio::awaitable<void> {
        push_raw(payload);
        const auto ask = [](job_context& context, std::optional<bool>& held) -> asio::awaitable<void> {
            held = (co_await context.async_extend()).has_value();
        };
        std::optional<bool> first_says, second_says;
        worker subject{redis, observed()};
        subject.handle(numbers, [&](int, job_context& context) -> asio::awaitable<void> {
            server("HSET", "hworker-progress-numbers", payload,
                   R"("2999-01-01T00:00:00.000000000099Z")"); // robbed
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
