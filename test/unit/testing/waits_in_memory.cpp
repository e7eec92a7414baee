// SPDX-License-Identifier: MIT
#include "coworker/testing.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace coworker;
using namespace coworker::testing;
using namespace std::chrono_literals;
namespace asio = boost::asio;

/// Jobs that sleep, wait for signals and for other jobs, in queues in memory; and handlers of many.
BOOST_AUTO_TEST_SUITE(waits_in_memory)

namespace {

asio::awaitable<std::string> approve(raw_json, job_context& context)
{
    const auto answer = co_await context.signal<int>("approved", 24h);
    co_return answer ? "answer " + std::to_string(*answer) : "too late";
}

asio::awaitable<std::string> wait_for_other(raw_json data, job_context& context)
{
    if (context.kind() == "Other") {
        if (data.text == "0")
            throw std::runtime_error{"no ink"};
        co_return "made";
    }
    const auto end = co_await context.async_wait_for_job<std::string>("other", 1h);
    co_return std::to_string(static_cast<int>(end.how)) + ' ' + end.value.value_or(end.message);
}

std::string told(wait_end how, const std::string& what)
{
    return std::to_string(static_cast<int>(how)) + ' ' + what;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_job_sleeps_by_the_clock_of_its_queue)
{
    manual_clock time;
    memory_managed_queue queue{"naps", time};
    int runs = 0;
    const auto nap = [&](raw_json, job_context& context) -> asio::awaitable<void> {
        ++runs;
        co_await context.sleep_for("nap", 72h);
        co_await context.sleep_until("then", timestamp{context.queued_at().value_or(timestamp{})});
    };
    queue.push("Nap", 1);
    const auto first = drain(queue, nap);
    BOOST_TEST((first.at(0).result.what() == outcome::kind::release));
    BOOST_TEST(first.at(0).result.managed()->wait->name.str() == "nap");
    BOOST_TEST(queue.raw().scheduled().size() == 1u);
    time.advance(71h);
    BOOST_TEST(drain(queue, nap).empty());
    time.advance(1h);
    const auto second = drain(queue, nap);
    BOOST_TEST((second.at(0).result.what() == outcome::kind::success));
    BOOST_TEST(second.at(0).attempt == 1u);
    BOOST_TEST(runs == 2);
}

BOOST_AUTO_TEST_CASE(a_signal_wakes_a_job)
{
    memory_managed_queue queue;
    const auto id = queue.push("Order", 1);
    drain(queue, approve);
    BOOST_TEST(queue.signal(id, "other", 1).has_value());
    BOOST_TEST(drain(queue, approve).empty());
    BOOST_TEST(queue.signal(id, "approved", 7).has_value());
    BOOST_TEST(drain(queue, approve).at(0).value<std::string>() == "answer 7");
    BOOST_TEST((queue.signal(id, "approved", 7).error() == errc::job_ended));
    BOOST_TEST((queue.signal("none", "approved", 7).error() == errc::job_not_found));
}

BOOST_AUTO_TEST_CASE(a_signal_that_came_before_is_there_and_one_that_comes_too_late_is_not)
{
    manual_clock time;
    memory_managed_queue queue{"orders", time};
    const auto early = queue.push("Order", 1);
    BOOST_TEST(queue.signal(early, "approved", 7).has_value());
    BOOST_TEST(drain(queue, approve).at(0).value<std::string>() == "answer 7");
    const auto late = queue.push("Order", 1);
    drain(queue, approve);
    time.advance(24h);
    BOOST_TEST(drain(queue, approve).at(0).value<std::string>() == "too late");
    BOOST_TEST((queue.signal(late, "approved", 7).error() == errc::job_ended));
}

BOOST_AUTO_TEST_CASE(each_attempt_gets_the_same_signals)
{
    memory_managed_queue queue;
    std::vector<std::vector<int>> got;
    const auto handler = [&](raw_json, job_context& context) -> asio::awaitable<outcome> {
        auto& mine = got.emplace_back();
        for (int i = 0; i != 2; ++i)
            mine.push_back((co_await context.signal<int>("n", 0ms)).value_or(-1));
        co_return got.size() == 1 ? retry("once more", option_duration{0}) : success();
    };
    const auto id = queue.push("Order", 1);
    BOOST_TEST(queue.signal(id, "n", 1).has_value());
    drain(queue, handler);
    BOOST_TEST(got.size() == 2u);
    BOOST_TEST((got[0] == std::vector{1, -1}));
    BOOST_TEST((got[1] == std::vector{1, -1}));
}

BOOST_AUTO_TEST_CASE(a_job_waits_for_another_one)
{
    manual_clock time;
    memory_managed_queue queue{"jobs", time};
    managed_push_options other{.delay = 10min};
    other.jid = "other";
    queue.push("Wait", 1);
    queue.push("Other", 1, other);
    BOOST_TEST(drain(queue, wait_for_other).size() == 1u);
    time.advance(10min);
    const auto runs = drain(queue, wait_for_other);
    BOOST_TEST(runs.at(1).value<std::string>() == told(wait_end::succeeded, "made"));
}

BOOST_AUTO_TEST_CASE(the_other_job_may_fail_or_not_be_there_or_be_late)
{
    manual_clock time;
    memory_managed_queue queue{"jobs", time};
    queue.push("Wait", 1);
    BOOST_TEST(drain(queue, wait_for_other).at(0).value<std::string>() == told(wait_end::not_found, ""));
    managed_push_options other{.delay = 2h, .retries = 0};
    other.jid = "other";
    queue.push("Wait", 1);
    queue.push("Other", 0, other);
    drain(queue, wait_for_other);
    time.advance(1h);
    BOOST_TEST(drain(queue, wait_for_other).at(0).value<std::string>() == told(wait_end::timed_out, ""));
    queue.push("Wait", 1);
    time.advance(1h);
    const auto runs = drain(queue, wait_for_other);
    BOOST_TEST(runs.back().value<std::string>() == told(wait_end::failed, "no ink"));
}

BOOST_AUTO_TEST_CASE(one_run_of_a_handler_has_signals_at_hand)
{
    const auto asleep = run_handler<raw_json>(approve, raw_json{"1"});
    BOOST_TEST((asleep.result.managed()->wait->what == wait_kind::signal));
    const auto run = run_handler<raw_json>(approve, raw_json{"1"}, {.signals = {"approved", "7"}});
    BOOST_TEST(run.value<std::string>() == "answer 7");
}

BOOST_AUTO_TEST_CASE(a_handler_of_many_runs_once_with_all_jobs)
{
    std::size_t calls = 0;
    const auto handler = [&](std::span<held_job<int>> rows) {
        ++calls;
        std::vector<outcome> outcomes(rows.size());
        for (std::size_t i = 0; i != rows.size(); ++i)
            if (rows[i].job % 2 == 0)
                outcomes[i] = failure(std::to_string(rows[i].job));
        return outcomes;
    };
    const auto runs = run_many_handler<int>(handler, {1, 2, 3, 4});
    BOOST_TEST(calls == 1u);
    BOOST_TEST(runs.size() == 4u);
    BOOST_TEST((runs.at(0).result.what() == outcome::kind::success));
    BOOST_TEST(runs.at(1).result.reason() == "2");
    BOOST_TEST(runs.at(3).result.reason() == "4");
    BOOST_TEST(run_many_handler<int>(handler, {}).empty());
}

BOOST_AUTO_TEST_SUITE_END()
