// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

#include "text/times.hpp"

#include <set>

/// Searching in managed queues, and counting what has failed in them.
BOOST_AUTO_TEST_SUITE(finding_managed_jobs)

using namespace coworker::test;

/// A search has no order.
std::string sorted_ids(const http_reply& page)
{
    std::set<std::string> ids;
    const auto parsed = page.json();
    for (const auto& job : parsed.at("jobs").as_array())
        ids.emplace(job.at("id").as_string());
    std::string text;
    for (const auto& id : ids)
        text += (text.empty() ? "" : " ") + id;
    return text;
}

BOOST_FIXTURE_TEST_CASE(searches_by_text_and_tag, managed_gateway_test)
{
    put("a1", "Letter", R"({"to":"ada"})", "tags", R"(["red"])");
    put("a2", "Letter", R"({"to":"bob"})", "tags", R"(["red","blue"])");
    put("a3", "Report", R"({"of":"ada"})");
    qless("put", "", "mail", "later", "Report", "{}", "60");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto expect = [&](std::string query, const std::string& ids) -> asio::awaitable<void> {
            const auto page = co_await client.get("/v1/queues/managed:mail/jobs?state=" + query);
            BOOST_TEST(sorted_ids(page) == ids, query);
        };
        co_await expect("waiting&text=ada", "a1 a3");
        co_await expect("waiting&text=Report", "a3");
        co_await expect("waiting&text=a2", "a2");
        co_await expect("waiting&tag=red", "a1 a2");
        co_await expect("waiting&tag=red&text=bob", "a2");
        co_await expect("waiting&text=%22ada%22%7d", "a1 a3");
        co_await expect("waiting&text=nothing", "");
        co_await expect("scheduled&text=Report", "later");
        co_await expect("waiting&kind=Letter", "a1 a2");
        co_await expect("waiting&kind=Lett", "");
        co_await expect("waiting&kind=Letter&since=2020-01-01T00:00:00Z", "a1 a2");
        co_await expect("waiting&until=2020-01-01T00:00:00Z", "");
        const auto now = std::stoll(store()("TIME").texts().at(0));
        const auto soon =
            coworker::detail::format_rfc3339(coworker::timestamp{std::chrono::seconds{now + 30}});
        co_await expect("scheduled&since=" + soon, "later");
        co_await expect("scheduled&until=" + soon, "");
        co_await expect("waiting&until=" + soon, "a1 a2 a3");
        qless("pop", "mail", "w-1", "1");
        qless("pop", "mail", "w-2", "1");
        co_await expect("running&worker=w-1", "a1");
        co_await expect("running&worker=w-2&kind=Letter", "a2");
        co_await expect("running&worker=w-3", "");
        const auto held = co_await client.get("/v1/queues/managed:mail/jobs?worker=w-2");
        BOOST_TEST(sorted_ids(held) == "a2");
        const auto refused = co_await client.get("/v1/queues/managed:mail/jobs?since=today");
        BOOST_TEST(refused.status == 400u);
        const auto page = co_await client.get("/v1/queues/managed:mail/jobs?state=scheduled");
        BOOST_TEST(page.json().at("jobs").at(0).at("due_at").is_string());
    });
}

BOOST_FIXTURE_TEST_CASE(counts_failed_jobs_by_message, managed_gateway_test)
{
    let_fail("io", "a", "b");
    put_and_pop("c");
    qless("fail", "c", "w-1", "io", "no disk\nat line 7", "{}");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto page = co_await client.get("/v1/failures");
        const auto groups = page.json().at("failures").as_array();
        BOOST_TEST_REQUIRE(groups.size() == 2u);
        BOOST_TEST(groups[0].at("group") == "io");
        BOOST_TEST(groups[0].at("message") == "no luck");
        BOOST_TEST(groups[0].at("count").to_number<int>() == 2);
        BOOST_TEST(groups[0].at("newest_at").is_string());
        BOOST_TEST(groups[1].at("message") == "no disk");
        auto reply =
            co_await client.post("/v1/jobs/retry", R"({"all":true,"group":"io","message":"no disk"})");
        BOOST_TEST(reply.body == "{\"done\":1,\"missing\":0,\"refused\":0}\n");
        BOOST_TEST(state("c") == "waiting");
        BOOST_TEST(state("a") == "failed");
    });
}

BOOST_AUTO_TEST_SUITE_END()
