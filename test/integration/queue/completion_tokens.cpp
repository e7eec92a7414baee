// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/expect.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancel_after.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <thread>
#include <tuple>

/// Every operation takes every token of Asio's.
namespace coworker::test {
namespace {

using namespace std::chrono_literals;

/// A key that the queue wants to be something else.
void spoil(client_test& test)
{
    test.server("SET", "hworker-jobs-numbers", "no list");
}

/// A server that answers nothing for a while, and then goes on by itself.
void silence(client_test& test)
{
    test.server("CLIENT", "PAUSE", 3'000, "ALL");
}

constexpr std::string_view redis_says = "WRONGTYPE";

} // namespace

BOOST_AUTO_TEST_SUITE(completion_tokens)

BOOST_FIXTURE_TEST_CASE(a_callback_is_given_the_code_and_the_value, client_test)
{
    std::string id;
    std::optional<error_code> refused;
    numbers.async_push(1, [&](error_code ec, std::string pushed) {
        BOOST_TEST(!ec);
        id = std::move(pushed);
        spoil(*this);
        numbers.async_push(2, {.delay = 0ms}, [&](error_code why, std::string) {
            refused = why;
            redis.async_stop([](error_code end) { BOOST_TEST(!end); });
        });
    });
    io.run();
    BOOST_TEST(id.size() == 36u);
    BOOST_TEST((refused == errc::command_refused || refused == errc::wrong_key_type));
}

BOOST_FIXTURE_TEST_CASE(a_callback_may_ask_for_the_servers_words, client_test)
{
    spoil(*this);
    std::string message;
    numbers.async_push(1, with_diagnostics([&](std::exception_ptr error, std::string) {
                           try {
                               std::rethrow_exception(error);
                           } catch (const system_error& why) {
                               message = why.what();
                           }
                           redis.async_stop([](error_code) {});
                       }));
    io.run();
    BOOST_TEST(message.find(redis_says) != message.npos, message);
}

BOOST_FIXTURE_TEST_CASE(a_future_waits_on_another_thread, client_test)
{
    auto guard = asio::make_work_guard(io);
    // Let go of after the thread has ended: the thread sanitizer does not see how the library counts its owners.
    std::exception_ptr thrown;
    std::jthread running{[&] { io.run(); }};
    BOOST_TEST(numbers.async_push(1, asio::use_future).get().size() == 36u);
    BOOST_TEST(numbers.async_sizes(asio::use_future).get().waiting == 1u);
    spoil(*this);
    auto refused = numbers.async_push(1, with_diagnostics(asio::use_future));
    BOOST_CHECK_EXCEPTION(std::ignore = refused.get(), system_error, [&](const system_error& error) {
        thrown = std::current_exception();
        return std::string_view{error.what()}.find(redis_says) != std::string_view::npos;
    });
    redis.async_stop(asio::use_future).get();
    guard.reset();
}

BOOST_FIXTURE_TEST_CASE(coroutines_use_what_they_like, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        co_await numbers.async_push(2, asio::use_awaitable);
        auto later = numbers.async_push(3, asio::deferred);
        co_await std::move(later);
        const auto [ec, id] = co_await numbers.async_push(4, asio::as_tuple);
        BOOST_TEST(!ec);
        BOOST_TEST(id.size() == 36u);
        BOOST_TEST((co_await numbers.async_sizes()).waiting == 4u);

        spoil(*this);
        BOOST_TEST((co_await error_of(numbers.async_push(5))).says(redis_says));
        BOOST_TEST((co_await error_of(numbers.async_push(5, with_diagnostics(asio::use_awaitable))))
                       .says(redis_says));
        BOOST_TEST((co_await error_of(numbers.async_push(5, asio::cancel_after(1min)))).says(redis_says));
        const auto [refused, nothing] = co_await numbers.async_push(5, asio::as_tuple(asio::use_awaitable));
        BOOST_TEST((refused == errc::command_refused || refused == errc::wrong_key_type));
        error_code redirected;
        co_await numbers.async_push(5, asio::redirect_error(asio::use_awaitable, redirected));
        BOOST_TEST((redirected == refused));
        const auto [why, none] =
            co_await numbers.async_push(5, with_diagnostics(asio::as_tuple(asio::use_awaitable)));
        BOOST_TEST((why != nullptr));
    });
}

BOOST_FIXTURE_TEST_CASE(what_is_wrong_with_arguments_reaches_the_token, client_test)
{
    std::optional<error_code> refused;
    numbers.async_push(1, {.id = ""}, [&](error_code ec, std::string) { refused = ec; });
    io.run();
    BOOST_TEST((refused == errc::invalid_job_id));
}

BOOST_FIXTURE_TEST_CASE(operations_are_cancelled_by_time, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await redis.async_connect();
        silence(*this);
        const auto thrown = co_await error_of(numbers.async_push(1, asio::cancel_after(1ms)));
        BOOST_TEST((thrown.code == asio::error::operation_aborted));
        const auto [ec, sizes] = co_await numbers.async_sizes(asio::cancel_after(1ms, asio::as_tuple));
        BOOST_TEST((ec == asio::error::operation_aborted));
    });
}

BOOST_FIXTURE_TEST_CASE(a_write_does_not_obey_total_cancellation, client_test)
{
    asio::cancellation_signal signal;
    std::optional<error_code> pushed, looked;
    redis.async_connect([&](error_code) {
        silence(*this);
        numbers.async_push(1, asio::bind_cancellation_slot(signal.slot(), [&](error_code ec, std::string) {
                               pushed = ec;
                               numbers.async_sizes(asio::bind_cancellation_slot(
                                   signal.slot(), [&](error_code why, list_queue_sizes) {
                                       looked = why;
                                       redis.async_stop([](error_code) {});
                                   }));
                               asio::post(io, [&] { signal.emit(asio::cancellation_type::total); });
                           }));
        asio::post(io, [&] {
            signal.emit(asio::cancellation_type::total);
            asio::post(io, [&] {
                BOOST_TEST(!pushed.has_value());
                signal.emit(asio::cancellation_type::partial);
            });
        });
    });
    io.run();
    BOOST_TEST((pushed == error_code{asio::error::operation_aborted}));
    BOOST_TEST((looked == error_code{asio::error::operation_aborted}));
}

BOOST_FIXTURE_TEST_CASE(operations_run_beside_each_other, client_test)
{
    using namespace asio::experimental::awaitable_operators;
    run([&]() -> asio::awaitable<void> {
        const auto [one, two] = co_await (numbers.async_push(1, asio::use_awaitable) &&
                                          numbers.async_push(2, asio::use_awaitable));
        BOOST_TEST(one != two);
        silence(*this);
        asio::steady_timer soon{io, 1ms};
        const auto first =
            co_await (soon.async_wait(asio::use_awaitable) || numbers.async_sizes(asio::use_awaitable));
        BOOST_TEST(first.index() == 0u);
        auto both = asio::experimental::make_parallel_group(numbers.async_push(3, asio::deferred),
                                                            numbers.async_push(4, asio::deferred));
        const auto [order, e3, id3, e4, id4] =
            co_await both.async_wait(asio::experimental::wait_for_all{}, asio::use_awaitable);
        BOOST_TEST(!e3);
        BOOST_TEST(!e4);
        BOOST_TEST((co_await numbers.async_sizes()).waiting == 4u);
    });
}

BOOST_FIXTURE_TEST_CASE(the_handler_runs_where_it_belongs, client_test)
{
    asio::io_context other;
    auto guard = asio::make_work_guard(other);
    std::thread::id ran_on;
    numbers.async_push(1, asio::bind_executor(other, [&](error_code, std::string) {
                           ran_on = std::this_thread::get_id();
                           guard.reset();
                           redis.async_stop([](error_code) {});
                       }));
    std::jthread elsewhere{[&] { other.run(); }};
    const auto expected = elsewhere.get_id();
    io.run();
    BOOST_TEST((ran_on == expected));
}

BOOST_FIXTURE_TEST_CASE(a_client_can_be_moved_and_queues_outlive_it, client_test)
{
    run([&]() -> asio::awaitable<void> {
        std::optional<list_queue<int>> copy;
        {
            client first{io, options()};
            list_queue<int> queue{first, "moved"};
            co_await queue.async_push(1);
            client second{std::move(first)};
            co_await queue.async_push(2);
            copy = queue;
            BOOST_TEST((co_await copy->async_sizes()).waiting == 2u);
        }
        BOOST_TEST(co_await error_of(copy->async_push(3)) == errc::stopped);
    });
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace coworker::test
