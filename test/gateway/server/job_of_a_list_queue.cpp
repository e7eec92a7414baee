// SPDX-License-Identifier: MIT
#include "gateway_test.hpp"

/// One job of a list queue, by its id.
BOOST_AUTO_TEST_SUITE(job_of_a_list_queue)

using namespace coworker::test;

BOOST_FIXTURE_TEST_CASE(shows_a_job_by_its_id, gateway_test)
{
    for (int i = 0; i != 2500; ++i)
        store()("LPUSH", "hworker-jobs-q", "[\"w" + std::to_string(i) + "\",{\"n\": 1.50}]");
    store()("LPUSH", "hworker-jobs-q", R"(["a/b",1])", R"(["x","\xff"])");
    store()("HSET", "hworker-progress-q", R"(["r",2])", "\"2026-11-21T09:54:29.612715072Z\"");
    store()("LPUSH", "hworker-failed-q", R"(["f",3])");
    store()("HSET", "hworker-failures-q", R"(["f",3])", "\"2026-11-21T09:54:29.612715072Z\" 4 no disk");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        co_await client.post("/jobber/queue", R"({"type":"q","payload":4,"id":"s","delay":"1h"})");
        auto job = co_await client.get("/v1/queues/q/jobs/w2400");
        BOOST_TEST(job.status == 200u);
        BOOST_TEST(job.body.find(R"("payload":{"n": 1.50},)") != job.body.npos, job.body);
        BOOST_TEST(job.text("state") == "waiting");
        job = co_await client.get("/v1/queues/q/jobs/a%2Fb");
        BOOST_TEST(job.text("id") == "a/b");
        job = co_await client.get("/v1/queues/q/jobs/r");
        BOOST_TEST(job.text("state") == "running");
        BOOST_TEST(job.text("started_at") == "2026-11-21T09:54:29.612715Z");
        job = co_await client.get("/v1/queues/q/jobs/s");
        BOOST_TEST(job.text("state") == "scheduled");
        BOOST_TEST(job.json().at("due_at").is_string());
        job = co_await client.get("/v1/queues/q/jobs/f");
        BOOST_TEST(job.text("state") == "failed");
        BOOST_TEST(job.json().at("failure").at("message") == "no disk");
        BOOST_TEST(job.json().at("attempts").as_int64() == 4);
        const auto retried =
            co_await client.post("/v1/queues/q/jobs/retry", "{\"keys\":[\"" + job.text("key") + "\"]}");
        BOOST_TEST(retried.body == "{\"done\":1,\"missing\":0,\"refused\":0}\n");
        job = co_await client.get("/v1/queues/q/jobs/f");
        BOOST_TEST(job.text("state") == "waiting");
    });
}

BOOST_FIXTURE_TEST_CASE(says_that_there_is_no_job_with_that_id, gateway_test)
{
    store()("LPUSH", "hworker-jobs-q", R"(["a",1])", R"(["b","\xff"])");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        for (const auto path :
             {"/v1/queues/q/jobs/none", "/v1/queues/q/jobs/%FF", "/v1/queues/other/jobs/a"}) {
            const auto job = co_await client.get(path);
            BOOST_TEST(job.status == 404u, path);
            BOOST_TEST(job.text("detail").find("no such job") != std::string::npos, path);
        }
        const auto long_one = co_await client.get("/v1/queues/q/jobs/" + std::string(1025, 'a'));
        BOOST_TEST(long_one.status == 400u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
