// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

/// Workers over HTTP store the steps that they have carried out, and the next attempt gets them.
BOOST_AUTO_TEST_SUITE(steps_by_http)

using namespace coworker::test;
using namespace coworker;

namespace {

const std::string queue = "/v1/queues/managed:mail";

} // namespace

BOOST_FIXTURE_TEST_CASE(the_next_attempt_gets_the_steps, managed_gateway_test)
{
    put("j", "Order");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto taken = co_await client.post(queue + "/take", R"({"steps":true})");
        BOOST_TEST(!taken.json().at("jobs").at(0).as_object().contains("steps"));
        auto reply = co_await client.post(
            queue + "/step", with_token(token_of(taken), R"(,"step":"charge","value":{"id": 1.50})"));
        BOOST_TEST(reply.status == 200u);
        BOOST_TEST(reply.body == "{\"saved\":true}\n");
        reply = co_await client.post(queue + "/step",
                                     with_token(token_of(taken), R"(,"step":"a \"b\"","value":null)"));
        BOOST_TEST(reply.status == 200u);
        reply = co_await client.post(queue + "/step",
                                     with_token(token_of(taken), R"(,"step":"charge","value":7)"));
        BOOST_TEST(reply.status == 422u);
        reply = co_await client.post(queue + "/acknowledge",
                                     with_token(token_of(taken), R"(,"outcome":"retry","delay":0)"));
        BOOST_TEST(reply.status == 200u);
        taken = co_await client.post(queue + "/take", R"({"worker":"another","steps":true})");
        BOOST_TEST(taken.body.find(R"("steps":{"a \"b\"":null,"charge":{"id": 1.50}})") != std::string::npos,
                   taken.body);
        reply = co_await client.post(queue + "/acknowledge",
                                     with_token(token_of(taken), R"(,"outcome":"success")"));
        BOOST_TEST(reply.status == 200u);
        BOOST_TEST(state("j") == "complete");
        BOOST_TEST(store()("HEXISTS", "ql:j:j", "steps").integer == 0);
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(tells_who_has_lost_the_lease, managed_gateway_test)
{
    put("j", "Order");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto before = co_await client.post(queue + "/take", "{}");
        auto reply = co_await client.post(queue + "/acknowledge",
                                          with_token(token_of(before), R"(,"outcome":"release")"));
        const auto after = co_await client.post(queue + "/take", R"({"worker":"w"})");
        const std::string rest = R"(,"step":"s","value":1)";
        reply = co_await client.post(queue + "/step", with_token(token_of(before), rest));
        BOOST_TEST(reply.status == 409u);
        BOOST_TEST(store()("HEXISTS", "ql:j:j", "steps").integer == 0);
        reply = co_await client.post(queue + "/step", '[' + with_token(token_of(before), rest) + ',' +
                                                          with_token(token_of(after), rest) + ']');
        BOOST_TEST(reply.status == 207u);
        BOOST_TEST(reply.json().at(0).at("status") == 409);
        BOOST_TEST(reply.json().at(1).at("status") == 200);
    });
}

BOOST_FIXTURE_TEST_CASE(says_what_is_wrong_with_a_step, managed_gateway_test)
{
    put("j", "Order");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto taken = co_await client.post(queue + "/take", "{}");
        const auto token = token_of(taken);
        for (const auto* rest :
             {"", R"(,"step":"s")", R"(,"value":1)", R"(,"step":"","value":1)", R"(,"step":7,"value":1)",
              R"(,"step":"s","value":{)", R"(,"step":"s","value":1,"more":1)"}) {
            const auto reply = co_await client.post(queue + "/step", with_token(token, rest));
            BOOST_TEST(reply.status == 400u, rest << ": " << reply.body);
        }
        const std::string half(600 * 1024, 'x');
        const auto step = [&](const std::string& name, const std::string& value) {
            return with_token(token, ",\"step\":\"" + name + "\",\"value\":\"" + value + '"');
        };
        auto reply = co_await client.post(queue + "/step", step(std::string(257, 'x'), "1"));
        BOOST_TEST(reply.status == 400u);
        reply = co_await client.post(queue + "/step", step("s", half + half));
        BOOST_TEST(reply.status == 413u);
        reply = co_await client.post(queue + "/step", step("s", half));
        BOOST_TEST(reply.status == 200u);
        reply = co_await client.post(queue + "/step", step("t", half));
        BOOST_TEST(reply.status == 413u);
        BOOST_TEST(reply.text("detail").find("1,000 steps") != std::string::npos, reply.body);
    });
}

BOOST_FIXTURE_TEST_CASE(list_queues_keep_none, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.post("/v1/queues/mail/take", R"({"steps":true})");
        BOOST_TEST(reply.status == 409u);
        reply = co_await client.post("/v1/queues/mail/step", R"({"token":"eA","step":"s","value":1})");
        BOOST_TEST(reply.status == 409u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
