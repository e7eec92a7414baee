// SPDX-License-Identifier: MIT
#include "coworker/managed_details.hpp"
#include "coworker/testing.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe/class.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

using namespace coworker;
using namespace coworker::testing;
using namespace std::chrono_literals;
namespace asio = boost::asio;

/// What a user's test of handlers can say.
BOOST_AUTO_TEST_SUITE(test_kit)

namespace {

struct email
{
    std::string to;
    int urgency = 0;
};
BOOST_DESCRIBE_STRUCT(email, (), (to, urgency))

using kind = outcome::kind;

std::vector<std::string> ids(const std::vector<ended_run>& runs)
{
    std::vector<std::string> all;
    for (const auto& each : runs)
        all.push_back(each.id);
    return all;
}

} // namespace

// --- one handler, one job ------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_handler_is_run_on_one_job)
{
    std::string sent;
    const auto run = run_handler<email>([&](const email& job) { sent = job.to; }, {"ada", 1});
    BOOST_TEST(sent == "ada");
    BOOST_TEST((run.result.what() == kind::success));
    BOOST_TEST(run.attempt == 1u);
}

BOOST_AUTO_TEST_CASE(a_coroutine_may_wait)
{
    const auto wait = [](email) -> asio::awaitable<outcome> {
        asio::steady_timer timer{co_await asio::this_coro::executor, 1ms};
        co_await timer.async_wait(asio::use_awaitable);
        co_return failure("no such address");
    };
    const auto run = run_handler<email>(wait, {"ada", 1});
    BOOST_TEST((run.result.what() == kind::failure));
    BOOST_TEST(run.result.reason() == "no such address");
}

BOOST_AUTO_TEST_CASE(an_exception_means_a_retry_after_the_back_off)
{
    const auto broken = [](email) { throw std::runtime_error{"out of paper"}; };
    const auto backoff = [](unsigned attempt) { return attempt * 10s; };
    const auto run = run_handler<email>(broken, {"ada", 1}, {.attempt = 3}, {.backoff = backoff});
    BOOST_TEST((run.result.what() == kind::retry));
    BOOST_TEST(run.result.reason() == "out of paper");
    BOOST_TEST((run.result.delay() == 30s));
    const auto last = run_handler<email>(broken, {"ada", 1}, {.attempt = 25});
    BOOST_TEST((last.result.what() == kind::failure));
}

BOOST_AUTO_TEST_CASE(a_handler_sees_what_the_test_says_of_its_job)
{
    auto details = std::make_shared<managed_details>();
    details->priority = 5;
    std::string id, queue, kind;
    double priority = 0;
    unsigned attempt = 0;
    const auto look = [&](email, job_context& context) {
        id = context.id();
        kind = context.kind();
        attempt = context.attempt();
        priority = context.details<managed_details>()->priority;
    };
    run_handler<email>(look, {"ada", 1},
                       {.id = "an id", .kind = "Letter", .attempt = 2, .details = std::move(details)});
    BOOST_TEST(id == "an id");
    BOOST_TEST(kind == "Letter");
    BOOST_TEST(attempt == 2u);
    BOOST_TEST(priority == 5);
}

BOOST_AUTO_TEST_CASE(handlers_are_chosen_by_kind)
{
    std::string called;
    handlers_by_kind handlers;
    handlers.on<email>("Letter", [&](email) { called = "letter"; });
    handlers.on<email>("Card", [&](email) { called = "card"; });
    run_handler<email>(handlers, {"ada", 1}, {.kind = "Card"});
    BOOST_TEST(called == "card");
    const auto none = run_handler<email>(handlers, {"ada", 1}, {.kind = "Parcel"});
    BOOST_TEST((none.result.what() == kind::failure));
}

BOOST_AUTO_TEST_CASE(outcomes_of_other_kinds_are_told_as_they_are)
{
    BOOST_TEST((run_handler<int>([](int) { return release(); }, 1).result.what() == kind::release));
    BOOST_TEST((run_handler<int>([](int) { return forward("next"); }, 1).result.what() == kind::forward));
    const auto broken = run_handler(make_handler<int>([](int) {}), raw_json{R"("no number")"});
    BOOST_TEST((broken.result.what() == kind::broken));
}

// --- queues --------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(what_was_pushed_can_be_looked_at)
{
    memory_queue<email> mails;
    const auto id = mails.push({"ada", 1});
    mails.push({"bob", 2}, {.id = "second", .delay = 1h});
    BOOST_REQUIRE(mails.pushed().size() == 2u);
    BOOST_TEST(mails.pushed()[1].to == "bob");
    BOOST_TEST(!id.empty());
    BOOST_TEST(mails.raw().waiting().at(0).id == id);
    BOOST_TEST(mails.raw().scheduled().at(0).id == "second");
}

BOOST_AUTO_TEST_CASE(an_id_is_pushed_once_while_it_is_remembered)
{
    manual_clock time;
    memory_queue<email> mails{"mails", time};
    const push_options once{.id = "order-4711", .unique_for = 1h};
    for (int i = 0; i != 3; ++i)
        BOOST_TEST(mails.push({"ada", i}, once) == "order-4711");
    BOOST_TEST(mails.pushed().size() == 1u);
    mails.push({"ada", 3}, {.id = "order-4711"});
    BOOST_TEST(mails.pushed().size() == 2u);
    time.advance(1h);
    mails.push({"ada", 4}, once);
    BOOST_TEST(mails.pushed().size() == 3u);
    BOOST_CHECK_THROW(mails.push({"ada", 5}, {.unique_for = 1h}), system_error);
}

BOOST_AUTO_TEST_CASE(code_that_pushes_with_a_token_finds_the_same_function)
{
    asio::io_context io{1};
    memory_queue<email> mails;
    std::string id;
    asio::co_spawn(
        io,
        [&]() -> asio::awaitable<void> {
            const email job{"ada", 1};
            id = co_await mails.async_push(job);
        },
        [](std::exception_ptr error) { BOOST_TEST(!error); });
    io.run();
    BOOST_TEST(mails.raw().waiting().at(0).id == id);
}

BOOST_AUTO_TEST_CASE(many_jobs_are_pushed_in_order_or_none_of_them)
{
    memory_queue<email> mails;
    const std::vector<email> jobs{{"ada", 1}, {"bob", 2}};
    auto ids = mails.async_push_many(jobs, asio::use_future);
    auto later = mails.async_push_many(jobs, {.delay = 1h}, asio::use_future);
    BOOST_TEST(ids.get() == (std::vector{mails.raw().waiting().at(0).id, mails.raw().waiting().at(1).id}),
               boost::test_tools::per_element());
    BOOST_TEST(later.get().size() == 2u);
    BOOST_TEST(mails.raw().scheduled().size() == 2u);
    BOOST_TEST(mails.pushed().at(1).to == "bob");

    auto refused = mails.async_push_many(jobs, {.id = "one for all"}, asio::use_future);
    BOOST_CHECK_THROW((void)refused.get(), system_error);
    const std::vector<email> wrong{{"ada", 1}, {"\xff", 2}};
    auto not_text = mails.async_push_many(wrong, asio::use_future);
    BOOST_CHECK_THROW((void)not_text.get(), system_error);
    BOOST_TEST(mails.pushed().size() == 4u);
}

BOOST_AUTO_TEST_CASE(what_is_refused_is_told_to_the_token)
{
    memory_queue<email> mails;
    const email job{"ada", 1};
    auto without_id = mails.async_push(job, {.unique_for = 1h}, asio::use_future);
    BOOST_CHECK_EXCEPTION((void)without_id.get(), system_error,
                          [](const auto& error) { return error.code() == errc::invalid_option; });
    BOOST_TEST(mails.pushed().empty());
}

BOOST_AUTO_TEST_CASE(what_is_not_json_is_refused)
{
    raw_memory_queue queue;
    BOOST_CHECK_THROW(queue.push(raw_json{"{"}), system_error);
    BOOST_TEST(queue.pushed().empty());
}

// --- everything that is due ----------------------------------------------------------

BOOST_AUTO_TEST_CASE(everything_that_is_due_is_run_also_what_is_pushed_meanwhile)
{
    memory_queue<int> numbers;
    for (const int number : {3, 1})
        numbers.push(number);
    std::vector<int> seen;
    const auto runs = drain(numbers, [&](int number) {
        seen.push_back(number);
        if (number > 1)
            numbers.push(number - 1);
    });
    BOOST_TEST(seen == (std::vector<int>{3, 1, 2, 1}), boost::test_tools::per_element());
    BOOST_TEST(runs.size() == 4u);
    BOOST_TEST(drain(numbers, [](int) {}).empty());
}

BOOST_AUTO_TEST_CASE(delays_pass_when_the_clock_is_moved)
{
    manual_clock time;
    memory_queue<int> numbers{"numbers", time};
    numbers.push(1, {.id = "later", .delay = 1h});
    numbers.push(2, {.id = "now"});
    const auto ignore = [](int) {};
    BOOST_TEST(ids(drain(numbers, ignore)) == (std::vector<std::string>{"now"}),
               boost::test_tools::per_element());
    time.advance(59min);
    BOOST_TEST(drain(numbers, ignore).empty());
    time.advance(1min);
    BOOST_TEST(ids(drain(numbers, ignore)) == (std::vector<std::string>{"later"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_job_is_retried_after_its_back_off)
{
    manual_clock time;
    memory_queue<int> numbers{"numbers", time};
    numbers.push(1);
    unsigned attempts = 0;
    const auto handler = [&](int, job_context& context) -> outcome {
        attempts = context.attempt();
        return attempts < 3 ? retry("not yet") : success();
    };
    handle_options options;
    options.backoff = [](unsigned attempt) { return attempt * 1min; };
    drain(numbers, handler, options);
    BOOST_TEST(attempts == 1u);
    BOOST_TEST(numbers.raw().scheduled().at(0).reason == "not yet");
    time.advance(1min);
    drain(numbers, handler, options);
    BOOST_TEST(attempts == 2u);
    time.advance(1min);
    drain(numbers, handler, options);
    BOOST_TEST(attempts == 2u);
    time.advance(1min);
    drain(numbers, handler, options);
    BOOST_TEST(attempts == 3u);
    BOOST_TEST(numbers.raw().scheduled().empty());
}

BOOST_AUTO_TEST_CASE(failed_and_broken_jobs_are_kept)
{
    memory_queue<int> numbers;
    numbers.push(1);
    numbers.raw().push(raw_json{R"("no number")"}, push_options{});
    drain(numbers, [](int) { return failure("no"); });
    BOOST_TEST(numbers.raw().failed().at(0).reason == "no");
    BOOST_TEST(numbers.raw().broken().size() == 1u);
}

BOOST_AUTO_TEST_CASE(wrong_options_are_thrown)
{
    memory_queue<int> numbers;
    numbers.push(1);
    BOOST_CHECK_THROW(drain(numbers, [](int) {}, {.weight = 0}), system_error);
}

BOOST_AUTO_TEST_CASE(a_queue_is_drained_on_an_executor_of_the_tests_own)
{
    asio::io_context io{1};
    memory_queue<int> numbers;
    numbers.push(2);
    const auto handler = [&](int number) -> asio::awaitable<void> {
        asio::steady_timer timer{io, 1ms}; // an object of the test's executor
        co_await timer.async_wait(asio::use_awaitable);
        BOOST_TEST(io.get_executor().running_in_this_thread());
        if (number > 1)
            numbers.push(number - 1);
    };
    std::vector<ended_run> runs;
    async_drain(io.get_executor(), numbers, handler, [&](error_code error, std::vector<ended_run> ended) {
        BOOST_TEST(!error);
        runs = std::move(ended);
    });
    io.run();
    BOOST_TEST(runs.size() == 2u);

    handlers_by_kind by_kind;
    std::string seen;
    by_kind.on<int>("count", [&](int number) { seen = std::to_string(number); });
    numbers.raw().push(raw_json{"7"}, job_conditions{.kind = "count"});
    async_drain(io.get_executor(), numbers, by_kind, {},
                [](error_code error, const std::vector<ended_run>&) { BOOST_TEST(!error); });
    io.restart();
    io.run();
    BOOST_TEST(seen == "7");
}

BOOST_AUTO_TEST_CASE(wrong_options_of_an_operation_reach_the_token)
{
    asio::io_context io{1};
    memory_queue<int> numbers;
    numbers.push(1);
    auto drained = async_drain(
        io.get_executor(), numbers, [](int) {}, {.weight = 0}, asio::use_future);
    io.run();
    BOOST_CHECK_THROW((void)drained.get(), system_error);
}

BOOST_AUTO_TEST_CASE(draining_ends_when_it_is_cancelled_and_the_rest_stays)
{
    asio::io_context io{1};
    memory_queue<int> numbers;
    for (const int number : {1, 2, 3})
        numbers.push(number);
    asio::cancellation_signal cancel;
    int begun = 0;
    const auto handler = [&](int) {
        if (++begun == 1)
            cancel.emit(asio::cancellation_type::terminal);
    };
    error_code ended;
    async_drain(io.get_executor(), numbers, handler, {.concurrency = 1},
                asio::bind_cancellation_slot(
                    cancel.slot(), [&](error_code error, const std::vector<ended_run>&) { ended = error; }));
    io.run();
    BOOST_TEST(ended == asio::error::operation_aborted);
    BOOST_TEST(begun + static_cast<int>(numbers.raw().waiting().size()) == 3);
    BOOST_TEST(numbers.raw().running().empty());
}

BOOST_AUTO_TEST_CASE(a_worker_drives_a_queue_in_memory)
{
    asio::io_context io{1};
    manual_clock time;
    memory_queue<int> numbers{"numbers", time};
    std::vector<int> seen;
    worker subject{io};
    subject.handle(numbers, [&](int number) {
        seen.push_back(number);
        if (number == 2)
            subject.stop();
    });
    bool ended = false;
    subject.async_run([&](error_code error) { ended = !error; });
    numbers.push(1);
    numbers.push(2, {.delay = 1h});
    asio::post(io, [&] { time.advance(2h); });
    io.run();
    BOOST_TEST(seen == (std::vector<int>{1, 2}), boost::test_tools::per_element());
    BOOST_TEST(ended);
}

BOOST_AUTO_TEST_CASE(a_lease_can_be_taken_away_from_a_handler)
{
    asio::io_context io{1};
    memory_queue<int> numbers;
    numbers.push(1);
    bool is_taken = false;
    std::vector<bool> held;
    worker subject{io};
    subject.handle(numbers, [&](int, job_context& context) -> asio::awaitable<void> {
        if (!std::exchange(is_taken, true))
            numbers.raw().take_away_running();
        held.push_back((co_await context.async_extend()).has_value());
        if (held.size() == 2)
            subject.stop();
    });
    subject.async_run([](error_code) {});
    io.run();
    BOOST_TEST((std::count(held.begin(), held.end(), true) == 1));
    BOOST_TEST(numbers.raw().ended().size() == 1u);
}

// --- workers and monitors ------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_worker_can_be_moved)
{
    asio::io_context io{1};
    memory_queue<int> numbers;
    numbers.push(1);
    worker first{io};
    worker second{std::move(first)};
    second.handle(numbers, [&](int) { second.stop(); });
    bool ended = false;
    second.async_run([&](error_code error) { ended = !error; });
    io.run();
    BOOST_TEST(ended);
    second = worker{io};
    BOOST_TEST(second.running() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
