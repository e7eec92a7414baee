// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

#include "gateway/route.hpp"

/// Queues that are not there, of either kind.
BOOST_AUTO_TEST_SUITE(unknown_queues)

using namespace coworker::test;
using namespace coworker;

namespace {

/// What needs a queue; behind the name, with what is sent.
const std::pair<std::string, std::string> looks_and_acts[] = {
    {"", ""},
    {"/history", ""},
    {"/failures", ""},
    {"/jobs", ""},
    {"/jobs?state=running&text=a", ""},
    {"/pause", "{}"},
    {"/resume", "{}"},
    {"/notices", R"({"notices":true})"},
    {"/jobs/retry", R"({"all":true,"state":"failed"})"},
    {"/jobs/delete", R"({"ids":["x"]})"},
    {"/jobs/run", R"({"ids":["x"]})"},
    {"/jobs/cancel", R"({"ids":["x"]})"},
};

} // namespace

BOOST_FIXTURE_TEST_CASE(are_not_found, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto expect_none = [&](std::string queue, std::string path,
                                     std::string body) -> asio::awaitable<void> {
            const auto target = "/v1/queues/" + queue + path;
            auto answered = body.empty() ? client.get(target) : client.post(target, body);
            const auto reply = co_await std::move(answered);
            BOOST_TEST(reply.status == 404u, target << ' ' << reply.body);
            BOOST_TEST(reply.text("detail") == "There is no queue '" + queue +
                                                   "', or it is empty and nobody has ever worked on it; "
                                                   "/v1/queues lists those there are.",
                       target);
        };
        for (const auto& [path, body] : looks_and_acts) {
            co_await expect_none("nope", path, body);
            co_await expect_none("managed:nope", path, body);
        }
        co_await expect_none("nope", "/partitions", "");
        co_await expect_none("managed:nope", "/statistics", "");
        co_await expect_none("managed:nope", "/jobs/release", R"({"ids":["x"]})");
        BOOST_TEST(store()("DBSIZE").integer == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(are_made_by_a_push_and_can_be_worked_on_before, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        for (const std::string queue : {"mail", "managed:mail"}) {
            const auto path = "/v1/queues/" + queue;
            auto reply = co_await client.post(path + "/take", "{}");
            BOOST_TEST(reply.body == "{\"jobs\":[]}\n");
            reply = co_await client.post(path + "/jobs", R"({"kind":"k","payload":1})");
            if (queue == "mail") // whose jobs have no kinds
                reply = co_await client.post(path + "/jobs", R"({"payload":1})");
            BOOST_TEST(reply.status == 201u, reply.body);
            reply = co_await client.post(path + "/pause", "{}");
            BOOST_TEST(reply.status == 200u, reply.body);
            reply = co_await client.get(path);
            BOOST_TEST(reply.json().at("waiting").to_number<int>() == 1);
        }
    });
}

/// They hold for the first job.
BOOST_FIXTURE_TEST_CASE(can_have_settings, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const std::string path = "/v1/queues/managed:mail";
        for (const std::string what : {"/settings", "/limits", "/groups"})
            BOOST_TEST((co_await client.get(path + what)).status == 200u, what);
        auto reply = co_await client.post(path + "/settings", R"({"max_concurrency":8})");
        BOOST_TEST(reply.status == 200u, reply.body);
        reply = co_await client.post(path + "/limits", R"({"limits":["gpu"]})");
        BOOST_TEST(reply.status == 200u, reply.body);
        reply = co_await client.post(path + "/groups", R"({"group":"a","weight":2})");
        BOOST_TEST(reply.status == 200u, reply.body);
    });
}

BOOST_FIXTURE_TEST_CASE(are_there_if_the_gateway_is_told_of_them, gateway_test)
{
    settings.types = {"mail"};
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        for (const std::string path : {"", "/history", "/failures", "/jobs", "/partitions"})
            BOOST_TEST((co_await client.get("/v1/queues/mail" + path)).status == 200u, path);
        BOOST_TEST((co_await client.get("/v1/queues/other")).status == 404u);
        BOOST_TEST((co_await client.get("/v1/queues/managed:mail")).status == 404u); // no page lists it
    });
}

BOOST_AUTO_TEST_SUITE_END()
