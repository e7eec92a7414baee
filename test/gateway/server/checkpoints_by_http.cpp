// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

#include <boost/json/serialize.hpp>

/// Workers over HTTP store how far a job is, and the next attempt goes on there.
BOOST_AUTO_TEST_SUITE(checkpoints_by_http)

using namespace coworker::test;
using namespace coworker;

namespace {

const std::string queue = "/v1/queues/managed:mail";

} // namespace

BOOST_FIXTURE_TEST_CASE(the_next_attempt_goes_on_where_this_one_stopped, managed_gateway_test)
{
    put("j", "Letter");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto taken = co_await client.post(queue + "/take", R"({"checkpoints":true})");
        BOOST_TEST(!taken.json().at("jobs").at(0).as_object().contains("checkpoint"));
        auto reply = co_await client.post(queue + "/checkpoint",
                                          with_token(token_of(taken), R"(,"checkpoint":{"row": 1.50})"));
        BOOST_TEST(reply.status == 200u);
        BOOST_TEST(reply.body == "{\"saved\":true}\n");
        BOOST_TEST(field("j", "checkpoint") == R"({"row": 1.50})");
        reply = co_await client.post(queue + "/acknowledge",
                                     with_token(token_of(taken), R"(,"outcome":"retry","delay":0)"));
        BOOST_TEST(reply.status == 200u);
        taken = co_await client.post(queue + "/take", R"({"worker":"another","checkpoints":true})");
        BOOST_TEST(taken.body.find(R"("checkpoint":{"row": 1.50})") != std::string::npos, taken.body);
        reply = co_await client.post(queue + "/acknowledge",
                                     with_token(token_of(taken), R"(,"outcome":"success")"));
        BOOST_TEST(reply.status == 200u);
        BOOST_TEST(state("j") == "complete");
        BOOST_TEST(store()("HEXISTS", "ql:j:j", "checkpoint").integer == 0);
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(jobs_log_lines_for_people, managed_gateway_test)
{
    put("j", "Letter");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto taken = co_await client.post(queue + "/take", "{}");
        auto reply = co_await client.post(queue + "/log", with_token(token_of(taken), R"(,"log":"page 12")"));
        BOOST_TEST(reply.body == "{\"told\":true}\n");
        reply =
            co_await client.post(queue + "/log", with_token(token_of(taken), R"(,"log":["page 13","bye"])"));
        BOOST_TEST(reply.status == 200u);
        for (const auto* wrong : {"", R"(,"log":[])", R"(,"log":{})", R"(,"log":[1])"}) {
            reply = co_await client.post(queue + "/log", with_token(token_of(taken), wrong));
            BOOST_TEST(reply.status == 400u, wrong);
        }
        reply = co_await client.post(queue + "/acknowledge",
                                     with_token(token_of(taken), R"(,"outcome":"success")"));
        BOOST_TEST(reply.status == 200u);
        reply = co_await client.post(queue + "/log", with_token(token_of(taken), R"(,"log":"too late")"));
        BOOST_TEST(reply.status == 409u);
        reply = co_await client.get("/v1/jobs/j");
        BOOST_TEST(reply.json().at("log").as_array().size() == 3u);
        BOOST_TEST(reply.json().at("log").at(2).at("text").as_string() == "bye");
        reply = co_await client.post("/v1/queues/letters/log", R"({"token":"x","log":"y"})");
        BOOST_TEST(reply.status == 409u);
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(tells_who_has_lost_the_lease, managed_gateway_test)
{
    put("j", "Letter");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto before = co_await client.post(queue + "/take", R"({"checkpoints":true})");
        auto reply = co_await client.post(queue + "/acknowledge",
                                          with_token(token_of(before), R"(,"outcome":"release")"));
        const auto after = co_await client.post(queue + "/take", R"({"worker":"w","checkpoints":true})");
        reply =
            co_await client.post(queue + "/checkpoint", with_token(token_of(before), R"(,"checkpoint":1)"));
        BOOST_TEST(reply.status == 409u);
        BOOST_TEST(store()("HEXISTS", "ql:j:j", "checkpoint").integer == 0);
        reply = co_await client.post(queue + "/checkpoint",
                                     '[' + with_token(token_of(before), R"(,"checkpoint":1)") + ',' +
                                         with_token(token_of(after), R"(,"checkpoint":2)") + ']');
        BOOST_TEST(reply.status == 207u);
        BOOST_TEST(reply.json().at(0).at("status") == 409);
        BOOST_TEST(reply.json().at(1).at("status") == 200);
        BOOST_TEST(field("j", "checkpoint") == "2");
    });
}

BOOST_FIXTURE_TEST_CASE(says_what_is_wrong_with_a_checkpoint, managed_gateway_test)
{
    put("j", "Letter");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto taken = co_await client.post(queue + "/take", R"({"checkpoints":true})");
        const auto token = token_of(taken);
        for (const auto* rest : {"", R"(,"checkpoint":null)", R"(,"checkpoint": null )", R"(,"checkpoint":{)",
                                 R"(,"checkpoint":1,"checkpoint":2)", R"(,"checkpoint":1,"more":1)"}) {
            const auto reply = co_await client.post(queue + "/checkpoint", with_token(token, rest));
            BOOST_TEST(reply.status == 400u, rest);
        }
        auto reply = co_await client.post(queue + "/checkpoint", R"({"token":"eA","checkpoint":1})");
        BOOST_TEST(reply.status == 400u);
        const std::string text(1024 * 1024 - 2, 'x');
        reply = co_await client.post(queue + "/checkpoint",
                                     with_token(token, ",\"checkpoint\":\"" + text + "x\""));
        BOOST_TEST(reply.status == 413u);
        BOOST_TEST(reply.text("detail").find("1 MiB") != std::string::npos);
        BOOST_TEST(store()("HEXISTS", "ql:j:j", "checkpoint").integer == 0);
        reply =
            co_await client.post(queue + "/checkpoint", with_token(token, ",\"checkpoint\":\"" + text + '"'));
        BOOST_TEST(reply.status == 200u);
        // Of a job that was taken without them: its success would leave one behind.
        reply = co_await client.post(queue + "/acknowledge", with_token(token, R"(,"outcome":"release")"));
        taken = co_await client.post(queue + "/take", R"({"checkpoints":false})");
        BOOST_TEST(!taken.json().at("jobs").at(0).as_object().contains("checkpoint"));
        reply =
            co_await client.post(queue + "/checkpoint", with_token(token_of(taken), R"(,"checkpoint":1)"));
        BOOST_TEST(reply.status == 400u);
        BOOST_TEST(reply.text("detail").find("taken without checkpoints") != std::string::npos, reply.body);
    });
}

BOOST_FIXTURE_TEST_CASE(list_queues_keep_none, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        for (const auto* value : {"1", "\"yes\"", "null"}) {
            const auto reply =
                co_await client.post(queue + "/take", "{\"checkpoints\":" + std::string{value} + '}');
            BOOST_TEST(reply.status == 400u, value);
        }
        auto reply = co_await client.post("/v1/queues/mail/take", R"({"checkpoints":true})");
        BOOST_TEST(reply.status == 409u);
        reply = co_await client.post("/v1/queues/mail/checkpoint", R"({"token":"eA","checkpoint":1})");
        BOOST_TEST(reply.status == 409u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
