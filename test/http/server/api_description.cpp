// SPDX-License-Identifier: MIT
#include "gateway_test.hpp"
#include "json_schema.hpp"

#include "support/qless_client.hpp"

#include "http/route.hpp"

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

struct call
{
    std::string method, path, target, body{};
};

/// One that succeeds for each route, and some that do not.
const call calls[] = {
    {"post", "/jobber/queue", "/jobber/queue", R"({"type":"a","payload":{},"id":"x"})"},
    {"post", "/jobber/queue", "/jobber/queue", R"({"type":"a","payload":{},"id":"x"})"},
    {"post", "/jobber/queue", "/jobber/queue",
     R"([{"type":"a","payload":1},{"type":"b","payload":1,"delay":"9s"}])"},
    {"post", "/jobber/queue", "/jobber/queue", R"([{"type":"a","payload":1},{"type":"b"}])"},
    {"post", "/jobber/queue", "/jobber/queue", "{}"},
    {"get", "/health", "/health"},
    {"get", "/ready", "/ready"},
    {"get", "/openapi.json", "/openapi.json"},
    {"get", "/metrics", "/metrics"},
    {"get", "/v1/queues", "/v1/queues?count=5"},
    {"get", "/v1/queues", "/v1/queues?count=x"},
    {"get", "/v1/queues/{queue}", "/v1/queues/a"},
    {"get", "/v1/queues/{queue}", "/v1/queues/a%20b"},
    {"get", "/v1/queues/{queue}/history", "/v1/queues/a/history"},
    {"get", "/v1/queues/{queue}/history", "/v1/queues/a/history?minutes=x"},
    {"post", "/v1/queues/{queue}/pause", "/v1/queues/a/pause"},
    {"post", "/v1/queues/{queue}/resume", "/v1/queues/a/resume"},
    {"get", "/v1/queues/{queue}/waiting", "/v1/queues/a/waiting"},
    {"get", "/v1/queues/{queue}/jobs/{id}", "/v1/queues/a/jobs/w"},
    {"get", "/v1/queues/{queue}/jobs/{id}", "/v1/queues/a/jobs/p"},
    {"get", "/v1/queues/{queue}/jobs/{id}", "/v1/queues/a/jobs/f"},
    {"get", "/v1/queues/{queue}/jobs/{id}", "/v1/queues/b/jobs/none"},
    {"post", "/v1/queues/{queue}/waiting/delete", "/v1/queues/a/waiting/delete", R"({"keys":["eA"]})"},
    {"post", "/v1/queues/{queue}/waiting/delete", "/v1/queues/a/waiting/delete", R"({"all":true})"},
    {"get", "/v1/queues/{queue}/scheduled", "/v1/queues/b/scheduled"},
    {"post", "/v1/queues/{queue}/scheduled/delete", "/v1/queues/a/scheduled/delete", R"({"keys":["eA"]})"},
    {"get", "/v1/queues/{queue}/in_progress", "/v1/queues/a/in_progress"},
    {"post", "/v1/queues/{queue}/in_progress/cancel", "/v1/queues/a/in_progress/cancel",
     R"({"keys":["eA"]})"},
    {"get", "/v1/queues/{queue}/failed", "/v1/queues/a/failed"},
    {"post", "/v1/queues/{queue}/failed/retry", "/v1/queues/a/failed/retry", R"({"all":true})"},
    {"post", "/v1/queues/{queue}/failed/delete", "/v1/queues/a/failed/delete", R"({"keys":["eA"]})"},
    {"get", "/v1/queues/{queue}/broken", "/v1/queues/a/broken"},
    {"post", "/v1/queues/{queue}/broken/retry", "/v1/queues/a/broken/retry", R"({"all":true})"},
    {"post", "/v1/queues/{queue}/broken/delete", "/v1/queues/a/broken/delete", "null"},
    {"post", "/v1/managed/queues/{queue}/jobs", "/v1/managed/queues/u/jobs",
     R"({"klass":"k","data":{},"id":"x","unique":{"key":"u","on_conflict":"refuse"}})"},
    {"post", "/v1/managed/queues/{queue}/jobs", "/v1/managed/queues/u/jobs",
     R"({"klass":"k","unique":{"key":"u"}})"},
    {"post", "/v1/managed/queues/{queue}/jobs", "/v1/managed/queues/u/jobs",
     R"({"klass":"k","unique":{"key":"u","on_conflict":"refuse"}})"},
    {"post", "/v1/managed/queues/{queue}/jobs", "/v1/managed/queues/u/jobs", R"([{"klass":"k"},{"data":1}])"},
    {"post", "/v1/queues/{queue}/take", "/v1/queues/t/take", "{}"},
    {"post", "/v1/queues/{queue}/take", "/v1/queues/t/take", R"({"count":0})"},
    {"post", "/v1/queues/{queue}/renew", "/v1/queues/t/renew", R"({"token":"eA"})"},
    {"post", "/v1/queues/{queue}/renew", "/v1/queues/t/renew", R"({"token":"MTpsMTp4MToxMTowMTph"})"},
    {"post", "/v1/queues/{queue}/acknowledge", "/v1/queues/t/acknowledge",
     R"({"token":"eA","outcome":"success"})"},
    {"post", "/v1/managed/queues/{queue}/take", "/v1/managed/queues/t/take", "{}"},
    {"post", "/v1/managed/queues/{queue}/take", "/v1/managed/queues/t/take", R"({"count":0})"},
    {"post", "/v1/managed/queues/{queue}/renew", "/v1/managed/queues/t/renew", R"({"token":"eA"})"},
    {"post", "/v1/managed/queues/{queue}/renew", "/v1/managed/queues/t/renew",
     R"([{"token":"MTptMTp3MToxMTowMTprMTphMTox"}])"},
    {"post", "/v1/managed/queues/{queue}/progress", "/v1/managed/queues/t/progress",
     R"({"token":"eA","progress":0.5})"},
    {"post", "/v1/managed/queues/{queue}/progress", "/v1/managed/queues/t/progress",
     R"([{"token":"MTptMTp3MToxMTowMTprMTphMTox","progress":1}])"},
    {"post", "/v1/managed/queues/{queue}/take", "/v1/managed/queues/t/take", R"({"checkpoints":true})"},
    {"post", "/v1/managed/queues/{queue}/checkpoint", "/v1/managed/queues/t/checkpoint",
     R"({"token":"eA","checkpoint":0.5})"},
    {"post", "/v1/managed/queues/{queue}/checkpoint", "/v1/managed/queues/t/checkpoint",
     R"([{"token":"MTptMTp3MToxMTowMTprMTphMToxMTpj","checkpoint":1}])"},
    {"post", "/v1/managed/queues/{queue}/acknowledge", "/v1/managed/queues/t/acknowledge",
     R"({"token":"eA","outcome":"success"})"},
    {"get", "/v1/managed/queues", "/v1/managed/queues"},
    {"get", "/v1/managed/queues/{queue}", "/v1/managed/queues/m"},
    {"get", "/v1/managed/queues/{queue}", "/v1/managed/queues/none"},
    {"get", "/v1/managed/queues/{queue}/history", "/v1/managed/queues/m/history"},
    {"get", "/v1/managed/queues/{queue}/statistics", "/v1/managed/queues/m/statistics"},
    {"get", "/v1/managed/queues/{queue}/statistics", "/v1/managed/queues/m/statistics?day=2026-02-30"},
    {"post", "/v1/managed/queues/{queue}/pause", "/v1/managed/queues/m/pause"},
    {"post", "/v1/managed/queues/{queue}/resume", "/v1/managed/queues/m/resume"},
    {"get", "/v1/managed/queues/{queue}/jobs", "/v1/managed/queues/m/jobs"},
    {"get", "/v1/managed/queues/{queue}/jobs", "/v1/managed/queues/m/jobs?state=running"},
    {"get", "/v1/managed/queues/{queue}/jobs", "/v1/managed/queues/m/jobs?state=recurring"},
    {"get", "/v1/managed/queues/{queue}/jobs", "/v1/managed/queues/m/jobs?state=lost"},
    {"get", "/v1/managed/failed", "/v1/managed/failed"},
    {"get", "/v1/managed/failed/{group}", "/v1/managed/failed/io"},
    {"get", "/v1/managed/jobs/{jid}", "/v1/managed/jobs/waits"},
    {"get", "/v1/managed/jobs/{jid}", "/v1/managed/jobs/failed"},
    {"get", "/v1/managed/jobs/{jid}", "/v1/managed/jobs/daily"},
    {"get", "/v1/managed/jobs/{jid}", "/v1/managed/jobs/none"},
    {"post", "/v1/managed/jobs/retry", "/v1/managed/jobs/retry", R"({"ids":["none","failed"]})"},
    {"post", "/v1/managed/jobs/delete", "/v1/managed/jobs/delete", R"({"group":"io","all":true})"},
    {"post", "/v1/managed/jobs/delete", "/v1/managed/jobs/delete", R"({"all":true})"},
    {"get", "/v1/workers", "/v1/workers"},
    {"get", "/v1/access", "/v1/access"},
    {"get", "/v1/queues/{queue}/failures", "/v1/queues/a/failures"},
    {"get", "/v1/managed/failures", "/v1/managed/failures"},
    {"get", "/v1/queues/{queue}/waiting", "/v1/queues/a/waiting?text=a%20b"},
    {"get", "/v1/managed/queues/{queue}/jobs", "/v1/managed/queues/m/jobs?state=scheduled&text=k&tag=red"},
    {"post", "/v1/queues/{queue}/scheduled/run", "/v1/queues/b/scheduled/run", R"({"keys":["eA"]})"},
    {"post", "/v1/queues/{queue}/failed/delete", "/v1/queues/a/failed/delete",
     R"({"all":true,"message":"no"})"},
    {"post", "/v1/managed/jobs/run", "/v1/managed/jobs/run",
     R"({"queue":"m","state":"scheduled","all":true})"},
    {"post", "/v1/managed/jobs/release", "/v1/managed/jobs/release", R"({"ids":["none"]})"},
    {"post", "/v1/managed/jobs/release", "/v1/managed/jobs/release",
     R"({"queue":"m","state":"waiting","all":true})"},
    {"post", "/v1/schedules/{schedule}", "/v1/schedules/s", R"({"cron":"@daily","queue":"m","klass":"K"})"},
    {"post", "/v1/schedules/{schedule}", "/v1/schedules/i",
     R"({"every":"5m","queue":"m","klass":"K","data":[1]})"},
    {"post", "/v1/schedules/{schedule}", "/v1/schedules/s",
     R"({"cron":"61 * * * *","queue":"m","klass":"K"})"},
    {"post", "/v1/schedules/{schedule}/run", "/v1/schedules/s/run"},
    {"post", "/v1/schedules/{schedule}/run", "/v1/schedules/none/run"},
    {"post", "/v1/batches", "/v1/batches", R"({"id":"b","on_done":{"queue":"m","klass":"K"}})"},
    {"post", "/v1/batches", "/v1/batches", R"({"parent":"none"})"},
    {"get", "/v1/batches", "/v1/batches"},
    {"get", "/v1/batches", "/v1/batches?parent=b"},
    {"get", "/v1/batches/{batch}/jobs", "/v1/batches/b/jobs"},
    {"get", "/v1/batches/{batch}/jobs", "/v1/batches/b/jobs?state=failed"},
    {"get", "/v1/batches/{batch}/jobs", "/v1/batches/b/jobs?state=none"},
    {"get", "/v1/batches/{batch}", "/v1/batches/b"},
    {"get", "/v1/batches/{batch}", "/v1/batches/none"},
    {"post", "/v1/batches/{batch}/seal", "/v1/batches/b/seal"},
    {"post", "/v1/batches/{batch}/seal", "/v1/batches/none/seal"},
    {"post", "/v1/batches/{batch}/cancel", "/v1/batches/b/cancel", R"({"running":true})"},
    {"post", "/v1/batches/{batch}/cancel", "/v1/batches/none/cancel", "{}"},
    {"get", "/v1/schedules", "/v1/schedules"},
    {"get", "/v1/schedules/{schedule}", "/v1/schedules/s"},
    {"get", "/v1/schedules/{schedule}", "/v1/schedules/none"},
    {"post", "/v1/schedules/{schedule}/pause", "/v1/schedules/s/pause"},
    {"post", "/v1/schedules/{schedule}/resume", "/v1/schedules/s/resume"},
    {"post", "/v1/schedules/{schedule}/delete", "/v1/schedules/i/delete"},
    {"post", "/v1/schedules/{schedule}/delete", "/v1/schedules/none/delete"},
    {"post", "/v1/limits/{limit}", "/v1/limits/gpu", R"({"max_running":1})"},
    {"post", "/v1/limits/{limit}", "/v1/limits/api", R"({"rate":100,"period":"1m","burst":10})"},
    {"post", "/v1/limits/{limit}", "/v1/limits/api", R"({"burst":10})"},
    {"get", "/v1/limits", "/v1/limits"},
    {"get", "/v1/limits/{limit}", "/v1/limits/tenant:42"},
    {"post", "/v1/limits/{limit}/delete", "/v1/limits/api/delete"},
    {"post", "/v1/managed/queues/{queue}/limits", "/v1/managed/queues/m/limits",
     R"({"limits":["gpu",{"name":"api","units":2}]})"},
    {"get", "/v1/managed/queues/{queue}/limits", "/v1/managed/queues/m/limits"},
    {"post", "/v1/managed/queues/{queue}/groups", "/v1/managed/queues/m/groups",
     R"({"group":"a","weight":2})"},
    {"post", "/v1/managed/queues/{queue}/jobs", "/v1/managed/queues/l/jobs",
     R"({"klass":"k","limits":["gpu",{"name":"api","units":2}],"order_key":"o","group":"a"})"},
    {"get", "/v1/events", "/v1/events"}, // the last one, since it does not end
};

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
    settings.token = "s3cret";
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
            BOOST_TEST((untyped.status == 415) == !route.facts.body.empty(), route.path);
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
        for (const auto& call : calls) {
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
        const auto& schema = description.at("components").at("schemas").at("job");
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
