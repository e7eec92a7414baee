// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

#include <boost/json/serialize.hpp>

/// Workers over HTTP, on real sockets: POST /v1/queues/NAME/take and so on, for both kinds of queue.
BOOST_AUTO_TEST_SUITE(remote_workers)

using namespace coworker::test;
using namespace coworker;

namespace {

/// The paths of the queue "mail" of either kind.
const std::string both[] = {"/v1/queues/mail", "/v1/queues/managed:mail"};

struct remote_test : managed_gateway_test
{
    void push(const std::string& queue, const std::string& id)
    {
        if (queue == both[0])
            store()("LPUSH", "hworker-jobs-mail", "[\"" + id + "\",{\"to\":\"ada\"}]");
        else
            put(id, "Letter", R"({"to":"ada"})");
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(takes_renews_and_acknowledges_through_any_gateway, remote_test)
{
    client another{io.get_executor(), options()};
    coworker::gateway second{another, {.port = 0}};
    serve([&]() -> asio::awaitable<void> {
        second.listen();
        background running{io.get_executor(), second.async_run(with_diagnostics(asio::use_awaitable))};
        for (const auto& queue : both) {
            auto here = connect();
            http_client there{io.get_executor(), second.port()};
            push(queue, "j1");
            push(queue, "j2");
            const auto taken = co_await here.post(queue + "/take", R"({"worker":"w.py","count":9})");
            BOOST_TEST(taken.status == 200u);
            const auto parsed = taken.json();
            BOOST_TEST_REQUIRE(parsed.at("jobs").as_array().size() == 2u);
            const auto& job = parsed.at("jobs").at(0).as_object();
            BOOST_TEST(job.at("id") == "j1");
            BOOST_TEST(boost::json::serialize(job.at("payload")) == R"({"to":"ada"})");
            BOOST_TEST(job.at("kind") ==
                       (queue == both[0] ? boost::json::value{} : boost::json::value{"Letter"}));
            BOOST_TEST(job.at("attempt") == 1);
            BOOST_TEST(job.at("lease_seconds").to_number<double>() >= 60);

            auto reply = co_await there.post(queue + "/renew", with_token(token_of(taken)));
            BOOST_TEST(reply.status == 200u);
            const auto renewed = reply.text("token");
            reply =
                co_await there.post(queue + "/acknowledge", with_token(renewed, R"(,"outcome":"success")"));
            BOOST_TEST(reply.status == 200u);
            // Many at once have an answer each.
            reply = co_await here.post(
                queue + "/acknowledge",
                '[' + with_token(renewed, R"(,"outcome":"success")") + ',' +
                    with_token(token_of(taken, 1), R"(,"outcome":"failure","message":"no luck")") + ']');
            BOOST_TEST(reply.status == 207u);
            BOOST_TEST(reply.json().at(0).at("status") == 409);
            BOOST_TEST(reply.json().at(1).at("status") == 200);
            reply = co_await here.post(queue + "/renew", with_token(renewed));
            BOOST_TEST(reply.status == 409u);
            reply = co_await here.post(queue + "/renew", '[' + with_token(renewed) + ']');
            BOOST_TEST(reply.status == 207u);
        }
        BOOST_TEST(state("j1") == "complete");
        BOOST_TEST(state("j2") == "failed");
        BOOST_TEST(store()("HLEN", "hworker-progress-mail").integer == 0);
        BOOST_TEST(store()("LLEN", "hworker-failed-mail").integer == 1);
        second.stop();
        co_await running.join();
        co_await another.async_stop();
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(counts_as_a_worker_while_it_is_seen, remote_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto shown = [&]() -> asio::awaitable<std::size_t> {
            const auto page = co_await client.get("/v1/workers");
            co_return page.json().at("workers").as_array().size();
        };
        const auto count = [&]() -> asio::awaitable<std::int64_t> {
            const auto page = co_await client.get("/v1/queues/mail");
            co_return page.json().at("workers").to_number<std::int64_t>();
        };
        const auto is_noted = [&] { return store()("ZCARD", "hworker-remote-mail").integer != 0; };
        push(both[0], "j1");
        push(both[0], "j2");
        push(both[0], "waits");
        const auto taken = co_await client.post(both[0] + "/take", R"({"worker":"w.py","count":2})");
        co_await eventually("it is noted", is_noted);
        co_await eventually("its queue is known",
                            [&] { return store()("SISMEMBER", "hworker-queues", "mail").integer == 1; });
        BOOST_TEST(co_await count() == 1);
        const auto page = co_await client.get("/v1/workers");
        const auto workers = page.json().at("workers");
        BOOST_TEST_REQUIRE(workers.as_array().size() ==
                           2u); // and those whose name is not known, who hold jobs
        BOOST_TEST(workers.at(1).at("name") == "w.py");
        BOOST_TEST(workers.at(1).at("connected") == false);
        BOOST_TEST(workers.at(1).at("loads").at(0).at("queue") == "mail");
        const auto metrics = co_await client.get("/metrics");
        BOOST_TEST(metrics.body.find("coworker_workers{queue=\"mail\"} 1\n") != std::string::npos);

        // It has vanished.
        store()("ZINCRBY", "hworker-remote-mail", -301'000, "w.py");
        BOOST_TEST(co_await count() == 0);
        BOOST_TEST(co_await shown() == 1u);
        // Another gateway, which has not noted it, renews its lease.
        coworker::client another{io.get_executor(), options()};
        coworker::gateway second{another, {.port = 0}};
        second.listen();
        background running{io.get_executor(), second.async_run(with_diagnostics(asio::use_awaitable))};
        http_client there{io.get_executor(), second.port()};
        store()("DEL", "hworker-remote-mail");
        const auto renewed = co_await there.post(both[0] + "/renew", with_token(token_of(taken)));
        BOOST_TEST(renewed.status == 200u);
        co_await eventually("it is noted again", is_noted);
        BOOST_TEST(co_await count() == 1);
        BOOST_TEST(store()("ZRANGE", "hworker-remote-mail", 0, -1).texts().at(0) == "w.py");
        BOOST_TEST(store()("PTTL", "hworker-remote-mail").integer > 0);
        second.stop();
        co_await running.join();
        co_await another.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(retries_releases_and_forwards, remote_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto end = [&](std::string queue, std::string rest) -> asio::awaitable<void> {
            const auto taken = co_await client.post(queue + "/take", "{}");
            const auto reply =
                co_await client.post(queue + "/acknowledge", with_token(token_of(taken), rest));
            BOOST_TEST(reply.status == 200u, reply.body);
        };
        for (const auto& queue : both) {
            push(queue, "j");
            co_await end(queue, R"(,"outcome":"release")");
            co_await end(queue, R"(,"outcome":"retry","message":"busy","delay":"1h")");
        }
        BOOST_TEST(store()("ZCARD", "hworker-scheduled-mail").integer == 1);
        BOOST_TEST(state("j") == "scheduled");
        BOOST_TEST(field("j", "remaining") == "4");
        push(both[0], "no result");
        co_await end(both[0], R"(,"outcome":"success","result":{"pages":12})"); // dropped, as a handler's is
        put("r", "Letter");
        co_await end(both[1], R"(,"outcome":"success","result":{"pages":12})");
        const auto done = co_await client.get("/v1/jobs/r");
        const auto record = done.json();
        BOOST_TEST(boost::json::serialize(record.at("result")) == R"({"pages":12})");
        BOOST_TEST(record.at("queue") == "managed:mail"); // where it was last
        const std::string at{record.at("history").at(0).at("at").as_string()};
        BOOST_TEST(at.size() == std::string{"2026-11-21T09:54:29Z"}.size(), at);
        put("f", "Letter");
        co_await end(both[1], R"(,"outcome":"forward","queue":"sent","payload":{"done":true})");
        BOOST_TEST(field("f", "queue") == "sent");
        BOOST_TEST(field("f", "data") == R"({"done":true})");
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(tells_how_far_a_job_is, remote_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        push(both[1], "j");
        const auto taken = co_await client.post(both[1] + "/take", "{}");
        const auto token = token_of(taken);
        auto reply = co_await client.post(both[1] + "/progress",
                                          with_token(token, R"(,"progress":0.4,"message":"page 12 of 30")"));
        BOOST_TEST(reply.body == "{\"told\":true}\n");
        reply = co_await client.get("/v1/jobs/j");
        const auto job = reply.json();
        BOOST_TEST(job.at("progress").at("fraction") == 0.4);
        BOOST_TEST(job.at("progress").at("message") == "page 12 of 30");
        for (const auto* rest :
             {"", R"(,"progress":1.1)", R"(,"progress":"0.5")", R"(,"progress":1,"message":5)",
              R"(,"progress":-1)", R"(,"progress":1,"more":1)"}) {
            reply = co_await client.post(both[1] + "/progress", with_token(token, rest));
            BOOST_TEST(reply.status == 400u, rest);
        }
        auto other = connect(); // a refusal before the body is read ends the connection
        reply = co_await other.post(both[0] + "/progress", with_token(token, R"(,"progress":1)"));
        BOOST_TEST(reply.status == 409u); // list queues keep none
        // Only who has the lease may tell.
        reply = co_await client.post(both[1] + "/acknowledge", with_token(token, R"(,"outcome":"release")"));
        const auto again = co_await client.post(both[1] + "/take", R"({"worker":"another"})");
        BOOST_TEST(again.json().at("jobs").as_array().size() == 1u);
        reply = co_await client.post(both[1] + "/progress",
                                     '[' + with_token(token, R"(,"progress":1)") + ',' +
                                         with_token(token_of(again), R"(,"progress":0)") + ']');
        BOOST_TEST(reply.status == 207u);
        BOOST_TEST(reply.json().at(0).at("status") == 409);
        BOOST_TEST(reply.json().at(1).at("status") == 200);
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(waits_for_a_job, remote_test)
{
    serve([&]() -> asio::awaitable<void> {
        for (const auto& queue : both) {
            auto client = connect();
            co_await client.send("POST " + queue +
                                 "/take HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                 "Content-Length: 14\r\n\r\n{\"wait\":\"60s\"}");
            co_await wait_until_armed(3);
            push(queue, "late");
            const auto taken = co_await client.receive();
            BOOST_TEST(taken.status == 200u);
            const auto reply = co_await client.post(queue + "/acknowledge",
                                                    with_token(token_of(taken), R"(,"outcome":"success")"));
            BOOST_TEST(reply.status == 200u);
            const auto none = co_await client.post(queue + "/take", R"({"wait":0.01})");
            BOOST_TEST(none.body == "{\"jobs\":[]}\n");
        }
    });
}

BOOST_FIXTURE_TEST_CASE(gives_no_job_to_a_client_that_has_gone, remote_test)
{
    serve([&]() -> asio::awaitable<void> {
        for (const auto& queue : both) {
            auto gone = connect();
            co_await gone.send("POST " + queue +
                               "/take HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                               "Content-Length: 14\r\n\r\n{\"wait\":\"60s\"}");
            co_await wait_until_armed(3);
            gone.close_sending_side();
            const auto rest = co_await gone.receive_rest();
            BOOST_TEST(rest == "");
            push(queue, "j");
            auto client = connect();
            const auto taken = co_await client.post(queue + "/take", R"({"wait":"60s"})");
            BOOST_TEST(taken.json().at("jobs").at(0).at("attempt") == 1);
        }
    });
}

BOOST_FIXTURE_TEST_CASE(ends_waiting_when_the_gateway_stops, remote_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        co_await client.send(
            "POST /v1/queues/mail/take HTTP/1.1\r\nHost: localhost\r\n"
            "Content-Type: application/json\r\nContent-Length: 14\r\n\r\n{\"wait\":\"60s\"}");
        co_await wait_until_armed(3);
        server->stop();
        const auto reply = co_await client.receive();
        BOOST_TEST(reply.body == "{\"jobs\":[]}\n");
        BOOST_TEST(reply.field("connection") == "close");
    });
}

BOOST_FIXTURE_TEST_CASE(takes_a_token_that_is_larger_than_other_bodies, remote_test)
{
    settings.body_limit = 1000;
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        store()("LPUSH", "hworker-jobs-mail", "[\"a\",\"" + std::string(5000, 'x') + "\"]");
        const auto taken = co_await client.post("/v1/queues/mail/take", "{}");
        auto reply = co_await client.post("/v1/queues/mail/acknowledge",
                                          with_token(token_of(taken), R"(,"outcome":"success")"));
        BOOST_TEST(reply.status == 200u);
        reply = co_await client.post("/v1/queues/mail/take", std::string(1001, ' '));
        BOOST_TEST(reply.status == 413u);
    });
}

BOOST_FIXTURE_TEST_CASE(says_what_is_wrong_with_a_request, remote_test)
{
    settings.types = {"mail"};
    serve([&]() -> asio::awaitable<void> {
        for (const auto& queue : both) {
            auto client = connect();
            for (const auto* body :
                 {R"({"count":0})", R"({"count":129})", R"({"count":"1"})", R"({"wait":"2m"})",
                  R"({"wait":"soon"})", R"({"worker":""})", R"({"worker":7})", R"({"who":"me"})",
                  R"({"worker":"coworker:0123456789abcdef0123456789abcdef"})", "[]", "null", "{"}) {
                const auto reply = co_await client.post(queue + "/take", body);
                BOOST_TEST(reply.status == 400u, queue << ' ' << body);
            }
            push(queue, "j");
            const auto taken = co_await client.post(queue + "/take", "{}");
            const auto token = token_of(taken);
            for (const auto* rest :
                 {"", R"(,"outcome":"done")", R"(,"outcome":"broken")",
                  R"(,"outcome":"success","message":"a")", R"(,"outcome":"retry","delay":"soon")",
                  R"(,"outcome":"forward")", R"(,"outcome":"failure","more":1)",
                  R"(,"outcome":"failure","result":1)", R"(,"outcome":"retry","message":5)"}) {
                const auto reply = co_await client.post(queue + "/acknowledge", with_token(token, rest));
                BOOST_TEST(reply.status == 400u, queue << ' ' << rest);
            }
            for (const auto& body :
                 {with_token(""), with_token("!"), with_token("eA"), std::string{"{}"}, std::string{"[]"}}) {
                const auto reply = co_await client.post(queue + "/renew", body);
                BOOST_TEST(reply.status == 400u, queue << ' ' << body);
            }
        }
        auto client = connect();
        const auto reply = co_await client.post("/v1/queues/other/take", "{}");
        BOOST_TEST(reply.status == 403u);
    });
}

/// Nothing but its calls tells that it is there.
BOOST_FIXTURE_TEST_CASE(counts_as_a_worker_while_it_asks_for_jobs, remote_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        put("j", "Letter");
        for (const auto* worker : {"gone", "there"}) {
            const auto none = co_await client.post("/v1/queues/managed:none/take",
                                                   R"({"worker":")" + std::string{worker} + "\"}");
            BOOST_TEST(none.status == 200u);
        }
        const auto shown = [&]() -> asio::awaitable<std::string> {
            const auto reply = co_await client.get("/v1/workers");
            const auto page = reply.json();
            std::string names;
            for (const auto& each : page.at("workers").as_array())
                names.append(each.at("name").as_string()).append(" ");
            co_return names;
        };
        auto names = co_await shown();
        BOOST_TEST(names == "gone there ");
        const auto now = std::stoll(store()("TIME").texts().at(0));
        store()("ZADD", "ql:workers", now - 600, "gone");
        store()("ZADD", "ql:workers", now + 3600, "ahead"); // the clock of Redis was, and has been set back
        names = co_await shown();
        BOOST_TEST(names == "there ");
        const auto metrics = co_await client.get("/metrics");
        BOOST_TEST(metrics.body.find("\ncoworker_managed_workers 1\n") != std::string::npos);
    });
}

/// So that somebody is told, although the job that it had keeps it in the list.
BOOST_FIXTURE_TEST_CASE(counts_no_more_when_it_has_vanished_with_a_job, remote_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto counted = [&](const std::string& count) -> asio::awaitable<bool> {
            const auto metrics = co_await client.get("/metrics");
            const auto line = "\ncoworker_managed_workers " + count + '\n';
            co_return metrics.body.find(line) != std::string::npos;
        };
        put("j", "Letter");
        const auto taken = co_await client.post(both[1] + "/take", R"({"worker":"w.py"})");
        BOOST_TEST(taken.json().at("jobs").as_array().size() == 1u);
        BOOST_TEST(co_await counted("1"));
        const auto now = std::stoll(store()("TIME").texts().at(0));
        store()("ZADD", "ql:workers", now - 600, "w.py");
        BOOST_TEST(co_await counted("1"));
        store()("ZADD", "ql:w:w.py:jobs", now - 1, "j"); // its lease has ended
        BOOST_TEST(co_await counted("0"));
        const auto page = co_await client.get("/v1/workers");
        const auto workers = page.json().at("workers");
        BOOST_TEST_REQUIRE(workers.as_array().size() == 1u);
        BOOST_TEST(workers.at(0).at("name") == "w.py");
    });
}

/// The others are none the worse for it.
BOOST_FIXTURE_TEST_CASE(answers_for_each_job_of_an_array, remote_test)
{
    settings.types = {"mail"};
    serve([&]() -> asio::awaitable<void> {
        for (const auto& queue : both) {
            auto client = connect();
            push(queue, "a");
            push(queue, "b");
            const auto taken = co_await client.post(queue + "/take", R"({"count":2})");
            const auto first = token_of(taken), second = token_of(taken, 1);
            const auto statuses = [](const http_reply& reply) {
                std::string text;
                const auto parsed = reply.json();
                for (const auto& each : parsed.as_array())
                    text.append(text.empty() ? "" : " ").append(std::to_string(each.at("status").as_int64()));
                return text;
            };
            auto reply =
                co_await client.post(queue + "/renew", '[' + with_token(first) + ',' + with_token("eA") +
                                                           ",5," + with_token(second) + ']');
            BOOST_TEST(reply.status == 207u);
            BOOST_TEST(statuses(reply) == "200 400 400 200", reply.body);
            const auto renewed = reply.json();
            const std::string next_first{renewed.at(0).at("token").as_string()},
                next_second{renewed.at(3).at("token").as_string()};
            const auto end = [&](const std::string& token, const std::string& rest) {
                return with_token(token, ",\"outcome\":" + rest);
            };
            reply = co_await client.post(
                queue + "/acknowledge",
                '[' + end(next_first, R"("success")") + ',' + end("eA", R"("success")") + ',' +
                    end(next_second, R"("done")") + ',' +
                    end(next_second, R"("success","effects":[{"queue":"other","job":{"payload":1}}])") + ',' +
                    end(next_second, R"("retry","delay":"1h")") + ']');
            BOOST_TEST(statuses(reply) == "200 400 400 403 200", reply.body);
            BOOST_TEST(reply.body.find("[coworker:") != reply.body.npos); // and no chain of sentences
            BOOST_TEST(reply.body.find("cannot be used [") == reply.body.npos);
        }
        BOOST_TEST(state("a") == "complete");
        BOOST_TEST(state("b") == "scheduled");
        BOOST_TEST(store()("ZCARD", "hworker-scheduled-mail").integer == 1);
    });
    BOOST_TEST(broken() == "");
}

BOOST_AUTO_TEST_SUITE_END()
