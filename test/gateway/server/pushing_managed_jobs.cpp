// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

/// POST /v1/queues/managed:NAME/jobs on a real socket.
BOOST_AUTO_TEST_SUITE(pushing_managed_jobs)

using namespace coworker::test;

namespace {

constexpr const char* jobs_of_mail = "/v1/queues/managed:mail/jobs";

} // namespace

BOOST_FIXTURE_TEST_CASE(pushes_a_job_with_its_options, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.post(
            jobs_of_mail,
            R"({"kind":"Letter","payload":{"to": "ada", "n":12345678901234567890},"id":"j1","priority":2.5,
                      "retries":3,"tags":["new","a b"],"delay":"1h"})");
        BOOST_TEST(reply.status == 201u);
        BOOST_TEST(reply.text("id") == "j1");
        BOOST_TEST(reply.text("result") == "pushed");
        BOOST_TEST(field("j1", "klass") == "Letter");
        BOOST_TEST(field("j1", "data") == R"({"to": "ada", "n":12345678901234567890})");
        BOOST_TEST(field("j1", "priority") == "2.5");
        BOOST_TEST(field("j1", "retries") == "3");
        BOOST_TEST(field("j1", "tags") == R"(["new","a b"])");
        BOOST_TEST(state("j1") == "scheduled");
        reply = co_await client.post(
            jobs_of_mail,
            R"({"kind":"Letter","id":"j2","depends_on":["j1"],"run_at":"2126-11-21T09:30:00Z"})");
        BOOST_TEST(reply.status == 201u);
        BOOST_TEST(state("j2") == "depends");
        BOOST_TEST(field("j2", "data") == "{}");
        const auto due = std::stod(field("j2", "scheduled")); // counted from now by two clocks
        BOOST_TEST((due > 4'950'926'940. && due < 4'950'927'060.));
        reply = co_await client.post(jobs_of_mail, R"({"klass":"Letter","id":"j3"})");
        BOOST_TEST(reply.status == 201u);
        BOOST_TEST(field("j3", "klass") == "Letter");
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(a_job_that_is_wrong_keeps_no_other_away, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto reply = co_await client.post(
            jobs_of_mail, R"([{"kind":"k","id":"a"},{"kind":"k","id":"b","depends_on":["b"]},)"
                          R"({"kind":"k","id":"c"},{"kind":"k","unique":{"fields":["to"]},"payload":4}])");
        BOOST_TEST(reply.status == 207u);
        const auto answers = reply.json().as_array();
        BOOST_TEST_REQUIRE(answers.size() == 4u);
        BOOST_TEST(answers[0].at("id").as_string() == "a");
        BOOST_TEST(answers[1].at("status").as_int64() == 400);
        BOOST_TEST(answers[2].at("id").as_string() == "c");
        BOOST_TEST(answers[3].at("status").as_int64() == 400);
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(shows_what_a_job_was_pushed_with, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto reply = co_await client.post(
            jobs_of_mail, R"({"kind":"k","id":"a","limits":["tenant:42",{"name":"gpu","units":4}],)"
                          R"("order_key":"o","group":"g","timeout":"30s","description":"for ada \u00e9"})");
        BOOST_TEST(reply.status == 201u);
        BOOST_TEST(field("a", "options") == "- {\"description\":\"for ada \u00e9\",\"timeout\":30}");
        const auto shown = co_await client.get("/v1/jobs/a");
        const auto options = shown.json().at("options");
        BOOST_TEST(options.at("limits").at(1).at("name").as_string() == "gpu");
        BOOST_TEST(options.at("limits").at(1).at("units").as_int64() == 4);
        BOOST_TEST(options.at("order_key").as_string() == "o");
        BOOST_TEST(options.at("group").as_string() == "g");
        BOOST_TEST(options.at("held_back").as_bool());
        BOOST_TEST(options.at("unique_key").is_null());
        BOOST_TEST(options.at("description").as_string() == "for ada \u00e9");
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(says_what_became_of_unique_jobs, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto push = [&](const std::string& conflict) {
            return client.post(jobs_of_mail, R"({"kind":"Report","unique":{"key":"daily","on_conflict":")" +
                                                 conflict + "\"}}");
        };
        auto reply = co_await push("keep");
        const auto first = reply.text("id");
        BOOST_TEST(reply.status == 201u);
        reply = co_await push("keep");
        BOOST_TEST(reply.status == 200u);
        BOOST_TEST(reply.text("id") == first);
        BOOST_TEST(reply.text("result") == "kept");
        reply = co_await push("replace");
        BOOST_TEST(reply.text("result") == "replaced");
        reply = co_await push("refuse");
        BOOST_TEST(reply.status == 409u);
        BOOST_TEST(reply.text("detail").find(first) != std::string::npos);
    });
}

BOOST_FIXTURE_TEST_CASE(answers_for_each_job_of_an_array, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        std::string many = R"([{"payload":1})";
        for (int i = 0; i != 200; ++i)
            many += numbered(R"(,{"kind":"k","id":"j)", i) + "\"}";
        const auto reply = co_await client.post(jobs_of_mail, many + "]");
        BOOST_TEST(reply.status == 207u);
        const auto answers = reply.json();
        BOOST_TEST_REQUIRE(answers.as_array().size() == 201u);
        BOOST_TEST(answers.at(0).at("status").as_int64() == 400);
        BOOST_TEST(answers.at(200).at("status").as_int64() == 201);
        BOOST_TEST(answers.at(200).at("id").as_string() == "j199");
    });
    BOOST_TEST(store()("ZCARD", "ql:q:mail-work").integer == 200);
}

BOOST_FIXTURE_TEST_CASE(tells_which_jobs_of_an_array_redis_refuses, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        (void)co_await client.post("/v1/batches", R"({"id":"over"})");
        (void)co_await client.post("/v1/batches", R"({"id":"open"})");
        (void)co_await client.post("/v1/batches/over/seal", "");
        (void)co_await client.post(jobs_of_mail, R"({"kind":"k","id":"taken","batch":"open"})");
        const auto reply = co_await client.post(
            jobs_of_mail,
            R"([{"kind":"k","id":"a"},{"kind":"k","id":"b","batch":"over"},{"kind":"k","id":"c","batch":"none"},)"
            R"({"kind":"k","id":"taken","batch":"third"},{"kind":"k","id":"e"}])");
        BOOST_TEST(reply.status == 207u);
        const auto answers = reply.json();
        BOOST_TEST_REQUIRE(answers.as_array().size() == 5u);
        const int expected[] = {201, 409, 409, 409, 201};
        for (std::size_t i = 0; i != 5; ++i)
            BOOST_TEST(answers.at(i).at("status").as_int64() == expected[i], answers.at(i));
        const auto alone = co_await client.post(jobs_of_mail, R"({"kind":"k","id":"taken","batch":"open2"})");
        BOOST_TEST(alone.status == 409u);
    });
    BOOST_TEST(store()("ZCARD", "ql:q:mail-work").integer == 3);
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(refuses_what_makes_no_sense, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        for (const auto* wrong :
             {"1", "[]", "{}", R"({"kind":""})", R"({"kind":1})", R"({"kind":"k","payload":false})",
              R"({"kind":"k","retries":-1})", R"({"kind":"k","payload":1,"unique":{"fields":["a"]}})"}) {
            const auto reply = co_await client.post(jobs_of_mail, wrong);
            BOOST_TEST(reply.status == 400u, wrong);
        }
        BOOST_TEST(store()("DBSIZE").integer == 0);
    });
}

BOOST_AUTO_TEST_SUITE_END()
