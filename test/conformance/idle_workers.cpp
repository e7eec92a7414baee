// SPDX-License-Identifier: MIT
#include "conformance/worker_test.hpp"
#include "support/client_list.hpp"

#include <list>
#include <sstream>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Workers that wait for jobs: what wakes them, and that they ask for nothing meanwhile.
BOOST_AUTO_TEST_SUITE(idle_workers)

namespace {

/// A monitor takes its time to go to sleep again after each job.
handle_options without_monitor()
{
    handle_options how;
    how.monitor = false;
    return how;
}

/// What was sent to the server since `CONFIG RESETSTAT`, but for the test's own commands and signs of life.
std::string commands_sent(redis_server& server)
{
    std::string sent;
    std::istringstream lines{server("INFO", "commandstats").text};
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("cmdstat_") && !line.starts_with("cmdstat_config") &&
            !line.starts_with("cmdstat_info") && !line.starts_with("cmdstat_ping"))
            sent += line.substr(0, line.find(',')) + ' ';
    return sent;
}

/// Nothing is sent for a while. A monitor may still be about to find that there is nothing to look at.
asio::awaitable<void> expect_silence(redis_server& server)
{
    std::string sent;
    for (int attempt = 0; attempt != 10; ++attempt) {
        server("CONFIG", "RESETSTAT");
        co_await let_pass(attempt == 0 ? 300ms : 1500ms); // monitors look every half second
        sent = commands_sent(server);
        if (sent.empty() && attempt != 0)
            co_return;
    }
    BOOST_TEST(sent == "");
}

} // namespace

BOOST_AUTO_TEST_CASE(an_idle_worker_sends_nothing)
{
    for_each_kind_in_redis([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind};
        one.start([](std::string) {});
        co_await fall_asleep(kind, 1, 1);
        co_await expect_silence(*kind.server());
        push_all(kind, numbered(300));
        co_await one.events.wait_for(event_kind::succeeded, 300);
        co_await fall_asleep(kind, 1, 1);
        co_await expect_silence(*kind.server());
        co_await one.stop();
        BOOST_TEST(one.events.count(event_kind::fallback_poll_found_work) == 0u);
    });
}

BOOST_AUTO_TEST_CASE(a_job_that_is_pushed_starts_although_no_poll_finds_it)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind};
        one.start([](std::string) {}, without_monitor());
        co_await fall_asleep(kind, 1, 0);
        for (std::size_t i = 1; i <= 50; ++i) {
            kind.push("job" + std::to_string(i));
            co_await one.events.wait_for(i % 4 == 1 ? event_kind::started : event_kind::succeeded, i);
            if (i % 2 == 0) // also in the middle of settling
                co_await fall_asleep(kind, 1, 0);
        }
        co_await one.events.wait_for(event_kind::succeeded, 50);
        co_await one.stop();
        BOOST_TEST(one.events.count(event_kind::fallback_poll_found_work) == 0u);
        BOOST_TEST(one.events.count(event_kind::started) == 50u);
    });
}

BOOST_AUTO_TEST_CASE(a_job_that_wakes_a_worker_costs_three_calls)
{
    constexpr std::size_t count = 20;
    for_each_kind_in_redis([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind};
        one.start([](std::string) {}, without_monitor());
        co_await fall_asleep(kind, 1, 0);
        (*kind.server())("CONFIG", "RESETSTAT");
        for (std::size_t i = 1; i <= count; ++i) {
            kind.push("job" + std::to_string(i));
            co_await one.events.wait_for(event_kind::succeeded, i);
            co_await fall_asleep(kind, 1, 0);
        }
        // To fetch it, to acknowledge it, and to wait for the next one; not to ask first whether there is one.
        const auto calls = kind.server()->raw().info("commandstats", "cmdstat_evalsha");
        BOOST_TEST(std::stoul(calls.substr(calls.find('=') + 1)) <= 3 * count, calls);
        co_await one.stop();
        BOOST_TEST(one.events.count(event_kind::fallback_poll_found_work) == 0u);
    });
}

BOOST_AUTO_TEST_CASE(a_delayed_job_starts_when_it_is_due)
{
    for_each_kind_in_redis([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind};
        one.start([](std::string) {}, without_monitor());
        kind.push_later("much later");
        co_await fall_asleep(kind, 1, 0);
        const auto begin = std::chrono::steady_clock::now();
        kind.push_soon("late", 1200ms);
        co_await fall_asleep(kind, 1, 0);
        kind.push_soon("soon", 200ms); // is not overslept
        const auto last = co_await one.events.wait_for(event_kind::succeeded, 2);
        BOOST_TEST((last.when - begin >= 1190ms));
        co_await one.stop();
        const auto started = one.events.of(event_kind::started);
        BOOST_TEST(started.at(0).job_id == "soon");
        BOOST_TEST(started.at(1).job_id == "late");
        BOOST_TEST(kind.scheduled() == 1);
        BOOST_TEST(one.events.count(event_kind::fallback_poll_found_work) == 0u);
    });
}

BOOST_AUTO_TEST_CASE(a_job_pushed_while_the_connection_is_down_starts_when_it_is_up)
{
    for_each_kind_in_redis([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind};
        one.start([](std::string) {}, without_monitor());
        co_await fall_asleep(kind, 1, 0);
        for (unsigned i = 1; i <= 5; ++i) {
            cut_connections(*kind.server());
            kind.push("a" + std::to_string(i)); // nobody listens now
            co_await one.events.wait_for(event_kind::succeeded, 2 * i - 1);
            co_await kind.connections.wait_for(event_kind::reconnected, i);
            co_await fall_asleep(kind, 1, 0);
            kind.push("b" + std::to_string(i));
            co_await one.events.wait_for(event_kind::succeeded, 2 * i);
            co_await fall_asleep(kind, 1, 0);
        }
        co_await one.stop();
        BOOST_TEST(one.events.count(event_kind::fallback_poll_found_work) == 0u);
    });
}

BOOST_AUTO_TEST_CASE(a_server_that_has_lost_everything_finds_the_worker_waiting_again)
{
    for_each_kind_in_redis([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind};
        one.start([](std::string) {}, without_monitor());
        co_await fall_asleep(kind, 1, 0);
        (*kind.server())("FLUSHALL");
        kind.push("a");
        co_await one.events.wait_for(event_kind::succeeded);
        co_await fall_asleep(kind, 1, 0);
        kind.server()->restart(); // with nothing of its data
        co_await kind.connections.wait_for(event_kind::reconnected);
        kind.push("b");
        co_await one.events.wait_for(event_kind::succeeded, 2);
        co_await one.stop();
        BOOST_TEST(one.events.count(event_kind::fallback_poll_found_work) == 0u);
    });
}

BOOST_AUTO_TEST_CASE(of_several_waiting_workers_one_gets_the_job)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        std::list<test_worker> workers;
        for (int i = 0; i != 4; ++i)
            workers.emplace_back(kind).start([](std::string) {}, without_monitor());
        const auto count = [&](event_kind what) {
            std::size_t sum = 0;
            for (const auto& each : workers)
                sum += each.events.count(what);
            return sum;
        };
        co_await fall_asleep(kind, workers.size(), 0);
        for (std::size_t i = 1; i <= 50; ++i) {
            kind.push("job" + std::to_string(i));
            co_await eventually("it has run", [&, i] { return count(event_kind::succeeded) == i; });
        }
        for (auto& each : workers)
            co_await each.stop();
        BOOST_TEST(count(event_kind::started) == 50u);
        BOOST_TEST(count(event_kind::fallback_poll_found_work) == 0u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
