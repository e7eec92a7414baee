// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

/// Batches through the gateway.
BOOST_AUTO_TEST_SUITE(batches_by_http)

using namespace coworker::test;

BOOST_FIXTURE_TEST_CASE(opens_shows_seals_and_cancels_batches, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.post(
            "/v1/batches",
            R"({"id":"a/b","description":"import","retention":"1h",)"
            R"("on_done":{"queue":"managed:mail","kind":"Done","payload":{"n":1.50},"priority":5}})");
        BOOST_TEST(reply.status == 201u, reply.body);
        BOOST_TEST(reply.text("id") == "a/b");
        reply =
            co_await client.post("/v1/queues/managed:work/jobs", R"({"kind":"Row","id":"j","batch":"a/b"})");
        BOOST_TEST(reply.status == 201u, reply.body);
        reply = co_await client.get("/v1/jobs/j");
        BOOST_TEST(reply.json().at("options").at("batch").as_string() == "a/b");
        reply = co_await client.get("/v1/batches/a%2Fb");
        BOOST_TEST(reply.text("state") == "open");
        BOOST_TEST(reply.text("description") == "import");
        BOOST_TEST(reply.json().at("pending").to_number<int>() == 1);
        BOOST_TEST(reply.json().at("ended_at").is_null());
        reply = co_await client.post("/v1/batches/a%2Fb/seal", "");
        BOOST_TEST(reply.status == 200u);
        reply = co_await client.post("/v1/batches/a%2Fb/cancel", "{}");
        BOOST_TEST(reply.json().at("cancelled").to_number<int>() == 1, reply.body);
        reply = co_await client.get("/v1/batches/a%2Fb");
        BOOST_TEST(reply.text("state") == "cancelled");
        BOOST_TEST(field("a/b@done", "data") == R"({"n":1.50})");
        BOOST_TEST(field("a/b@done", "priority") == "5");
        reply = co_await client.post("/v1/queues/managed:work/jobs", R"({"kind":"Row","batch":"a/b"})");
        BOOST_TEST(reply.status == 409u, reply.body);

        reply = co_await client.post("/v1/batches", R"({"parent":"a/b"})");
        BOOST_TEST(reply.status == 400u, reply.body);
        reply = co_await client.post("/v1/batches", "{}");
        const auto other = reply.text("id");
        reply = co_await client.get("/v1/batches?count=1");
        BOOST_TEST(reply.json().at("batches").at(0).at("id").as_string() == other);
        reply = co_await client.get(reply.text("next"));
        BOOST_TEST(reply.json().at("batches").at(0).at("id").as_string() == "a/b");
    });
}

BOOST_FIXTURE_TEST_CASE(shows_what_is_inside_and_retries_what_has_failed, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        (void)co_await client.post("/v1/batches", R"({"id":"outer"})");
        (void)co_await client.post("/v1/batches", R"({"id":"beside"})");
        for (const auto* inner : {"one", "two"})
            (void)co_await client.post("/v1/batches",
                                       R"({"parent":"outer","id":")" + std::string{inner} + "\"}");
        auto reply = co_await client.get("/v1/batches?parent=outer");
        auto found = reply.json().at("batches").as_array();
        BOOST_TEST_REQUIRE(found.size() == 2u);
        BOOST_TEST(found[0].at("id") == "two");
        BOOST_TEST(found[1].at("id") == "one");
        reply = co_await client.get("/v1/batches?parent=one");
        BOOST_TEST(reply.json().at("batches").as_array().empty());

        const auto push = [&](const char* id, const char* batch) {
            return client.post("/v1/queues/managed:mail/jobs", R"({"kind":"Row","id":")" + std::string{id} +
                                                                   R"(","batch":")" + batch + "\"}");
        };
        (void)co_await push("a", "one");
        (void)co_await push("b", "two");
        qless("pop", "mail", "w-1", "2");
        qless("fail", "a", "w-1", "io", "no luck", "{}");
        qless("fail", "b", "w-1", "io", "no luck", "{}");
        (void)co_await push("c", "one");
        const auto ids = [&](std::string state) -> asio::awaitable<std::string> {
            const auto page = co_await client.get("/v1/batches/one/jobs?state=" + state);
            std::string text;
            const auto parsed = page.json();
            for (const auto& job : parsed.at("jobs").as_array())
                text += job.at("id").as_string();
            co_return text;
        };
        auto failed = co_await ids("failed");
        BOOST_TEST(failed == "a");
        auto pending = co_await ids("pending");
        BOOST_TEST(pending == "c");
        reply = co_await client.get("/v1/batches/one/jobs?state=done");
        BOOST_TEST(reply.status == 400u);
        reply = co_await client.post("/v1/jobs/retry", R"({"all":true,"batch":"one"})");
        BOOST_TEST(reply.json().at("done").to_number<int>() == 1, reply.body);
        failed = co_await ids("failed");
        BOOST_TEST(failed == "");
        pending = co_await ids("pending");
        BOOST_TEST(pending.size() == 2u);
        reply = co_await client.get("/v1/batches/two");
        BOOST_TEST(reply.json().at("failed").to_number<int>() == 1);
    });
}

BOOST_FIXTURE_TEST_CASE(says_what_is_wrong_with_a_batch, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto refused = [&](std::string body, const char* why) -> asio::awaitable<void> {
            const auto reply = co_await client.post("/v1/batches", body);
            BOOST_TEST(reply.status == 400u, body);
            BOOST_TEST(reply.text("detail").find(why) != std::string::npos, reply.body);
        };
        co_await refused(R"({"id":""})", "'id' is not a string, or is empty");
        co_await refused(R"({"on_done":5})", "'on_done' is not an object");
        co_await refused(R"({"on_done":{"kind":"K"}})", "'queue' of 'on_done' is missing");
        co_await refused(R"({"on_done":{"queue":"q"}})", "'kind' is missing");
        co_await refused(R"({"on_end":{"queue":"q","kind":"K"}})", "'on_end' is not known");
        co_await refused(R"({"parent":"none"})", "There is no such batch");
        auto reply = co_await client.get("/v1/batches/none");
        BOOST_TEST(reply.status == 404u);
        reply = co_await client.post("/v1/batches/none/seal", "");
        BOOST_TEST(reply.status == 404u);
        reply = co_await client.post("/v1/batches/none/cancel", R"({"running":5})");
        BOOST_TEST(reply.status == 400u);
        reply = co_await client.post("/v1/batches/none/cancel", "{}");
        BOOST_TEST(reply.status == 404u);
        reply = co_await client.get("/v1/batches?cursor=x");
        BOOST_TEST(reply.status == 400u, reply.body);
    });
}

BOOST_AUTO_TEST_SUITE_END()
