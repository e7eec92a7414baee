// SPDX-License-Identifier: MIT
#include "support/coroutine.hpp"
#include "support/managed_worker_test.hpp"

#include "coworker/inspector.hpp"

#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Lines that handlers log, and people read.
BOOST_AUTO_TEST_SUITE(job_logs)

namespace {

struct logs_test : managed_worker_test
{
    inspector all{redis};

    asio::awaitable<std::vector<std::string>> lines_of(std::string id)
    {
        const auto job = co_await all.async_job(queue_ref::managed({}), std::move(id));
        std::vector<std::string> lines;
        for (const auto& line : job.value().log)
            lines.push_back(line.text);
        co_return lines;
    }

    /// Runs a worker until something has become of a job "a".
    template<class Handler>
    void run_job(Handler handler, event_kind end, std::vector<std::string> expected)
    {
        put("a", "Count");
        run([&]() -> asio::awaitable<void> {
            worker subject{redis, observed()};
            subject.handle(mail, handler, {.backoff = no_backoff});
            auto running = start(subject);
            co_await events.wait_for(end);
            co_await stop(subject, running);
            const auto lines = co_await lines_of("a");
            BOOST_TEST(lines == expected, boost::test_tools::per_element());
        });
        BOOST_TEST(broken() == "");
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(are_there_while_the_job_runs, logs_test)
{
    put("a", "Count");
    run([&]() -> asio::awaitable<void> {
        bool may_end = false;
        worker subject{redis, observed()};
        subject.handle(mail, [&](raw_json, job_context& context) -> asio::awaitable<void> {
            context.log("page 1");
            context.log("page \"2\"\nis empty");
            while (!may_end)
                co_await let_pass(1ms);
        });
        auto running = start(subject);
        std::vector<std::string> lines;
        while (lines.empty())
            lines = co_await lines_of("a");
        const std::vector<std::string> expected{"page 1", "page \"2\"\nis empty"};
        BOOST_TEST(lines == expected, boost::test_tools::per_element());
        may_end = true;
        co_await events.wait_for(event_kind::succeeded);
        co_await stop(subject, running);
    });
    BOOST_TEST(broken() == "");
}

// A handler that ends at once has told them before the outcome is stored, behind which nothing is.
BOOST_FIXTURE_TEST_CASE(of_the_end_are_stored_whatever_the_outcome_is, logs_test)
{
    run_job([](raw_json, job_context& context) { context.log("done"); }, event_kind::succeeded, {"done"});
}

BOOST_FIXTURE_TEST_CASE(of_earlier_attempts_stay, logs_test)
{
    run_job(
        [](raw_json, job_context& context) -> asio::awaitable<outcome> {
            context.log("attempt " + std::to_string(context.attempt()));
            if (context.attempt() == 3)
                co_return failure("no disk");
            co_return retry("again", 0ms);
        },
        event_kind::failed, {"attempt 1", "attempt 2", "attempt 3"});
}

BOOST_FIXTURE_TEST_CASE(are_bounded, logs_test)
{
    put("a", "Count");
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(mail, [](raw_json, job_context& context) {
            for (int i = 0; i != 5000; ++i)
                context.log(std::to_string(i));
            context.log(std::string(5000, 'x') + "\xff");
        });
        auto running = start(subject);
        co_await events.wait_for(event_kind::succeeded);
        co_await stop(subject, running);
        const auto lines = co_await lines_of("a");
        BOOST_TEST(lines.size() == 100u);
        BOOST_TEST(lines.front() == "4901");
        BOOST_TEST(lines.back().size() == 1000u);
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(of_a_run_whose_lease_was_lost_are_not_stored, logs_test)
{
    put("a", "Count");
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        bool is_taken = false;
        subject.handle(mail, [&](raw_json, job_context& context) -> asio::awaitable<void> {
            if (std::exchange(is_taken, true))
                co_return;
            qless("timeout", "a"); // it is another's from now on
            context.log("too late");
            co_await let_pass(10s);
        });
        auto running = start(subject);
        co_await events.wait_for(event_kind::succeeded);
        co_await stop(subject, running);
        const auto lines = co_await lines_of("a");
        BOOST_TEST(lines.empty());
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(come_from_handlers_on_other_threads, logs_test)
{
    asio::thread_pool pool{2};
    put("a", "Count");
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(mail,
                       [](raw_json, job_context& context) {
                           for (int i = 0; i != 50; ++i)
                               context.log(std::to_string(i));
                       },
                       {.executor = pool.get_executor()});
        auto running = start(subject);
        co_await events.wait_for(event_kind::succeeded);
        co_await stop(subject, running);
        const auto lines = co_await lines_of("a");
        BOOST_TEST(lines.size() == 50u);
        BOOST_TEST(lines.back() == "49");
    });
    pool.join();
    BOOST_TEST(broken() == "");
}

BOOST_AUTO_TEST_SUITE_END()
