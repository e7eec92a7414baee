// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

#include "text/base64.hpp"

/// Requests that wait for something, while Redis is away.
BOOST_AUTO_TEST_SUITE(requests_without_redis)

using namespace coworker::test;
using namespace coworker;

namespace {

const std::string both[] = {"/v1/queues/mail", "/v1/queues/managed:mail"};

struct away_test : managed_gateway_test
{
    explicit away_test(std::chrono::milliseconds command_timeout = 300ms)
        : managed_gateway_test{command_timeout}
    {}

    static std::string request(const std::string& path, const std::string& body)
    {
        return "POST " + path +
               " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
               std::to_string(body.size()) + "\r\n\r\n" + body;
    }

    asio::awaitable<std::string> take_one(const std::string& queue)
    {
        auto client = connect();
        const auto taken = co_await client.post(queue + "/take", R"({"worker":"w"})");
        const auto parsed = taken.json();
        co_return std::string{parsed.at("jobs").at(0).at("token").as_string()};
    }

    /// All requests that a worker makes, each on a connection of its own, with the paths of what is called.
    asio::awaitable<void> expect_503_for_all()
    {
        store().freeze();
        struct asked
        {
            std::string path;
            std::unique_ptr<http_client> client;
        };
        std::vector<asked> all;
        const auto ask = [&](const std::string& path, const std::string& bytes) -> asio::awaitable<void> {
            all.push_back({path, std::make_unique<http_client>(connect())});
            co_await all.back().client->send(bytes);
        };
        for (const auto& queue : both) {
            const auto& token = queue == both[0] ? list_token : managed_token;
            const auto with = "{\"token\":\"" + token + '"';
            co_await ask(queue + "/take", request(queue + "/take", "{}"));
            co_await ask(queue + "/take?", request(queue + "/take", R"({"wait":"60s"})"));
            co_await ask(queue + "/renew", request(queue + "/renew", with + '}'));
            co_await ask(queue + "/acknowledge",
                         request(queue + "/acknowledge", with + R"(,"outcome":"success"})"));
        }
        const auto with = "{\"token\":\"" + managed_token + '"';
        co_await ask("progress", request(both[1] + "/progress", with + R"(,"progress":1})"));
        co_await ask("checkpoint", request(both[1] + "/checkpoint", with + R"(,"checkpoint":1})"));
        co_await ask("step", request(both[1] + "/step", with + R"(,"step":"s","value":1})"));
        co_await ask("wait", "GET /v1/jobs/j?wait=60 HTTP/1.1\r\nHost: localhost\r\n\r\n");
        std::string many = "[";
        for (int i = 0; i != 1000; ++i)
            many += R"({"payload":1},)";
        many.back() = ']';
        co_await ask("jobs", request(both[0] + "/jobs", many));
        const auto begin = std::chrono::steady_clock::now();
        for (auto& each : all) {
            const auto reply = co_await each.client->receive();
            BOOST_TEST(reply.status == 503u, each.path << ": " << reply.body);
        }
        BOOST_TEST((std::chrono::steady_clock::now() - begin < 10s));
        store().thaw();
    }

    std::string list_token, managed_token;
};

/// With much patience for Redis, but not for those who leave.
struct patient_away_test : away_test
{
    patient_away_test() : away_test{1min} {}
};

} // namespace

BOOST_FIXTURE_TEST_CASE(say_when_to_come_again, away_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        co_await client.get("/ready");
        store().kill();
        const auto expect = [](const http_reply& reply, const std::string& path) {
            BOOST_TEST(reply.status == 503u, path);
            BOOST_TEST(reply.field("retry-after") == "1", path);
            BOOST_TEST(reply.field("content-type") == "application/problem+json", path);
        };
        for (const std::string path :
             {"/v1/queues?kind=managed", "/v1/queues/managed:a", "/v1/queues/managed:a/statistics",
              "/v1/queues/managed:a/history", "/v1/queues/managed:a/jobs",
              "/v1/queues/managed:a/jobs?state=running", "/v1/failed", "/v1/failed/g", "/v1/jobs/j",
              "/v1/failures", "/v1/workers", "/v1/queues/a/jobs?state=waiting",
              "/v1/queues/a/jobs?state=scheduled", "/v1/queues/a/jobs?state=running"})
            expect(co_await client.get(path), path);
        for (const std::string path : {"/v1/queues/managed:a/pause", "/v1/queues/managed:a/resume",
                                       "/v1/jobs/retry", "/v1/jobs/delete", "/v1/queues/a/jobs/delete"})
            expect(co_await client.post(path, R"({"ids":["a"]})"), path);
        for (const std::string state : {"waiting", "scheduled"}) {
            const auto key = detail::to_base64url(state + " x");
            expect(co_await client.post("/v1/queues/a/jobs/delete", R"({"keys":[")" + key + "\"]}"), state);
        }
        store().restart();
    });
}

BOOST_FIXTURE_TEST_CASE(end_with_503_when_redis_does_not_answer, away_test)
{
    serve([&]() -> asio::awaitable<void> {
        store()("LPUSH", "hworker-jobs-mail", R"(["j",1])");
        put("j", "Letter");
        list_token = co_await take_one(both[0]);
        auto client = connect();
        const auto taken = co_await client.post(both[1] + "/take", R"({"worker":"w","checkpoints":true})");
        const auto parsed = taken.json();
        managed_token = parsed.at("jobs").at(0).at("token").as_string();
        co_await expect_503_for_all();
    });
}

BOOST_FIXTURE_TEST_CASE(end_when_their_clients_leave, patient_away_test)
{
    settings.connection_limit = 10;
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        co_await client.get("/ready");
        store().freeze();
        for (int i = 0; i != 9; ++i) {
            const auto& queue = both[i % 2];
            auto gone = connect();
            co_await gone.send(request(queue + "/take", R"({"wait":"60s"})"));
        }
        co_await eventually("the gateway has noticed", [&] { return server->connections() == 1; });
        const auto reply = co_await client.get("/health");
        BOOST_TEST(reply.status == 200u);
        store().thaw();
    });
}

BOOST_FIXTURE_TEST_CASE(keep_no_job_from_others_when_their_clients_have_left, patient_away_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        co_await client.get("/ready");
        for (const auto& queue : both) {
            if (queue == both[0])
                store()("LPUSH", "hworker-jobs-mail", R"(["j",1])");
            else
                put("j", "Letter");
            const auto before = server->connections();
            store().freeze();
            {
                auto gone = connect();
                co_await gone.send(request(queue + "/take", "{}"));
                co_await client.get("/health"); // the other request has been read by now
            }
            co_await eventually("the gateway has noticed", [&] { return server->connections() == before; });
            store().thaw();
            const auto taken = co_await client.post(queue + "/take", R"({"wait":"20s"})");
            BOOST_TEST(taken.json().at("jobs").as_array().size() == 1u, taken.body);
        }
    });
}

BOOST_FIXTURE_TEST_CASE(do_not_hold_up_the_end_of_the_gateway, patient_away_test)
{
    settings.shutdown_timeout = 20ms;
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        co_await client.get("/ready");
        store().freeze();
        std::vector<std::unique_ptr<http_client>> all;
        for (const auto& queue : both) {
            all.push_back(std::make_unique<http_client>(connect()));
            co_await all.back()->send(request(queue + "/take", "{}"));
        }
        co_await client.get("/health"); // the others have been read by now
        server->stop();
        for (auto& each : all) {
            const auto rest = co_await each->receive_rest();
            BOOST_TEST(rest == "");
        }
        co_await eventually("all have ended", [&] { return server->connections() == 0; });
        store().thaw();
    });
}

BOOST_AUTO_TEST_SUITE_END()
