// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"

#include <boost/asio/this_coro.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(worker_limits)

namespace {

asio::awaitable<void> take_for_ever(int)
{
    co_await let_pass(1h);
}

/// An id of version 7 that tells it was queued so long ago.
std::string id_queued(std::chrono::milliseconds ago)
{
    const auto when = std::chrono::system_clock::now() - ago;
    const auto ms = static_cast<std::uint64_t>(
        std::chrono::floor<std::chrono::milliseconds>(when.time_since_epoch()).count());
    char text[64];
    std::snprintf(text, sizeof text, "%08llx-%04llx-7cc3-98c4-dc0c0c07398f",
                  static_cast<unsigned long long>(ms >> 16), static_cast<unsigned long long>(ms & 0xffff));
    return text;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_run_that_takes_too_long_is_cancelled_and_fails_if_exceptions_do, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        worker subject{redis, observed()};
        subject.handle(numbers, take_for_ever, {.timeout = 50ms, .exceptions = on_exception::fail});
        co_await work(subject, 1);
        const auto failed = co_await jobs_in(job_state::failed);
        BOOST_REQUIRE(failed.size() == 1u);
        BOOST_TEST(failed.front().message.find("timeout") != std::string::npos, failed.front().message);
        BOOST_TEST((events.of(event_kind::failed).at(0).duration >= 50ms));
    });
}

BOOST_FIXTURE_TEST_CASE(a_run_is_cancelled_although_the_one_before_it_would_not_be, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::vector<int> jobs{1, 2};
        co_await numbers.async_push_many(jobs);
        worker subject{redis, observed({.concurrency = 1})};
        subject.handle(numbers,
                       [](int n) -> asio::awaitable<void> {
                           if (n == 2)
                               co_await take_for_ever(n);
                           co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
                           co_await let_pass(0ms);
                       },
                       {.timeout = 50ms, .exceptions = on_exception::fail});
        co_await work(subject, 2);
        BOOST_TEST(events.count(event_kind::succeeded) == 1u);
        BOOST_TEST((co_await jobs_in(job_state::failed)).size() == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_run_that_takes_too_long_is_repeated, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        worker subject{redis, observed()};
        subject.handle(numbers,
                       [](int, job_context& context) -> asio::awaitable<void> {
                           if (context.attempt() == 1)
                               co_await let_pass(1h);
                       },
                       {.timeout = 50ms, .backoff = no_backoff});
        co_await work(subject, 1);
        BOOST_TEST(events.count(event_kind::succeeded) == 1u);
        BOOST_TEST(events.count(event_kind::retried) == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(an_outcome_reached_in_spite_of_the_limit_is_believed, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        bool told = false;
        worker subject{redis, observed()};
        subject.handle(numbers,
                       [&](int, job_context& context) -> asio::awaitable<outcome> {
                           try {
                               co_await let_pass(1h);
                           } catch (const system_error&) {
                               told = context.cancelled();
                           }
                           co_return success();
                       },
                       {.timeout = 50ms});
        co_await work(subject, 1);
        BOOST_TEST(told);
        BOOST_TEST(events.count(event_kind::succeeded) == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_handler_sets_its_own_limit, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        worker subject{redis, observed()};
        subject.handle(numbers,
                       [](int, job_context& context) -> asio::awaitable<void> {
                           context.set_timeout(30ms);
                           co_await let_pass(2h);
                       },
                       {.timeout = 1h, .exceptions = on_exception::fail});
        co_await work(subject, 1);
        BOOST_TEST(events.count(event_kind::failed) == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_handler_goes_on_without_a_limit, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        worker subject{redis, observed()};
        subject.handle(numbers,
                       [](int, job_context& context) -> asio::awaitable<void> {
                           context.set_timeout(0ms);
                           co_await let_pass(150ms);
                       },
                       {.timeout = 50ms, .exceptions = on_exception::fail});
        co_await work(subject, 1);
        BOOST_TEST(events.count(event_kind::succeeded) == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_that_has_expired_is_not_run, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::string late = id_queued(10s), early = id_queued(1s);
        co_await numbers.async_push(1, {.id = late});
        co_await numbers.async_push(2, {.id = early});
        co_await numbers.async_push(3, {.id = "tells nothing"});
        std::vector<int> ran;
        worker subject{redis, observed()};
        subject.handle(numbers, [&](int n) { ran.push_back(n); }, {.expiry = 8s});
        co_await work(subject, 3);
        const std::vector<int> expected{2, 3};
        BOOST_TEST(ran == expected, boost::test_tools::per_element());
        const auto failed = co_await jobs_in(job_state::failed);
        BOOST_REQUIRE(failed.size() == 1u);
        BOOST_TEST(failed.front().id == late);
        BOOST_TEST(failed.front().message.find("expired") != std::string::npos);
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_that_expires_while_it_runs_fails, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::string id = id_queued(9'800ms);
        co_await numbers.async_push(1, {.id = id});
        worker subject{redis, observed()};
        // It is not repeated, though what throws is.
        subject.handle(numbers, take_for_ever, {.timeout = 1h, .expiry = 10s});
        co_await work(subject, 1);
        const auto failed = co_await jobs_in(job_state::failed);
        BOOST_REQUIRE(failed.size() == 1u);
        BOOST_TEST(failed.front().message.find("expired") != std::string::npos, failed.front().message);
    });
}

BOOST_FIXTURE_TEST_CASE(a_limit_beyond_all_time_is_none, client_test)
{
    constexpr auto for_ever = std::chrono::milliseconds::max();
    run([&]() -> asio::awaitable<void> {
        const std::string id = id_queued(1s), future = "ffffffff-ffff-7cc3-98c4-dc0c0c07398f";
        co_await numbers.async_push(1, {.id = id});
        co_await numbers.async_push(2, {.id = future});
        worker subject{redis, observed({.shutdown_timeout = for_ever})};
        subject.handle(numbers, [](int) -> asio::awaitable<void> { co_await let_pass(30ms); },
                       {.lease = for_ever, .timeout = for_ever, .expiry = for_ever});
        list_queue<int> others{redis, "others"};
        co_await others.async_push(3);
        subject.handle(others, [&](int, job_context& context) -> asio::awaitable<void> {
            context.set_timeout(for_ever);
            co_await let_pass(30ms);
            context.set_timeout(std::chrono::milliseconds::min());
            co_await let_pass(1ms);
            subject.stop();
            co_await let_pass(30ms);
        });
        auto running = start(subject);
        co_await events.wait_for(event_kind::succeeded, 3);
        co_await running.join();
        BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
        BOOST_TEST(events.count(event_kind::released) == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(unusable_options_are_refused, client_test)
{
    const auto code_of = [&](handle_options options) {
        worker subject{redis};
        try {
            subject.handle(
                numbers, [](int) {}, std::move(options));
        } catch (const system_error& error) {
            return error.code();
        }
        return error_code{};
    };
    BOOST_TEST((code_of({.lease = 99ms}) == errc::invalid_option));
    BOOST_TEST((code_of({.weight = 0}) == errc::invalid_option));
    BOOST_TEST((code_of({.lease = 100ms}) == error_code{}));
    BOOST_CHECK_THROW((worker{redis, {.concurrency = 0}}), system_error);
    BOOST_CHECK_THROW((worker{redis, {.shutdown_timeout = -1ms}}), system_error);

    worker subject{redis};
    subject.handle(numbers, [](int) {});
    list_queue<int> same{redis, "numbers"};
    BOOST_CHECK_THROW(subject.handle(same, [](int) {}), system_error);
}

BOOST_AUTO_TEST_SUITE_END()
