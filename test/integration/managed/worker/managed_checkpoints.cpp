// SPDX-License-Identifier: MIT
#include "support/managed_worker_test.hpp"

#include "coworker/managed_client.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What handlers tell of a job while they run it: progress and checkpoints.
BOOST_AUTO_TEST_SUITE(managed_checkpoints)

namespace {

struct checkpoints_test : managed_worker_test
{
    managed_client jobs{redis};

    /// Runs a worker until something has become of a job "a".
    template<class Handler>
    void run_job(Handler handler, event_kind end)
    {
        put("a", "Count");
        run([&]() -> asio::awaitable<void> {
            worker subject{redis, observed()};
            subject.handle(mail, handler, {.backoff = no_backoff});
            auto running = start(subject);
            co_await events.wait_for(end);
            co_await stop(subject, running);
        });
        BOOST_TEST(broken() == "");
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(the_next_attempt_finds_the_checkpoint, checkpoints_test)
{
    std::vector<int> found;
    run_job(
        [&](raw_json, job_context& context) -> asio::awaitable<outcome> {
            const auto before = co_await context.async_checkpoint<int>();
            found.push_back(before.value_or(-1));
            if (context.attempt() == 3)
                co_return success();
            const int reached = before.value_or(0) + 10;
            const auto stored = co_await context.async_save(reached);
            BOOST_TEST(stored.has_value());
            const auto now = co_await context.async_checkpoint<int>();
            BOOST_TEST(now.value() == reached);
            co_return retry("again", 0ms);
        },
        event_kind::succeeded);
    BOOST_TEST(found == (std::vector<int>{-1, 10, 20}), boost::test_tools::per_element());
    BOOST_TEST(server("HEXISTS", "ql:j:a", "checkpoint").integer == 0);
}

BOOST_FIXTURE_TEST_CASE(a_job_that_failed_keeps_its_checkpoint, checkpoints_test)
{
    run_job(
        [](raw_json, job_context& context) -> asio::awaitable<outcome> {
            co_await context.async_save(std::string{"here"});
            co_return failure("no");
        },
        event_kind::failed);
    BOOST_TEST(field("a", "checkpoint") == R"("here")");
}

BOOST_FIXTURE_TEST_CASE(a_checkpoint_that_is_too_large_is_refused, checkpoints_test)
{
    error_code refused;
    run_job(
        [&](raw_json, job_context& context) -> asio::awaitable<void> {
            try {
                co_await context.async_save(std::string(1024 * 1024, 'x'));
            } catch (const system_error& error) {
                refused = error.code();
            }
        },
        event_kind::succeeded);
    BOOST_TEST((refused == errc::job_too_large));
}

BOOST_FIXTURE_TEST_CASE(nothing_is_stored_when_the_lease_is_lost, checkpoints_test)
{
    std::optional<result<void>> answer;
    run_job(
        [&](raw_json, job_context& context) -> asio::awaitable<void> {
            if (context.attempt() > 1)
                co_return;
            server("HSET", "ql:j:a", "worker", "another"); // which nobody announces
            answer = co_await context.async_save(1);
            BOOST_TEST((answer->error() == errc::lease_lost));
            server("HSET", "ql:j:a", "worker", redis.client_name());
        },
        event_kind::succeeded);
    BOOST_TEST(answer.has_value());
    BOOST_TEST(server("HEXISTS", "ql:j:a", "checkpoint").integer == 0);
}

BOOST_FIXTURE_TEST_CASE(progress_is_stored_now_and_then, checkpoints_test)
{
    run_job(
        [this](raw_json, job_context& context) -> asio::awaitable<void> {
            for (int i = 1; i <= 1000; ++i)
                context.set_progress(i / 2000.0, "page " + std::to_string(i));
            co_await eventually("it is stored", [this] { return field("a", "progress") != ""; });
            const auto status = co_await jobs.async_status("a");
            const auto& progress = status.value().progress.value();
            BOOST_TEST(progress.fraction == 0.5);
            BOOST_TEST(progress.message == "page 1000");
            BOOST_TEST((progress.told_at > timestamp{}));
            context.set_progress(7);
            context.set_progress(-1, "caf\xe9");
            co_await eventually("the latest is stored", [this] {
                return field("a", "progress").find(R"("fraction":0E0,"message":"caf)") != std::string::npos;
            });
        },
        event_kind::succeeded);
}

BOOST_FIXTURE_TEST_CASE(whoever_waits_gets_the_result_of_the_next_attempt_when_a_worker_was_killed,
                        checkpoints_test)
{
    int begun = 0;
    const auto handler = [&](raw_json, job_context& context) -> asio::awaitable<int> {
        ++begun;
        const auto before = co_await context.async_checkpoint<int>();
        if (before)
            co_return *before + 1;
        co_await context.async_save(41);
        ++begun;
        co_await let_pass(60s);
        co_return 0;
    };
    put("a", "Count");
    run([&]() -> asio::awaitable<void> {
        client first{io.get_executor(), options()}, second{io.get_executor(), options()};
        const managed_queue of_first{first, "mail"}, of_second{second, "mail"};
        std::optional<background> waits;
        int value = 0;
        waits.emplace(io.get_executor(), [](const managed_queue& queue, int& got) -> asio::awaitable<void> {
            got = co_await queue.async_wait_for<int>("a");
        }(mail, value));
        worker killed{first, {.shutdown_timeout = 0ms}};
        killed.handle(of_first, handler, {.worker_grace = 200ms});
        background dying{io.get_executor(), killed.async_run()};
        co_await eventually("the checkpoint is stored", [&] { return begun == 2; });
        co_await first.async_stop(); // as seen from Redis: the connection is closed without a word
        (void)co_await dying.join_and_tell();

        worker survivor{second};
        survivor.handle(of_second, handler, {.worker_grace = 200ms});
        background running{io.get_executor(), survivor.async_run()};
        co_await waits->join();
        BOOST_TEST(value == 42);
        survivor.stop();
        co_await running.join();
        co_await second.async_stop();
    });
    BOOST_TEST(begun == 3);
    BOOST_TEST(server("HEXISTS", "ql:j:a", "checkpoint").integer == 0);
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(jobs_of_list_queues_have_no_checkpoints, checkpoints_test)
{
    error_code refused;
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(numbers, [&](int, job_context& context) -> asio::awaitable<int> {
            context.set_progress(0.5);
            const auto none = co_await context.async_checkpoint<int>();
            BOOST_TEST(!none.has_value());
            try {
                co_await context.async_save(1);
            } catch (const system_error& error) {
                refused = error.code();
            }
            co_return 7; // which nobody keeps
        });
        co_await numbers.async_push(1);
        co_await work(subject, 1);
    });
    BOOST_TEST((refused == errc::not_supported));
    BOOST_TEST(events.count(event_kind::succeeded) == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
