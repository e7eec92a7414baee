// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

/// What can be done to managed queues.
BOOST_AUTO_TEST_SUITE(acting_on_managed_queues)

using namespace coworker::test;

BOOST_FIXTURE_TEST_CASE(pauses_and_resumes, managed_gateway_test)
{
    put("a", "K");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.post("/v1/queues/managed:mail/pause", "", "");
        BOOST_TEST(reply.body == "{\"paused\":true}\n");
        reply = co_await client.post("/v1/queues/managed:mail/pause?delays=true", "", "");
        BOOST_TEST(reply.body == "{\"paused\":true}\n");
        BOOST_TEST(store()("HEXISTS", "ql:coworker:countdowns", "mail").integer == 1);
        for (const auto* wrong :
             {"/v1/queues/managed:mail/pause?delays=1", "/v1/queues/mail/pause?delays=true"}) {
            reply = co_await client.post(wrong, "", "");
            BOOST_TEST(reply.status >= 400u, reply.body);
        }
        reply = co_await client.get("/v1/queues/managed:mail");
        BOOST_TEST(reply.json().at("paused").as_bool());
        BOOST_TEST(qless("pop", "mail", "w-1", "1").text == "{}");
        reply = co_await client.post("/v1/queues/managed:mail/resume", "", "");
        BOOST_TEST(reply.body == "{\"paused\":false}\n");
        reply = co_await client.get("/v1/queues/managed:mail");
        BOOST_TEST(!reply.json().at("paused").as_bool());
    });
}

BOOST_FIXTURE_TEST_CASE(retries_failed_jobs, managed_gateway_test)
{
    let_fail("io", "a", "b");
    put("waits", "K");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.post("/v1/jobs/retry", R"({"ids":["a","a","waits","none"]})");
        BOOST_TEST(reply.status == 200u);
        BOOST_TEST(reply.body == "{\"done\":1,\"missing\":1,\"refused\":1}\n");
        BOOST_TEST(state("a") == "waiting");
        BOOST_TEST(field("a", "remaining") == "5");
        BOOST_TEST(state("b") == "failed");
        BOOST_TEST(failed("io") == std::vector<std::string>{"b"}, boost::test_tools::per_element());
        BOOST_TEST(broken() == "");
    });
}

BOOST_FIXTURE_TEST_CASE(retries_and_deletes_all_failed_jobs_of_a_group, managed_gateway_test)
{
    let_fail("io", "a", "b");
    put_and_fail("other", "o", "io");
    let_fail("net", "n", "needed");
    put("later", "K", "{}", "depends", R"(["needed"])");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.post("/v1/jobs/retry", R"({"all":true,"group":"io"})");
        BOOST_TEST(reply.body == "{\"done\":3,\"missing\":0,\"refused\":0}\n");
        BOOST_TEST(failed("io").empty());
        BOOST_TEST(field("o", "queue") == "other");
        BOOST_TEST(state("n") == "failed");
        reply = co_await client.post("/v1/jobs/delete", R"({"group":"net","all":true})");
        BOOST_TEST(reply.body == "{\"done\":1,\"missing\":0,\"refused\":1}\n");
        BOOST_TEST(failed("net") == std::vector<std::string>{"needed"}, boost::test_tools::per_element());
        reply = co_await client.post("/v1/jobs/delete", R"({"ids":["needed"]})");
        BOOST_TEST(reply.body == "{\"done\":0,\"missing\":0,\"refused\":1}\n");
        reply = co_await client.post("/v1/jobs/delete", R"({"ids":["needed","later"]})");
        BOOST_TEST(reply.body == "{\"done\":2,\"missing\":0,\"refused\":0}\n");
        reply = co_await client.post("/v1/jobs/retry", R"({"group":"none","all":true})");
        BOOST_TEST(reply.body == "{\"done\":0,\"missing\":0,\"refused\":0}\n");
        BOOST_TEST(broken() == "");
    });
}

BOOST_FIXTURE_TEST_CASE(acts_on_jobs_of_the_queue_only_that_is_named, managed_gateway_test)
{
    put("a", "K");
    qless("put", "", "other", "o", "K", "{}", "0");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.get("/v1/queues/managed:other/jobs/a");
        BOOST_TEST(reply.status == 404u, reply.body);
        reply = co_await client.get("/v1/queues/managed:other/jobs/o");
        BOOST_TEST(reply.text("queue") == "managed:other");
        reply = co_await client.post("/v1/queues/managed:other/jobs/delete", R"({"ids":["a","o"]})");
        BOOST_TEST(reply.body == "{\"done\":1,\"missing\":1,\"refused\":0}\n");
        BOOST_TEST(state("a") == "waiting");
        BOOST_TEST(state("o") == "");
        reply = co_await client.post("/v1/jobs/delete", R"({"ids":["a"]})");
        BOOST_TEST(state("a") == "");
    });
}

BOOST_FIXTURE_TEST_CASE(wants_to_know_which_jobs_are_meant, managed_gateway_test)
{
    let_fail("io", "a");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        std::string many = R"({"ids":["a")";
        for (int i = 0; i != 1000; ++i)
            many += R"(,"a")";
        many += "]}";
        const auto long_id = R"({"ids":[")" + std::string(1025, 'x') + "\"]}";
        for (const std::string body : {"",
                                       "{",
                                       "{}",
                                       "[]",
                                       "null",
                                       "7",
                                       R"({"all":true})",
                                       R"({"group":"io"})",
                                       R"({"group":"io","all":false})",
                                       R"({"group":"","all":true})",
                                       R"({"group":7,"all":true})",
                                       R"({"ids":[]})",
                                       R"({"ids":"a"})",
                                       R"({"ids":[7]})",
                                       R"({"ids":[""]})",
                                       R"({"ids":["a"],"all":true})",
                                       R"({"group":"io","group":"io"})",
                                       R"({"all":true,"all":true})",
                                       many.c_str(),
                                       long_id.c_str()}) {
            const auto reply = co_await client.post("/v1/jobs/delete", body);
            BOOST_TEST(reply.status == 400u, body.substr(0, 100));
            const auto other = co_await client.post("/v1/jobs/retry", body);
            BOOST_TEST(other.status == 400u, body.substr(0, 100));
        }
        const auto reply = co_await client.post("/v1/jobs/retry", R"({"ids":["a"]})", "");
        BOOST_TEST(reply.status == 415u);
        auto other = connect();
        const auto read = co_await other.get("/v1/queues/managed:mail/pause");
        BOOST_TEST(read.status == 405u);
        BOOST_TEST(state("a") == "failed");
    });
}

BOOST_FIXTURE_TEST_CASE(acts_on_all_jobs_of_a_queue_in_a_state, managed_gateway_test)
{
    for (const auto* jid : {"w1", "w2", "w3"})
        put(jid, "Letter");
    for (const auto* jid : {"s1", "s2"})
        qless("put", "", "mail", jid, "Letter", "{}", "60");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply =
            co_await client.post("/v1/queues/managed:mail/jobs/run", R"({"all":true,"state":"scheduled"})");
        BOOST_TEST(reply.body == "{\"done\":2,\"missing\":0,\"refused\":0}\n", reply.body);
        BOOST_TEST(state("s1") == "waiting");
        reply = co_await client.post("/v1/queues/managed:mail/jobs/delete",
                                     R"({"all":true,"state":"waiting","text":"w"})");
        BOOST_TEST(reply.body == "{\"done\":3,\"missing\":0,\"refused\":0}\n", reply.body);
        BOOST_TEST(state("s2") == "waiting");
        reply =
            co_await client.post("/v1/queues/managed:mail/jobs/release", R"({"all":true,"state":"waiting"})");
        BOOST_TEST(reply.json().at("done").to_number<int>() == 0, reply.body);
        BOOST_TEST(state("s2") == "waiting");
        BOOST_TEST(broken() == "");
    });
}

BOOST_FIXTURE_TEST_CASE(acts_on_all_failed_jobs_of_a_queue, managed_gateway_test)
{
    let_fail("io", "a", "b", "c");
    put_and_fail("other", "o", "io");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.post("/v1/queues/managed:mail/jobs/retry",
                                          R"({"all":true,"state":"failed","text":"b"})");
        BOOST_TEST(reply.body == "{\"done\":1,\"missing\":0,\"refused\":0}\n", reply.body);
        BOOST_TEST(state("b") == "waiting");
        reply =
            co_await client.post("/v1/queues/managed:mail/jobs/delete", R"({"all":true,"state":"failed"})");
        BOOST_TEST(reply.body == "{\"done\":2,\"missing\":0,\"refused\":0}\n", reply.body);
        BOOST_TEST(failed("io") == std::vector<std::string>{"o"}, boost::test_tools::per_element());
        BOOST_TEST(broken() == "");
    });
}

BOOST_FIXTURE_TEST_CASE(takes_jobs_from_their_workers, managed_gateway_test)
{
    put_and_pop("a", "b");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto reply = co_await client.post("/v1/jobs/release", R"({"ids":["a","none"]})");
        BOOST_TEST(reply.body == "{\"done\":1,\"missing\":1,\"refused\":0}\n", reply.body);
        BOOST_TEST(state("b") == "running");
        BOOST_TEST(state("a") != "running");
        BOOST_TEST(broken() == "");
    });
}

BOOST_AUTO_TEST_SUITE_END()
