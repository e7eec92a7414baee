// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

#include <boost/json/serialize.hpp>

/// What can be seen of managed queues.
BOOST_AUTO_TEST_SUITE(looking_at_managed_queues)

using namespace coworker::test;
namespace json = boost::json;

namespace {

struct busy_queue : managed_gateway_test
{
    busy_queue()
    {
        put_and_pop("r1", "r2");
        for (const auto jid : {"w1", "w2", "w3"})
            put(jid, "Letter", R"({"to":"ada"})", "priority", std::string{jid}.substr(1));
        qless("put", "", "mail", "later", "Letter", "{}", "3600");
        put("d1", "Letter", "{}", "depends", R"(["w1","w2"])");
        qless("recur", "mail", "daily", "Report", R"({"x":[1]})", "interval", "86400", "100");
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(shows_sizes, busy_queue)
{
    qless("put", "", "a b/c\"ü", "other", "K", "{}", "0");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto all = co_await client.get("/v1/queues?kind=managed");
        BOOST_TEST(all.status == 200u);
        BOOST_TEST(all.json().at("next").is_null());
        BOOST_TEST_REQUIRE(all.json().at("queues").as_array().size() == 2u);
        // How long the next job has waited goes on while this is looked at.
        const auto without_latency = [](json::value queue) {
            BOOST_TEST(queue.at("latency_seconds").to_number<double>() >= 0);
            queue.as_object().erase("latency_seconds");
            return json::serialize(queue);
        };
        BOOST_TEST(
            without_latency(all.json().at("queues").at(0)) ==
            R"({"name":"managed:mail","kind":"managed","paused":false,"notices":false,"waiting":3,"running":2,"scheduled":1,)"
            R"("failed":0,"stalled":0,"depends":1,"recurring":1,"held_back":0,"unhandled":0,"unhandled_kinds":[],)"
            R"("workers":0,"rates":{"succeeded":0,"retried":0,"failed":0}})");
        const auto one = co_await client.get("/v1/queues/managed:mail");
        BOOST_TEST(without_latency(one.json()) == without_latency(all.json().at("queues").at(0)));
        const auto odd = co_await client.get("/v1/queues/managed:a%20b%2Fc%22%C3%BC");
        BOOST_TEST(odd.text("name") == "managed:a b/c\"ü");
        BOOST_TEST(odd.json().at("waiting").to_number<int>() == 1);
    });
}

BOOST_FIXTURE_TEST_CASE(shows_queues_by_page, managed_gateway_test)
{
    for (const auto queue : {"a", "b", "c"})
        qless("put", "", queue, queue, "K", "{}", "0");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto page = co_await client.get("/v1/queues?kind=managed&count=2");
        BOOST_TEST(page.json().at("queues").as_array().size() == 2u);
        page = co_await client.get(page.text("next"));
        BOOST_TEST(page.json().at("queues").as_array().size() == 1u);
        BOOST_TEST(page.json().at("next").is_null());
    });
}

BOOST_FIXTURE_TEST_CASE(says_that_there_is_no_such_queue, managed_gateway_test)
{
    put("x", "K");
    qless("cancel", "x");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.get("/v1/queues/managed:mail");
        BOOST_TEST(reply.status == 200u); // empty, but known
        reply = co_await client.get("/v1/queues/managed:nothing");
        BOOST_TEST(reply.status == 404u);
        BOOST_TEST(reply.field("content-type") == "application/problem+json");
        for (const auto& name : {std::string(513, 'x'), std::string{"%ff"}}) {
            reply = co_await client.get("/v1/queues/managed:" + name);
            BOOST_TEST(reply.status == 400u, reply.body);
        }
        reply = co_await client.get("/v1/queues/managed:" + std::string(512, 'x'));
        BOOST_TEST(reply.status == 404u);
    });
}

BOOST_FIXTURE_TEST_CASE(shows_the_jobs_in_each_state, busy_queue)
{
    struct expectation
    {
        const char *query, *ids;
    };
    static constexpr expectation cases[] = {
        {"", "w3 w2 w1"},           {"?state=waiting", "w3 w2 w1"},  {"?state=running", "r1 r2"},
        {"?state=stalled", ""},     {"?state=scheduled", "later"},   {"?state=depends", "d1"},
        {"?state=failed", "f2 f1"}, {"?state=failed&text=f1", "f1"}, {"?state=recurring", "daily"}};
    for (const auto* jid : {"f1", "f2"}) {
        put(jid, "Letter", "{}", "priority", "100");
        qless("pop", "mail", "w-1", "1");
        qless("fail", jid, "w-1", "io", "no luck", "{}");
    }
    put_and_fail("other", "o", "io");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        for (const auto& [query, expected] : cases) {
            const auto page = co_await client.get(std::string{"/v1/queues/managed:mail/jobs"} + query);
            BOOST_TEST(page.status == 200u, page.body);
            BOOST_TEST(ids_of(page) == expected, query);
            BOOST_TEST(page.json().at("next").is_null());
        }
        const auto page = co_await client.get("/v1/queues/managed:mail/jobs?state=done");
        BOOST_TEST(page.status == 400u);
    });
}

BOOST_FIXTURE_TEST_CASE(shows_the_complete_jobs_that_were_in_a_queue_last, managed_gateway_test)
{
    for (int i = 0; i != 30; ++i)
        for (const std::string queue : {"mail", "other"}) {
            const auto jid = queue + std::to_string(10 + i);
            qless("put", "", queue, jid, "Letter", "{}", "0");
            qless("pop", queue, "w-1", "1");
            qless("complete", jid, "w-1", queue, "{}");
        }
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        std::string next = "/v1/queues/managed:mail/jobs?state=complete&count=7", seen;
        while (!next.empty()) {
            const auto page = co_await client.get(next);
            BOOST_TEST_REQUIRE(page.status == 200u, page.body);
            const auto body = page.json();
            for (const auto& job : body.at("jobs").as_array()) {
                seen += job.at("id").as_string();
                BOOST_TEST(job.at("queue").as_string() == "managed:mail");
                BOOST_TEST(job.at("completed_at").is_string());
            }
            next = page.json().at("next").is_null() ? "" : page.text("next");
        }
        std::string expected; // the newest first
        for (int i = 29; i >= 0; --i)
            expected += "mail" + std::to_string(10 + i);
        BOOST_TEST(seen == expected);
        const auto refused = co_await client.get("/v1/queues/letters/jobs?state=complete");
        BOOST_TEST(refused.status != 200u);
    });
}

BOOST_FIXTURE_TEST_CASE(shows_jobs_by_page, managed_gateway_test)
{
    for (int i = 0; i != 50; ++i)
        put(numbered("j", i), "Letter");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        std::string next = "/v1/queues/managed:mail/jobs?state=waiting&count=23", seen;
        int pages = 0;
        for (; !next.empty(); ++pages) {
            const auto page = co_await client.get(next);
            seen += ids_of(page) + ' ';
            next = page.text("next");
        }
        std::string expected;
        for (int i = 0; i != 50; ++i)
            expected.append("j").append(std::to_string(i)).append(" ");
        BOOST_TEST(seen == expected);
        BOOST_TEST(pages == 3);
        const auto empty = co_await client.get("/v1/queues/managed:mail/jobs?count=0");
        BOOST_TEST(empty.body == "{\"jobs\":[],\"next\":null}\n");
        for (const auto query : {"count=1001", "count=x", "cursor=x", "cursor=e%400"}) {
            const auto page = co_await client.get(std::string{"/v1/queues/managed:mail/jobs?"} + query);
            BOOST_TEST(page.status == 400u, query);
        }
    });
}

BOOST_FIXTURE_TEST_CASE(divides_large_jobs_among_pages, managed_gateway_test)
{
    const std::string large = '"' + std::string(1024 * 1024, 'x') + '"';
    for (int i = 0; i != 10; ++i)
        put(numbered("j", i), "Letter", large);
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto page = co_await client.get("/v1/queues/managed:mail/jobs?count=1000");
        BOOST_TEST(page.json().at("jobs").as_array().size() == 4u);
        std::size_t seen = 4;
        for (auto next = page.text("next"); !next.empty();) {
            const auto more = co_await client.get(next);
            seen += more.json().at("jobs").as_array().size();
            next = more.text("next");
        }
        BOOST_TEST(seen == 10u);
    });
}

BOOST_FIXTURE_TEST_CASE(shows_large_jobs_to_many_clients_at_the_same_time, managed_gateway_test)
{
    store()("CONFIG", "SET", "client-output-buffer-limit", "pubsub 2mb 0 0");
    put("a", "Letter", '"' + std::string(700'000, 'x') + '"');
    serve([&]() -> asio::awaitable<void> {
        std::vector<http_client> clients;
        for (int i = 0; i != 8; ++i)
            clients.push_back(connect());
        for (const std::string path : {"queues/managed:mail/jobs", "jobs/a"}) {
            for (auto& client : clients)
                co_await client.send("GET /v1/" + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
            for (auto& client : clients) {
                const auto reply = co_await client.receive();
                BOOST_TEST(reply.status == 200u, path);
            }
        }
    });
}

BOOST_FIXTURE_TEST_CASE(shows_what_happened_on_a_day, managed_gateway_test)
{
    put_and_pop("a", "b", "c");
    qless("complete", "a", "w-1", "mail", "{}");
    qless("fail", "b", "w-1", "io", "no disk", "{}");
    qless("retry", "c", "mail", "w-1", "60");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.get("/v1/queues/managed:mail/statistics");
        BOOST_TEST(reply.status == 200u);
        const auto today = reply.json();
        BOOST_TEST(today.at("day").as_string().size() == 10u);
        BOOST_TEST(today.at("retries").to_number<int>() == 1);
        BOOST_TEST(today.at("lost_locks").to_number<int>() == 0);
        BOOST_TEST(today.at("failures").to_number<int>() == 1);
        BOOST_TEST(today.at("failed").to_number<int>() == 1);
        BOOST_TEST(today.at("wait").at("count").to_number<int>() == 3);
        const auto& bins = today.at("run").at("histogram").as_array();
        BOOST_TEST_REQUIRE(bins.size() == 1u);
        BOOST_TEST(bins[0].at("count").to_number<int>() == 1);
        BOOST_TEST(bins[0].at("to").to_number<int>() > bins[0].at("from").to_number<int>());
        const std::string day{today.at("day").as_string()};
        reply = co_await client.get("/v1/queues/managed:mail/statistics?day=" + day);
        BOOST_TEST((reply.json() == today));
        reply = co_await client.get("/v1/queues/managed:mail/statistics?day=2001-02-03");
        BOOST_TEST(reply.text("day") == "2001-02-03");
        BOOST_TEST(json::serialize(reply.json().at("run")) ==
                   R"({"count":0,"mean_seconds":0,"deviation_seconds":0,"histogram":[]})");
        for (const auto wrong : {"", "today", "2026-02-30", "2026-11-21T00:00:00Z"}) {
            reply = co_await client.get(std::string{"/v1/queues/managed:mail/statistics?day="} + wrong);
            BOOST_TEST(reply.status == 400u, wrong);
        }
    });
}

BOOST_FIXTURE_TEST_CASE(shows_failed_jobs_by_group_and_page, managed_gateway_test)
{
    let_fail("io", "a", "b", "c");
    let_fail("net/work", "d");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto page = co_await client.get("/v1/failed");
        BOOST_TEST(page.body ==
                   R"({"groups":[{"group":"io","count":3},{"group":"net/work","count":1}],"next":null})"
                   "\n");
        page = co_await client.get("/v1/failed/io?count=2");
        BOOST_TEST(ids_of(page) == "c b");
        const auto failure = page.json().at("jobs").at(0).at("failure");
        BOOST_TEST(failure.at("group").as_string() == "io");
        BOOST_TEST(failure.at("message").as_string() == "no luck");
        BOOST_TEST(failure.at("worker").as_string() == "w-1");
        BOOST_TEST(failure.at("failed_at").as_string().ends_with("Z"));
        page = co_await client.get(page.text("next"));
        BOOST_TEST(ids_of(page) == "a");
        BOOST_TEST(page.json().at("next").is_null());
        page = co_await client.get("/v1/failed/net%2Fwork");
        BOOST_TEST(ids_of(page) == "d");
        page = co_await client.get("/v1/failed/none");
        BOOST_TEST(page.body == "{\"jobs\":[],\"next\":null}\n");
    });
}

BOOST_FIXTURE_TEST_CASE(tells_how_fast_a_queue_is_worked, managed_gateway_test)
{
    put("a", "K");
    store()("RPUSH", "ql:coworker:history:mail", minutes_ago(0) + " 60 0 0", minutes_ago(1) + " 60 0 0",
            minutes_ago(5) + " 1 2 3");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto reply = co_await client.get("/v1/queues/managed:mail");
        const auto rates = reply.json().at("rates");
        BOOST_TEST(rates.at("succeeded").to_number<double>() > 0);
        BOOST_TEST(rates.at("failed").to_number<double>() == 0);
        const auto history = co_await client.get("/v1/queues/managed:mail/history?minutes=60");
        BOOST_TEST(history.json().at("minutes").as_array().size() == 3u);
        BOOST_TEST(history.json().at("minutes").at(0).at("failed").to_number<int>() == 2);
    });
}

BOOST_FIXTURE_TEST_CASE(shows_workers, managed_gateway_test)
{
    put_and_pop("a", "b");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto page = co_await client.get("/v1/workers");
        auto worker = page.json().at("workers").at(0).as_object();
        BOOST_TEST(worker.at("seen_at").is_string());
        worker.stable_erase(worker.find("seen_at"));
        BOOST_TEST(json::serialize(worker) ==
                   R"({"name":"w-1","connected":false,"address":null,)"
                   R"("connected_since":null,"host":null,"process":null,"version":null,)"
                   R"("started_at":null,"running":2,"stalled":0,"loads":[{"kind":"managed",)"
                   R"("queue":null,"running":2,"stalled":0}]})");
    });
}

BOOST_FIXTURE_TEST_CASE(uses_the_prefix_it_was_given, managed_gateway_test)
{
    settings.managed_prefix = "{tenant}ql:";
    put("a", "K");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto page = co_await client.get("/v1/queues?kind=managed");
        BOOST_TEST(page.json().at("queues").as_array().empty());
        const auto reply = co_await client.get("/v1/jobs/a");
        BOOST_TEST(reply.status == 404u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
