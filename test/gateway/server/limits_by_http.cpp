// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

#include <boost/json/parse.hpp>

/// Limits through the gateway.
BOOST_AUTO_TEST_SUITE(limits_by_http)

using namespace coworker::test;

BOOST_FIXTURE_TEST_CASE(sets_shows_and_removes_limits, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.post("/v1/limits/gpu", R"({"max_running":1})");
        BOOST_TEST(reply.status == 200u, reply.body);
        for (const auto* id : {"a", "b", "c"}) {
            const std::string job = std::string{R"({"kind":"k","limits":["gpu"],"id":")"} + id + "\"}";
            reply = co_await client.post("/v1/queues/managed:mail/jobs", job);
            BOOST_TEST(reply.status == 201u, reply.body);
        }
        qless("pop", "mail", "w-1", "3");
        reply = co_await client.get("/v1/limits/gpu");
        BOOST_TEST(reply.json().at("set").as_bool());
        BOOST_TEST(reply.json().at("max_running").as_int64() == 1);
        BOOST_TEST(reply.json().at("rate").is_null());
        BOOST_TEST(reply.json().at("used").as_int64() == 1);
        BOOST_TEST(reply.json().at("held_back").as_int64() == 2);
        reply = co_await client.post("/v1/limits/tenant%3A*", R"({"rate":100,"period":"1m","burst":10})");
        BOOST_TEST(reply.text("name") == "tenant:*");
        BOOST_TEST(reply.json().at("period").to_number<double>() == 60);
        reply = co_await client.get("/v1/limits");
        BOOST_TEST_REQUIRE(reply.json().at("limits").as_array().size() == 2u);
        reply = co_await client.post("/v1/limits/gpu/delete", "");
        BOOST_TEST(!reply.json().at("set").as_bool());
        reply = co_await client.get("/v1/limits");
        BOOST_TEST(reply.json().at("limits").as_array().size() == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(sets_the_limits_of_a_queue_and_the_weights_of_its_groups, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.post("/v1/queues/managed:mail/limits",
                                          R"({"limits":["gpu",{"name":"api","units":2}]})");
        BOOST_TEST(reply.status == 200u, reply.body);
        reply = co_await client.get("/v1/queues/managed:mail/limits");
        const auto limits = reply.json();
        BOOST_TEST_REQUIRE(limits.at("limits").as_array().size() == 2u);
        BOOST_TEST(limits.at("limits").at(1).at("name").as_string() == "api");
        BOOST_TEST(limits.at("limits").at(1).at("units").as_int64() == 2);
        reply = co_await client.post("/v1/queues/managed:mail/limits", R"({"limits":[]})");
        BOOST_TEST(reply.json().at("limits").as_array().empty());
        reply = co_await client.post("/v1/queues/managed:mail/groups", R"({"group":"a","weight":2.5})");
        BOOST_TEST(reply.status == 200u, reply.body);
        BOOST_TEST(reply.body == "{\"group\":\"a\",\"weight\":2.5}\n");
        reply = co_await client.get("/v1/queues/managed:mail/groups");
        BOOST_TEST(reply.body == "{\"groups\":[{\"group\":\"a\",\"weight\":2.5}]}\n");
        reply = co_await client.get("/v1/queues/managed:other/groups");
        BOOST_TEST(reply.body == "{\"groups\":[]}\n");
    });
}

BOOST_FIXTURE_TEST_CASE(shows_and_changes_the_settings_of_a_queue, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const std::string path = "/v1/queues/managed:mail/settings";
        const auto expect = [&](std::string body, std::string_view told) -> asio::awaitable<void> {
            auto reply = co_await client.post(path, body);
            BOOST_TEST(reply.status == 200u, reply.body);
            BOOST_TEST(reply.body == told);
        };
        const auto first = co_await client.get(path);
        BOOST_TEST(first.body == "{\"heartbeat\":null,\"max_concurrency\":0,\"max_waiting\":0,\"ageing\":0,"
                                 "\"held_for_seconds\":0}\n");
        co_await expect(R"({"heartbeat":"90s","max_concurrency":2})",
                        "{\"heartbeat\":90,\"max_concurrency\":2,\"max_waiting\":0,\"ageing\":0,\"held_for_"
                        "seconds\":0}\n");
        co_await expect(R"({"heartbeat":2.5})", "{\"heartbeat\":2.5,\"max_concurrency\":2,\"max_waiting\":0,"
                                                "\"ageing\":0,\"held_for_seconds\":0}\n");
        co_await expect(R"({"max_concurrency":1,"max_waiting":2,"ageing":"5m"})",
                        "{\"heartbeat\":2.5,\"max_concurrency\":1,\"max_waiting\":2,\"ageing\":300,\"held_"
                        "for_seconds\":0}\n");
        for (const auto* id : {"a", "b"})
            co_await client.post("/v1/queues/managed:mail/jobs",
                                 std::string{R"({"kind":"k","id":")"} + id + "\"}");
        const auto full = co_await client.post("/v1/queues/managed:mail/jobs", R"({"kind":"k","id":"c"})");
        BOOST_TEST(full.status == 429u, full.body);
        BOOST_TEST(full.field("retry-after") == "1");
        BOOST_TEST(boost::json::parse(qless("pop", "mail", "w-1", "3").text).as_array().size() == 1u);
        const auto part = co_await client.post("/v1/queues/managed:mail/jobs",
                                               R"([{"kind":"k","id":"c"},{"kind":"k","id":"d"}])");
        BOOST_TEST(part.status == 207u, part.body);
        BOOST_TEST(qless("get", "d").text.empty());
        co_await expect(R"({"heartbeat":null,"max_concurrency":0,"max_waiting":0,"ageing":0})",
                        "{\"heartbeat\":null,\"max_concurrency\":0,\"max_waiting\":0,\"ageing\":0,\"held_for_"
                        "seconds\":0}\n");
        BOOST_TEST(boost::json::parse(qless("pop", "mail", "w-1", "3").text).as_array().size() == 2u);
    });
}

BOOST_FIXTURE_TEST_CASE(answers_what_is_too_much_for_a_list_queue_with_429, managed_gateway_test)
{
    settings.max_waiting = 2;
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const std::string path = "/v1/queues/mail/jobs";
        const auto part = co_await client.post(path, R"([{"payload":1},{"payload":2},{"payload":3}])");
        BOOST_TEST(part.status == 207u, part.body);
        BOOST_TEST(part.body.find("\"status\":429") != std::string::npos, part.body);
        for (const auto* body : {R"({"payload":4})", R"({"payload":4,"id":"four"})", R"([{"payload":4}])"}) {
            const auto full = co_await client.post(path, body);
            BOOST_TEST(full.status == 429u, full.body);
            BOOST_TEST(full.field("retry-after") == "1");
        }
        BOOST_TEST((co_await client.post(path, R"({"payload":4,"delay":60})")).status == 201u);
        BOOST_TEST(store()("LLEN", "hworker-jobs-mail").integer == 2);
    });
}

BOOST_FIXTURE_TEST_CASE(holds_what_is_named_for_a_time, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto hold = [&](std::string body) -> asio::awaitable<std::string> {
            const auto reply = co_await client.post("/v1/holds", body);
            co_return reply.status == 200u ? reply.body : std::to_string(reply.status) + reply.text("detail");
        };
        BOOST_TEST((co_await hold(R"({"limit":"api"})")) == "{\"held_for_seconds\":0}\n");
        BOOST_TEST((co_await hold(R"({"limit":"api","time":"1h"})")).starts_with("{\"held_for_seconds\":3"));
        const auto shown = co_await client.get("/v1/limits/api");
        BOOST_TEST(shown.body.find("\"held_for_seconds\":3") != std::string::npos, shown.body);
        BOOST_TEST((co_await hold(R"({"limit":"api","time":0})")) == "{\"held_for_seconds\":0}\n");
        co_await hold(R"({"queue":"managed:mail","time":"1h"})");
        co_await hold(R"({"queue":"managed:mail","group":"g","time":"1h"})");
        co_await hold(R"({"order_key":"o","time":"1h"})");
        for (const auto* key : {"queue:mail", "group:4:mail:g", "order:o"})
            BOOST_TEST(store()("EXISTS", std::string{"ql:coworker:hold:"} + key).integer == 1, key);
        BOOST_TEST((co_await hold("{}")).starts_with("400A hold is of exactly one"));
        BOOST_TEST(
            (co_await hold(R"({"limit":"a","order_key":"b"})")).starts_with("400A hold is of exactly one"));
        BOOST_TEST((co_await hold(R"({"limit":"a","group":"b"})")).starts_with("400A 'group' is one of"));
        BOOST_TEST((co_await hold(R"({"queue":"mail"})")).starts_with("400Only managed queues"));
        BOOST_TEST((co_await hold(R"({"limit":"order:a","time":1})")).starts_with("400"));
        BOOST_TEST((co_await hold(R"({"limit":"order:a"})")).starts_with("400"));
        BOOST_TEST((co_await hold(R"({"limit":"a","time":"9y"})")).starts_with("400"));
    });
}

BOOST_FIXTURE_TEST_CASE(says_what_is_wrong_with_a_limit, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto refused = [&](std::string path, std::string body,
                                 const char* why) -> asio::awaitable<void> {
            const auto reply = co_await client.post(path, body);
            BOOST_TEST(reply.status == 400u, path + ' ' + body);
            BOOST_TEST(reply.text("detail").find(why) != std::string::npos, reply.body);
        };
        co_await refused("/v1/limits/gpu", "{}", "'max_running' or 'rate'");
        co_await refused("/v1/limits/gpu", "[]", "JSON object");
        co_await refused("/v1/limits/gpu", R"({"max_running":-1})", "'max_running' is not a whole number");
        co_await refused("/v1/limits/gpu", R"({"max_running":1,"burst":2})", "belong to 'rate'");
        co_await refused("/v1/limits/gpu", R"({"rate":1,"burst":0})", "A burst is one unit or more");
        co_await refused("/v1/limits/gpu", R"({"rate":1,"period":"soon"})", "'period' is not");
        co_await refused("/v1/limits/gpu", R"({"max":1})", "'max' is not known");
        co_await refused("/v1/limits/order:a", R"({"max_running":1})", "order keys");
        co_await refused("/v1/queues/managed:mail/limits", "{}", "'limits' is missing");
        co_await refused("/v1/queues/managed:mail/limits", R"({"limits":[7]})", "'limits' is not");
        co_await refused("/v1/queues/managed:mail/groups", R"({"group":"a"})", "'group' and 'weight'");
        co_await refused("/v1/queues/managed:mail/groups", R"({"group":"a","weight":0})",
                         "from 0.001 to 1000");
        const std::string of_queue = "/v1/queues/managed:mail/settings";
        co_await refused(of_queue, "{}", "are missing");
        co_await refused(of_queue, R"({"heartbeat":0})", "greater than zero, or null");
        co_await refused(of_queue, R"({"heartbeat":"soon","max_concurrency":1})", "'heartbeat' is not");
        co_await refused(of_queue, R"({"max_concurrency":null})", "a whole number from 0");
        co_await refused(of_queue, R"({"max_concurrency":2000000000})", "a whole number from 0");
        co_await refused(of_queue, R"({"heartbeats":1})", "'heartbeats' is not known");
    });
    BOOST_TEST(store()("DBSIZE").integer == 0);
}

BOOST_AUTO_TEST_SUITE_END()
