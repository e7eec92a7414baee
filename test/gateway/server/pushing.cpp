// SPDX-License-Identifier: MIT
#include "gateway_test.hpp"

#include "support/event_log.hpp"

#include "coworker/inspector.hpp"
#include "coworker/worker.hpp"

#include "list/payload.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/json/serialize.hpp>

/// POST /jobber/queue and /v1/queues/{queue}/jobs on a real socket.
BOOST_AUTO_TEST_SUITE(pushing)

using namespace coworker::test;
using coworker::detail::split_payload;

BOOST_FIXTURE_TEST_CASE(queues_a_job_by_its_type, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto reply =
            co_await client.post("/jobber/queue", R"({"type":"mail","payload":{"to":"ada","n":1.10}})");
        BOOST_TEST(reply.status == 201u);
        BOOST_TEST(reply.field("content-type") == "application/json");
        const auto id = reply.text("job-id");
        BOOST_TEST(coworker::queued_at(id).has_value());
        const auto payloads = waiting("mail");
        BOOST_TEST_REQUIRE(payloads.size() == 1u);
        BOOST_TEST(payloads[0] == "[\"" + id + "\",{\"to\":\"ada\",\"n\":1.10}]");
    });
}

BOOST_FIXTURE_TEST_CASE(queues_jobs_in_the_queue_of_the_path, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        const std::string mail = "/v1/queues/mail/jobs";
        auto client = connect();
        auto reply = co_await client.post(mail, R"({"payload":{"to":"ada"},"id":"x"})");
        BOOST_TEST(reply.status == 201u);
        BOOST_TEST(reply.body == "{\"id\":\"x\",\"result\":\"pushed\"}\n");
        reply = co_await client.post(mail, R"({"payload":{"to":"ada"},"id":"x"})");
        BOOST_TEST(reply.status == 200u);
        BOOST_TEST(reply.body == "{\"id\":\"x\",\"result\":\"kept\"}\n");
        BOOST_TEST((co_await client.post(mail, R"({"payload":1,"key":""})")).status == 400u);
        BOOST_TEST((co_await client.post(mail, R"({"payload":1,"key":7})")).status == 400u);
        reply = co_await client.post(mail, R"([{"payload":2},{"type":"sms","payload":3}])");
        BOOST_TEST(reply.status == 207u);
        const auto parts = reply.json().as_array();
        BOOST_TEST(parts.at(0).at("status").to_number<int>() == 201);
        BOOST_TEST(parts.at(1).at("status").to_number<int>() == 400);
        const auto payloads = waiting("mail");
        BOOST_TEST_REQUIRE(payloads.size() == 2u);
        BOOST_TEST(payloads[0] == R"(["x",{"to":"ada"}])");
        BOOST_TEST(split_payload(payloads[1])->id() == parts.at(0).at("id").as_string());
    });
}

BOOST_FIXTURE_TEST_CASE(queues_jobs_that_a_worker_runs, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        std::vector<std::string> seen;
        coworker::list_queue<boost::json::value> mail{redis, "mail"};
        coworker::worker worker{redis, {.observers = {events.observe()}}};
        worker.handle(mail, [&](boost::json::value job, coworker::job_context&) -> asio::awaitable<void> {
            seen.push_back(boost::json::serialize(job));
            co_return;
        });
        background running{io.get_executor(), worker.async_run(asio::use_awaitable)};
        auto client = connect();
        const auto reply = co_await client.post(
            "/jobber/queue",
            R"([{"type":"mail","payload":{"to":"ada"}},{"type":"mail","payload":"later","delay":0.05}])");
        BOOST_TEST(reply.status == 201u);
        co_await events.wait_for(coworker::event_kind::succeeded, 2);
        worker.stop();
        co_await running.join();
        const std::vector<std::string> expected{R"({"to":"ada"})", "\"later\""};
        BOOST_TEST(seen == expected, boost::test_tools::per_element());
    });
}

BOOST_FIXTURE_TEST_CASE(queues_an_id_once_that_many_clients_send_at_a_time, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        std::vector<http_client> clients;
        std::vector<background> sending;
        std::map<unsigned, int> statuses;
        for (int i = 0; i != 50; ++i)
            clients.push_back(connect());
        for (auto& client : clients)
            sending.emplace_back(
                io.get_executor(), [](http_client& sender, auto& counts) -> asio::awaitable<void> {
                    const auto reply =
                        co_await sender.post("/jobber/queue", R"({"type":"a","payload":1,"id":"x"})");
                    ++counts[reply.status];
                }(client, statuses));
        for (auto& one : sending)
            co_await one.join();
        BOOST_TEST(statuses[201] == 1);
        BOOST_TEST(statuses[200] == 49);
        BOOST_TEST(waiting("a").size() == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(queues_the_same_id_once, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto first = co_await client.post("/jobber/queue", R"({"type":"a","payload":1,"id":"x"})");
        const auto second = co_await client.post("/jobber/queue", R"({"type":"a","payload":1,"id":"x"})");
        const auto other = co_await client.post("/jobber/queue", R"({"type":"b","payload":1,"id":"x"})");
        BOOST_TEST(first.status == 201u);
        BOOST_TEST(first.text("job-id") == "x");
        BOOST_TEST(second.status == 200u);
        BOOST_TEST(second.text("job-id") == "x");
        BOOST_TEST(other.status == 201u);
        BOOST_TEST(waiting("a").size() == 1u);
        BOOST_TEST(waiting("b").size() == 1u);
        const auto ttl = store()("PTTL", "hworker-ids-a").integer;
        BOOST_TEST(ttl > 86'000'000);
        BOOST_TEST(ttl <= 86'400'000);
    });
}

BOOST_FIXTURE_TEST_CASE(queues_for_later, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto delayed =
            co_await client.post("/jobber/queue", R"({"type":"a","payload":1,"delay":"1h","id":"in"})");
        const auto dated = co_await client.post(
            "/jobber/queue", R"({"type":"a","payload":2,"run_at":"2100-01-01T01:00:00+01:00","id":"at"})");
        const auto twice =
            co_await client.post("/jobber/queue", R"({"type":"a","payload":1,"delay":5,"id":"in"})");
        BOOST_TEST(delayed.status == 201u);
        BOOST_TEST(dated.status == 201u);
        BOOST_TEST(twice.status == 200u);
        BOOST_TEST(waiting("a").empty());
        const coworker::inspector look{redis};
        const auto jobs =
            (co_await look.async_jobs(coworker::queue_ref::list("a"), coworker::job_state::scheduled)).jobs;
        BOOST_TEST_REQUIRE(jobs.size() == 2u);
        BOOST_TEST(jobs[0].id == "in");
        const auto wait = *jobs[0].due_at - std::chrono::system_clock::now();
        BOOST_TEST((wait > 59min && wait <= 1h));
        BOOST_TEST(jobs[1].id == "at");
        BOOST_TEST((jobs[1].due_at == std::chrono::sys_days{std::chrono::year{2100} / 1 / 1}));
    });
}

BOOST_FIXTURE_TEST_CASE(answers_for_each_job_of_an_array, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto good = co_await client.post("/jobber/queue",
                                               R"([{"type":"a","payload":1},{"type":"b","payload":2},
                                                   {"type":"a","payload":3,"id":"x"}])");
        BOOST_TEST(good.status == 201u);
        const auto answers = good.json().as_array();
        BOOST_TEST_REQUIRE(answers.size() == 3u);
        BOOST_TEST(answers[2].at("job-id").as_string() == "x");
        BOOST_TEST(answers[2].at("status").to_number<int>() == 201);
        BOOST_TEST(waiting("a").size() == 2u);
        BOOST_TEST(split_payload(waiting("a")[0])->id() == answers[0].at("job-id").as_string());

        const auto mixed = co_await client.post(
            "/jobber/queue", R"([{"type":"a"},{"type":"c","payload":2},{"type":"a","payload":3,"id":"x"}])");
        BOOST_TEST(mixed.status == 207u);
        const auto parts = mixed.json().as_array();
        BOOST_TEST(parts.at(0).at("status").to_number<int>() == 400);
        BOOST_TEST(parts.at(0).at("detail").is_string());
        BOOST_TEST(parts.at(1).at("status").to_number<int>() == 201);
        BOOST_TEST(parts.at(2).at("status").to_number<int>() == 200);
        BOOST_TEST(waiting("a").size() == 2u);

        const auto bad = co_await client.post("/jobber/queue", "[1,2]");
        BOOST_TEST(bad.status == 400u);
    });
}

BOOST_FIXTURE_TEST_CASE(queues_a_thousand_jobs_of_one_request_in_order, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        std::string body;
        for (int i = 0; i != 1000; ++i) {
            const auto number = std::to_string(i);
            body.append(i == 0 ? "[" : ",").append(R"({"type":"a","payload":)").append(number);
            body.append(R"(,"id":"i)").append(number).append("\"}");
        }
        body += ']';
        auto client = connect();
        const auto reply = co_await client.post("/jobber/queue", body);
        BOOST_TEST(reply.status == 201u);
        BOOST_TEST(reply.json().as_array().size() == 1000u);
        const auto payloads = waiting("a");
        BOOST_TEST_REQUIRE(payloads.size() == 1000u);
        for (std::size_t i = 0; i != 1000; ++i) {
            const auto number = std::to_string(i);
            const auto expected = std::string{"[\"i"}.append(number).append("\",").append(number).append("]");
            BOOST_TEST(payloads[i] == expected);
        }
    });
}

BOOST_FIXTURE_TEST_CASE(says_what_is_wrong_with_a_request, gateway_test)
{
    settings.types = {"mail"};
    settings.body_limit = 1000;
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto expect = [](const http_reply& reply, unsigned status) {
            BOOST_TEST(reply.status == status, reply.body);
            BOOST_TEST(reply.field("content-type") == "application/problem+json");
            BOOST_TEST(reply.json().at("status").to_number<unsigned>() == status);
            BOOST_TEST(!reply.text("title").empty());
            BOOST_TEST(!reply.text("detail").empty());
        };
        auto reply = co_await client.post("/jobber/queue", "{");
        expect(reply, 400);
        reply = co_await client.post("/jobber/queue", R"({"type":"mail"})");
        expect(reply, 400);
        reply = co_await client.post("/jobber/queue", R"({"type":"sms","payload":1})");
        expect(reply, 422);
        reply = co_await client.post("/v1/queues/sms/jobs", R"({"payload":1})");
        expect(reply, 403);
        BOOST_TEST(reply.field("connection") == "close"); // what names another queue is not read
        client = connect();
        reply = co_await client.get("/jobber/queue");
        expect(reply, 405);
        BOOST_TEST(reply.field("allow") == "POST");
        reply = co_await client.get("/nothing");
        expect(reply, 404);
        // A body that is not read costs the connection.
        reply = co_await client.post("/jobber/queue", R"({"type":"mail","payload":1})",
                                     "Content-Type: text/plain\r\n");
        expect(reply, 415);
        BOOST_TEST(reply.field("connection") == "close");
        auto second = connect();
        reply = co_await second.post("/jobber/queue",
                                     R"({"type":"mail","payload":")" + std::string(1000, 'x') + "\"}");
        expect(reply, 413);
        BOOST_TEST(waiting("mail").empty());
        auto third = connect();
        reply = co_await third.post("/jobber/queue", R"({"type":"mail","payload":1})",
                                    "Content-Type: Application/JSON ; charset=utf-8\r\n");
        BOOST_TEST(reply.status == 201u);
    });
}

BOOST_FIXTURE_TEST_CASE(acknowledges_nothing_while_redis_is_away, impatient_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        http_reply reply;
        do // a busy machine may need longer than this gateway waits
            reply = co_await client.post("/jobber/queue", R"({"type":"a","payload":1})");
        while (reply.status >= 500);
        BOOST_TEST(reply.status == 201u);
        store().kill();
        reply = co_await client.post("/jobber/queue", R"({"type":"a","payload":2,"id":"x"})");
        BOOST_TEST(reply.status == 503u);
        BOOST_TEST(reply.field("retry-after") == "1");
        BOOST_TEST(!reply.text("detail").empty());
        reply =
            co_await client.post("/jobber/queue", R"([{"type":"a","payload":2},{"type":"b","payload":2}])");
        BOOST_TEST(reply.status == 503u);
        BOOST_TEST(reply.field("retry-after") == "1");
        reply = co_await client.get("/ready");
        BOOST_TEST(reply.status == 503u);
        reply = co_await client.get("/health");
        BOOST_TEST(reply.status == 200u);
        store().restart();
        // The connection comes back by itself; until then the answer stays the same.
        do
            reply = co_await client.post("/jobber/queue", R"({"type":"a","payload":2,"id":"x"})");
        while (reply.status == 503);
        BOOST_TEST((reply.status == 201 || reply.status == 200));
        BOOST_TEST(waiting("a").size() == 1u);
        do
            reply = co_await client.get("/ready");
        while (reply.status == 503);
        BOOST_TEST(reply.status == 200u);
    });
}

BOOST_FIXTURE_TEST_CASE(writes_nothing_when_a_key_holds_something_else, gateway_test)
{
    store()("SET", "hworker-jobs-a", "surprise");
    store()("SET", "hworker-scheduled-b", "surprise");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        for (const auto* job :
             {R"({"type":"a","payload":1,"id":"x"})", R"({"type":"b","payload":1,"id":"x","delay":"1h"})"}) {
            const auto reply = co_await client.post("/jobber/queue", job);
            BOOST_TEST(reply.status >= 500u);
        }
        BOOST_TEST(waiting("b").empty());
        BOOST_TEST(store()("EXISTS", "hworker-ids-a", "hworker-ids-b", "hworker-scheduled-a").integer == 0);
    });
}

BOOST_AUTO_TEST_SUITE_END()
