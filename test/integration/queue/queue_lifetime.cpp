// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/expect.hpp"

#include "coworker/managed_client.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <future>
#include <set>
#include <thread>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// A call owns what it needs once it has returned its awaitable.
BOOST_AUTO_TEST_SUITE(queue_lifetime)

namespace {

std::string long_name()
{
    return "a-queue-whose-name-has-memory-of-its-own-and-is-freed-with-the-queue";
}

} // namespace

BOOST_FIXTURE_TEST_CASE(calls_of_a_queue_that_is_gone_are_carried_out, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), options()};
        const auto queue = [&] { return list_queue<std::string>{redis, long_name()}; };
        const auto push = [&](std::string job) { return queue().async_push(job, {.id = job}); };
        const std::string payload(100, 'x'), other(100, 'y');
        BOOST_TEST((co_await push(payload)) == payload);
        const std::vector<std::string> both{payload, other};
        co_await queue().async_push_many(both);
        co_await queue().async_push(other, {.delay = 1h});
        BOOST_TEST((co_await queue().async_sizes()).waiting == 3u);
        co_await queue().async_pause();
        co_await queue().async_resume();
        co_await queue().async_destroy();
        BOOST_TEST(server("DBSIZE").integer == 0);
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(calls_that_begin_when_the_client_is_gone_say_so, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        auto redis = std::make_unique<client>(io.get_executor(), options());
        auto push = list_queue<std::string>{*redis, long_name()}.async_push("x");
        auto put = managed_queue{*redis, long_name()}.async_push("klass", raw_json{"{}"});
        auto get = managed_client{*redis}.async_get("jid");
        auto connect = redis->async_connect();
        redis.reset();
        BOOST_TEST(co_await error_of(std::move(push)) == errc::stopped);
        BOOST_TEST(co_await error_of(std::move(put)) == errc::stopped);
        BOOST_TEST(co_await error_of(std::move(get)) == errc::stopped);
        BOOST_TEST(co_await error_of(std::move(connect)) == errc::stopped);
    });
}

BOOST_AUTO_TEST_CASE(calls_may_be_made_on_any_thread)
{
    constexpr int threads = 4, jobs = 2000;
    redis_server server;
    asio::thread_pool pool{2};
    const auto strand = asio::make_strand(pool.get_executor());
    std::vector<std::future<std::string>> pushed[threads], put[threads];
    {
        // The calls stand before the connection's own steps on the strand, so a slow machine takes long to connect.
        client redis{strand, {.url = server.url(), .connect_timeout = 0ms, .command_timeout = 0ms}};
        list_queue<int> numbers{redis, "numbers"};
        managed_queue mails{redis, "mails"};
        {
            std::vector<std::jthread> producers;
            for (int k = 0; k != threads; ++k)
                producers.emplace_back([&, k] {
                    for (int i = 0; i != jobs; ++i) {
                        pushed[k].push_back(numbers.async_push(i, asio::use_future));
                        if (i % 10 == 0)
                            put[k].push_back(mails.async_push("mail", raw_json{"{}"}, asio::use_future));
                    }
                });
        }
        std::set<std::string> ids, jids;
        for (auto& some : pushed)
            for (auto& id : some)
                ids.insert(id.get());
        for (auto& some : put)
            for (auto& jid : some)
                jids.insert(jid.get());
        BOOST_TEST(ids.size() == threads * jobs);
        BOOST_TEST(jids.size() == threads * jobs / 10);
        redis.async_stop(asio::use_future).get();
    }
    BOOST_TEST(server("LLEN", "hworker-jobs-numbers").integer == threads * jobs);
    pool.join();
}

BOOST_AUTO_TEST_SUITE_END()
