#include "gateway_test.hpp"

#include <memory>

/// As many connections as there may be, and clients that want in nevertheless.
BOOST_AUTO_TEST_SUITE(connection_limit)

using namespace coworker::test;

namespace {

const std::string health = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";

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
    serve([&]() -> asio::awaitable<void> {
        auto first = connect();
        auto second = connect();
        auto reply = co_await first.get("/ready");
        reply = co_await second.get("/ready");
        store().freeze();
        const std::string ready = "GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n";
        co_await first.send(ready);
        co_await second.send("GET /hea"); // begun, so that it is not idle
        auto third = connect();
        co_await third.send(health);
        co_await let_pass(100ms); // for which neither is closed
        BOOST_TEST(server->connections() == 2u);
        store().thaw();
        reply = co_await first.receive();
        BOOST_TEST(reply.status == 200u);
        reply = co_await third.receive(); // in the place of the first, which idles now
        BOOST_TEST(reply.status == 200u);
        co_await second.send("lth HTTP/1.1\r\nHost: localhost\r\n\r\n");
        reply = co_await second.receive();
        BOOST_TEST(reply.status == 200u);
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
    settings.drain_time = 20ms;
    serve([&]() -> asio::awaitable<void> {
        auto busy = connect();
        auto reply = co_await busy.get("/health");
        co_await busy.send("GET /hea");
        auto other = connect();
        co_await other.send(health);
        co_await let_pass(50ms);
        server->stop();
        const auto rest = co_await other.receive_rest();
        BOOST_TEST(rest == "");
    });
}

BOOST_AUTO_TEST_SUITE_END()
