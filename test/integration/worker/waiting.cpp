#include "support/client_list.hpp"
#include "support/client_test.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <list>
#include <optional>
#include <sstream>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(waiting)

namespace {

/// Of these a waiting worker with its idle monitor reads six: jobs, scheduled, paused, progress, twins, shared.
constexpr std::size_t keys_per_queue = 6;

struct waiting_test : client_test
{
    std::optional<worker> subject;
    std::optional<background> running;

    /// Starts a worker and waits until it sleeps.
    asio::awaitable<void> fall_asleep()
    {
        subject.emplace(redis, observed());
        subject->handle(numbers, [](int) {});
        running.emplace(start(*subject));
        co_await wait_until_armed(keys_per_queue);
    }

    asio::awaitable<void> finish()
    {
        BOOST_TEST(events.count(event_kind::fallback_poll_found_work) == 0u);
        co_await stop(*subject, *running);
    }

    /// What was sent to the server since `CONFIG RESETSTAT`, but for the test's own commands.
    std::string commands_sent()
    {
        std::string sent;
        std::istringstream lines{server("INFO", "commandstats").text};
        for (std::string line; std::getline(lines, line);)
            if (line.starts_with("cmdstat_") && !line.starts_with("cmdstat_config") &&
                !line.starts_with("cmdstat_info"))
                sent += line.substr(0, line.find(',')) + ' ';
        return sent;
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(an_idle_worker_sends_nothing, waiting_test)
{
    list_queue<int> others{redis, "others"};
    run([&]() -> asio::awaitable<void> {
        subject.emplace(redis, observed());
        subject->handle(numbers, [](int) {});
        subject->handle(others, [](int) {});
        running.emplace(start(*subject));
        co_await wait_until_armed(2 * keys_per_queue);
        server("CONFIG", "RESETSTAT");
        co_await let_pass(1500ms);
        BOOST_TEST(commands_sent() == "");
        co_await finish();
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_that_has_worked_sends_nothing_when_it_is_idle_again, waiting_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fall_asleep();
        const std::vector<int> jobs(500, 1);
        co_await numbers.async_push_many(jobs);
        co_await events.wait_for(event_kind::succeeded, 500);
        co_await wait_until_armed(keys_per_queue);
        server("CONFIG", "RESETSTAT");
        co_await let_pass(1500ms);
        BOOST_TEST(commands_sent() == "");
        co_await finish();
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_that_waits_for_a_scheduled_job_sends_nothing_until_it_is_due, waiting_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1, {.delay = 1500ms});
        const auto pushed = std::chrono::steady_clock::now();
        co_await fall_asleep();
        server("CONFIG", "RESETSTAT");
        co_await let_pass(1000ms);
        BOOST_TEST(commands_sent() == "");
        const auto started = co_await events.wait_for(event_kind::started);
        BOOST_TEST((started.when - pushed >= 1490ms));
        co_await finish();
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_pushed_by_another_program_starts_at_once, waiting_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fall_asleep();
        for (unsigned i = 1; i <= 50; ++i) {
            push_raw(R"(["a",1])");
            co_await events.wait_for(event_kind::started, i);
            if (i % 2 == 0) // also in the middle of settling
                co_await wait_until_armed(3);
        }
        co_await finish();
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_pushed_through_the_same_session_starts_at_once, waiting_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fall_asleep();
        for (unsigned i = 1; i <= 50; ++i) {
            co_await numbers.async_push(1);
            co_await events.wait_for(event_kind::succeeded, i);
        }
        co_await finish();
    });
}

BOOST_FIXTURE_TEST_CASE(any_write_that_makes_a_job_available_wakes_the_worker, waiting_test)
{
    const std::string payload = R"(["a",1])";
    server("LPUSH", "elsewhere", payload, payload, payload);
    server("HSET", "hworker-broken-numbers", payload, R"("2020-01-01T00:00:00Z")");
    server("LPUSH", "hworker-failed-numbers", payload);
    run([&]() -> asio::awaitable<void> {
        co_await fall_asleep();
        unsigned count = 0;
        const auto expect_one_more = [&]() -> asio::awaitable<void> {
            co_await events.wait_for(event_kind::succeeded, ++count);
            co_await wait_until_armed(keys_per_queue);
        };
        server("RPUSH", "hworker-jobs-numbers", payload);
        co_await expect_one_more();
        server("LMOVE", "elsewhere", "hworker-jobs-numbers", "LEFT", "LEFT");
        co_await expect_one_more();
        server("EVAL", "return redis.call('LPUSH', KEYS[1], ARGV[1])", 1, "hworker-jobs-numbers", payload);
        co_await expect_one_more();
        co_await numbers.async_retry_broken(payload);
        co_await expect_one_more();
        co_await numbers.async_retry_failed(payload);
        co_await expect_one_more();
        server("RENAME", "elsewhere", "hworker-jobs-numbers"); // two are left in it
        co_await expect_one_more();
        co_await events.wait_for(event_kind::succeeded, ++count);
        co_await finish();
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_scheduled_before_the_others_is_not_overslept, waiting_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1, {.delay = 1h});
        co_await fall_asleep();
        co_await numbers.async_push(2, {.delay = 200ms});
        co_await wait_until_armed(keys_per_queue);
        co_await numbers.async_push(3, {.delay = 100ms});
        co_await events.wait_for(event_kind::succeeded, 2);
        BOOST_TEST((co_await numbers.async_sizes()).scheduled == 1u);
        co_await finish();
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_pushed_while_the_connection_was_down_starts_after_it_is_up, waiting_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fall_asleep();
        for (unsigned i = 1; i <= 5; ++i) {
            cut_connections(server);
            push_raw(R"(["a",1])"); // nobody listens now
            co_await events.wait_for(event_kind::succeeded, i);
            co_await events.wait_for(event_kind::reconnected, i);
            co_await wait_until_armed(keys_per_queue);
        }
        co_await finish();
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_pushed_after_a_reconnection_starts_at_once, waiting_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fall_asleep();
        cut_connections(server);
        co_await events.wait_for(event_kind::reconnected);
        co_await wait_until_armed(keys_per_queue);
        push_raw(R"(["a",1])");
        co_await events.wait_for(event_kind::succeeded);
        co_await finish();
    });
}

BOOST_FIXTURE_TEST_CASE(a_restarted_server_finds_the_worker_waiting_again, waiting_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fall_asleep();
        server.restart(); // with nothing of its data
        co_await events.wait_for(event_kind::reconnected);
        push_raw(R"(["a",1])");
        co_await events.wait_for(event_kind::succeeded);
        co_await finish();
    });
}

BOOST_FIXTURE_TEST_CASE(an_emptied_server_does_not_confuse_a_waiting_worker, waiting_test)
{
    run([&]() -> asio::awaitable<void> {
        push_raw(R"(["a",1])");
        co_await fall_asleep();
        co_await events.wait_for(event_kind::succeeded);
        server("FLUSHALL");
        push_raw(R"(["b",1])");
        co_await events.wait_for(event_kind::succeeded, 2);
        co_await finish();
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_waits_in_another_database_too, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), {.url = server.url() + "?db=5"}};
        list_queue<int> numbers{redis, "numbers"};
        worker subject{redis, {.observers = {events.observe()}}};
        subject.handle(numbers, [](int) {});
        background running{io.get_executor(), subject.async_run(asio::use_awaitable)};
        co_await wait_until_armed(keys_per_queue);
        server("SELECT", 5);
        server("LPUSH", "hworker-jobs-numbers", R"(["a",1])");
        co_await events.wait_for(event_kind::succeeded);
        subject.stop();
        co_await running.join();
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(of_several_waiting_workers_one_gets_the_job, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        struct member
        {
            client redis;
            list_queue<int> numbers{redis, "numbers"};
            worker subject;
            background running;
            member(redis_test& test)
                : redis{test.io.get_executor(), test.options()},
                  subject{redis, {.observers = {test.events.observe()}}}, running{test.io.get_executor(),
                                                                                  start(*this)}
            {}
            static asio::awaitable<void> start(member& self)
            {
                self.subject.handle(self.numbers, [](int) {});
                co_await self.subject.async_run();
            }
        };
        std::list<member> members;
        for (int i = 0; i != 4; ++i)
            members.emplace_back(*this);
        const auto all_wait = [&] { return server.raw().info("clients", "tracking_clients") == "4"; };
        co_await eventually("all are connected", all_wait);
        co_await wait_until_armed(keys_per_queue);
        for (unsigned i = 1; i <= 100; ++i) {
            server("LPUSH", "hworker-jobs-numbers", R"(["a",1])");
            co_await events.wait_for(event_kind::succeeded, i);
        }
        for (auto& each : members)
            each.subject.stop();
        for (auto& each : members) {
            co_await each.running.join();
            co_await each.redis.async_stop();
        }
        BOOST_TEST(events.total(event_kind::fetched) == 100u);
        BOOST_TEST(events.count(event_kind::fallback_poll_found_work) == 0u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
