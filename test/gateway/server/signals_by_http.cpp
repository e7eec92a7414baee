// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

#include <boost/json/serialize.hpp>

/// Signals over HTTP, and workers that wait for them.
BOOST_AUTO_TEST_SUITE(signals_by_http)

using namespace coworker::test;
namespace json = boost::json;

namespace {

const std::string queue = "/v1/queues/managed:mail", take = R"({"checkpoints":true})";

} // namespace

BOOST_FIXTURE_TEST_CASE(wakes_a_job_that_a_worker_elsewhere_has_suspended, managed_gateway_test)
{
    put("j", "Order");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto taken = co_await client.post(queue + "/take", take);
        BOOST_TEST(!taken.json().at("jobs").at(0).as_object().contains("signals"));
        auto reply = co_await client.post(
            queue + "/acknowledge",
            with_token(token_of(taken), R"(,"outcome":"sleep","signal":"yes","delay":"24h")"));
        BOOST_TEST(reply.status == 200u);
        BOOST_TEST(state("j") == "scheduled");
        reply = co_await client.get("/v1/jobs/j");
        const auto sleep = reply.json().at("sleeps_for");
        BOOST_TEST(sleep.at("signal").as_string() == "yes");
        BOOST_TEST(sleep.at("until") == reply.json().at("due_at"));
        reply = co_await client.post("/v1/jobs/j/signals/yes", R"({"by": 1.50})");
        BOOST_TEST(reply.status == 200u);
        BOOST_TEST(reply.body == "{\"sent\":true}\n");
        taken = co_await client.post(queue + "/take", take);
        BOOST_TEST(taken.body.find(R"("signals":{"yes":[{"by": 1.50}]},"slept":[])") != std::string::npos,
                   taken.body);
        BOOST_TEST(taken.json().at("jobs").at(0).at("attempt") == 1);
        reply = co_await client.post(queue + "/acknowledge",
                                     with_token(token_of(taken), R"(,"outcome":"success")"));
        BOOST_TEST(reply.status == 200u);
        BOOST_TEST(store()("HEXISTS", "ql:j:j", "waits").integer == 0);
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(tells_a_worker_elsewhere_what_is_over, managed_gateway_test)
{
    put("j", "Order");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto taken = co_await client.post(queue + "/take", take);
        auto reply = co_await client.post(
            queue + "/acknowledge",
            with_token(token_of(taken), R"(,"outcome":"sleep","name":"nap","delay":"3d")"));
        reply = co_await client.post("/v1/jobs/run", R"({"ids":["j"]})");
        BOOST_TEST(reply.status == 200u);
        taken = co_await client.post(queue + "/take", take);
        BOOST_TEST(json::serialize(taken.json().at("jobs").at(0).at("slept")) == R"(["nap"])");
    });
}

BOOST_FIXTURE_TEST_CASE(suspends_a_job_until_another_one_has_ended, managed_gateway_test)
{
    put("j", "Order");
    put("other", "Print", "{}", "delay", "3600");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto taken = co_await client.post(queue + "/take", take);
        auto reply = co_await client.post(
            queue + "/acknowledge",
            with_token(token_of(taken), R"(,"outcome":"sleep","job":"other","delay":"24h")"));
        BOOST_TEST(reply.status == 200u);
        reply = co_await client.get("/v1/jobs/j");
        BOOST_TEST(reply.json().at("sleeps_for").at("job").as_string() == "other");
        BOOST_TEST(json::serialize(reply.json().at("ended_jobs")) == "{}");
        reply = co_await client.post("/v1/jobs/delete", R"({"ids":["other"]})");
        BOOST_TEST(reply.status == 200u);
        taken = co_await client.post(queue + "/take", take);
        const auto ended = taken.json().at("jobs").at(0).at("ended_jobs");
        BOOST_TEST(json::serialize(ended) == R"({"other":{"state":"gone"}})");
        reply = co_await client.post(
            queue + "/acknowledge",
            with_token(token_of(taken), R"(,"outcome":"sleep","job":"other","signal":"yes","delay":"24h")"));
        BOOST_TEST(reply.status == 400u);
        reply = co_await client.post(queue + "/acknowledge",
                                     with_token(token_of(taken), R"(,"outcome":"success")"));
        BOOST_TEST(reply.status == 200u);
    });
    BOOST_TEST(store()("EXISTS", "ql:coworker:awaited").integer == 0);
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(shows_what_a_job_waits_for_and_has_stored, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.post(queue + "/jobs",
                                          R"({"kind":"Order","payload":1,"id":"j","wait_for_signal":"yes"})");
        BOOST_TEST(reply.status == 201u);
        reply = co_await client.get("/v1/jobs/j");
        BOOST_TEST(reply.json().at("state").as_string() == "depends");
        BOOST_TEST(reply.json().at("options").at("wait_for_signal").as_string() == "yes");
        BOOST_TEST(reply.json().at("options").at("awaits_signal") == true);
        reply = co_await client.post("/v1/jobs/j/signals/yes", "1");
        BOOST_TEST(reply.status == 200u);
        auto taken = co_await client.post(queue + "/take", take);
        const auto token = token_of(taken);
        reply =
            co_await client.post(queue + "/step", with_token(token, R"(,"step":"charge","value":{"n": 7})"));
        BOOST_TEST(reply.status == 200u);
        reply = co_await client.post(queue + "/checkpoint", with_token(token, R"(,"checkpoint":[1])"));
        BOOST_TEST(reply.status == 200u);
        reply = co_await client.get("/v1/jobs/j");
        BOOST_TEST(reply.json().at("options").at("awaits_signal") == false);
        BOOST_TEST(json::serialize(reply.json().at("steps")) == R"({"charge":{"n":7}})");
        BOOST_TEST(json::serialize(reply.json().at("checkpoint")) == "[1]");
    });
}

BOOST_FIXTURE_TEST_CASE(gives_jobs_of_some_kinds, managed_gateway_test)
{
    put("a", "Letter");
    put("b", "Report", "{}", "options", R"({"version":2})");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto taken = co_await client.post(queue + "/take", R"({"kinds":["Parcel",{"kind":"Report"}]})");
        BOOST_TEST(taken.json().at("jobs").as_array().empty());
        taken = co_await client.post(queue + "/take", R"({"kinds":[{"kind":"Report","versions":[2,3]}]})");
        BOOST_TEST(taken.json().at("jobs").at(0).at("id").as_string() == "b");
        taken = co_await client.post(queue + "/take", R"({"kinds":["Letter"]})");
        BOOST_TEST(taken.json().at("jobs").at(0).at("id").as_string() == "a");
        for (const auto* wrong :
             {R"({"kinds":[]})", R"({"kinds":"Letter"})", R"({"kinds":[""]})", R"({"kinds":[7]})",
              R"({"kinds":[{"versions":[1]}]})", R"({"kinds":[{"kind":"a","versions":[0]}]})",
              R"({"kinds":[{"kind":"a","versions":2}]})", R"({"kinds":[{"kind":"a","x":2}]})"}) {
            const auto reply = co_await client.post(queue + "/take", wrong);
            BOOST_TEST(reply.status == 400u, wrong);
        }
        const auto reply = co_await client.post("/v1/queues/mail/take", R"({"kinds":["Letter"]})");
        BOOST_TEST(reply.status == 409u);
    });
}

BOOST_FIXTURE_TEST_CASE(says_why_a_signal_cannot_be_sent, managed_gateway_test)
{
    put("j", "Order");
    put("done", "Order");
    qless("pop", "mail", "w", 1);
    qless("complete", "j", "w", "mail", "{}");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.post("/v1/jobs/j/signals/yes", "1");
        BOOST_TEST(reply.status == 409u);
        reply = co_await client.post("/v1/jobs/none/signals/yes", "1");
        BOOST_TEST(reply.status == 404u);
        reply = co_await client.post("/v1/jobs/done/signals/yes", "{");
        BOOST_TEST(reply.status == 400u);
        store()("HSET", "ql:j:done", "signals:yes", "100"); // as if there were so many
        reply = co_await client.post("/v1/jobs/done/signals/yes", "1");
        BOOST_TEST(reply.status == 409u);
        reply = co_await client.post("/v1/jobs/done/signals/no", "1");
        BOOST_TEST(reply.status == 200u);
        reply = co_await client.post("/v1/jobs/done/signals/" + std::string(257, 'x'), "1");
        BOOST_TEST(reply.status == 400u); // and the connection ends, since the body is not read
    });
}

BOOST_AUTO_TEST_SUITE_END()
