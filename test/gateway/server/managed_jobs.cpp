// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

#include <boost/json/serialize.hpp>

/// What is told of one job of a managed queue.
BOOST_AUTO_TEST_SUITE(managed_jobs)

using namespace coworker::test;
namespace json = boost::json;

BOOST_FIXTURE_TEST_CASE(shows_a_job, managed_gateway_test)
{
    qless("put", "", "mail", "a/b", "Letter", R"({"n":1.50})", "0", "priority", "2.5", "tags", R"(["x","y"])",
          "retries", "3");
    put("later", "Letter", "{}", "depends", R"(["a/b"])");
    qless("track", "track", "a/b");
    qless("pop", "mail", "w-1", "1");
    qless("log", "a/b", "half way", R"({"done":50})");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.get("/v1/jobs/a%2Fb");
        BOOST_TEST(reply.status == 200u);
        const auto job = reply.json();
        BOOST_TEST(job.at("id").as_string() == "a/b");
        BOOST_TEST(job.at("kind").as_string() == "Letter");
        BOOST_TEST(job.at("queue").as_string() == "managed:mail");
        BOOST_TEST(job.at("state").as_string() == "running");
        BOOST_TEST(job.at("worker").as_string() == "w-1");
        BOOST_TEST(job.at("priority").as_double() == 2.5);
        BOOST_TEST(json::serialize(job.at("tags")) == R"(["x","y"])");
        BOOST_TEST(reply.body.find(R"("payload":{"n":1.50})") != reply.body.npos);
        BOOST_TEST(job.at("retries").to_number<int>() == 3);
        BOOST_TEST(job.at("retries_left").to_number<int>() == 3);
        BOOST_TEST(json::serialize(job.at("dependents")) == R"(["later"])");
        BOOST_TEST(job.at("tracked").as_bool());
        BOOST_TEST(job.at("lease_ends_at").as_string().ends_with("Z"));
        BOOST_TEST(job.at("failure").is_null());
        const auto& history = job.at("history").as_array();
        BOOST_TEST_REQUIRE(history.size() == 3u);
        BOOST_TEST(history[0].at("what").as_string() == "put");
        BOOST_TEST(history[0].at("queue").as_string() == "managed:mail");
        BOOST_TEST(history[1].at("worker").as_string() == "w-1");
        BOOST_TEST(history[2].at("what").as_string() == "half way");
        BOOST_TEST(json::serialize(history[2].at("details")) == R"({"done":50})");
        reply = co_await client.get("/v1/jobs/later");
        BOOST_TEST(json::serialize(reply.json().at("depends_on")) == R"(["a/b"])");
        BOOST_TEST(reply.json().at("worker").is_null());
        reply = co_await client.get("/v1/jobs/none");
        BOOST_TEST(reply.status == 404u);
        reply = co_await client.get("/v1/jobs/" + std::string(1025, 'x'));
        BOOST_TEST(reply.status == 400u);
    });
}

BOOST_FIXTURE_TEST_CASE(shows_when_a_job_is_due, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        (void)co_await client.post("/v1/queues/managed:mail/jobs",
                                   R"({"kind":"k","id":"j","run_at":"2126-11-21T09:30:00Z"})");
        const auto reply = co_await client.get("/v1/jobs/j");
        BOOST_TEST(reply.text("due_at").starts_with("2126-11-21T09:3")); // from when Redis has it
    });
}

BOOST_FIXTURE_TEST_CASE(shows_progress_and_the_result_when_the_job_has_ended, managed_gateway_test)
{
    put_and_pop("j");
    qless("note", "mail", "w-1", 4, "j", "", "progress", R"({"fraction":0.5,"message":"page 6"})");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.get("/v1/jobs/j");
        BOOST_TEST(reply.json().at("result").is_null());
        BOOST_TEST(reply.json().at("progress").at("message").as_string() == "page 6");
        BOOST_TEST(reply.json().at("progress").at("fraction").to_number<double>() == 0.5);
        const auto complete = [this]() -> asio::awaitable<void> {
            co_await eventually("the gateway waits", [this] {
                return std::stoul(store().raw().info("stats", "tracking_total_keys")) >= 2;
            });
            qless("complete", "j", "w-1", "mail", "{}", "result", R"({"pages":12})", "keep", 60'000);
        };
        background completing{io.get_executor(), complete()};
        reply = co_await client.get("/v1/jobs/j?wait=60");
        co_await completing.join();
        BOOST_TEST(reply.json().at("state").as_string() == "complete");
        BOOST_TEST(json::serialize(reply.json().at("result")) == R"({"pages":12})");
        reply = co_await client.get("/v1/jobs/none?wait=60");
        BOOST_TEST(reply.status == 404u);
        reply = co_await client.get("/v1/jobs/j?wait=61");
        BOOST_TEST(reply.status == 400u);
    });
}

BOOST_FIXTURE_TEST_CASE(shows_jobs_of_which_not_all_is_text, managed_gateway_test)
{
    put("bytes", "K\xff");
    store()("HSET", "ql:j:bytes", "data", "not <json>\xff");
    put("\xff", "K");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.get("/v1/jobs/bytes");
        BOOST_TEST(reply.text("kind") == "K\xef\xbf\xbd");
        BOOST_TEST(reply.json().at("payload").is_null());
        BOOST_TEST(reply.text("text") == "not <json>\xef\xbf\xbd");
        reply = co_await client.get("/v1/jobs/%FF");
        BOOST_TEST(reply.status == 200u);
        reply = co_await client.get("/v1/queues/managed:mail/jobs");
        BOOST_TEST(reply.json().at("jobs").as_array().size() == 2u);
    });
}

BOOST_FIXTURE_TEST_CASE(shows_a_recurring_job, managed_gateway_test)
{
    qless("recur", "mail", "daily", "Report", R"({"x":[1]})", "interval", "86400", "100");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto reply = co_await client.get("/v1/jobs/daily");
        BOOST_TEST(reply.status == 200u);
        BOOST_TEST(reply.text("state") == "recurring");
        BOOST_TEST(reply.json().at("interval_seconds").to_number<int>() == 86400);
        BOOST_TEST(json::serialize(reply.json().at("payload")) == R"({"x":[1]})");
    });
}

BOOST_FIXTURE_TEST_CASE(says_that_a_record_cannot_be_read, managed_gateway_test)
{
    put("odd", "K");
    store()("HSET", "ql:j:odd", "state", "nowhere");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        for (const auto path : {"/v1/jobs/odd", "/v1/queues/managed:mail/jobs"}) {
            const auto reply = co_await client.get(path);
            BOOST_TEST(reply.status == 500u, path);
            BOOST_TEST(reply.field("content-type") == "application/problem+json");
            BOOST_TEST(reply.field("retry-after") == "");
        }
    });
}

BOOST_AUTO_TEST_SUITE_END()
