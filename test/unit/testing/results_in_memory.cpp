// SPDX-License-Identifier: MIT
#include "coworker/testing.hpp"

#include <boost/describe.hpp>
#include <boost/test/unit_test.hpp>

#include <limits>
#include <stdexcept>

using namespace coworker;
using namespace coworker::testing;
using namespace std::chrono_literals;
namespace asio = boost::asio;

/// What handlers return and store, in queues in memory.
BOOST_AUTO_TEST_SUITE(results_in_memory)

namespace {

struct made
{
    int pages = 0;
};
BOOST_DESCRIBE_STRUCT(made, (), (pages))

} // namespace

BOOST_AUTO_TEST_CASE(what_a_handler_returns_can_be_looked_at)
{
    const auto function = run_handler<int>([](int pages) { return made{pages}; }, 3);
    BOOST_TEST(function.value<made>().pages == 3);
    BOOST_TEST(function.result.value()->text == R"({"pages":3})");
    const auto coroutine = run_handler<int>([](int pages) -> asio::awaitable<int> { co_return pages; }, 3);
    BOOST_TEST(coroutine.value<int>() == 3);
    const auto by_hand = run_handler<int>([](int pages) { return success_with(made{pages}); }, 4);
    BOOST_TEST(by_hand.value<made>().pages == 4);
    BOOST_TEST((by_hand.result.managed()->value_retention == 1h));
}

BOOST_AUTO_TEST_CASE(what_returns_nothing_has_no_result)
{
    const auto run = run_handler<int>([](int) {}, 3);
    BOOST_TEST((run.result.what() == outcome::kind::success));
    BOOST_TEST((run.result.value() == nullptr));
    BOOST_CHECK_THROW(run.value<int>(), system_error);
}

BOOST_AUTO_TEST_CASE(an_error_in_a_result_counts_as_if_thrown)
{
    const auto handler = [](int number) -> result<int> {
        if (number < 0)
            return errc::invalid_option;
        return number;
    };
    BOOST_TEST(run_handler<int>(handler, 3).value<int>() == 3);
    const auto bad = run_handler<int>(handler, -3);
    BOOST_TEST((bad.result.what() == outcome::kind::retry));
    BOOST_TEST(bad.result.reason().starts_with(make_error_code(errc::invalid_option).message()));
    const auto none = run_handler<int>([](int) -> result<void> { return {}; }, 3);
    BOOST_TEST((none.result.what() == outcome::kind::success));
}

BOOST_AUTO_TEST_CASE(a_result_without_a_json_form_fails_the_job)
{
    const auto run = run_handler<int>([](int) { return std::numeric_limits<double>::infinity(); }, 3);
    BOOST_TEST((run.result.what() == outcome::kind::failure));
    BOOST_TEST(run.result.managed()->group == ":result");
    const auto large = run_handler<int>([](int) { return std::string(9 * 1024 * 1024, 'x'); }, 3);
    BOOST_TEST((large.result.what() == outcome::kind::failure));
}

BOOST_AUTO_TEST_CASE(a_handler_finds_the_checkpoint_of_the_attempt_before)
{
    memory_queue<int> jobs;
    const auto count = [](int, job_context& context) -> asio::awaitable<outcome> {
        const auto before = (co_await context.async_checkpoint<int>()).value_or(0);
        if (before == 2)
            co_return success_with(before);
        co_await context.async_save(before + 1);
        co_return retry("again", 0ms);
    };
    jobs.push(1);
    const auto runs = drain(jobs, count);
    BOOST_TEST(runs.size() == 3u);
    BOOST_TEST(runs.back().value<int>() == 2);
    job_conditions late;
    late.checkpoint = "2";
    BOOST_TEST(run_handler<int>(count, 1, late).value<int>() == 2);
    late.checkpoint = "[]"; // of another program
    BOOST_TEST((run_handler<int>(count, 1, late).result.what() == outcome::kind::retry));
}

BOOST_AUTO_TEST_CASE(a_step_is_carried_out_once)
{
    memory_queue<int> jobs;
    int charged = 0, mailed = 0;
    const auto order = [&](int, job_context& context) -> asio::awaitable<outcome> {
        const int receipt =
            co_await context.step("charge", [&]() -> asio::awaitable<int> { co_return ++charged; });
        if (context.attempt() == 1)
            co_return retry("again", 0ms);
        co_await context.step("mail", [&] { ++mailed; });
        if (context.attempt() == 2)
            co_return retry("once more", 0ms);
        co_return success_with(receipt);
    };
    jobs.push(1);
    const auto runs = drain(jobs, order);
    BOOST_TEST(runs.size() == 3u);
    BOOST_TEST(runs.back().value<int>() == 1);
    BOOST_TEST(charged == 1);
    BOOST_TEST(mailed == 1);
    job_conditions late;
    late.attempt = 3;
    late.steps = {"charge", "7"};
    BOOST_TEST(run_handler<int>(order, 1, late).value<int>() == 7);
    BOOST_TEST(charged == 1);
    BOOST_TEST(mailed == 2);
}

BOOST_AUTO_TEST_CASE(a_job_that_is_to_run_again_shows_what_was_saved)
{
    memory_queue<int> jobs;
    jobs.push(1);
    drain(jobs, [](int, job_context& context) -> asio::awaitable<outcome> {
        co_await context.async_save(std::string{"page 7"});
        co_return retry("later", 1h);
    });
    BOOST_TEST(jobs.raw().scheduled().at(0).checkpoint == R"("page 7")");
}

BOOST_AUTO_TEST_SUITE_END()
