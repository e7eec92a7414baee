// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/expect.hpp"

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

/// Pushes that are under way beside each other, and what came of them.
struct pushes_test : client_test
{
    struct outcome
    {
        error_code error;
        std::string id;
        bool has_ended = false;
    };

    /// Pushes to a queue by a handle of its own, as the handlers of a server do.
    outcome& push(const std::string& queue, int job)
    {
        auto& mine = *outcomes.emplace_back(std::make_unique<outcome>());
        const list_queue<int> own_handle{redis, queue};
        own_handle.async_push(
            job, asio::bind_cancellation_slot(cancelled.slot(), [this, &mine](error_code ec, std::string id) {
                mine = {ec, std::move(id), true};
                ended.cancel();
            }));
        return mine;
    }

    asio::awaitable<void> wait_for_all()
    {
        const auto has_ended = [](const auto& each) { return each->has_ended; };
        while (!std::all_of(outcomes.begin(), outcomes.end(), has_ended))
            co_await ended.async_wait(asio::as_tuple(asio::use_awaitable));
    }

    /// How many times Redis was asked to carry out a command.
    std::int64_t calls_of(const std::string& command)
    {
        const auto statistics = server("INFO", "commandstats").text;
        const auto key = "cmdstat_" + command + ":calls=";
        const auto at = statistics.find(key);
        return at == statistics.npos ? 0 : std::stoll(statistics.substr(at + key.size()));
    }

    std::vector<std::unique_ptr<outcome>> outcomes;
    asio::cancellation_signal cancelled; ///< of the push that began last
    asio::steady_timer ended{io, asio::steady_timer::time_point::max()};
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
        const auto& third = push("numbers", 3); // has the slot now
        co_await asio::post(asio::use_awaitable);
        cancelled.emit(asio::cancellation_type::terminal);
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
