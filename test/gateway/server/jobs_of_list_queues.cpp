// SPDX-License-Identifier: MIT
#include "gateway_test.hpp"

#include <boost/json/serialize.hpp>

#include <set>

/// The jobs of list queues that wait, are scheduled, or run.
BOOST_AUTO_TEST_SUITE(jobs_of_list_queues)

using namespace coworker::test;
namespace json = boost::json;

namespace {

struct queue_test : gateway_test
{
    static std::string keys_of(const http_reply& page, std::initializer_list<std::size_t> indices)
    {
        json::array keys;
        const auto parsed = page.json();
        for (const auto index : indices)
            keys.push_back(parsed.at("jobs").at(index).at("key"));
        return json::serialize(json::value{{"keys", keys}});
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(shows_waiting_jobs, queue_test)
{
    for (const auto payload : {R"(["a",{"n":1.50}])", R"(["b",2])", "not <json>\xff", R"(["c","\xff"])"})
        store()("LPUSH", "hworker-jobs-q", payload);
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto page = co_await client.get("/v1/queues/q/jobs?state=waiting&count=2");
        BOOST_TEST(page.status == 200u);
        BOOST_TEST(ids_of(page) == "a b");
        BOOST_TEST(page.body.find(R"("payload":{"n":1.50})") != page.body.npos);
        page = co_await client.get(page.text("next"));
        const auto jobs = page.json().at("jobs").as_array();
        BOOST_TEST_REQUIRE(jobs.size() == 2u);
        BOOST_TEST(jobs[0].at("id").is_null());
        BOOST_TEST(jobs[0].at("payload").is_null());
        BOOST_TEST(jobs[0].at("text").as_string() == "not <json>\xef\xbf\xbd");
        BOOST_TEST(jobs[1].at("payload").is_null());
        page = co_await client.get(page.text("next"));
        BOOST_TEST(page.body == "{\"jobs\":[],\"next\":null}\n");
        for (const auto query : {"?count=1001", "?cursor=x", "?count="}) {
            page = co_await client.get(std::string{"/v1/queues/q/jobs?state=waiting"} + query);
            BOOST_TEST(page.status == 400u, query);
        }
    });
}

BOOST_FIXTURE_TEST_CASE(deletes_waiting_jobs, queue_test)
{
    for (const auto payload : {R"(["a",1])", R"(["b",2])", R"(["c",3])"})
        store()("LPUSH", "hworker-jobs-q", payload);
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto page = co_await client.get("/v1/queues/q/jobs?state=waiting");
        const auto keys = keys_of(page, {0, 2});
        auto reply = co_await client.post("/v1/queues/q/jobs/delete", keys);
        BOOST_TEST(reply.body == "{\"done\":2,\"missing\":0,\"refused\":0}\n");
        reply = co_await client.post("/v1/queues/q/jobs/delete", keys);
        BOOST_TEST(reply.body == "{\"done\":0,\"missing\":2,\"refused\":0}\n");
        reply = co_await client.post("/v1/queues/q/jobs/delete", R"({"all":true})");
        BOOST_TEST(reply.status == 400u);
        BOOST_TEST(waiting("q").size() == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(shows_and_deletes_scheduled_jobs, queue_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        co_await client.post("/jobber/queue",
                             R"([{"type":"q","payload":1,"id":"b","run_at":"2100-01-01T00:00:00.5Z"},
                                                  {"type":"q","payload":2,"id":"c","run_at":"2101-01-01T00:00:00Z"},
                                                  {"type":"q","payload":{"x":0},"id":"a","run_at":"2099-01-01T00:00:00Z"}])");
        auto page = co_await client.get("/v1/queues/q/jobs?state=scheduled");
        BOOST_TEST(ids_of(page) == "a b c");
        const auto jobs = page.json().at("jobs").as_array();
        BOOST_TEST(jobs[1].at("due_at").as_string() == "2100-01-01T00:00:00.500000Z");
        BOOST_TEST(json::serialize(jobs[0].at("payload")) == R"({"x":0})");
        const auto keys = keys_of(page, {0, 1});
        auto reply = co_await client.post("/v1/queues/q/jobs/delete", keys);
        BOOST_TEST(reply.body == "{\"done\":2,\"missing\":0,\"refused\":0}\n");
        reply = co_await client.post("/v1/queues/q/jobs/delete", keys);
        BOOST_TEST(reply.body == "{\"done\":0,\"missing\":2,\"refused\":0}\n");
        page = co_await client.get("/v1/queues/q/jobs?state=scheduled&count=1");
        BOOST_TEST(ids_of(page) == "c");
        page = co_await client.get(page.text("next"));
        BOOST_TEST(page.body == "{\"jobs\":[],\"next\":null}\n");
    });
}

BOOST_FIXTURE_TEST_CASE(shows_jobs_in_progress, queue_test)
{
    store()("HSET", "hworker-progress-q", R"(["p",{"n":1}])", "\"2026-11-21T09:54:29.612715072Z\"");
    store()("HSET", "hworker-progress-q", "?", "nonsense");
    store()("HSET", "hworker-progress-q", R"(["h",1])", "\"2026-11-21T09:54:29.612715000007Z\"");
    store()("HSET", "hworker-workers-q", "7", "coworker:1");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto held = co_await client.get("/v1/queues/q/jobs?state=running&worker=coworker%3A1");
        BOOST_TEST(ids_of(held) == "h");
        store()("HDEL", "hworker-progress-q", R"(["h",1])");
        const auto page = co_await client.get("/v1/queues/q/jobs?state=running");
        const auto jobs = page.json().at("jobs").as_array();
        BOOST_TEST_REQUIRE(jobs.size() == 2u);
        const auto& good = jobs[jobs[0].at("id").is_null() ? 1 : 0];
        const auto& odd = jobs[jobs[0].at("id").is_null() ? 0 : 1];
        BOOST_TEST(good.at("id").as_string() == "p");
        BOOST_TEST(good.at("started_at").as_string() == "2026-11-21T09:54:29.612715Z");
        BOOST_TEST(good.at("worker").is_null());
        BOOST_TEST(odd.at("started_at").is_null());
        BOOST_TEST(odd.at("text").as_string() == "?");
        const auto wrong = co_await client.get("/v1/queues/q/jobs?state=running&cursor=x");
        BOOST_TEST(wrong.status == 400u);
    });
}

BOOST_FIXTURE_TEST_CASE(shows_many_jobs_in_progress_by_page, queue_test)
{
    for (int i = 0; i != 2000; ++i)
        store()("HSET", "hworker-progress-q", "[\"p" + std::to_string(i) + "\",1]", "x");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        std::set<std::string> seen;
        for (std::string next = "/v1/queues/q/jobs?state=running&count=300"; !next.empty();) {
            const auto page = co_await client.get(next);
            const auto parsed = page.json();
            const auto& jobs = parsed.at("jobs").as_array();
            BOOST_TEST(jobs.size() < 400u);
            for (const auto& job : jobs)
                seen.insert(std::string{job.at("id").as_string()});
            next = page.text("next");
        }
        BOOST_TEST(seen.size() == 2000u);
    });
}

BOOST_FIXTURE_TEST_CASE(divides_large_jobs_among_pages, queue_test)
{
    // Together they are more than Redis lets wait for a client.
    for (int i = 0; i != 10; ++i)
        store()("LPUSH", "hworker-jobs-q",
                "[\"" + std::to_string(i) + "\",\"" + std::string(3'500'000, 'x') + "\"]");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto page = co_await client.get("/v1/queues/q/jobs?state=waiting&count=1000");
        BOOST_TEST(page.status == 200u);
        BOOST_TEST(page.body.ends_with("\"next\":\"/v1/queues/q/jobs?state=waiting&cursor=1&count=1000\"}\n"),
                   page.body.substr(page.body.size() - 100)); // a page has 4 MiB at most
    });
}

BOOST_FIXTURE_TEST_CASE(shows_large_jobs_to_many_clients_at_the_same_time, queue_test)
{
    // Together, not each, they are more than Redis lets wait for a client.
    store()("CONFIG", "SET", "client-output-buffer-limit", "pubsub 2mb 0 0");
    store()("LPUSH", "hworker-jobs-q", "[\"large\",\"" + std::string(700'000, 'x') + "\"]");
    store()("HSET", "hworker-broken-q", "[\"large\",\"" + std::string(700'000, 'x') + "\"]", "");
    serve([&]() -> asio::awaitable<void> {
        std::vector<http_client> clients;
        for (int i = 0; i != 8; ++i)
            clients.push_back(connect());
        for (const std::string state : {"waiting", "broken"}) {
            for (auto& client : clients)
                co_await client.send("GET /v1/queues/q/jobs?state=" + state +
                                     " HTTP/1.1\r\nHost: localhost\r\n\r\n");
            for (auto& client : clients) {
                const auto page = co_await client.receive();
                BOOST_TEST(page.status == 200u, state);
                BOOST_TEST(page.body.size() > 700'000u, state);
            }
        }
    });
}

BOOST_FIXTURE_TEST_CASE(tells_all_that_wait_when_redis_has_gone, impatient_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto first = connect();
        co_await first.get("/ready");
        store().freeze();
        std::vector<http_client> clients;
        for (int i = 0; i != 300; ++i) // one after the other they would take 90 s
            clients.push_back(connect());
        for (auto& client : clients)
            co_await client.send("GET /v1/queues/q/jobs?state=waiting HTTP/1.1\r\nHost: localhost\r\n\r\n");
        for (auto& client : clients) {
            const auto reply = co_await client.receive();
            BOOST_TEST(reply.status == 503u);
        }
        store().thaw();
    });
}

BOOST_FIXTURE_TEST_CASE(searches_jobs_and_counts_failures_by_message, gateway_test)
{
    for (int i = 0; i != 5; ++i) {
        const auto payload = "[\"id-" + std::to_string(i) + "\",{\"n\":" + std::to_string(i) + "}]";
        store()("LPUSH", "hworker-failed-a", payload);
        store()("HSET", "hworker-failures-a", payload,
                std::string{R"("2026-11-21T09:54:29.000000000000Z" 3 )"} + (i < 3 ? "no disk" : "no luck"));
    }
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.get("/v1/queues/a/jobs?state=failed&text=id-3");
        BOOST_TEST(reply.json().at("jobs").as_array().size() == 1u);
        BOOST_TEST(reply.json().at("next").is_null());
        reply = co_await client.get(
            "/v1/queues/a/jobs?state=failed&since=2026-11-21T09:54:29Z&until=2026-11-21T10:54:30%2B01:00");
        BOOST_TEST(reply.json().at("jobs").as_array().size() == 5u);
        reply = co_await client.get("/v1/queues/a/jobs?state=failed&until=2026-11-21T09:54:29Z");
        BOOST_TEST(reply.json().at("jobs").as_array().empty());
        reply = co_await client.get("/v1/queues/a/jobs?state=failed&kind=x");
        BOOST_TEST(reply.status == 409u, reply.body);
        reply = co_await client.get("/v1/queues/a/jobs?state=failed&text=x");
        BOOST_TEST(reply.json().at("jobs").as_array().empty());
        reply = co_await client.get("/v1/queues/a/failures");
        const auto groups = reply.json().at("failures").as_array();
        BOOST_TEST_REQUIRE(groups.size() == 2u, reply.body);
        BOOST_TEST(groups[0].at("message") == "no disk");
        BOOST_TEST(groups[0].at("count").to_number<int>() == 3);
        reply = co_await client.post("/v1/queues/a/jobs/retry",
                                     R"({"all":true,"state":"failed","message":"no luck"})");
        BOOST_TEST(reply.json().at("done").to_number<int>() == 2, reply.body);
        BOOST_TEST(waiting("a").size() == 2u);
        reply = co_await client.post("/v1/queues/a/jobs/delete",
                                     R"({"message":"no disk","state":"failed","all":true})");
        BOOST_TEST(reply.json().at("done").to_number<int>() == 3, reply.body);
    });
}

BOOST_FIXTURE_TEST_CASE(cancels_running_jobs, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        store()("HSET", "hworker-progress-a", R"(["one",1])", R"("2026-11-21T09:54:29.000000000007Z")",
                R"(["peers",1])", R"("2026-11-21T09:54:29.5Z")");
        auto reply = co_await client.get("/v1/queues/a/jobs?state=running");
        const auto jobs = reply.json().at("jobs").as_array();
        BOOST_TEST_REQUIRE(jobs.size() == 2u, reply.body);
        const auto key = [&](std::size_t at) { return std::string{jobs[at].at("key").as_string()}; };
        const auto both = "{\"keys\":[\"" + key(0) + "\",\"" + key(1) + "\"]}";
        reply = co_await client.post("/v1/queues/a/jobs/cancel", both);
        BOOST_TEST(reply.json().at("done").to_number<int>() == 1, reply.body);
        BOOST_TEST(reply.json().at("refused").to_number<int>() == 1, reply.body); // another library runs it
        reply = co_await client.get("/v1/queues/a/jobs?state=failed");
        BOOST_TEST_REQUIRE(reply.json().at("jobs").as_array().size() == 1u, reply.body);
        BOOST_TEST(reply.json().at("jobs").at(0).at("id") == "one");
        BOOST_TEST(reply.json().at("jobs").at(0).at("failure").at("message") == "cancelled");
    });
}

BOOST_FIXTURE_TEST_CASE(queues_scheduled_jobs_now, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        co_await client.post("/jobber/queue", R"({"type":"a","payload":1,"delay":"1h"})");
        auto reply = co_await client.get("/v1/queues/a/jobs?state=scheduled");
        const std::string key{reply.json().at("jobs").at(0).at("key").as_string()};
        reply = co_await client.post("/v1/queues/a/jobs/run", "{\"keys\":[\"" + key + "\"]}");
        BOOST_TEST(reply.json().at("done").to_number<int>() == 1, reply.body);
        BOOST_TEST(waiting("a").size() == 1u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
