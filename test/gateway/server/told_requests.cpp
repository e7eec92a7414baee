// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

/// `gateway_options::on_request`.
BOOST_AUTO_TEST_SUITE(told_requests)

using namespace coworker::test;

namespace {

struct told
{
    std::string method, path, peer, token, result, reason;
    unsigned status = 0;
    std::uint64_t bytes = 0;
    bool is_change = false;
};

struct log_test : gateway_test
{
    std::vector<told> all;

    explicit log_test(std::chrono::milliseconds command_timeout = 10s) : gateway_test{{}, command_timeout}
    {
        settings.tokens = tokens_of("s3cret", "look");
        settings.on_request = coworker::request_observer{[this](const coworker::gateway_request& one) {
            all.push_back({std::string{one.method}, std::string{one.path}, std::string{one.peer},
                           std::string{one.token}, std::string{one.result}, std::string{one.reason},
                           one.status, one.bytes, one.is_change});
            BOOST_TEST((one.duration >= 0s && one.duration < 1min));
            throw 1; // which harms nobody
        }};
    }
};

struct impatient_log_test : log_test
{
    impatient_log_test() : log_test{300ms} {}
};

const std::string act = "Authorization: Bearer s3cret\r\nContent-Type: application/json\r\n";

} // namespace

BOOST_FIXTURE_TEST_CASE(say_who_has_done_what, log_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        store()("LPUSH", "hworker-failed-a", R"(["id-1",1])");
        auto reply = co_await client.get("/v1/queues/a/jobs?state=failed&count=5&text=secret",
                                         "Authorization: Bearer look\r\n");
        BOOST_TEST_REQUIRE(all.size() == 1u);
        BOOST_TEST(all[0].method == "GET");
        BOOST_TEST(all[0].path == "/v1/queues/a/jobs");
        BOOST_TEST(all[0].token == "guest");
        BOOST_TEST(all[0].status == 200u);
        BOOST_TEST(all[0].bytes > reply.body.size());
        BOOST_TEST(all[0].peer.starts_with("127.0.0.1:"));
        BOOST_TEST(!all[0].is_change);
        reply = co_await client.post("/v1/queues/a/jobs/delete", R"({"all":true,"state":"failed"})", act);
        BOOST_TEST(all[1].token == "chief");
        BOOST_TEST(all[1].is_change);
        BOOST_TEST(all[1].result == R"({"done":1,"missing":0,"refused":0})");
        reply = co_await client.post("/v1/queues/a/jobs", R"({"payload":1})", act);
        BOOST_TEST(all[2].status == 201u);
        BOOST_TEST(!all[2].is_change); // there are too many of these
        reply = co_await client.get("/v1/queues");
        BOOST_TEST(all[3].status == 401u);
        BOOST_TEST(all[3].token == "");
        co_await client.send("nonsense\r\n\r\n");
        reply = co_await client.receive();
        BOOST_TEST(all[4].status == 400u);
        BOOST_TEST(all[4].method == "");
    });
    BOOST_TEST(all.size() == 5u);
}

BOOST_FIXTURE_TEST_CASE(say_why_redis_could_not_do_its_part, impatient_log_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.get("/ready");
        store().freeze();
        reply = co_await client.get("/ready");
        BOOST_TEST(reply.status == 503u);
        reply = co_await client.post("/v1/queues/a/jobs", R"([{"payload":1}])", act);
        BOOST_TEST(reply.status == 503u);
        for (const auto i : {std::size_t{1}, std::size_t{2}})
            BOOST_TEST(all.at(i).reason.find("did not answer in time") != std::string::npos,
                       all.at(i).reason);
        BOOST_TEST(reply.body.find("unix:") == reply.body.npos); // which is none of the client's business
        store().thaw();
    });
}

BOOST_AUTO_TEST_SUITE_END()
