// SPDX-License-Identifier: MIT
#include "gateway_test.hpp"

#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

/// Who gets in.
BOOST_AUTO_TEST_SUITE(admission)

using namespace coworker::test;
using coworker::errc;
using coworker::gateway_right;
using coworker::gateway_token;

BOOST_FIXTURE_TEST_CASE(wants_the_token_for_everything_but_the_probes, gateway_test)
{
    settings.tokens = tokens_of("s3cret");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        for (const auto path : {"/health", "/ready"}) {
            const auto reply = co_await client.get(path);
            BOOST_TEST(reply.status == 200u, path);
        }
        for (const auto path : {"/v1/queues", "/metrics", "/openapi.json", "/jobber/queue", "/nothing"}) {
            const auto reply = co_await client.get(path);
            BOOST_TEST(reply.status == 401u, path);
            BOOST_TEST(reply.field("www-authenticate") == "Bearer");
        }
        auto reply = co_await client.get("/v1/queues", "Authorization: Bearer wrong\r\n");
        BOOST_TEST(reply.status == 401u);
        reply = co_await client.get("/v1/queues", "Authorization: Bearer s3cret\r\n");
        BOOST_TEST(reply.status == 200u);
        reply = co_await client.post("/jobber/queue", R"({"type":"a","payload":1})",
                                     "Content-Type: application/json\r\nAuthorization: Bearer s3cret\r\n");
        BOOST_TEST(reply.status == 201u);
        reply = co_await client.post("/jobber/queue", R"({"type":"a","payload":1})");
        BOOST_TEST(reply.status == 401u);
        BOOST_TEST(waiting("a").size() == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(lets_the_token_for_reading_change_nothing, gateway_test)
{
    settings.tokens = tokens_of("s3cret", "look");
    store()("LPUSH", "hworker-failed-a", R"(["id-1",1])");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const std::string look = "Authorization: Bearer look\r\n", act = "Authorization: Bearer s3cret\r\n";
        const std::string as_json = "Content-Type: application/json\r\n";
        for (const auto path : {"/v1/queues", "/metrics", "/openapi.json", "/v1/queues/a/jobs?state=failed",
                                "/v1/workers", "/v1/access"}) {
            const auto reply = co_await client.get(path, look);
            BOOST_TEST(reply.status == 200u, path);
        }
        for (const auto path : {"/jobber/queue", "/v1/queues/a/jobs", "/v1/queues/a/pause",
                                "/v1/queues/a/jobs/delete", "/v1/jobs/delete", "/v1/queues/managed:m/jobs"}) {
            auto fresh = connect(); // a refused body ends the connection
            const auto reply = co_await fresh.post(path, R"({"all":true})", as_json + look);
            BOOST_TEST(reply.status == 403u, path);
            BOOST_TEST(reply.body.find("may only read") != reply.body.npos, reply.body);
        }
        BOOST_TEST(store()("LLEN", "hworker-failed-a").integer == 1);
        auto reply = co_await client.get("/v1/access", look);
        BOOST_TEST(reply.body == "{\"may_act\":false}\n");
        reply = co_await client.get("/v1/access", act);
        BOOST_TEST(reply.body == "{\"may_act\":true}\n");
        reply = co_await client.post("/v1/queues/a/jobs/delete", R"({"all":true,"state":"failed"})",
                                     as_json + act);
        BOOST_TEST(reply.status == 200u);
    });
}

BOOST_FIXTURE_TEST_CASE(lets_each_token_do_what_it_allows, gateway_test)
{
    settings.tokens = std::vector<gateway_token>{
        {.name = "shop", .token = "p", .rights = gateway_right::push},
        {.name = "mailer", .token = "w", .rights = gateway_right::work},
        {.name = "both", .token = "l", .rights = gateway_right::push | gateway_right::look}};
    const std::string push = "/v1/queues/a/jobs", take = "/v1/queues/a/take", pause = "/v1/queues/a/pause";
    struct row
    {
        std::string token;
        unsigned pushed, taken, looked, paused;
    };
    serve([&]() -> asio::awaitable<void> {
        for (const row& each : std::vector<row>{
                 {"p", 201, 403, 403, 403}, {"w", 403, 200, 403, 403}, {"l", 201, 403, 200, 403}}) {
            const auto fields =
                "Content-Type: application/json\r\nAuthorization: Bearer " + each.token + "\r\n";
            const auto post = [&](const std::string& path,
                                  const std::string& body) -> asio::awaitable<unsigned> {
                auto client = connect(); // a refused body ends the connection
                const auto reply = co_await client.post(path, body, fields);
                co_return reply.status;
            };
            const auto pushed = co_await post(push, R"({"payload":1})");
            BOOST_TEST(pushed == each.pushed, each.token);
            const auto taken = co_await post(take, R"({"wait":0})");
            BOOST_TEST(taken == each.taken, each.token);
            const auto paused = co_await post(pause, "{}");
            BOOST_TEST(paused == each.paused, each.token);
            auto client = connect();
            auto reply = co_await client.get("/v1/queues", fields);
            BOOST_TEST(reply.status == each.looked, each.token);
            reply = co_await client.get("/v1/access", fields);
            BOOST_TEST(reply.body == "{\"may_act\":false}\n");
            reply = co_await client.get("/nothing", fields);
            BOOST_TEST(reply.status == 404u);
        }
    });
}

BOOST_FIXTURE_TEST_CASE(refuses_parameters_that_a_path_does_not_take, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.post("/v1/queues/a/jobs?durablity=synced", R"({"payload":1})",
                                          "Content-Type: application/json\r\n");
        BOOST_TEST(reply.status == 400u);
        BOOST_TEST(reply.json().at("detail").as_string() ==
                   "The URL has a parameter 'durablity' that this path does not take; it takes durability, "
                   "replicas.");
        BOOST_TEST(waiting("a").empty());
        auto fresh = connect(); // a refused body ends the connection
        reply = co_await fresh.get("/v1/queues/a?a%3Db");
        BOOST_TEST(reply.status == 400u);
        BOOST_TEST(reply.json().at("detail").as_string() ==
                   "The URL has a parameter 'a=b' that this path does not take; it takes none.");
        for (const auto path :
             {"/health?probe=1", "/ready?t=5", "/metrics?collect=all", "/openapi.json?v=2"}) {
            reply = co_await fresh.get(path);
            BOOST_TEST(reply.status == 200u, path);
        }
    });
}

BOOST_FIXTURE_TEST_CASE(refuses_options_that_cannot_be_meant, gateway_test)
{
    const auto refused = [&](coworker::gateway_options options) {
        return error_in([&] { coworker::gateway unused{redis, options}; });
    };
    BOOST_TEST((refused({.address = "0.0.0.0"}) == errc::invalid_option));
    BOOST_TEST(refused({.address = "0.0.0.0"}).says("set a token"));
    BOOST_TEST((refused({.types = {""}}) == errc::invalid_option));
    BOOST_TEST((refused({.certificate_file = "x"}) == errc::invalid_option));
    BOOST_TEST(refused({.certificate_file = "/none", .key_file = "/none"}).says("/none"));
    BOOST_TEST((refused({.connection_limit = 0}) == errc::invalid_option));
}

namespace {

struct tls_gateway_test : gateway_test
{
    tls_gateway_test() : gateway_test{{.tls = true}} // for its certificate
    {
        settings.certificate_file = store().certificate_file();
        settings.key_file = store().folder().file("key.pem");
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(ends_connections_that_never_begin_to_speak_tls, tls_gateway_test)
{
    settings.header_timeout = 500ms;
    serve([&]() -> asio::awaitable<void> {
        auto plain = connect();
        const auto nothing = co_await plain.receive_rest();
        BOOST_TEST(nothing == "");
    });
}

BOOST_AUTO_TEST_CASE(speaks_tls)
{
    tls_gateway_test test;
    test.serve([&]() -> asio::awaitable<void> {
        asio::ssl::context trust{asio::ssl::context::tls_client};
        trust.load_verify_file(test.store().certificate_file());
        asio::ssl::stream<asio::ip::tcp::socket> stream{test.io, trust};
        stream.set_verify_mode(asio::ssl::verify_peer);
        stream.lowest_layer().connect({asio::ip::address_v4::loopback(), test.server->port()});
        co_await stream.async_handshake(asio::ssl::stream_base::client, asio::use_awaitable);
        const std::string request = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        co_await asio::async_write(stream, asio::buffer(request), asio::use_awaitable);
        std::string reply;
        boost::system::error_code ec;
        co_await asio::async_read(stream, asio::dynamic_buffer(reply),
                                  asio::redirect_error(asio::use_awaitable, ec));
        BOOST_TEST(ec == asio::error::eof); // ended as TLS wants it, not cut off
        BOOST_TEST(reply.starts_with("HTTP/1.1 200 OK\r\n"));
        BOOST_TEST(reply.find("\r\nStrict-Transport-Security: max-age=31536000\r\n") != reply.npos);
        BOOST_TEST(reply.ends_with("{\"status\":\"up\"}\n"));
        co_await stream.async_shutdown(asio::redirect_error(asio::use_awaitable, ec));
    });
}

/// With the key of the certificate, what was recorded of such a connection could be read.
BOOST_AUTO_TEST_CASE(speaks_no_tls_without_forward_secrecy)
{
    tls_gateway_test test;
    test.serve([&]() -> asio::awaitable<void> {
        const auto shakes_hands_with = [&](const char* cipher) -> asio::awaitable<bool> {
            asio::ssl::context trust{asio::ssl::context::tlsv12_client};
            trust.load_verify_file(test.store().certificate_file());
            BOOST_TEST_REQUIRE(SSL_CTX_set_cipher_list(trust.native_handle(), cipher) == 1);
            asio::ssl::stream<asio::ip::tcp::socket> stream{test.io, trust};
            stream.lowest_layer().connect({asio::ip::address_v4::loopback(), test.server->port()});
            boost::system::error_code ec;
            co_await stream.async_handshake(asio::ssl::stream_base::client,
                                            asio::redirect_error(asio::use_awaitable, ec));
            co_return !ec;
        };
        for (const auto* cipher : {"AES128-GCM-SHA256", "AES256-SHA", "DHE-RSA-AES128-GCM-SHA256",
                                   "ECDHE-RSA-AES128-SHA:ECDHE-ECDSA-AES128-SHA"}) {
            const bool speaks = co_await shakes_hands_with(cipher);
            BOOST_TEST(!speaks, cipher);
        }
        const bool speaks =
            co_await shakes_hands_with("ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256");
        BOOST_TEST(speaks);
    });
}

BOOST_AUTO_TEST_SUITE_END()
