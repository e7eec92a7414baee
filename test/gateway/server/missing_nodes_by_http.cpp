// SPDX-License-Identifier: MIT
#include "http_client.hpp"

#include "support/cluster_client_test.hpp"

#include "coworker/gateway.hpp"

#include <boost/json/parse.hpp>

#include <optional>

/// What the gateway tells while a node of the cluster is away.
BOOST_AUTO_TEST_SUITE(missing_nodes_by_http)

using namespace coworker;
using namespace coworker::test;

namespace {

struct cluster_gateway_test : cluster_client_test
{
    gateway_options settings{.port = 0};
    std::optional<gateway> server;

    /// The low node is away, the others have a queue each.
    cluster_gateway_test()
    {
        how.command_timeout = std::chrono::hours{1}; // who waits for it waits in vain
        how.url = "redis+cluster://127.0.0.1:" + address_of(servers[1]).port;
        for (const auto& tag : tags)
            home_of(tag)("LPUSH", key("jobs", tag), R"(["1",1])");
        servers[1]("SADD", "hworker-queues", "{bar}"); // has their names
        home_of(low).kill();
    }

    template<class Test>
    void serve(Test test)
    {
        run_alone([&]() -> asio::awaitable<void> {
            client redis{io.get_executor(), how};
            settings.managed_prefix = "{bar}ql:";
            server.emplace(redis, settings);
            server->listen();
            background running{io.get_executor(), server->async_run(with_diagnostics(asio::use_awaitable))};
            http_client client{io.get_executor(), server->port()};
            co_await test(client);
            server->stop();
            co_await running.join();
            co_await redis.async_stop();
        });
    }

    std::string missing()
    {
        return R"("missing_nodes":["127.0.0.1:)" + address_of(home_of(low)).port + R"("])";
    }
};

bool has(const http_reply& page, const std::string& text)
{
    return page.body.find(text) != page.body.npos;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(pages_name_them_and_show_the_rest, cluster_gateway_test)
{
    serve([&](http_client& client) -> asio::awaitable<void> {
        const auto queues = co_await client.get("/v1/queues");
        BOOST_TEST(queues.status == 200u);
        BOOST_TEST(has(queues, missing()), queues.body);
        const auto all = boost::json::parse(queues.body);
        for (const auto& value : all.at("queues").as_array()) {
            const auto& queue = value.as_object();
            const bool is_away = queue.at("name").as_string() == "{bar}";
            BOOST_TEST(queue.at("waiting").as_int64() == (is_away ? 0 : 1));
            BOOST_TEST(queue.contains("unreachable") == is_away);
        }
        const auto managed = co_await client.get("/v1/queues?kind=managed");
        BOOST_TEST(managed.body == R"({"queues":[],"next":null,)" + missing() + "}\n");
        const auto workers = co_await client.get("/v1/workers");
        BOOST_TEST(workers.body == R"({"workers":[],"next":null,)" + missing() + "}\n");
        BOOST_TEST((co_await client.get("/v1/queues/%7Bbar%7D")).status == 503u);
        BOOST_TEST((co_await client.get("/v1/queues/%7Bfoo%7D")).status == 200u);
    });
}

BOOST_FIXTURE_TEST_CASE(metrics_leave_out_what_is_not_counted, cluster_gateway_test)
{
    serve([&](http_client& client) -> asio::awaitable<void> {
        const auto page = co_await client.get("/metrics");
        BOOST_TEST(page.status == 200u);
        BOOST_TEST(has(page, "\ncoworker_redis_up 0\n"));
        BOOST_TEST(has(page, "\ncoworker_redis_missing_nodes 1\n"));
        BOOST_TEST(has(page, R"(coworker_queue_jobs{queue="{foo}",state="waiting"} 1)"));
        BOOST_TEST(!has(page, "{bar}"));
    });
}

BOOST_FIXTURE_TEST_CASE(metrics_of_chosen_queues_leave_them_out_too, cluster_gateway_test)
{
    settings.types = {"{bar}", "{foo}"};
    serve([&](http_client& client) -> asio::awaitable<void> {
        const auto page = co_await client.get("/metrics");
        BOOST_TEST(has(page, "\ncoworker_redis_up 0\n"));
        BOOST_TEST(has(page, "\ncoworker_redis_missing_nodes 1\n"));
        BOOST_TEST(has(page, R"(coworker_queue_jobs{queue="{foo}",state="waiting"} 1)"));
        BOOST_TEST(!has(page, R"(queue="{bar}")"));
    });
}

BOOST_AUTO_TEST_SUITE_END()
