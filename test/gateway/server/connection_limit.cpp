// SPDX-License-Identifier: MIT
#include "gateway_test.hpp"

#include <algorithm>
#include <memory>
#include <vector>

/// As many connections as there may be, and clients that want in nevertheless.
BOOST_AUTO_TEST_SUITE(connection_limit)

using namespace coworker::test;

namespace {

const std::string health = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// A request that has been begun, and whose header is complete.
const std::string half_a_body =
    "POST /jobber/queue HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    "Content-Length: 27\r\n\r\n{\"type\":\"mail\",";

} // namespace

BOOST_FIXTURE_TEST_CASE(closes_the_connection_that_has_idled_longest, gateway_test)
{
    settings.connection_limit = 3;
    serve([&]() -> asio::awaitable<void> {
        auto first = connect();
        auto second = connect();
        auto third = connect();
        for (auto* const client : {&first, &second, &third, &first}) {
            const auto reply = co_await client->get("/health");
            BOOST_TEST(reply.status == 200u);
        }
        auto fourth = connect();
        auto reply = co_await fourth.get("/health");
        BOOST_TEST(reply.status == 200u);
        const auto rest = co_await second.receive_rest();
        BOOST_TEST(rest == "");
        reply = co_await first.get("/health");
        BOOST_TEST(reply.status == 200u);
        reply = co_await third.get("/metrics");
        BOOST_TEST(reply.body.find("coworker_gateway_evictions_total 1\n") != reply.body.npos);
        BOOST_TEST(server->connections() == 3u);
    });
}

BOOST_FIXTURE_TEST_CASE(closes_one_of_a_client_that_never_said_anything, gateway_test)
{
    settings.connection_limit = 1;
    serve([&]() -> asio::awaitable<void> {
        auto silent = connect();
        auto client = connect();
        const auto reply = co_await client.get("/health");
        BOOST_TEST(reply.status == 200u);
        const auto rest = co_await silent.receive_rest();
        BOOST_TEST(rest == "");
    });
}

BOOST_FIXTURE_TEST_CASE(lets_clients_wait_while_all_others_are_busy, gateway_test)
{
    settings.connection_limit = 2;
    store()("SADD", "hworker-queues", "a");
    serve([&]() -> asio::awaitable<void> {
        auto first = connect();
        auto second = connect();
        auto reply = co_await first.get("/ready");
        reply = co_await second.get("/ready");
        store().freeze();
        // Not /ready, which everybody may ask for, so that it keeps no connection from being closed.
        co_await first.send("GET /v1/queues/a HTTP/1.1\r\nHost: localhost\r\n\r\n");
        co_await second.send(half_a_body);
        auto third = connect();
        co_await third.send(health);
        co_await let_pass(100ms); // for which neither is closed
        BOOST_TEST(server->connections() == 2u);
        store().thaw();
        reply = co_await first.receive();
        BOOST_TEST(reply.status == 200u);
        reply = co_await third.receive(); // in the place of the first, which idles now
        BOOST_TEST(reply.status == 200u);
        co_await second.send("\"payload\":1}");
        reply = co_await second.receive();
        BOOST_TEST(reply.status == 201u);
    });
}

BOOST_FIXTURE_TEST_CASE(clients_that_send_half_a_header_keep_nobody_out, gateway_test)
{
    settings.connection_limit = 5;
    settings.header_timeout = 1h;
    settings.idle_timeout = 1h;
    settings.shutdown_timeout = 20ms; // for those that are left
    serve([&]() -> asio::awaitable<void> {
        std::vector<std::unique_ptr<http_client>> attackers;
        for (int i = 0; i != 50; ++i) {
            attackers.push_back(std::make_unique<http_client>(connect()));
            co_await attackers.back()->send("GET /health HTTP/1.1\r\nHost: loc");
            // Those that are still there go on, and are none the newer for it.
            for (std::size_t newest = 0; newest != std::min<std::size_t>(attackers.size(), 4); ++newest)
                co_await attackers[attackers.size() - 1 - newest]->send("a");
            if (i % 10 == 9) {
                auto client = connect();
                const auto reply = co_await client.get("/health");
                BOOST_TEST(reply.status == 200u);
            }
        }
        BOOST_TEST(server->connections() <= 5u);
    });
}

BOOST_FIXTURE_TEST_CASE(closes_the_oldest_of_those_whose_request_is_not_there, gateway_test)
{
    settings.connection_limit = 3;
    serve([&]() -> asio::awaitable<void> {
        auto idle = connect();
        auto oldest = connect();
        auto reply = co_await oldest.get("/health");
        co_await oldest.send("GET /hea");
        reply = co_await idle.get("/health");
        auto second = connect();
        reply = co_await second.get("/health");
        co_await second.send("GET /hea");
        co_await oldest.send("lth HTTP/1.1\r\n"); // still not complete
        auto next = connect();
        reply = co_await next.get("/health");
        BOOST_TEST(reply.status == 200u);
        const auto rest = co_await oldest.receive_rest();
        BOOST_TEST(rest == "");
        co_await second.send("lth HTTP/1.1\r\nHost: localhost\r\n\r\n");
        reply = co_await second.receive();
        BOOST_TEST(reply.status == 200u);
        reply = co_await idle.get("/health");
        BOOST_TEST(reply.status == 200u);
    });
}

BOOST_FIXTURE_TEST_CASE(clients_that_were_refused_and_do_not_leave_keep_nobody_out, gateway_test)
{
    settings.connection_limit = 1;
    settings.write_timeout = 1h;
    serve([&]() -> asio::awaitable<void> {
        for (int i = 0; i != 10; ++i) {
            auto refused = connect();
            co_await refused.send("nonsense\r\n\r\n");
            auto reply = co_await refused.receive();
            BOOST_TEST(reply.status == 400u);
            auto client = connect();
            reply = co_await client.get("/health");
            BOOST_TEST(reply.status == 200u);
        }
    });
}

/// Whatever they ask for, and however slowly they read what comes.
BOOST_FIXTURE_TEST_CASE(strangers_keep_nobody_out, gateway_test)
{
    settings.tokens = tokens_of("s3cret");
    settings.connection_limit = 4;
    settings.body_timeout = 1h;
    settings.write_timeout = 1h;
    settings.shutdown_timeout = 20ms; // for those that are left
    serve([&]() -> asio::awaitable<void> {
        std::string styles;
        for (int i = 0; i != 2000; ++i)
            styles += "GET /dashboard.css HTTP/1.1\r\nHost: localhost\r\n\r\n";
        const std::string attacks[] = {
            "GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n",
            "POST /v1/queues/a/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n",
            styles,
        };
        for (const auto& attack : attacks) {
            std::vector<std::unique_ptr<http_client>> attackers;
            std::vector<std::unique_ptr<background>> sending;
            for (int i = 0; i != 8; ++i) {
                attackers.push_back(std::make_unique<http_client>(connect()));
                sending.push_back(
                    std::make_unique<background>(io.get_executor(), attackers.back()->send(attack)));
                co_await let_pass(20ms); // so that it blocks in what it does
            }
            const auto begin = std::chrono::steady_clock::now();
            auto client = connect();
            const auto reply = co_await client.get("/v1/queues", "Authorization: Bearer s3cret\r\n");
            BOOST_TEST(reply.status == 200u);
            BOOST_TEST((std::chrono::steady_clock::now() - begin < 5s), attack.substr(0, 60));
            for (auto& each : sending)
                each->cancel();
            for (auto& each : sending)
                co_await each->join_and_tell();
        }
    });
}

/// A byte now and then is not enough to hold a connection.
BOOST_FIXTURE_TEST_CASE(bodies_have_to_make_progress, gateway_test)
{
    settings.body_timeout = 1h;
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        co_await client.send(half_a_body);
        const auto begin = std::chrono::steady_clock::now();
        background trickling{io.get_executor(), [](http_client& slow) -> asio::awaitable<void> {
                                 for (int i = 0; i != 20; ++i) {
                                     co_await slow.send(" ");
                                     co_await let_pass(500ms);
                                 }
                             }(client)};
        const auto rest = co_await client.receive_rest();
        BOOST_TEST(rest == "");
        BOOST_TEST((std::chrono::steady_clock::now() - begin < 9s));
        trickling.cancel();
        co_await trickling.join_and_tell();
    });
}

BOOST_FIXTURE_TEST_CASE(lets_clients_in_when_others_leave, gateway_test)
{
    settings.connection_limit = 1;
    serve([&]() -> asio::awaitable<void> {
        for (int i = 0; i != 20; ++i) {
            auto client = connect();
            const auto reply = co_await client.get("/health", i % 2 ? "Connection: close\r\n" : "");
            BOOST_TEST(reply.status == 200u);
        }
        const auto limit = settings.connection_limit;
        BOOST_TEST(server->connections() <= limit);
    });
}

BOOST_FIXTURE_TEST_CASE(serves_many_more_clients_than_there_may_be, gateway_test)
{
    settings.connection_limit = 5;
    serve([&]() -> asio::awaitable<void> {
        int answered = 0;
        const auto visit = [this, &answered]() -> asio::awaitable<void> {
            auto client = connect();
            const auto reply = co_await client.get("/health");
            answered += reply.status == 200;
            // Stays connected for as long as it may.
            co_await client.receive_rest();
        };
        std::vector<std::unique_ptr<background>> visits;
        for (int i = 0; i != 100; ++i)
            visits.push_back(std::make_unique<background>(io.get_executor(), visit()));
        co_await eventually("all are answered", [&] { return answered == 100; });
        BOOST_TEST(server->connections() <= 5u);
        server->stop();
        for (auto& each : visits)
            co_await each->join();
    });
}

BOOST_FIXTURE_TEST_CASE(stops_while_a_client_waits, gateway_test)
{
    settings.connection_limit = 1;
    settings.shutdown_timeout = 20ms;
    serve([&]() -> asio::awaitable<void> {
        auto busy = connect();
        auto reply = co_await busy.get("/health");
        co_await busy.send(half_a_body);
        auto other = connect();
        co_await other.send(health);
        co_await let_pass(50ms);
        server->stop();
        const auto rest = co_await other.receive_rest();
        BOOST_TEST(rest == "");
    });
}

BOOST_AUTO_TEST_SUITE_END()
