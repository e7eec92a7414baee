// SPDX-License-Identifier: MIT
#include "gateway_test.hpp"

/// Pushes over HTTP that are confirmed.
BOOST_AUTO_TEST_SUITE(durable_pushes)

using namespace coworker::test;

namespace {

struct durable_gateway : gateway_test
{
    redis_server replica;

    durable_gateway()
        : gateway_test{{.tcp = true, .config = {{"hz", "100"}, {"repl-diskless-sync-delay", "0"}}}}
    {
        replica("REPLICAOF", "127.0.0.1", redis_test::server.tcp_port());
    }
    ~durable_gateway() { replica.thaw(); }

    asio::awaitable<void> until_the_replica_follows()
    {
        co_await eventually("the replica follows", [this] {
            const auto told = redis_test::server.raw().info("replication", "slave0");
            return told.find("state=online") != std::string::npos &&
                   told.find("lag=0") != std::string::npos &&
                   replica.raw().info("replication", "master_link_status") == "up";
        });
    }
};

const std::string list_jobs = "/v1/queues/mail/jobs", managed_jobs = "/v1/queues/managed:mail/jobs";

} // namespace

BOOST_FIXTURE_TEST_CASE(are_answered_when_a_replica_has_the_jobs, durable_gateway)
{
    serve([&]() -> asio::awaitable<void> {
        co_await until_the_replica_follows();
        auto client = connect();
        auto reply = co_await client.post(list_jobs + "?durability=replicated", R"({"payload":1,"id":"x"})");
        BOOST_TEST(reply.status == 201u);
        BOOST_TEST(reply.body == "{\"id\":\"x\",\"result\":\"pushed\",\"confirmed\":true}\n");
        BOOST_TEST(replica("LLEN", "hworker-jobs-mail").integer == 1);
        reply = co_await client.post(managed_jobs + "?durability=replicated&replicas=1",
                                     R"([{"kind":"Letter","payload":1,"id":"a"}])");
        BOOST_TEST(reply.status == 201u);
        BOOST_TEST(reply.body ==
                   "[{\"status\":201,\"id\":\"a\",\"result\":\"pushed\",\"confirmed\":true}]\n");
        BOOST_TEST(replica("EXISTS", "ql:j:a").integer == 1);
        reply = co_await client.post(list_jobs + "?durability=memory", R"({"payload":1,"id":"y"})");
        BOOST_TEST(reply.body == "{\"id\":\"y\",\"result\":\"pushed\"}\n");
    });
}

BOOST_FIXTURE_TEST_CASE(say_of_each_job_what_became_of_it_where_that_is_not_confirmed, durable_gateway)
{
    settings.confirmation_limit = 30ms;
    serve([&]() -> asio::awaitable<void> {
        co_await until_the_replica_follows();
        replica.freeze();
        auto client = connect();
        const auto why =
            std::string{R"("confirmed":false,"unconfirmed":"0 of 1 replicas had it within 30 ms"})"};
        auto reply = co_await client.post(list_jobs + "?durability=replicated", R"({"payload":1,"id":"x"})");
        BOOST_TEST(reply.status == 202u);
        BOOST_TEST(reply.body == "{\"id\":\"x\",\"result\":\"pushed\"," + why + "\n");
        reply = co_await client.post(list_jobs + "?durability=replicated",
                                     R"([{"payload":1,"id":"x"},{"payload":2,"id":"y"}])");
        BOOST_TEST(reply.status == 202u);
        BOOST_TEST(reply.body == "[{\"status\":202,\"id\":\"x\",\"result\":\"kept\"," + why +
                                     ",{\"status\":202,\"id\":\"y\",\"result\":\"pushed\"," + why + "]\n");
        const std::string unique = R"("unique":{"key":"k","on_conflict":"refuse"}})";
        reply = co_await client.post(managed_jobs + "?durability=replicated",
                                     R"([{"kind":"Letter","payload":1,"id":"a",)" + unique +
                                         R"(,{"kind":"Letter","payload":1,"id":"b",)" + unique + "]");
        BOOST_TEST(reply.status == 207u);
        BOOST_TEST(reply.json().as_array().at(0).at("status").to_number<int>() == 202, reply.body);
        BOOST_TEST(reply.json().as_array().at(1).at("status").to_number<int>() == 409);
        BOOST_TEST(waiting("mail").size() == 2u);
    });
}

BOOST_FIXTURE_TEST_CASE(are_refused_where_the_server_cannot_confirm_them, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        for (const auto& path : {list_jobs, managed_jobs}) {
            const auto reply = co_await client.post(path + "?durability=synced",
                                                    path == list_jobs ? R"({"payload":1})"
                                                                      : R"({"kind":"Letter","payload":1})");
            BOOST_TEST(reply.status == 501u);
            BOOST_TEST(reply.text("detail").find("appendonly") != std::string::npos);
        }
        BOOST_TEST(waiting("mail").empty());
    });
}

BOOST_FIXTURE_TEST_CASE(say_what_is_wrong_with_the_parameters, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        for (const char* wrong : {"durability=", "durability=disk", "durability=replicated&replicas=0",
                                  "durability=replicated&replicas=9", "durability=replicated&replicas=two",
                                  "durability=synced&replicas=1", "replicas=1"}) {
            const auto reply = co_await client.post(list_jobs + "?" + wrong, R"({"payload":1})");
            BOOST_TEST(reply.status == 400u, wrong);
        }
        BOOST_TEST(waiting("mail").empty());
    });
}

BOOST_AUTO_TEST_SUITE_END()
