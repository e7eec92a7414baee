// SPDX-License-Identifier: MIT
#include "support/expect.hpp"
#include "support/managed_worker_test.hpp"

#include "coworker/managed_client.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/cancel_after.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/describe.hpp>
#include <boost/test/unit_test.hpp>

#include <list>
#include <optional>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What handlers return, and those who wait for it.
BOOST_AUTO_TEST_SUITE(managed_results)

namespace {

struct sum_of
{
    int left = 0, right = 0;
};
BOOST_DESCRIBE_STRUCT(sum_of, (), (left, right))

struct total
{
    int value = 0;
};
BOOST_DESCRIBE_STRUCT(total, (), (value))

struct results_test : managed_worker_test
{
    managed_client jobs{redis};

    /// Runs a worker with a handler of "Sum" beside the test.
    template<class Job = sum_of, class Handler, class Test>
    void run_beside(Handler handler, Test test, handle_options how = {})
    {
        run([&]() -> asio::awaitable<void> {
            worker subject{redis, observed()};
            handlers_by_kind handlers;
            handlers.on<Job>("Sum", handler);
            subject.handle(mail, std::move(handlers), how);
            auto running = start(subject);
            co_await test();
            co_await stop(subject, running);
        });
        BOOST_TEST(broken() == "");
    }

    asio::awaitable<std::string> push(int left, int right, managed_push_options how = {})
    {
        const sum_of job{left, right};
        co_return co_await mail.async_push("Sum", job, how);
    }

    /// What a wait throws; nothing if it ends well.
    template<class T>
    asio::awaitable<error_code> error_of_wait(std::string jid, std::string* text = nullptr)
    {
        try {
            if constexpr (std::is_void_v<T>)
                co_await mail.async_wait_for<T>(jid);
            else
                (void)co_await mail.async_wait_for<T>(jid);
        } catch (const system_error& error) {
            if (text != nullptr)
                *text = error.what();
            co_return error.code();
        }
        co_return error_code{};
    }
};

total add(const sum_of& job)
{
    return {job.left + job.right};
}

} // namespace

BOOST_FIXTURE_TEST_CASE(what_a_handler_returns_arrives_where_it_is_waited_for, results_test)
{
    run_beside([](sum_of job) -> asio::awaitable<total> { co_return add(job); },
               [this]() -> asio::awaitable<void> {
                   const auto id = co_await push(2, 3);
                   const auto first = co_await mail.async_wait_for<total>(id);
                   BOOST_TEST(first.value == 5);
                   const auto again = co_await jobs.async_wait_for<std::optional<total>>(id);
                   BOOST_TEST(again.value().value == 5);
                   co_await mail.async_wait_for(id);
                   const auto text = co_await mail.async_wait_for<raw_json>(id);
                   BOOST_TEST(text.text == R"({"value":5})");
                   const auto status = co_await jobs.async_status(id);
                   BOOST_TEST(status.value().value.value().text == R"({"value":5})");
                   BOOST_TEST((status.value().state == managed_state::complete));
                   BOOST_TEST((co_await error_of_wait<std::string>(id) != error_code{}));
               });
    BOOST_TEST(server("PTTL", server("KEYS", "ql:coworker:result:*").texts().at(0)).integer > 3'000'000);
}

BOOST_FIXTURE_TEST_CASE(functions_return_results_as_well, results_test)
{
    run_beside(add, [this]() -> asio::awaitable<void> {
        const auto id = co_await push(20, 3);
        const auto sum = co_await mail.async_wait_for<total>(id);
        BOOST_TEST(sum.value == 23);
    });
}

BOOST_FIXTURE_TEST_CASE(a_result_that_is_an_error_fails_the_job, results_test)
{
    run_beside(
        [](sum_of job) -> asio::awaitable<result<total>> {
            if (job.left < 0)
                co_return errc::invalid_option;
            co_return add(job);
        },
        [this]() -> asio::awaitable<void> {
            const auto good = co_await push(1, 1);
            const auto sum = co_await mail.async_wait_for<total>(good);
            BOOST_TEST(sum.value == 2);
            const auto bad = co_await push(-1, 1);
            BOOST_TEST((co_await error_of_wait<total>(bad) == errc::job_failed));
        },
        {.exceptions = on_exception::fail});
}

BOOST_FIXTURE_TEST_CASE(a_failure_arrives_with_its_reason, results_test)
{
    run_beside([](sum_of) { return failure("no paper", "printer"); },
               [this]() -> asio::awaitable<void> {
                   const auto id = co_await push(1, 1);
                   std::string text;
                   BOOST_TEST((co_await error_of_wait<void>(id, &text) == errc::job_failed));
                   BOOST_TEST(text.find("printer: no paper") != text.npos, text);
                   const auto status = co_await jobs.async_status(id);
                   BOOST_TEST(status.value().message == "no paper");
                   BOOST_TEST(!status.value().value.has_value());
               });
}

BOOST_FIXTURE_TEST_CASE(a_wait_goes_on_while_the_job_is_retried, results_test)
{
    run_beside(
        [](sum_of job, job_context& context) {
            return context.attempt() < 3 ? retry("later", 1ms) : success_with(add(job));
        },
        [this]() -> asio::awaitable<void> {
            const auto id = co_await push(4, 4);
            const auto sum = co_await mail.async_wait_for<total>(id);
            BOOST_TEST(sum.value == 8);
        });
}

BOOST_FIXTURE_TEST_CASE(a_job_without_a_result_can_be_waited_for_as_void, results_test)
{
    run_beside([](sum_of) {},
               [this]() -> asio::awaitable<void> {
                   const auto id = co_await push(1, 1);
                   co_await mail.async_wait_for(id);
                   BOOST_TEST((co_await error_of_wait<total>(id) == errc::no_result));
                   const auto none = co_await mail.async_wait_for<std::optional<total>>(id);
                   BOOST_TEST(!none.has_value());
               });
    BOOST_TEST(server("KEYS", "ql:coworker:result:*").texts().empty());
}

BOOST_FIXTURE_TEST_CASE(results_are_forgotten, results_test)
{
    run_beside(
        [](sum_of job) { return success_with(add(job), job.left == 0 ? std::optional{0ms} : std::nullopt); },
        [this]() -> asio::awaitable<void> {
            const auto never_kept = co_await push(0, 1);
            const auto id = co_await push(1, 1);
            co_await mail.async_wait_for(id);
            co_await mail.async_wait_for(never_kept);
            BOOST_TEST((co_await error_of_wait<total>(never_kept) == errc::no_result));
            co_await eventually("the result is gone",
                                [&] { return server("EXISTS", "ql:coworker:result:" + id).integer == 0; });
            BOOST_TEST((co_await error_of_wait<total>(id) == errc::no_result));
        },
        {.result_retention = 5ms});
}

BOOST_FIXTURE_TEST_CASE(whoever_ends_the_job_ends_the_wait, results_test)
{
    run([&]() -> asio::awaitable<void> {
        put("a", "Sum");
        put("b", "Sum");
        qless("pop", "mail", "a Ruby worker", 2);
        background waits{io.get_executor(), mail.async_wait_for("a")};
        background cancelled{io.get_executor(), mail.async_wait_for("b")};
        co_await wait_until_armed(4);
        qless("complete", "a", "a Ruby worker", "mail", "{}");
        qless("cancel", "b");
        co_await waits.join();
        const auto why = co_await cancelled.join_and_tell();
        BOOST_TEST(why.find("the job is gone") != why.npos, why);
        BOOST_TEST((co_await error_of_wait<void>("b") == errc::job_not_found));
        BOOST_TEST((co_await error_of_wait<void>("never there") == errc::job_not_found));
        BOOST_TEST((co_await error_of_wait<void>("") == errc::invalid_job_id));
        const auto status = co_await jobs.async_status("b");
        BOOST_TEST((status.error() == errc::job_not_found));
    });
}

BOOST_FIXTURE_TEST_CASE(a_wait_can_be_cancelled_with_its_job, results_test)
{
    int cancelled = 0, begun = 0;
    run_beside(
        [&](sum_of, job_context& context) -> asio::awaitable<total> {
            ++begun;
            asio::steady_timer never{context.get_executor(), asio::steady_timer::time_point::max()};
            try {
                co_await never.async_wait(asio::use_awaitable);
            } catch (const system_error&) {
                ++cancelled;
                throw;
            }
            co_return total{};
        },
        [&]() -> asio::awaitable<void> {
            const auto id = co_await push(1, 1);
            co_await eventually("the job runs", [&] { return begun == 1; });
            const auto text = co_await mail.async_wait_for<total>(
                id, {}, asio::cancel_after(10ms, with_diagnostics(asio::as_tuple(asio::deferred))));
            BOOST_TEST((std::get<0>(text) != nullptr));
            BOOST_TEST(state(id) == "running");
            background waits{io.get_executor(), mail.async_wait_for<total>(id, {.cancel_job = true})};
            co_await let_pass(5ms);
            waits.cancel();
            BOOST_TEST(co_await waits.join_and_tell() != "");
            BOOST_TEST(state(id) == "");
            co_await eventually("the handler was cancelled", [&] { return cancelled == 1; });
        });
}

BOOST_FIXTURE_TEST_CASE(a_wait_outlives_its_connection, results_test)
{
    run([&]() -> asio::awaitable<void> {
        put("a", "Sum");
        qless("pop", "mail", "a Ruby worker", 1);
        background waits{io.get_executor(), mail.async_wait_for<total>("a")};
        co_await wait_until_armed(2);
        server("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        server("CLIENT", "KILL", "TYPE", "pubsub", "SKIPME", "yes");
        qless("complete", "a", "a Ruby worker", "mail", "{}", "result", R"({"value":7})", "keep", 60'000);
        co_await waits.join();
    });
}

// --- races ---------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(waiters_and_workers_race_and_each_gets_its_own, results_test)
{
    constexpr int waiters = 8, each = 40;
    int right = 0, failed = 0, wrong = 0;
    const auto ask = [&](const client& mine, int who) -> asio::awaitable<void> {
        const managed_queue queue{mine, "mail"};
        for (int i = 0; i != each; ++i) {
            const sum_of job{who, i};
            const auto id = co_await queue.async_push("Sum", job, {.retries = 0});
            if (i % 3 == 0) // lets the job end first
                co_await asio::post(io, asio::use_awaitable);
            try {
                const auto sum = co_await queue.async_wait_for<total>(id);
                ++(sum.value == who + i ? right : wrong);
            } catch (const system_error& error) {
                ++(error.code() == errc::job_failed && i % 7 == 6 ? failed : wrong);
            }
        }
    };
    run_beside(
        [&](sum_of job) -> asio::awaitable<outcome> {
            if (job.right % 2 == 0)
                co_await asio::post(io, asio::use_awaitable);
            co_return job.right % 7 == 6 ? failure("seven") : success_with(add(job));
        },
        [&]() -> asio::awaitable<void> {
            client second{io.get_executor(), options()};
            worker another{second, {.concurrency = 3}};
            handlers_by_kind handlers;
            handlers.on<sum_of>("Sum", add);
            managed_queue queue{second, "mail"};
            handlers_by_kind same;
            same.on<sum_of>("Sum", [](sum_of job) {
                return job.right % 7 == 6 ? failure("seven") : success_with(add(job));
            });
            another.handle(queue, std::move(same));
            background other{io.get_executor(), another.async_run()};
            std::list<client> clients;
            std::vector<background> waiting;
            for (int i = 0; i != waiters; ++i)
                waiting.emplace_back(io.get_executor(),
                                     ask(clients.emplace_back(io.get_executor(), options()), i));
            for (auto& one : waiting)
                co_await one.join();
            another.stop();
            co_await other.join();
            for (auto& one : clients)
                co_await one.async_stop();
            co_await second.async_stop();
        });
    BOOST_TEST(wrong == 0);
    BOOST_TEST(failed == waiters * (each / 7));
    BOOST_TEST(right + failed == waiters * each);
}

BOOST_FIXTURE_TEST_CASE(many_wait_on_one_connection, results_test)
{
    constexpr int count = 300;
    int right = 0;
    run_beside(add, [&]() -> asio::awaitable<void> {
        co_await mail.async_pause();
        std::vector<background> waiting;
        for (int i = 0; i != count; ++i) {
            const auto id = co_await push(i, 1);
            waiting.emplace_back(
                io.get_executor(),
                [](results_test& test, std::string job, int left, int& correct) -> asio::awaitable<void> {
                    const auto sum = co_await test.mail.async_wait_for<total>(job);
                    correct += sum.value == left + 1;
                }(*this, id, i, right));
        }
        co_await wait_until_armed(2 * count);
        co_await mail.async_resume();
        for (auto& one : waiting)
            co_await one.join();
    });
    BOOST_TEST(right == count);
}

BOOST_AUTO_TEST_SUITE_END()
