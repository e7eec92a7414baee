// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

/// GET /v1/events: server-sent events.
BOOST_AUTO_TEST_SUITE(events_by_http)

using namespace coworker::test;
using namespace coworker;

namespace {

const std::string ask = "GET /v1/events HTTP/1.1\r\nHost: localhost\r\n";

} // namespace

BOOST_FIXTURE_TEST_CASE(tells_what_happens_to_managed_jobs, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        co_await client.send(ask + "\r\n");
        const auto head = co_await client.receive();
        BOOST_TEST(head.status == 200u);
        BOOST_TEST(head.field("content-type") == "text/event-stream");
        BOOST_TEST(head.field("connection") == "close");
        BOOST_TEST(head.field("x-accel-buffering") == "no"); // or a proxy would keep them
        BOOST_TEST(head.field("cache-control") == "no-store, no-transform");
        put("a", "Letter");
        qless("track", "track", "a");
        put("b", "Letter");
        qless("pop", "mail", "w-1", "2");
        qless("complete", "a", "w-1", "mail", "{}");
        qless("fail", "b", "w-1", "no-luck", "none\nat all", "{}");
        const auto rest = co_await client.receive_until("none\\nat all\"}\n\n");
        server->stop(); // ends the stream
        co_await client.receive_rest();
        BOOST_TEST(rest.starts_with(": listening\n\n"), rest);
        for (const std::string event :
             {"event: put\ndata: {\"event\":\"put\",\"id\":\"a\",\"queue\":\"managed:mail\"}\n\n",
              "event: completed\ndata: {\"event\":\"completed\",\"id\":\"a\",\"queue\":\"managed:mail\"}\n\n",
              "event: failed\ndata: "
              "{\"event\":\"failed\",\"id\":\"b\",\"worker\":\"w-1\",\"group\":\"no-luck\","
              "\"message\":\"none\\nat all\"}\n\n"})
            BOOST_TEST(rest.find(event) != std::string::npos, rest);
        BOOST_TEST(rest.find("event: put\ndata: {\"event\":\"put\",\"id\":\"a\"}") == std::string::npos,
                   rest);
    });
}

BOOST_FIXTURE_TEST_CASE(lets_a_certain_number_of_clients_listen, managed_gateway_test)
{
    settings.event_client_limit = 1;
    settings.tokens = tokens_of("s3cret", "r3ad");
    serve([&]() -> asio::awaitable<void> {
        const std::string may_read = "Authorization: Bearer r3ad\r\n\r\n";
        auto stranger = connect();
        co_await stranger.send(ask + "\r\n");
        auto reply = co_await stranger.receive();
        BOOST_TEST(reply.status == 401u);
        {
            auto first = connect(), second = connect();
            co_await first.send(ask + may_read);
            reply = co_await first.receive();
            BOOST_TEST(reply.status == 200u);
            co_await second.send(ask + may_read);
            reply = co_await second.receive();
            BOOST_TEST(reply.status == 503u);
            first.close_sending_side(); // who goes makes room
            co_await first.receive_rest();
        }
        auto third = connect();
        co_await third.send(ask + may_read);
        reply = co_await third.receive();
        BOOST_TEST(reply.status == 200u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
