// SPDX-License-Identifier: MIT
#include "http_client.hpp"

#include "support/redis_test.hpp"

#include "coworker/gateway.hpp"

#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <future>
#include <optional>

/// Gateways that one thread makes, runs, stops and destroys, while others run the client.
namespace coworker::test {
namespace {

constexpr int gateway_rounds = 60;

struct gateway_of_a_pool : redis_test
{
    asio::thread_pool pool{2};
    client redis{pool, options()};
    std::atomic<int> told = 0;
    std::optional<gateway> made;
    std::uint16_t port = 0;

    ~gateway_of_a_pool()
    {
        redis.async_stop(asio::use_future).get();
        pool.join();
    }

    void make()
    {
        gateway_options how{.port = 0};
        how.on_request = request_observer{[this](const gateway_request&) { ++told; }};
        made.emplace(redis, std::move(how));
    }

    std::future<void> listen_and_run()
    {
        made->listen();
        port = made->port();
        return made->async_run(asio::use_future);
    }

    /// Runs requests on this thread.
    template<class Requests>
    void ask(Requests requests)
    {
        run([&]() -> asio::awaitable<void> {
            http_client client{io.get_executor(), port};
            co_await requests(client);
        });
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(gateways_of_other_threads, gateway_of_a_pool)

BOOST_AUTO_TEST_CASE(gateways_come_and_go)
{
    for (int round = 0; round != gateway_rounds; ++round) {
        make();
        if (round % 3 == 0)
            made->listen();
        auto ended = made->async_run(asio::use_future);
        if (round % 3 == 1)
            made->stop();
        else
            made.reset(); // perhaps before it has begun to run
        ended.wait();
    }
}

BOOST_AUTO_TEST_CASE(gateways_answer_and_are_stopped)
{
    for (int round = 0; round != gateway_rounds; ++round) {
        make();
        auto ended = listen_and_run();
        ask([&](http_client& client) -> asio::awaitable<void> {
            auto reply = co_await client.post("/v1/queues/managed:mail/jobs", R"({"kind":"Letter"})");
            BOOST_TEST(reply.status == 201u);
            for (const auto* path : {"/metrics", "/v1/queues", "/v1/workers", "/v1/access"}) {
                reply = co_await client.get(path);
                BOOST_TEST(reply.status == 200u);
            }
        });
        made->stop();
        ended.get();
        made.reset();
    }
    BOOST_TEST(told == gateway_rounds * 5);
}

/// While requests are under way, one that waits for a job and one that listens to events among them.
BOOST_AUTO_TEST_CASE(gateways_are_destroyed_while_they_answer)
{
    for (int round = 0; round != gateway_rounds; ++round) {
        make();
        auto ended = listen_and_run();
        ask([&](http_client& client) -> asio::awaitable<void> {
            http_client waiting{io.get_executor(), port}, listening{io.get_executor(), port};
            co_await waiting.send("POST /v1/queues/managed:none/take HTTP/1.1\r\nHost: localhost\r\n"
                                  "Content-Type: application/json\r\nContent-Length: 27\r\n\r\n"
                                  R"({"worker":"w","wait":"20s"})");
            co_await listening.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
            co_await client.send("GET /v1/queues HTTP/1.1\r\nHost: localhost\r\n\r\n");
            if (round % 2 == 0)
                co_await client.receive();
            made.reset();
            co_await waiting.receive_rest(); // come to an end
            co_await listening.receive_rest();
            co_await client.receive_rest();
        });
        ended.wait();
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace coworker::test
