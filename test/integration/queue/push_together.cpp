// SPDX-License-Identifier: MIT
#include "integration/queue/pushes_under_way.hpp"
#include "support/client_test.hpp"
#include "support/expect.hpp"

#include "redis/script.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancel_after.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

struct pushes_test : pushes_under_way<client_test>
{
    /// Pushes to a queue by a handle of its own, as the handlers of a server do.
    outcome& push(const std::string& queue, int job, const push_options& how = {})
    {
        const list_queue<int> own_handle{redis, queue};
        return begin([&](auto token) { own_handle.async_push(job, how, std::move(token)); });
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(push_together)

BOOST_FIXTURE_TEST_CASE(concurrent_pushes_are_few_commands_and_keep_their_order, pushes_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await redis.async_connect();
        for (int i = 0; i != 600; ++i)
            push("numbers", i);
        co_await wait_for_all();
        const auto waiting = payloads();
        BOOST_REQUIRE(waiting.size() == 600u);
        std::set<std::string> ids;
        for (std::size_t i = 0; i != waiting.size(); ++i) {
            BOOST_TEST(waiting[i] == "[\"" + outcomes[i]->id + "\"," + std::to_string(i) + "]");
            ids.insert(outcomes[i]->id);
        }
        BOOST_TEST(ids.size() == 600u);
        BOOST_TEST(calls_of("lpush") <= 10);
        BOOST_TEST(calls_of("sadd") <= 10); // each handle is new and tells the queue's name
    });
}

BOOST_FIXTURE_TEST_CASE(concurrent_pushes_with_ids_that_are_remembered_are_few_calls, pushes_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await redis.async_connect();
        for (int i = 0; i != 300; ++i) {
            const auto id = "id" + std::to_string(i / 2 * 2); // each of them twice
            push("numbers", i, {.id = id, .unique_for = 1h});
            push("others", i, {.id = id, .unique_for = i % 3 == 0 ? 1h : 2h});
        }
        co_await wait_for_all();
        for (const auto& each : outcomes)
            BOOST_TEST(!each->error);
        std::vector<std::string> expected;
        for (int i = 0; i != 300; i += 2)
            expected.push_back("[\"id" + std::to_string(i) + "\"," + std::to_string(i) + "]");
        BOOST_TEST(payloads() == expected, boost::test_tools::per_element());
        BOOST_TEST(server("LLEN", "hworker-jobs-others").integer == 150);
        BOOST_TEST(server("ZCARD", "hworker-ids-numbers").integer == 150);
        BOOST_TEST(calls_of("sadd") <= 10);
    });
}

BOOST_FIXTURE_TEST_CASE(of_concurrent_pushes_with_one_id_one_is_told_that_it_was_pushed, pushes_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await redis.async_connect();
        server("SCRIPT", "LOAD", detail::find_script("list/submit").text()); // or calls are repeated
        std::vector<raw_push> one;
        one.emplace_back(raw_json{"1"}, push_options{.id = "same", .unique_for = 1h});
        int answers = 0, pushed = 0;
        for (int i = 0; i != 50; ++i)
            numbers.async_push_each_json(one, [&](error_code ec, const std::vector<push_result>& results) {
                pushed += !ec && results.at(0).pushed;
                ++answers;
            });
        co_await eventually("all have ended", [&] { return answers == 50; });
        BOOST_TEST(pushed == 1);
        BOOST_TEST(length() == 1);
        BOOST_TEST(calls_of("evalsha") <= 3);
    });
}

BOOST_FIXTURE_TEST_CASE(pushes_of_all_kinds_keep_their_order_in_a_queue, pushes_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await redis.async_connect();
        std::vector<std::string> expected;
        for (int i = 0; i != 60; ++i) {
            const auto id = "id" + std::to_string(i);
            push("numbers", i,
                 i % 5 == 0 ? push_options{.id = id, .unique_for = 1h} : push_options{.id = id});
            expected.push_back("[\"" + id + "\"," + std::to_string(i) + "]");
        }
        push("numbers", 99, {.delay = 1h});
        co_await wait_for_all();
        BOOST_TEST(payloads() == expected, boost::test_tools::per_element());
        BOOST_TEST(server("ZCARD", "hworker-scheduled-numbers").integer == 1);
        BOOST_TEST(!outcomes.back()->error);
    });
}

BOOST_FIXTURE_TEST_CASE(a_script_that_redis_has_lost_is_given_to_it_again, pushes_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await redis.async_connect();
        server("SCRIPT", "FLUSH");
        for (int i = 0; i != 200; ++i) {
            push("numbers", i, {.id = "id" + std::to_string(i), .unique_for = 1h});
            push("others", i);
        }
        co_await wait_for_all();
        for (const auto& each : outcomes)
            BOOST_TEST(!each->error);
        const auto waiting = payloads();
        BOOST_REQUIRE(waiting.size() == 200u);
        for (std::size_t i = 0; i != 200; ++i)
            BOOST_TEST(waiting[i] == "[\"id" + std::to_string(i) + "\"," + std::to_string(i) + "]");
        BOOST_TEST(server("LLEN", "hworker-jobs-others").integer == 200);
    });
}

BOOST_FIXTURE_TEST_CASE(a_refused_push_does_not_concern_the_others, pushes_test)
{
    server("SET", "hworker-jobs-broken", "no list");
    run([&]() -> asio::awaitable<void> {
        co_await redis.async_connect();
        for (int i = 0; i != 300; ++i) {
            push("numbers", i);
            push(i % 2 == 0 ? "broken" : "others", i);
        }
        co_await wait_for_all();
        for (std::size_t i = 0; i != outcomes.size(); ++i)
            BOOST_TEST(
                (outcomes[i]->error == (i % 4 == 1 ? error_code{errc::wrong_key_type} : error_code{})));
        const auto waiting = payloads();
        BOOST_REQUIRE(waiting.size() == 300u);
        for (std::size_t i = 0; i != waiting.size(); ++i)
            BOOST_TEST(waiting[i] == "[\"" + outcomes[2 * i]->id + "\"," + std::to_string(i) + "]");
        BOOST_TEST(server("LLEN", "hworker-jobs-others").integer == 150);
        BOOST_TEST(calls_of("lpush") <= 12);
    });
    const auto names = server("SMEMBERS", "hworker-queues").texts();
    BOOST_TEST((std::set<std::string>(names.begin(), names.end()).contains("others")));
}

BOOST_FIXTURE_TEST_CASE(one_of_them_is_cancelled, pushes_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await redis.async_connect();
        server.freeze();
        const auto& first = push("numbers", 1);
        const auto& second = push("numbers", 2);
        auto& third = push("numbers", 3);
        co_await asio::post(asio::use_awaitable);
        third.cancelled.emit(asio::cancellation_type::terminal);
        while (!third.has_ended)
            co_await ended.async_wait(asio::as_tuple(asio::use_awaitable));
        BOOST_TEST((third.error == asio::error::operation_aborted));
        BOOST_TEST(!first.has_ended);
        server.thaw();
        co_await wait_for_all();
        BOOST_TEST(!first.error);
        BOOST_TEST(!second.error);
        BOOST_TEST(payloads().front() == "[\"" + first.id + "\",1]");
    });
}

BOOST_FIXTURE_TEST_CASE(what_was_cancelled_before_there_was_a_connection_is_not_pushed_later, pushes_test)
{
    server.kill();
    run([&]() -> asio::awaitable<void> {
        const auto refused = co_await error_of(numbers.async_push(1, asio::cancel_after(1ms)));
        BOOST_TEST((refused.code == asio::error::operation_aborted));
        server.restart();
        const auto id = co_await numbers.async_push(2);
        const std::vector<std::string> expected{"[\"" + id + "\",2]"};
        BOOST_TEST(payloads() == expected, boost::test_tools::per_element());
    });
}

BOOST_FIXTURE_TEST_CASE(a_handler_that_throws_does_not_concern_the_others, client_test)
{
    int called = 0;
    redis.async_connect([&](error_code) {
        for (int i = 0; i != 3; ++i)
            numbers.async_push(i, [&](error_code, std::string) {
                if (++called == 3)
                    redis.async_stop([](error_code) {});
                throw std::runtime_error{"a handler's"};
            });
    });
    for (int i = 0; i != 3; ++i)
        BOOST_CHECK_THROW(io.run(), std::runtime_error);
    io.run();
    BOOST_TEST(called == 3);
}

BOOST_AUTO_TEST_SUITE_END()
