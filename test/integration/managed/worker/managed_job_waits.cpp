// SPDX-License-Identifier: MIT
#include "suspended_job_test.hpp"

#include "coworker/inspector.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <map>
#include <string>
#include <vector>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Jobs that wait for the end of another one.
BOOST_AUTO_TEST_SUITE(managed_job_waits)

namespace {

/// A job of the kind "Wait" waits for the job that its data name; others do what these say.
struct wait_test : suspended_job_test
{
    std::vector<awaited_job<int>> ends;
    option_duration patience = 24h;

    asio::awaitable<outcome> handle(raw_json data, job_context& context)
    {
        if (context.kind() != "Wait")
            co_return co_await do_other(data.text);
        const auto end = co_await context.async_wait_for_job<int>("other", patience);
        ends.push_back(end);
        co_return success();
    }

    asio::awaitable<outcome> do_other(const std::string& data)
    {
        if (data == R"("fails")")
            co_return failure("no ink");
        if (data == R"("retries")" && ++runs < 3)
            co_return retry("not yet", option_duration{0ms});
        co_return data == R"("silent")" ? success() : outcome{success_with(42)};
    }

    void put_other(const std::string& does)
    {
        redis_test::run([&]() -> asio::awaitable<void> {
            const raw_json data{'"' + does + '"'};
            managed_push_options how;
            how.jid = "other";
            co_await mail.async_push("Other", data, how);
        });
    }

    /// The waiting job sleeps first, then the other one comes.
    void run_both(const std::string& other_does)
    {
        put("a", "Wait");
        put_held(other_does);
        run_with([&](raw_json data, job_context& context) { return handle(std::move(data), context); },
                 [&]() -> asio::awaitable<void> {
                     co_await wait_until_asleep("a");
                     co_await begin_other();
                     co_await eventually("it has been told", [&] { return !ends.empty(); });
                 });
        BOOST_REQUIRE(ends.size() == 1u);
        BOOST_TEST(server("EXISTS", "ql:coworker:awaited").integer == 0);
    }

    /// Delayed for so long that only `begin_other` lets it run.
    void put_held(const std::string& does)
    {
        redis_test::run([&]() -> asio::awaitable<void> {
            const raw_json data{'"' + does + '"'};
            managed_push_options how;
            how.jid = "other";
            how.delay = 24h;
            co_await mail.async_push("Other", data, how);
        });
    }

    asio::awaitable<void> begin_other()
    {
        const inspector view{redis};
        const auto queue = queue_ref::managed("mail");
        const text_list ids{"other"};
        const auto done = co_await view.async_act(job_action::run_now, queue, ids);
        BOOST_TEST((done.at(0) == action_result::done));
    }

    int runs = 0;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(the_other_job_succeeds, wait_test)
{
    run_both("works");
    BOOST_TEST((ends[0].how == wait_end::succeeded));
    BOOST_TEST(ends[0].value.value() == 42);
    BOOST_TEST(field("a", "remaining") == field("a", "retries"));
    BOOST_TEST(server("HEXISTS", "ql:j:a", "waits").integer == 0);
}

BOOST_FIXTURE_TEST_CASE(the_other_job_returns_nothing, wait_test)
{
    run_both("silent");
    BOOST_TEST((ends[0].how == wait_end::succeeded));
    BOOST_TEST(!ends[0].value.has_value());
}

BOOST_FIXTURE_TEST_CASE(the_other_job_fails, wait_test)
{
    run_both("fails");
    BOOST_TEST((ends[0].how == wait_end::failed));
    BOOST_TEST(ends[0].group == "Other:failure");
    BOOST_TEST(ends[0].message == "no ink");
}

BOOST_FIXTURE_TEST_CASE(a_retry_of_the_other_job_does_not_end_the_wait, wait_test)
{
    run_both("retries");
    BOOST_TEST(runs == 3);
    BOOST_TEST(ends[0].value.value() == 42);
}

BOOST_FIXTURE_TEST_CASE(the_other_job_is_cancelled, wait_test)
{
    put("a", "Wait");
    put_held("works");
    run_with([&](raw_json data, job_context& context) { return handle(std::move(data), context); },
             [&]() -> asio::awaitable<void> {
                 co_await wait_until_asleep("a");
                 const text_list ids{"other"};
                 const auto gone = co_await jobs.async_cancel(ids);
                 BOOST_TEST(gone.has_value());
                 co_await eventually("it has been told", [&] { return !ends.empty(); });
             });
    BOOST_TEST((ends.at(0).how == wait_end::gone));
}

BOOST_FIXTURE_TEST_CASE(there_never_was_such_a_job, wait_test)
{
    put("a", "Wait");
    run_with([&](raw_json data, job_context& context) { return handle(std::move(data), context); },
             [&]() -> asio::awaitable<void> { co_await events.wait_for(event_kind::succeeded); });
    BOOST_TEST((ends.at(0).how == wait_end::not_found));
    BOOST_TEST(events.count(event_kind::released) == 0u);
}

BOOST_FIXTURE_TEST_CASE(the_other_job_has_ended_before, wait_test)
{
    put_other("works");
    run_with([&](raw_json data, job_context& context) { return handle(std::move(data), context); },
             [&]() -> asio::awaitable<void> {
                 co_await events.wait_for(event_kind::succeeded);
                 put("a", "Wait");
                 co_await eventually("it has been told", [&] { return !ends.empty(); });
             });
    BOOST_TEST((ends.at(0).how == wait_end::succeeded));
    BOOST_TEST(ends.at(0).value.value() == 42);
}

BOOST_FIXTURE_TEST_CASE(the_time_is_over, wait_test)
{
    patience = 10ms;
    put("a", "Wait");
    put_held("works");
    run_with([&](raw_json data, job_context& context) { return handle(std::move(data), context); },
             [&]() -> asio::awaitable<void> {
                 co_await eventually("it has been told", [&] { return !ends.empty(); });
             });
    BOOST_TEST((ends.at(0).how == wait_end::timed_out));
    BOOST_TEST(!ends.at(0).value.has_value());
}

/// Wait for each other, until the time ends it.
BOOST_FIXTURE_TEST_CASE(a_circle_ends_with_the_time, suspended_job_test)
{
    std::map<std::string, wait_end> told;
    put("a", "Wait");
    put("b", "Wait");
    run_with(
        [&](raw_json, job_context& context) -> asio::awaitable<void> {
            const std::string me{context.id()};
            const auto end = co_await context.async_wait_for_job(me == "a" ? "b" : "a", 300ms);
            told[me] = end.how;
        },
        [&]() -> asio::awaitable<void> {
            co_await eventually("both have been told", [&] { return told.size() == 2; });
        });
    BOOST_TEST((told["a"] == wait_end::timed_out || told["b"] == wait_end::timed_out));
}

BOOST_FIXTURE_TEST_CASE(a_name_that_is_none_is_refused, suspended_job_test)
{
    error_code why;
    put("a", "Wait");
    run_with(
        [&](raw_json, job_context& context) -> asio::awaitable<void> {
            try {
                co_await context.async_wait_for_job("", 1h);
            } catch (const system_error& error) {
                why = error.code();
            }
        },
        [&]() -> asio::awaitable<void> { co_await events.wait_for(event_kind::succeeded); });
    BOOST_TEST(why == errc::invalid_option);
}

/// The worker of the other job is killed, and so is that of the job that was told: it is told the same again.
BOOST_FIXTURE_TEST_CASE(a_killed_worker_loses_no_end, wait_test)
{
    std::vector<int> told;
    const auto handler = [&](raw_json data, job_context& context) -> asio::awaitable<outcome> {
        if (context.kind() != "Wait")
            co_return co_await do_other(data.text);
        const auto end = co_await context.async_wait_for_job<int>("other", 1h);
        told.push_back(end.value.value_or(0));
        if (told.size() == 1)
            co_await let_pass(60s);
        co_return success();
    };
    put("a", "Wait");
    put_held("works");
    run([&]() -> asio::awaitable<void> {
        client first{io.get_executor(), options()};
        const managed_queue of_first{first, "mail"};
        worker killed{first, {.shutdown_timeout = 0ms}};
        killed.handle(of_first, handler, {.worker_grace = 200ms});
        background dying{io.get_executor(), killed.async_run()};
        co_await wait_until_asleep("a");
        co_await begin_other();
        co_await eventually("it has been told", [&] { return told.size() == 1; });
        server("DEL", "ql:coworker:result:other");
        co_await first.async_stop(); // as seen from Redis: the connection is closed without a word
        (void)co_await dying.join_and_tell();

        worker survivor{redis, observed()};
        survivor.handle(mail, handler, {.worker_grace = 200ms});
        auto running = start(survivor);
        co_await events.wait_for(event_kind::succeeded);
        co_await stop(survivor, running);
    });
    BOOST_TEST(told == (std::vector{42, 42}), boost::test_tools::per_element());
    BOOST_TEST(broken() == "");
}

/// Two workers race: half of the jobs wait for the others, which end meanwhile. Each is told once its job has ended.
BOOST_FIXTURE_TEST_CASE(no_end_is_lost_in_a_race, suspended_job_test)
{
    constexpr int count = 40;
    std::map<std::string, int> told;
    const auto handler = [&](raw_json, job_context& context) -> asio::awaitable<outcome> {
        const std::string me{context.id()};
        if (me.starts_with("other")) {
            co_await asio::post(context.get_executor(), asio::use_awaitable);
            co_return success_with(std::stoi(me.substr(5)));
        }
        const std::string other = "other" + me.substr(3);
        const auto end = co_await context.async_wait_for_job<int>(other, 1h);
        told[me] = end.value.value_or(-1);
        co_return success();
    };
    for (int i = 0; i != count; ++i) {
        put((i % 2 == 0 ? "job" : "other") + std::to_string(i), "Any");
        put((i % 2 == 0 ? "other" : "job") + std::to_string(i), "Any");
    }
    run([&]() -> asio::awaitable<void> {
        client second{io.get_executor(), options()};
        const managed_queue of_second{second, "mail"};
        worker one{redis, {}}, two{second, {}};
        one.handle(mail, handler, {.concurrency = 8});
        two.handle(of_second, handler, {.concurrency = 3});
        background first{io.get_executor(), one.async_run()}, other{io.get_executor(), two.async_run()};
        co_await eventually("all have been told", [&] { return told.size() == count; });
        one.stop();
        two.stop();
        co_await first.join();
        co_await other.join();
        co_await second.async_stop();
    });
    for (const auto& [me, value] : told)
        BOOST_TEST(value == std::stoi(me.substr(3)), me);
    BOOST_TEST(server("EXISTS", "ql:coworker:awaited").integer == 0);
    BOOST_TEST(broken() == "");
}

BOOST_AUTO_TEST_SUITE_END()
