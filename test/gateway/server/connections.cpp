// SPDX-License-Identifier: MIT
#include "gateway_test.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <sys/resource.h>

/// How connections are kept and ended.
BOOST_AUTO_TEST_SUITE(connections)

using namespace coworker::test;

BOOST_FIXTURE_TEST_CASE(keeps_a_connection_for_further_requests, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        for (int i = 0; i != 3; ++i) {
            const auto reply = co_await client.get("/health");
            BOOST_TEST(reply.status == 200u);
            BOOST_TEST(reply.body == "{\"status\":\"up\"}\n");
        }
        BOOST_TEST(server->connections() == 1u);
        const auto last = co_await client.get("/health", "Connection: close\r\n");
        BOOST_TEST(last.field("connection") == "close");
        const auto rest = co_await client.receive_rest();
        BOOST_TEST(rest == "");
    });
}

BOOST_FIXTURE_TEST_CASE(answers_pipelined_requests_in_order, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        std::string requests;
        for (int i = 0; i != 500; ++i) {
            store()("SADD", "hworker-queues", "q" + std::to_string(i));
            requests += "GET /v1/queues/q" + std::to_string(i) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        }
        background sending{io.get_executor(), client.send(requests)};
        for (int i = 0; i != 500; ++i) {
            const auto reply = co_await client.receive();
            BOOST_TEST(reply.text("name") == std::string{"q"}.append(std::to_string(i)));
        }
        co_await sending.join();
    });
}

BOOST_FIXTURE_TEST_CASE(answers_head_without_a_body, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        co_await client.send("HEAD /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
        auto reply = co_await client.receive(true);
        BOOST_TEST(reply.status == 200u);
        BOOST_TEST(reply.field("content-length") == "16");
        reply = co_await client.get("/health");
        BOOST_TEST(reply.status == 200u);
    });
}

BOOST_FIXTURE_TEST_CASE(answers_a_client_that_has_closed_its_sending_side, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        co_await client.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
        client.close_sending_side();
        const auto reply = co_await client.receive();
        BOOST_TEST(reply.status == 200u);
        const auto rest = co_await client.receive_rest();
        BOOST_TEST(rest == "");
    });
}

BOOST_FIXTURE_TEST_CASE(lets_a_client_ask_whether_it_may_send_a_body, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        const std::string body = R"({"type":"a","payload":1})";
        const auto header = "POST /jobber/queue HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
                            "Content-Length: " +
                            std::to_string(body.size()) + "\r\nContent-Type: ";
        auto client = connect();
        co_await client.send(header + "application/json\r\n\r\n");
        auto reply = co_await client.receive();
        BOOST_TEST(reply.status == 100u);
        co_await client.send(body);
        reply = co_await client.receive();
        BOOST_TEST(reply.status == 201u);

        co_await client.send(header + "text/plain\r\n\r\n");
        reply = co_await client.receive();
        BOOST_TEST(reply.status == 415u);
    });
}

BOOST_FIXTURE_TEST_CASE(refuses_what_is_not_http, gateway_test)
{
    settings.header_limit = 1024;
    serve([&]() -> asio::awaitable<void> {
        const std::string post =
            "POST /jobber/queue HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
        const std::pair<std::string, unsigned> cases[] = {
            {"hello\r\n\r\n", 400},
            {"GET /health HTTP/2.0\r\n\r\n", 505},
            {"GET /health HTTP/1.1\r\n\r\n", 400}, // without Host
            {"GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
            {"GET /health HTTP/1.1\r\nHost: localhost\r\nNo colon\r\n\r\n", 400},
            {"POST /jobber/queue HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", 400},
            {"POST /jobber/queue HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n", 413},
            {"POST /jobber/queue HTTP/1.1\r\nHost: localhost\r\nExpect: magic\r\n\r\n", 417},
            {"GET /" + std::string(5000, 'x') + " HTTP/1.1\r\n\r\n", 431},
            {"GET /health HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403},
            {"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: a\r\n b\r\n\r\n", 400}, // folded
            {post + "Transfer-Encoding: chunked,\r\n\tchunked\r\n\r\n0\r\n\r\n", 400},
            {post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501},
            {post + "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501},
            {post + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}", 415},
        };
        for (const auto& [bytes, status] : cases) {
            auto client = connect();
            co_await client.send(bytes);
            const auto reply = co_await client.receive();
            BOOST_TEST(reply.status == status, bytes.substr(0, 60));
            BOOST_TEST(reply.field("content-type") == "application/problem+json");
        }
    });
}

/// However it comes.
BOOST_FIXTURE_TEST_CASE(refuses_a_folded_field_that_comes_in_pieces, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        for (const auto* end : {" b\r\n\r\n", "\tb\r\n\r\n"}) {
            auto client = connect();
            co_await client.send("GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: a\r\n");
            co_await let_pass(50ms);
            co_await client.send(end);
            const auto reply = co_await client.receive();
            BOOST_TEST(reply.status == 400u);
        }
    });
}

BOOST_FIXTURE_TEST_CASE(passes_over_empty_lines_between_requests, gateway_test)
{
    settings.header_timeout = 250ms; // an empty line begins no request
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const std::string body = R"({"type":"a","payload":1})";
        const std::string push = "\r\n\r\nPOST /jobber/queue HTTP/1.1\r\nHost: LOCALHOST.\r\n"
                                 "Content-Type: application/json\r\nContent-Length: " +
                                 std::to_string(body.size()) + "\r\n\r\n" + body + "\r\n";
        for (int i = 0; i != 3; ++i) {
            co_await client.send(push);
            const auto reply = co_await client.receive();
            BOOST_TEST(reply.status == 201u, reply.body);
        }
        co_await client.send("\r");
        co_await let_pass(400ms);
        co_await client.send("\nGET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
        const auto up = co_await client.receive();
        BOOST_TEST(up.status == 200u);
        auto another = connect();
        co_await another.send("\r\n");
        co_await let_pass(400ms);
        const auto reply = co_await another.get("/health");
        BOOST_TEST(reply.status == 200u);
    });
}

BOOST_FIXTURE_TEST_CASE(tells_old_clients_that_a_connection_is_kept, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        for (int i = 0; i != 2; ++i) {
            co_await client.send("GET /health HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n");
            const auto reply = co_await client.receive();
            BOOST_TEST(reply.status == 200u);
            BOOST_TEST(reply.field("connection") == "keep-alive");
        }
        co_await client.send("GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n");
        const auto last = co_await client.receive();
        BOOST_TEST(last.field("connection") == "close");
    });
}

/// It is not waited for, and what has come of it is thrown away.
BOOST_FIXTURE_TEST_CASE(answers_at_once_where_no_body_is_expected, gateway_test)
{
    settings.body_timeout = 1h;
    serve([&]() -> asio::awaitable<void> {
        for (const auto* fields :
             {"Content-Length: 10\r\n", "Content-Length: 900000\r\n", "Transfer-Encoding: chunked\r\n"}) {
            auto client = connect();
            co_await client.send(std::string{"GET /health HTTP/1.1\r\nHost: localhost\r\n"} + fields +
                                 "\r\n");
            const auto reply = co_await client.receive();
            BOOST_TEST(reply.status == 200u);
            BOOST_TEST(reply.field("connection") == "close");
        }
        store()("SADD", "hworker-queues", "a");
        auto client = connect();
        for (int i = 0; i != 2; ++i) { // which is there already
            const auto reply = co_await client.post("/v1/queues/a/pause", "{}");
            BOOST_TEST(reply.status == 200u);
        }
    });
}

BOOST_FIXTURE_TEST_CASE(reads_bodies_in_chunks, gateway_test)
{
    settings.body_limit = 100;
    serve([&]() -> asio::awaitable<void> {
        const std::string header = "POST /jobber/queue HTTP/1.1\r\nHost: localhost\r\n"
                                   "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
        auto client = connect();
        co_await client.send(header + "10\r\n{\"type\":\"a\",\"pay\r\n9\r\nload\":42}\r\n0\r\n\r\n");
        auto reply = co_await client.receive();
        BOOST_TEST(reply.status == 201u);
        co_await client.send(header + "ff\r\n" + std::string(255, ' ') + "\r\n0\r\n\r\n");
        reply = co_await client.receive();
        BOOST_TEST(reply.status == 413u);
    });
}

BOOST_FIXTURE_TEST_CASE(closes_connections_of_clients_that_are_too_slow, gateway_test)
{
    settings.idle_timeout = 250ms;
    settings.header_timeout = 250ms;
    settings.body_timeout = 250ms;
    serve([&]() -> asio::awaitable<void> {
        for (const auto bytes : {"", "GET /health HT",
                                 "POST /jobber/queue HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                                 "application/json\r\nContent-Length: 50\r\n\r\n{"}) {
            auto client = connect();
            co_await client.send(bytes);
            const auto rest = co_await client.receive_rest();
            BOOST_TEST(rest == "");
        }
        auto client = connect();
        const auto metrics = co_await client.get("/metrics");
        BOOST_TEST(metrics.body.find("coworker_gateway_timeouts_total 2\n") != metrics.body.npos,
                   metrics.body);
    });
}

BOOST_FIXTURE_TEST_CASE(stops_when_requests_under_way_have_been_answered, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto idle = connect();
        auto busy = connect();
        auto reply = co_await idle.get("/health");
        reply = co_await busy.get("/ready");
        store().freeze();
        co_await busy.send(
            "POST /jobber/queue HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            "Content-Length: 24\r\n\r\n{\"type\":\"a\",\"payload\":1}");
        reply = co_await idle.get("/health"); // the other request has been read by now
        server->stop();
        auto rest = co_await idle.receive_rest();
        BOOST_TEST(rest == "");
        store().thaw();
        reply = co_await busy.receive();
        BOOST_TEST(reply.status == 201u);
        BOOST_TEST(reply.field("connection") == "close");
        BOOST_CHECK_THROW(connect(), coworker::system_error);
    });
}

BOOST_FIXTURE_TEST_CASE(waits_for_requests_no_longer_than_the_drain_time, gateway_test)
{
    settings.shutdown_timeout = 20ms;
    serve([&]() -> asio::awaitable<void> {
        auto busy = connect();
        const auto reply = co_await busy.get("/ready");
        co_await busy.send("GET /health HT");
        // Read when the next client's request has been answered, as they were sent in that order.
        auto other = connect();
        co_await other.get("/health");
        server->stop();
        const auto rest = co_await busy.receive_rest();
        BOOST_TEST(rest == "");
    });
}

BOOST_FIXTURE_TEST_CASE(ends_at_once_when_it_is_cancelled, gateway_test)
{
    run([&]() -> asio::awaitable<void> {
        server.emplace(redis, settings);
        server->listen();
        background running{io.get_executor(),
                           server->async_run(coworker::with_diagnostics(asio::use_awaitable))};
        auto client = connect();
        const auto reply = co_await client.get("/health");
        running.cancel();
        const auto thrown = co_await running.join_and_tell();
        const auto rest = co_await client.receive_rest();
        BOOST_TEST(rest == "");
        BOOST_TEST(server->connections() == 0u);
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(serves_a_thousand_connections_that_are_kept, gateway_test)
{
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files); // both ends of each are here
    files.rlim_cur = std::min<rlim_t>(files.rlim_max, 4096);
    setrlimit(RLIMIT_NOFILE, &files);
    serve([&]() -> asio::awaitable<void> {
        std::vector<http_client> clients;
        for (int i = 0; i != 1000; ++i) {
            clients.push_back(connect());
            const auto reply = co_await clients.back().get("/health");
            BOOST_TEST_REQUIRE(reply.status == 200u);
        }
        for (auto& client : clients) {
            const auto reply = co_await client.get("/health");
            BOOST_TEST_REQUIRE(reply.status == 200u);
        }
        BOOST_TEST(server->connections() == 1000u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
