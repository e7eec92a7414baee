// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <utility>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Jobs that are larger than what Redis lets wait for a connection, and many that are large.
BOOST_AUTO_TEST_SUITE(large_jobs)

namespace {

/// More than the 32 MB of answers that Redis lets wait for a subscriber.
std::string too_large(const std::string& id = "huge")
{
    return "[\"" + id + "\",\"" + std::string(34'000'000, 'x') + "\"]";
}

std::string job(int n)
{
    return "[\"id" + std::to_string(n) + "\"," + std::to_string(n) + "]";
}

struct large_test : client_test
{
    client observed_redis{io.get_executor(), patient_options()};
    raw_list_queue queue{observed_redis, "numbers"};
    std::vector<std::string> ran;

    /// A busy machine may need long for so many bytes.
    client_options patient_options() const
    {
        auto how_to_connect = observed_options();
        how_to_connect.health_check_interval = 10min;
        return how_to_connect;
    }

    auto note()
    {
        return [this](const raw_json& each) {
            if (each.text.size() < 100)
                ran.push_back(each.text);
        };
    }

    /// Jobs of a megabyte, whose ids count from 0.
    void push_megabytes(std::size_t count)
    {
        for (std::size_t i = 0; i != count; ++i)
            push_raw("[\"" + std::to_string(i) + "\",\"" + std::string(1'000'000, 'x') + "\"]");
    }

    template<class Test>
    void run(Test test)
    {
        client_test::run([&]() -> asio::awaitable<void> {
            co_await test();
            BOOST_TEST(events.count(event_kind::disconnected) == 0u);
            co_await observed_redis.async_stop();
        });
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(one_that_cannot_be_delivered_stops_no_other_and_says_why, large_test)
{
    push_raw(job(1));
    push_raw(too_large());
    push_raw(too_large("another"));
    push_raw(job(2));
    run([&]() -> asio::awaitable<void> {
        worker subject{observed_redis, observed({.concurrency = 4})};
        subject.handle(queue, note());
        co_await work(subject, 2);
        const std::vector<std::string> expected{"1", "2"};
        BOOST_TEST(ran == expected, boost::test_tools::per_element());
        const auto sizes = co_await queue.async_sizes();
        BOOST_TEST(sizes.broken == 2u);
        BOOST_TEST(sizes.total_broken == 2u);
        BOOST_TEST(sizes.waiting + sizes.running == 0u);
        const auto broken = co_await jobs_in(job_state::broken);
        BOOST_TEST_REQUIRE(broken.size() == 2u);
        BOOST_TEST(broken[0].message.find("can be delivered") != std::string::npos);
        BOOST_TEST(broken[0].size > 34'000'000u);
        BOOST_TEST(broken[0].payload.size() < 10'000u);
        BOOST_TEST(co_await act_on_all(job_action::retry, job_state::broken) == 2u);
        BOOST_TEST(co_await act_on_all(job_action::remove, job_state::broken) == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(one_that_cannot_be_delivered_keeps_no_other_from_being_recovered, large_test)
{
    server("HSET", "hworker-workers-numbers", "42", "coworker:gone");
    for (const auto& payload : {job(1), too_large(), job(2)})
        server("HSET", "hworker-progress-numbers", payload, R"("2999-11-21T09:54:29.612715000042Z")");
    run([&]() -> asio::awaitable<void> {
        worker subject{observed_redis, observed()};
        subject.handle(queue, note());
        auto running = start(subject);
        co_await events.wait_for(event_kind::succeeded, 2);
        co_await eventually("the large one is set aside",
                            [&] { return server("HLEN", "hworker-broken-numbers").integer == 1; });
        co_await events.wait_until("all to be recovered", [](const event_log& log) {
            return log.total(event_kind::recovered) == 3;
        });
        co_await stop(subject, running);
    });
}

BOOST_FIXTURE_TEST_CASE(looking_at_them_does_not_break_the_connection, large_test)
{
    const auto start = R"("2026-11-21T09:54:29Z")";
    for (int i = 0; i != 40; ++i) {
        const std::string payload = "[\"" + std::to_string(i) + "\",\"" + std::string(1'000'000, 'x') + "\"]";
        push_raw(payload);
        server("ZADD", "hworker-scheduled-numbers", 5000 + i, "u:" + payload);
        server("RPUSH", "hworker-failed-numbers", payload);
        server("HSET", "hworker-progress-numbers", payload, start);
        server("HSET", "hworker-broken-numbers", payload, start);
    }
    push_raw(too_large());
    server("ZADD", "hworker-scheduled-numbers", 1, "u:" + too_large());
    server("LPUSH", "hworker-failed-numbers", too_large());
    server("HSET", "hworker-progress-numbers", too_large(), start);
    server("HSET", "hworker-broken-numbers", too_large(), start);
    run([&]() -> asio::awaitable<void> {
        const auto waiting = co_await jobs_in(job_state::waiting);
        BOOST_TEST_REQUIRE(waiting.size() == 41u);
        for (int i = 0; i != 40; ++i)
            BOOST_TEST(waiting.at(static_cast<std::size_t>(i)).id == std::to_string(i));
        BOOST_TEST(waiting.back().size == too_large().size());
        BOOST_TEST(waiting.back().payload.size() < 10'000u);
        const auto scheduled = co_await jobs_in(job_state::scheduled);
        BOOST_TEST_REQUIRE(scheduled.size() == 41u);
        BOOST_TEST(scheduled.front().size == too_large().size());
        BOOST_TEST(scheduled.back().id == "39");
        const auto failed = co_await jobs_in(job_state::failed);
        BOOST_TEST_REQUIRE(failed.size() == 41u);
        BOOST_TEST(failed.front().id.empty());
        BOOST_TEST(failed.back().id == "39");
        BOOST_TEST((co_await jobs_in(job_state::running)).size() == 41u);
        BOOST_TEST((co_await jobs_in(job_state::broken)).size() == 41u);
    });
}

BOOST_FIXTURE_TEST_CASE(the_size_of_the_one_that_is_next_does_not_matter_for_a_look_at_the_queue, large_test)
{
    push_raw("[\"01932c07-8a3a-7000-8000-000000000000\",\"" + std::string(34'000'000, 'x') + "\"]");
    run([&]() -> asio::awaitable<void> {
        const auto sizes = co_await queue.async_sizes();
        BOOST_TEST(sizes.waiting == 1u);
        BOOST_TEST(sizes.oldest_waiting_age.has_value());
    });
}

/// Redis closes the connection on which both wait, before either is there.
BOOST_FIXTURE_TEST_CASE(two_that_cannot_be_delivered_together_are_delivered_one_after_the_other, large_test)
{
    for (const auto* id : {"a", "b"})
        push_raw(std::string{"[\""} + id + "\",\"" + std::string(20'000'000, 'x') + "\"]");
    client_test::run([&]() -> asio::awaitable<void> {
        const auto source = queue.make_source();
        co_await source->open();
        std::size_t taken = 0;
        bool is_cut = false;
        const auto take = [&]() -> asio::awaitable<void> {
            try {
                const auto got = co_await source->ack_and_fetch({}, 1);
                taken += got.fetched.size();
            } catch (const system_error&) {
                is_cut = true;
            }
        };
        for (int rounds = 0; rounds != 8 && taken == 0; ++rounds) {
            background one{io.get_executor(), take()};
            background other{io.get_executor(), take()};
            co_await one.join();
            co_await other.join();
            if (std::exchange(is_cut, false))
                co_await source->reconcile({});
        }
        BOOST_TEST(taken == 1u);
        co_await source->close();
        co_await observed_redis.async_stop();
    });
}

// --- many large ones -----------------------------------------------------------------

/// Redis ends a client that sends more than this at once; see `client-query-buffer-limit`.
constexpr auto query_limit = "12mb";
constexpr std::size_t count = 24;

BOOST_FIXTURE_TEST_CASE(outcomes_of_many_are_stored_in_parts, large_test)
{
    server("CONFIG", "SET", "client-query-buffer-limit", query_limit);
    push_megabytes(count);
    run([&]() -> asio::awaitable<void> {
        asio::steady_timer gate{io.get_executor(), asio::steady_timer::time_point::max()};
        worker subject{observed_redis, observed({.concurrency = 2 * count})};
        subject.handle(queue, [&](const raw_json&) -> asio::awaitable<void> {
            boost::system::error_code ec;
            co_await gate.async_wait(asio::redirect_error(asio::use_awaitable, ec));
        });
        auto running = start(subject);
        co_await events.wait_for(event_kind::started, count);
        gate.cancel();
        co_await events.wait_for(event_kind::succeeded, count);
        co_await eventually("all are stored",
                            [&] { return server("EXISTS", "hworker-progress-numbers").integer == 0; });
        BOOST_TEST((co_await queue.async_sizes()).total_succeeded == count);
        co_await stop(subject, running);
    });
}

BOOST_FIXTURE_TEST_CASE(many_go_back_in_parts_and_in_order_when_the_worker_stops, large_test)
{
    server("CONFIG", "SET", "client-query-buffer-limit", query_limit);
    push_megabytes(count);
    run([&]() -> asio::awaitable<void> {
        worker subject{observed_redis, observed({.concurrency = 2 * count, .shutdown_timeout = 0ms})};
        subject.handle(queue, [&](const raw_json&) -> asio::awaitable<void> { co_await let_pass(1h); });
        auto running = start(subject);
        co_await events.wait_for(event_kind::started, count);
        co_await stop(subject, running);
        const auto waiting = co_await jobs_in(job_state::waiting);
        BOOST_TEST_REQUIRE(waiting.size() == count);
        for (std::size_t i = 0; i != count; ++i)
            BOOST_TEST(waiting[i].id == std::to_string(i));
    });
}

BOOST_FIXTURE_TEST_CASE(leases_of_many_are_renewed_in_parts, large_test)
{
    server("CONFIG", "SET", "client-query-buffer-limit", query_limit);
    push_megabytes(count);
    run([&]() -> asio::awaitable<void> {
        worker subject{observed_redis, observed({.concurrency = 2 * count, .shutdown_timeout = 0ms})};
        subject.handle(queue, [&](const raw_json&) -> asio::awaitable<void> { co_await let_pass(1h); },
                       {.lease = 9s});
        auto running = start(subject);
        co_await events.wait_for(event_kind::started, count);
        co_await events.wait_until("all to be renewed", [&](const event_log& log) {
            return log.total(event_kind::leases_renewed) >= count;
        });
        BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
        co_await stop(subject, running);
    });
}

BOOST_AUTO_TEST_SUITE_END()
