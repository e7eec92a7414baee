// SPDX-License-Identifier: MIT
#include "api_calls.hpp"
#include "gateway_test.hpp"
#include "json_schema.hpp"

#include "support/qless_client.hpp"

#include "gateway/route.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <set>

/// /openapi.json says what the gateway does, no more and no less.
BOOST_AUTO_TEST_SUITE(api_description)

using namespace coworker::test;
using namespace coworker;
namespace json = boost::json;

namespace {

std::string lower(std::string_view text)
{
    std::string result{text};
    std::transform(result.begin(), result.end(), result.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

std::set<std::string> described_operations(const json::value& description)
{
    std::set<std::string> result;
    for (const auto& [path, operations] : description.at("paths").as_object())
        for (const auto& [method, operation] : operations.as_object())
            result.insert(std::string{method} + ' ' + std::string{path});
    return result;
}

/// What references in a part of the description lead to nothing.
std::string missing_parts(const json::value& description, const json::value& part)
{
    std::string missing;
    if (const auto* const list = part.if_array()) {
        for (const auto& each : *list)
            missing += missing_parts(description, each);
    } else if (const auto* const object = part.if_object()) {
        if (const auto* const reference = object->if_contains("$ref")) {
            boost::system::error_code ec;
            const std::string path{reference->as_string()};
            if (!description.find_pointer(path.substr(1), ec))
                missing += path + ' ';
        }
        for (const auto& member : *object)
            missing += missing_parts(description, member.value());
    }
    return missing;
}

/// Names in braces that no parameter of a path describes, and the other way round.
std::string parameters_that_do_not_fit(const json::value& description)
{
    std::string wrong;
    for (const auto& [path, operations] : description.at("paths").as_object())
        for (const auto& [method, operation] : operations.as_object()) {
            const std::string text{path};
            std::string expected, described;
            for (auto open = text.find('{'); open != text.npos; open = text.find('{', open + 1))
                expected += text.substr(open + 1, text.find('}', open) - open - 1);
            if (const auto* const parameters = operation.as_object().if_contains("parameters"))
                for (const auto& each : parameters->as_array())
                    if (const auto& found = resolve(description, each); found.at("in") == "path")
                        described += found.at("name").as_string();
            if (expected != described)
                wrong += text + ' ';
        }
    return wrong;
}

/// A path to which the route answers.
std::string a_path_of(const detail::route& route)
{
    std::string path{route.path};
    for (auto open = path.find('{'); open != path.npos; open = path.find('{'))
        path.replace(open, path.find('}') - open + 1, "a");
    return path;
}

/// With jobs in all places.
void fill_managed_queue(redis_server& server)
{
    qless_client client{server};
    for (const auto jid : {"done", "failed", "runs"})
        client.qless("put", "", "m", jid, "K", R"({"n":1.5})", "0", "tags", R"(["t"])");
    client.qless("pop", "m", "w-1", "3");
    client.qless("complete", "done", "w-1", "m", "{}");
    client.qless("fail", "failed", "w-1", "io", "no disk", "{}");
    client.qless("put", "", "m", "waits", "K", "{}", "0");
    client.qless("put", "", "m", "depends", "K", "{}", "0", "depends", R"(["waits"])");
    client.qless("recur", "m", "daily", "K", "{}", "interval", "86400", "100");
}

} // namespace

BOOST_FIXTURE_TEST_CASE(describes_the_routes_that_there_are, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto reply = co_await client.get("/openapi.json");
        const auto description = reply.json();
        std::set<std::string> routes, ids;
        for (const auto& route : detail::routes()) {
            routes.insert(lower(route.method) + ' ' + std::string{route.path});
            const auto& operation =
                description.at("paths").at(route.path).at(lower(route.method)).as_object();
            BOOST_TEST(operation.at("operationId").as_string() == route.facts.id);
            BOOST_TEST(ids.insert(std::string{route.facts.id}).second, route.facts.id);
            BOOST_TEST(!operation.at("summary").as_string().empty(), route.path);
            const auto* const security = operation.if_contains("security");
            BOOST_TEST((security && security->as_array().empty()) == route.facts.is_open, route.path);
        }
        const auto described = described_operations(description);
        BOOST_TEST(described == routes, boost::test_tools::per_element());
        BOOST_TEST(missing_parts(description, description) == "");
        BOOST_TEST(parameters_that_do_not_fit(description) == "");
    });
}

BOOST_FIXTURE_TEST_CASE(admits_to_each_route_what_its_row_says, gateway_test)
{
    settings.tokens = tokens_of("s3cret");
    const std::string token = "Authorization: Bearer s3cret\r\n",
                      json_type = "Content-Type: application/json\r\n";
    serve([&]() -> asio::awaitable<void> {
        auto first = connect();
        const auto reply = co_await first.get("/openapi.json", token);
        const auto description = reply.json();
        for (const auto& route : detail::routes()) {
            const std::string method{route.method};
            const auto ask = [&](std::string with, std::string fields) -> asio::awaitable<http_reply> {
                auto client = connect(); // a refusal may end the connection
                co_await client.send(with + ' ' + a_path_of(route) + " HTTP/1.1\r\nHost: localhost\r\n" +
                                     fields + "Content-Length: 2\r\n\r\n{}");
                co_return co_await client.receive(with == "HEAD");
            };
            const auto stranger = co_await ask(method, json_type);
            const bool is_a_probe = route.path == "/health" || route.path == "/ready";
            BOOST_TEST((stranger.status == 401) == !is_a_probe, route.path);
            const auto untyped = co_await ask(method, token);
            BOOST_TEST((untyped.status == 415) == route.facts.takes_body, route.path);
            const auto good = co_await ask(method, token + json_type);
            BOOST_TEST(description.at("paths")
                           .at(route.path)
                           .at(lower(method))
                           .at("responses")
                           .as_object()
                           .contains(std::to_string(good.status)),
                       method << ' ' << route.path << ' ' << good.status);
            for (const auto* const other : {"PUT", "DELETE", "PATCH"}) {
                const auto refused = co_await ask(other, token + json_type);
                BOOST_TEST(refused.status == 405u, route.path);
                BOOST_TEST((", " + refused.field("allow") + ',').find(", " + method + ',') !=
                               std::string::npos,
                           route.path << " allows " << refused.field("allow"));
            }
            if (method == "GET") {
                const auto head = co_await ask("HEAD", token + json_type);
                BOOST_TEST(head.status == good.status, route.path);
            }
        }
    });
}

BOOST_FIXTURE_TEST_CASE(describes_the_answers_that_are_given, gateway_test)
{
    store()("SET", "hworker-partitions-c", "2");
    store()("LPUSH", "hworker-jobs-{c:1}", R"(["w",1])");
    store()("LPUSH", "hworker-failed-a", R"(["f",1])");
    store()("LPUSH", "hworker-history-a", minutes_ago(3) + " 1 2 3");
    store()("HSET", "hworker-broken-a", "?", "?");
    store()("LPUSH", "hworker-jobs-a", R"(["w",1])", "?");
    store()("HSET", "hworker-progress-a", R"(["p",1])", "\"2026-11-21T09:54:29.612715072Z\"");
    fill_managed_queue(store());
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto reply = co_await client.get("/openapi.json");
        const auto description = reply.json();
        std::set<std::string> called;
        for (const auto& call : api_calls) {
            const bool posts = call.method == "post";
            auto answered = posts ? client.post(call.target, call.body) : client.get(call.target);
            const auto answer = co_await std::move(answered);
            const auto status = std::to_string(answer.status);
            const auto& operation = description.at("paths").at(call.path).at(call.method);
            BOOST_TEST_REQUIRE(operation.at("responses").as_object().contains(status),
                               call.target + ' ' + status);
            const auto& response = resolve(description, operation.at("responses").at(status));
            auto type = answer.field("content-type");
            type = type.substr(0, type.find(';'));
            BOOST_TEST_REQUIRE(response.at("content").as_object().contains(type), call.target + ' ' + type);
            if (type != "text/plain" && type != "text/event-stream") {
                const auto wrong =
                    mismatch(description, response.at("content").at(type).at("schema"), answer.json());
                BOOST_TEST(wrong == "", call.target + ": " + answer.body);
            }
            called.insert(call.method + ' ' + call.path);
        }
        const auto described = described_operations(description);
        BOOST_TEST(called == described, boost::test_tools::per_element());
    });
}

BOOST_FIXTURE_TEST_CASE(describes_the_bodies_that_are_taken, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto reply = co_await client.get("/openapi.json");
        const auto description = reply.json();
        const auto& schema = description.at("components").at("schemas").at("jobber_job");
        for (const auto body :
             {R"({"type":"a","payload":null})", R"({"type":"a","payload":1,"delay":1.5,"id":"y"})",
              R"({"type":"a","payload":1,"run_at":"2026-01-01T00:00:00Z"})", R"({"type":"a"})",
              R"({"payload":1})", R"({"type":7,"payload":1})", R"({"type":"a","payload":1,"more":2})",
              R"({"type":"a","payload":1,"id":3})", R"({"type":"a","payload":1,"delay":[]})", "[]"}) {
            const bool fits = mismatch(description, schema, json::parse(body)).empty();
            const auto answer = co_await client.post("/jobber/queue", body);
            BOOST_TEST((answer.status == 201) == fits, body);
        }
    });
}

BOOST_AUTO_TEST_SUITE_END()
