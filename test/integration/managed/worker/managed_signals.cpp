// SPDX-License-Identifier: MIT
#include "suspended_job_test.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/describe.hpp>
#include <boost/test/unit_test.hpp>

#include <deque>
#include <map>
#include <optional>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

struct decision
{
    bool approved = false;
    std::string by;
};
BOOST_DESCRIBE_STRUCT(decision, (), (approved, by))

} // namespace

/// Signals to jobs that wait for them.
BOOST_AUTO_TEST_SUITE(managed_signals)

namespace {

struct signal_test : suspended_job_test
{
    /// The job "a" gets signals of this name.
    void send(const std::string& name, const std::vector<int>& values)
    {
        redis_test::run([&]() -> asio::awaitable<void> { // which leaves the client as it is
            for (const int value : values) {
                const auto sent = co_await jobs.async_signal("a", name, value);
                BOOST_TEST(sent.has_value());
            }
        });
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_signal_wakes_the_job_that_waits_for_it, signal_test)
{
    std::vector<std::string> said;
    put("a", "Order");
    run_with(
        [&](raw_json, job_context& context) -> asio::awaitable<void> {
            said.push_back("runs");
            const auto approval = co_await context.signal<decision>("approved", 24h);
            said.push_back(approval ? approval->by : "nobody");
        },
        [&]() -> asio::awaitable<void> {
            co_await wait_until_asleep("a");
            const decision yes{true, "ada"};
            const auto sent = co_await jobs.async_signal("a", "approved", yes);
            BOOST_TEST(sent.has_value());
            co_await events.wait_for(event_kind::succeeded);
        });
    BOOST_TEST(said == (std::vector<std::string>{"runs", "runs", "ada"}), boost::test_tools::per_element());
    BOOST_TEST(server("HEXISTS", "ql:j:a", "signal:1:approved").integer == 0);
    BOOST_TEST(field("a", "remaining") == field("a", "retries"));
}

BOOST_FIXTURE_TEST_CASE(a_signal_that_comes_first_is_kept, signal_test)
{
    std::optional<int> got;
    put("a", "Order");
    send("count", {7});
    run_with(
        [&](raw_json, job_context& context) -> asio::awaitable<void> {
            got = co_await context.signal<int>("count", 24h);
        },
        [&]() -> asio::awaitable<void> { co_await events.wait_for(event_kind::succeeded); });
    BOOST_TEST(got.value() == 7);
    BOOST_TEST(events.count(event_kind::released) == 0u);
}

BOOST_FIXTURE_TEST_CASE(nobody_sends_a_signal_in_time, signal_test)
{
    std::vector<bool> came;
    put("a", "Order");
    run_with(
        [&](raw_json, job_context& context) -> asio::awaitable<outcome> {
            const auto approval = co_await context.signal<decision>("approved", 10ms);
            came.push_back(approval.has_value());
            if (came.size() == 2)
                co_return success();
            (void)co_await jobs.async_signal("a", "approved", decision{});
            co_return retry("once more");
        },
        [&]() -> asio::awaitable<void> { co_await events.wait_for(event_kind::succeeded); });
    BOOST_TEST(came == (std::vector{false, false}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_wait_without_time_takes_what_is_there, signal_test)
{
    std::vector<int> got;
    put("a", "Order");
    send("n", {0, 1, 2});
    run_with(
        [&](raw_json, job_context& context) -> asio::awaitable<void> {
            for (;;) {
                const auto one = co_await context.signal<int>("n", 0ms);
                if (!one)
                    break;
                got.push_back(*one);
            }
        },
        [&]() -> asio::awaitable<void> { co_await events.wait_for(event_kind::succeeded); });
    BOOST_TEST(got == (std::vector{0, 1, 2}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_signal_to_a_job_that_has_ended_is_refused, signal_test)
{
    put("a", "Order");
    run_with([](raw_json) {},
             [&]() -> asio::awaitable<void> {
                 co_await events.wait_for(event_kind::succeeded);
                 co_await eventually("it is complete", [&] { return state("a") == "complete"; });
                 BOOST_TEST((co_await jobs.async_signal("a", "x", 1)).error() == errc::job_ended);
                 BOOST_TEST((co_await jobs.async_signal("none", "x", 1)).error() == errc::job_not_found);
             });
}

BOOST_FIXTURE_TEST_CASE(too_many_signals_are_refused, signal_test)
{
    put("a", "Order");
    run([&]() -> asio::awaitable<void> {
        for (int i = 0; i != 100; ++i)
            BOOST_REQUIRE((co_await jobs.async_signal("a", "x", i)).has_value());
        BOOST_TEST((co_await jobs.async_signal("a", "x", 100)).error() == errc::too_many_signals);
        const std::string large(1024 * 1024, 'x');
        BOOST_TEST((co_await jobs.async_signal("a", "y", large)).error() == errc::too_many_signals);
        BOOST_TEST((co_await jobs.async_signal("a", "y", 1)).has_value());
        const raw_json deep{std::string(255, '[') + std::string(255, ']')};
        const auto too_deep = co_await error_of([&] { return jobs.async_signal("a", "y", deep); });
        BOOST_TEST(too_deep == errc::not_serializable);
        const std::string long_name(257, 'x');
        const auto unnamed = co_await error_of([&] { return jobs.async_signal("a", "", 1); });
        const auto too_long = co_await error_of([&] { return jobs.async_signal("a", long_name, 1); });
        const auto nobody = co_await error_of([&] { return jobs.async_signal("", "y", 1); });
        BOOST_TEST(unnamed == errc::invalid_option);
        BOOST_TEST(too_long == errc::invalid_option);
        BOOST_TEST(nobody == errc::invalid_job_id);
    });
}

BOOST_FIXTURE_TEST_CASE(what_a_killed_worker_has_read_is_read_again, signal_test)
{
    std::vector<int> read;
    const auto handler = [&](raw_json, job_context& context) -> asio::awaitable<void> {
        for (int i = 0; i != 2; ++i) {
            const auto one = co_await context.signal<int>("n", 1h);
            read.push_back(one.value());
        }
        if (read.size() == 2)
            co_await let_pass(60s);
    };
    put("a", "Order");
    run([&]() -> asio::awaitable<void> {
        client first{io.get_executor(), options()};
        const managed_queue of_first{first, "mail"};
        (void)co_await jobs.async_signal("a", "n", 1);
        (void)co_await jobs.async_signal("a", "n", 2);
        worker killed{first, {.shutdown_timeout = 0ms}};
        killed.handle(of_first, handler, {.worker_grace = 200ms});
        background dying{io.get_executor(), killed.async_run()};
        co_await eventually("it has read both", [&] { return read.size() == 2; });
        (void)co_await jobs.async_signal("a", "n", 3);
        co_await first.async_stop(); // as seen from Redis: the connection is closed without a word
        (void)co_await dying.join_and_tell();

        worker survivor{redis, observed()};
        survivor.handle(mail, handler, {.worker_grace = 200ms});
        auto running = start(survivor);
        co_await events.wait_for(event_kind::succeeded);
        co_await stop(survivor, running);
    });
    BOOST_TEST(read == (std::vector{1, 2, 1, 2}), boost::test_tools::per_element());
    BOOST_TEST(broken() == "");
}

/// Workers and senders race: each job gets each signal once, in order, and ends.
BOOST_FIXTURE_TEST_CASE(no_signal_is_lost_in_a_race, signal_test)
{
    constexpr int count = 12, signals = 8;
    std::map<std::string, std::vector<int>> got;
    std::size_t ended = 0;
    const auto handler = [&](raw_json, job_context& context) -> asio::awaitable<void> {
        std::vector<int> mine;
        for (int i = 0; i != signals; ++i)
            mine.push_back((co_await context.signal<int>("n", 1h)).value());
        got[std::string{context.id()}] = mine;
        ++ended;
    };
    for (int i = 0; i != count; ++i)
        put("job" + std::to_string(i), "Order");
    run([&]() -> asio::awaitable<void> {
        client other{io.get_executor(), options()};
        const managed_queue of_other{other, "mail"};
        const managed_client sender{other};
        worker one{redis}, two{other};
        one.handle(mail, handler);
        two.handle(of_other, handler);
        background first{io.get_executor(), one.async_run()}, second{io.get_executor(), two.async_run()};
        for (int n = 0; n != signals; ++n)
            for (int i = 0; i != count; ++i) {
                const auto& from = (n + i) % 2 == 0 ? jobs : sender;
                const auto jid = "job" + std::to_string(i);
                const auto sent = co_await from.async_signal(jid, "n", n);
                BOOST_TEST(sent.has_value());
            }
        co_await eventually("all have ended", [&] { return ended == count; });
        one.stop();
        two.stop();
        co_await first.join();
        co_await second.join();
        co_await other.async_stop();
    });
    for (const auto& [jid, values] : got)
        BOOST_TEST(values == (std::vector{0, 1, 2, 3, 4, 5, 6, 7}), boost::test_tools::per_element());
    BOOST_TEST(got.size() == std::size_t{count});
    BOOST_TEST(broken() == "");
}

BOOST_AUTO_TEST_SUITE_END()
