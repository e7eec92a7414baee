// SPDX-License-Identifier: MIT
#include "inspector_test.hpp"

#include "inspect/history.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <numeric>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(queue_histories)

namespace {

const timestamp noon{std::chrono::sys_days{std::chrono::year{2026} / 11 / 22} + 12h};

minute_counts sum_of(const queue_history& history)
{
    minute_counts sum;
    for (const auto& each : history.minutes) {
        sum.succeeded += each.succeeded;
        sum.failed += each.failed;
        sum.retried += each.retried;
    }
    return sum;
}

/// Succeeds for 1, fails for 2 and is retried once for 3.
outcome end_as_told(int number, const job_context& context)
{
    if (number == 2)
        return failure("two");
    return number == 3 && context.attempt() == 1 ? retry("three", 0ms) : success();
}

struct history_test : inspector_test
{
    std::chrono::seconds present() { return std::chrono::seconds{std::stoll(server("TIME").texts().at(0))}; }

    /// An entry of the minute in which `ago` was the present.
    std::string entry(std::chrono::minutes ago, const std::string& counts)
    {
        const auto minute = std::chrono::floor<std::chrono::minutes>(present()) - ago;
        return std::to_string(std::chrono::seconds{minute}.count()) + ' ' + counts;
    }

    asio::awaitable<void> expect_in_history(queue_ref queue, minute_counts expected)
    {
        const auto history = co_await subject.async_history(queue);
        const auto sum = sum_of(history);
        BOOST_TEST(sum.succeeded == expected.succeeded);
        BOOST_TEST(sum.failed == expected.failed);
        BOOST_TEST(sum.retried == expected.retried);
        for (const auto& each : history.minutes) {
            BOOST_TEST((each.minute == std::chrono::floor<std::chrono::minutes>(each.minute)));
            BOOST_TEST((each.minute <= history.until));
        }
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(entries_are_read_as_they_are_written)
{
    using detail::read_minute;
    const auto found = read_minute("1795348800 12 3 4");
    BOOST_REQUIRE(found.has_value());
    BOOST_TEST((*found == minute_counts{noon, 12, 3, 4}));
    for (const auto* text :
         {"", "1795348800", "1795348800 1 2", "1795348800 1 2 3 ", "1795348800  1 2 3", "1795348800 1 -2 3",
          "x 1 2 3", " 1795348800 1 2 3", "1795348800,1,2,3", "999999999999999 1 2 3"})
        BOOST_TEST(!read_minute(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(rates_are_averages_over_whole_minutes_and_the_present_one)
{
    const queue_history history{
        {{noon - 10min, 100, 100, 100}, {noon - 1min, 9, 3, 0}, {noon, 6, 0, 3}}, noon - 24h, noon + 30s};
    const auto close = boost::test_tools::tolerance(1e-9);
    BOOST_TEST(history.rates(1min).succeeded == 10.0, close);
    BOOST_TEST(history.rates(1min).failed == 2.0, close);
    BOOST_TEST(history.rates(1min).retried == 2.0, close);
    BOOST_TEST(history.rates(0min).succeeded == 10.0, close);
    BOOST_TEST(history.rates(2min).succeeded == 6.0, close);
    BOOST_TEST(history.rates(10min).failed == 103 / 10.5, close);
    // No further back than what was asked for.
    BOOST_TEST(history.rates(1'000'000min).succeeded == 115 / (24 * 60 + 0.5), close);
    BOOST_TEST(queue_history{}.rates().succeeded == 0.0);
    // Nothing is known of the present minute.
    const queue_history before{{{noon - 2min, 30, 0, 0}, {noon - 1min, 9, 3, 0}}, noon - 24h, noon + 30s};
    BOOST_TEST(before.rates(1min).succeeded == 9.0, close);
    BOOST_TEST(before.rates(3min).succeeded == 13.0, close);
}

BOOST_FIXTURE_TEST_CASE(a_queue_without_a_history_has_an_empty_one, history_test)
{
    run([&]() -> asio::awaitable<void> {
        for (const auto& queue : {list, managed}) {
            const auto history = co_await subject.async_history(queue);
            BOOST_TEST(history.minutes.empty());
            BOOST_TEST((history.until - history.from >= 24h));
            BOOST_TEST(history.rates().succeeded == 0.0);
        }
        const auto bad = co_await error_of(
            [&] { return subject.async_history(queue_ref::list(""), 1h, asio::use_awaitable); });
        BOOST_TEST(bad == errc::invalid_queue_name);
    });
}

BOOST_FIXTURE_TEST_CASE(queues_are_shown_with_their_rates, history_test)
{
    for (const auto* key : {"hworker-history-numbers", "ql:coworker:history:mail"})
        server("RPUSH", key, entry(1min, "120 60 240"));
    server("SET", "hworker-history-odd", "surprise");
    run([&]() -> asio::awaitable<void> {
        const std::vector<queue_ref> names{list, queue_ref::list("odd"), managed};
        const auto queues = co_await subject.async_queues(names);
        BOOST_TEST_REQUIRE(queues.size() == 3u);
        for (const auto i : {0u, 2u}) {
            BOOST_TEST(queues[i].rates.retried == 2 * queues[i].rates.succeeded);
            BOOST_TEST(queues[i].rates.failed == queues[i].rates.succeeded / 2);
        }
        BOOST_TEST(queues[1].rates.succeeded == 0.0);
    });
}

BOOST_FIXTURE_TEST_CASE(those_of_several_queues_are_shown_together, history_test)
{
    server("RPUSH", "hworker-history-numbers", entry(5min, "1 2 3"), entry(90min, "100 0 0"));
    server("RPUSH", "ql:coworker:history:mail", entry(5min, "10 20 30"), entry(20min, "5 0 0"));
    server("SET", "hworker-history-odd", "surprise");
    run([&]() -> asio::awaitable<void> {
        const std::vector<queue_ref> names{list, queue_ref::list("odd"), managed, queue_ref::list("none")};
        const auto all = co_await subject.async_histories(names, 1h);
        BOOST_TEST_REQUIRE(all.minutes.size() == 2u);
        BOOST_TEST(all.minutes[0].succeeded == 5u);
        BOOST_TEST((all.minutes[1] == minute_counts{all.minutes[1].minute, 11, 22, 33}));
        BOOST_TEST((co_await subject.async_histories({})).minutes.empty());
    });
}

BOOST_FIXTURE_TEST_CASE(a_history_is_shown_as_far_back_as_it_is_asked_for, history_test)
{
    for (const auto* key : {"hworker-history-numbers", "ql:coworker:history:mail"})
        server("RPUSH", key, entry(-2min, "9 9 9"), entry(5min, "1 2 3"), "nonsense", entry(5min, "1 1 1"),
               entry(20min, "5 0 0"), entry(26h, "7 0 0"));
    run([&]() -> asio::awaitable<void> {
        for (const auto& queue : {list, managed}) {
            const auto day = co_await subject.async_history(queue);
            BOOST_REQUIRE(day.minutes.size() == 2u);
            BOOST_TEST(day.minutes[0].succeeded == 5u);
            BOOST_TEST(day.minutes[1].succeeded == 2u);
            BOOST_TEST(day.minutes[1].failed == 3u);
            BOOST_TEST(day.minutes[1].retried == 4u);
            BOOST_TEST((day.minutes[1].minute - day.minutes[0].minute == 15min));
            const auto less = co_await subject.async_history(queue, 10min);
            BOOST_REQUIRE(less.minutes.size() == 1u);
            BOOST_TEST(less.minutes[0].succeeded == 2u);
            BOOST_TEST((less.from == std::chrono::floor<std::chrono::minutes>(less.until) - 10min));
        }
    });
}

BOOST_FIXTURE_TEST_CASE(what_a_worker_did_stands_in_the_history_of_a_list_queue, history_test)
{
    run([&]() -> asio::awaitable<void> {
        for (const int number : {1, 1, 2, 3})
            co_await numbers.async_push(number);
        worker runner{redis, observed()};
        runner.handle(numbers, end_as_told);
        co_await work(runner, 4);
        co_await expect_in_history(list, {{}, 3, 1, 1});
        // And what came later, once.
        co_await numbers.async_push(1);
        worker another{redis, observed()};
        another.handle(numbers, end_as_told);
        co_await work(another, 5);
        co_await expect_in_history(list, {{}, 4, 1, 1});
    });
}

BOOST_FIXTURE_TEST_CASE(what_a_worker_did_stands_in_the_history_while_it_goes_on, history_test)
{
    run([&]() -> asio::awaitable<void> {
        worker both{redis, observed()};
        both.handle(numbers, [](int) -> asio::awaitable<void> { co_await let_pass(600ms); });
        both.handle(mail, [](raw_json) -> asio::awaitable<void> { co_await let_pass(600ms); });
        auto running = start(both);
        co_await numbers.async_push(1);
        const raw_json data{"{}"};
        co_await mail.async_push("Mail", data);
        co_await eventually("both histories have the job", [&] {
            return server("LLEN", "hworker-history-numbers").integer == 1 &&
                   server("LLEN", "ql:coworker:history:mail").integer == 1;
        });
        co_await expect_in_history(list, {{}, 1, 0, 0});
        co_await expect_in_history(managed, {{}, 1, 0, 0});
        co_await stop(both, running);
    });
}

BOOST_FIXTURE_TEST_CASE(what_a_worker_did_stands_in_the_history_of_a_managed_queue, history_test)
{
    run([&]() -> asio::awaitable<void> {
        worker runner{redis, observed()};
        runner.handle(mail, [](raw_json json, job_context& context) {
            return end_as_told(std::stoi(json.text), context);
        });
        auto running = start(runner);
        co_await eventually("it is the monitor",
                            [&] { return server("EXISTS", "ql:coworker:monitor").integer == 1; });
        for (const auto* number : {"1", "1", "2", "3"}) {
            const raw_json data{number};
            co_await mail.async_push("Mail", data);
        }
        co_await events.wait_for(event_kind::failed, 1);
        co_await events.wait_for(event_kind::succeeded, 3);
        co_await stop(runner, running);
        co_await expect_in_history(managed, {{}, 3, 1, 1});
    });
}

BOOST_FIXTURE_TEST_CASE(a_queue_that_is_deleted_leaves_no_history, history_test)
{
    run([&]() -> asio::awaitable<void> {
        server("RPUSH", "hworker-history-numbers", entry(1min, "1 2 3"));
        server("RPUSH", "ql:coworker:history:mail", entry(1min, "1 2 3"));
        co_await numbers.async_push(1);
        const raw_json data{"{}"};
        co_await mail.async_push("Mail", data);
        for (const auto& queue : {list, managed})
            (void)co_await subject.async_delete_queue(queue, true);
        BOOST_TEST(server("EXISTS", "hworker-history-numbers", "ql:coworker:history:mail").integer == 0);
    });
}

BOOST_AUTO_TEST_SUITE_END()
