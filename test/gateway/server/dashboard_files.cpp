// SPDX-License-Identifier: MIT
#include "gateway_test.hpp"

#include "gateway/dashboard.hpp"

/// The files of the dashboard, as browsers ask for them.
BOOST_AUTO_TEST_SUITE(dashboard_files)

using namespace coworker::test;
using namespace coworker;

BOOST_FIXTURE_TEST_CASE(are_served_with_their_types_and_what_the_page_may_do, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        for (const auto& file : detail::dashboard_files()) {
            const auto reply = co_await client.get(std::string{file.path});
            BOOST_TEST(reply.status == 200u, file.path);
            BOOST_TEST(reply.body == file.text);
            BOOST_TEST(reply.field("content-type") == file.content_type);
            BOOST_TEST(reply.field("x-content-type-options") == "nosniff");
            BOOST_TEST(reply.field("referrer-policy") == "same-origin");
            const auto policy = reply.field("content-security-policy");
            for (const auto* rule :
                 {"default-src 'none'", "script-src 'self';", "connect-src 'self';", "style-src 'self';",
                  "frame-ancestors 'none'", "require-trusted-types-for 'script'"})
                BOOST_TEST(policy.find(rule) != policy.npos, rule);
            BOOST_TEST(policy.find("unsafe") == policy.npos);
        }
        const auto page = co_await client.get("/?x=1");
        BOOST_TEST(page.body.starts_with("<!doctype html>"));
        // Relative to the page, which a proxy may serve below a path.
        for (const auto* absolute : {"src=\"/", "href=\"/"})
            BOOST_TEST(page.body.find(absolute) == page.body.npos);
    });
}

BOOST_AUTO_TEST_CASE(hold_nothing_from_elsewhere_and_no_script_in_the_page)
{
    for (const auto& file : detail::dashboard_files()) {
        std::string text{file.text};
        for (auto at = text.find("http"); at != text.npos; at = text.find("http", at + 1))
            BOOST_TEST(!(text.substr(at, 8) == "https://" ||
                         (text.substr(at, 7) == "http://" && text.substr(at, 18) != "http://www.w3.org/")),
                       file.path << text.substr(at, 40));
        for (const auto* word :
             {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "style="})
            BOOST_TEST(text.find(word) == text.npos, file.path << word);
    }
}

BOOST_FIXTURE_TEST_CASE(are_not_sent_again_while_they_are_the_same, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto first = co_await client.get("/dashboard.js");
        const auto tag = first.field("etag");
        BOOST_TEST(tag.size() > 2u);
        BOOST_TEST(first.field("cache-control") == "no-cache");
        co_await client.send("GET /dashboard.js HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: " + tag +
                             "\r\n\r\n");
        const auto again = co_await client.receive(true);
        BOOST_TEST(again.status == 304u);
        BOOST_TEST(again.field("etag") == tag);
        BOOST_TEST(again.field("content-length") == "");
        const auto other = co_await client.get("/dashboard.js", "If-None-Match: \"other\"\r\n");
        BOOST_TEST(other.status == 200u);
    });
}

BOOST_FIXTURE_TEST_CASE(can_be_read_and_nothing_else, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        co_await client.send("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        const auto head = co_await client.receive(true);
        BOOST_TEST(head.status == 200u);
        const auto posted = co_await client.post("/", "{}");
        BOOST_TEST(posted.status == 405u);
        BOOST_TEST(posted.field("allow") == "GET, HEAD");
        auto another = connect();
        for (const auto* path : {"/index.html", "/dashboard", "/dashboard/", "/dashboard/../dashboard.js",
                                 "/dashboard/none.js"}) {
            const auto reply = co_await another.get(path);
            BOOST_TEST(reply.status == 404u, path);
        }
    });
}

BOOST_FIXTURE_TEST_CASE(need_no_token_and_may_be_linked_to, gateway_test)
{
    settings.tokens = tokens_of("s3cret");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const std::string link =
            "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n";
        auto reply = co_await client.get("/", link);
        BOOST_TEST(reply.status == 200u);
        reply = co_await client.get("/v1/queues", "Authorization: Bearer s3cret\r\n" + link);
        BOOST_TEST(reply.status == 403u);
        for (const auto& file : detail::dashboard_files())
            BOOST_TEST(file.text.find("s3cret") == file.text.npos);
    });
}

BOOST_FIXTURE_TEST_CASE(are_not_shown_under_a_foreign_name_without_a_token, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        co_await client.send("GET / HTTP/1.1\r\nHost: rebound.example.com\r\n\r\n");
        const auto reply = co_await client.receive();
        BOOST_TEST(reply.status == 403u);
    });
}

BOOST_FIXTURE_TEST_CASE(are_there_while_redis_is_away, impatient_gateway_test)
{
    store().kill();
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto reply = co_await client.get("/");
        BOOST_TEST(reply.status == 200u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
