// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

#include <memory>

/// `gateway_options::memory_limit`: what all connections may hold together.
BOOST_AUTO_TEST_SUITE(memory_limit)

using namespace coworker::test;

namespace {

const std::string pages =
    "GET /v1/queues/large/jobs?state=waiting&count=1000 HTTP/1.1\r\nHost: localhost\r\n\r\n";

} // namespace

BOOST_FIXTURE_TEST_CASE(slow_readers_hold_no_more_than_it, gateway_test)
{
    settings.memory_limit = 6 * 1024 * 1024; // one page is 4.5 MB
    settings.write_timeout = 1h;
    settings.shutdown_timeout = 20ms;
    const std::string large(500'000, 'x');
    for (int i = 0; i != 20; ++i)
        store()("LPUSH", "hworker-jobs-large", "[\"j" + std::to_string(i) + "\",\"" + large + "\"]");
    serve([&]() -> asio::awaitable<void> {
        {
            std::vector<std::unique_ptr<http_client>> readers;
            for (int i = 0; i != 3; ++i) {
                readers.push_back(std::make_unique<http_client>(connect()));
                co_await readers.back()->send(pages + pages + pages); // more than the system keeps for it
            }
            unsigned status = 0;
            auto client = connect();
            for (int i = 0; i != 100 && status != 503; ++i) {
                const auto reply = co_await client.get("/v1/queues/large/jobs?state=waiting&count=1000");
                status = reply.status;
                if (status == 503)
                    BOOST_TEST(reply.field("retry-after") == "1");
                else
                    BOOST_TEST(reply.body.size() < 7'000'000u); // and then there is a next page
            }
            BOOST_TEST(status == 503u);
            const auto small = co_await client.get("/v1/queues/large");
            BOOST_TEST(small.status == 200u);
        }
        co_await eventually("their connections have ended", [&] { return server->connections() <= 1; });
        auto client = connect();
        const auto reply = co_await client.get("/v1/queues/large/jobs?state=waiting&count=1000");
        BOOST_TEST(reply.status == 200u);
    });
}

BOOST_FIXTURE_TEST_CASE(unfinished_bodies_hold_no_more_than_it, gateway_test)
{
    settings.body_limit = 1024 * 1024;
    settings.memory_limit = 2 * 1024 * 1024;
    settings.shutdown_timeout = 20ms;
    serve([&]() -> asio::awaitable<void> {
        const std::string begin =
            "POST /v1/queues/a/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
        {
            auto first = connect(), second = connect();
            co_await first.send(begin + "Content-Length: 1000000\r\n\r\n{");
            co_await second.send(begin + "Content-Length: 1000000\r\n\r\n{");
            auto third = connect();
            co_await third.get("/health"); // the others have been read by now
            co_await third.send(begin + "Content-Length: 500000\r\n\r\n{");
            auto reply = co_await third.receive();
            BOOST_TEST(reply.status == 503u);
            BOOST_TEST(reply.field("connection") == "close");
            auto chunked = connect();
            co_await chunked.send(begin + "Transfer-Encoding: chunked\r\n\r\n7a120\r\n" +
                                  std::string(500'000, ' '));
            reply = co_await chunked.receive();
            BOOST_TEST(reply.status == 503u);
            auto small = connect();
            reply = co_await small.post("/v1/queues/a/jobs", R"({"payload":1})");
            BOOST_TEST(reply.status == 201u);
        }
        co_await eventually("their connections have ended", [&] { return server->connections() == 0; });
        auto client = connect();
        const auto reply =
            co_await client.post("/v1/queues/a/jobs", "{\"payload\":\"" + std::string(900'000, 'x') + "\"}");
        BOOST_TEST(reply.status == 201u);
    });
}

/// Jobs that are not delivered for that go back.
BOOST_FIXTURE_TEST_CASE(jobs_for_which_there_is_no_room_are_not_taken, gateway_test)
{
    settings.body_limit = 1024;
    settings.memory_limit = 1024 * 1024;
    store()("LPUSH", "hworker-jobs-large", "[\"j\",\"" + std::string(1'000'000, 'x') + "\"]");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto reply = co_await client.post("/v1/queues/large/take", "{}");
        BOOST_TEST(reply.status == 503u, reply.body.substr(0, 100));
        BOOST_TEST(waiting("large").size() == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(listeners_count, managed_gateway_test)
{
    settings.memory_limit = 2 * 1024 * 1024;
    serve([&]() -> asio::awaitable<void> {
        std::vector<std::unique_ptr<http_client>> listeners;
        for (const auto expected : {200u, 200u, 503u}) {
            listeners.push_back(std::make_unique<http_client>(connect()));
            co_await listeners.back()->send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
            const auto head = co_await listeners.back()->receive();
            BOOST_TEST(head.status == expected);
        }
    });
}

BOOST_AUTO_TEST_SUITE_END()
