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

BOOST_FIXTURE_TEST_CASE(pushes_jobs_with_options_of_their_own, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto reply = co_await client.post(
            jobs_of_mail,
            R"({"kind":"k","id":"a","timeout":"30s","retention":"2d","metadata":{"tenant":"42"},
                      "backoff":{"initial":"5s","maximum":60,"jitter":0}})");
        BOOST_TEST(reply.status == 201u);
        BOOST_TEST(
            field("a", "options") ==
            R"(- {"timeout":30,"retention":172800,)"
            R"("backoff":{"initial":5,"factor":2,"maximum":60,"jitter":0},"metadata":{"tenant":"42"}})");
        for (const auto* wrong :
             {R"({"kind":"k","timeout":0})", R"({"kind":"k","expiry":"soon"})", R"({"kind":"k","backoff":5})",
              R"({"kind":"k","backoff":{"jitter":2}})", R"({"kind":"k","backoff":{"first":2}})",
              R"({"kind":"k","metadata":{"tenant":42}})", R"({"kind":"k","metadata":{"":"a"}})",
              R"({"kind":"k","metadata":["a"]})"}) {
            const auto refused = co_await client.post(jobs_of_mail, wrong);
            BOOST_TEST(refused.status == 400u, wrong);
        }
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(pushes_jobs_that_say_what_becomes_of_them_when_a_parent_fails, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        (void)co_await client.post(jobs_of_mail, R"({"kind":"k","id":"a","result_retention":"2d"})");
        const auto reply = co_await client.post(
            jobs_of_mail,
            R"({"kind":"k","id":"b","depends_on":["a"],"on_parent_failure":"fail","reads_parents":true})");
        BOOST_TEST(reply.status == 201u);
        BOOST_TEST(field("a", "options") == R"(- {"result_retention":172800})");
        BOOST_TEST(field("b", "options") == R"(- {"on_parent_failure":"fail","parents":["a"]})");
        BOOST_TEST(field("b", "on_parent_failure") == "fail");
        for (const auto* wrong :
             {R"({"kind":"k","on_parent_failure":"perhaps"})", R"({"kind":"k","on_parent_failure":1})",
              R"({"kind":"k","reads_parents":"a"})", R"({"kind":"k","result_retention":0})"}) {
            const auto refused = co_await client.post(jobs_of_mail, wrong);
            BOOST_TEST(refused.status == 400u, wrong);
        }
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(pushes_jobs_with_a_description, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto reply =
            co_await client.post(jobs_of_mail, R"({"kind":"k","id":"a","description":"for ada \u00e9"})");
        BOOST_TEST(reply.status == 201u);
        BOOST_TEST(field("a", "options") == "- {\"description\":\"for ada \u00e9\"}");
        const auto shown = co_await client.get("/v1/jobs/a");
        BOOST_TEST(shown.json().at("options").at("description").as_string() == "for ada \u00e9");
        const auto longest = std::string(256, 'x'), quote = std::string{"\""};
        for (const auto& wrong : {quote + quote, quote + longest + "x\"", std::string{"7"}}) {
            const auto refused =
                co_await client.post(jobs_of_mail, R"({"kind":"k","description":)" + wrong + "}");
            BOOST_TEST(refused.status == 400u, wrong);
        }
        const auto taken =
            co_await client.post(jobs_of_mail, R"({"kind":"k","description":")" + longest + R"("})");
        BOOST_TEST(taken.status == 201u);
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(pushes_jobs_with_limits, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto reply = co_await client.post(
            jobs_of_mail, R"({"kind":"k","id":"a","limits":["tenant:42",{"name":"gpu","units":4}],)"
                          R"("order_key":"o","group":"g"})");
        BOOST_TEST(reply.status == 201u);
        BOOST_TEST(field("a", "limits") == R"([["order:o",1,1],["tenant:42",1],["gpu",4]])");
        BOOST_TEST(field("a", "group") == "g");
        const auto shown = co_await client.get("/v1/jobs/a");
        const auto options = shown.json().at("options");
        BOOST_TEST(options.at("limits").at(1).at("name").as_string() == "gpu");
        BOOST_TEST(options.at("limits").at(1).at("units").as_int64() == 4);
        BOOST_TEST(options.at("order_key").as_string() == "o");
        BOOST_TEST(options.at("group").as_string() == "g");
        BOOST_TEST(options.at("held_back").as_bool());
        BOOST_TEST(options.at("unique_key").is_null());
        for (const auto* wrong : {R"({"kind":"k","limits":"gpu"})", R"({"kind":"k","limits":[1]})",
                                  R"({"kind":"k","limits":[""]})", R"({"kind":"k","limits":["gpu","gpu"]})",
                                  R"({"kind":"k","limits":["order:a"]})", R"({"kind":"k","limits":["a&&b"]})",
                                  R"({"kind":"k","limits":["&a"]})", R"({"kind":"k","limits":[{"units":2}]})",
                                  R"({"kind":"k","limits":[{"name":"gpu","units":0}]})",
                                  R"({"kind":"k","limits":[{"name":"gpu","weight":2}]})",
                                  R"({"kind":"k","order_key":""})", R"({"kind":"k","group":7})"}) {
            const auto refused = co_await client.post(jobs_of_mail, wrong);
            BOOST_TEST(refused.status == 400u, wrong);
        }
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(pushes_unique_jobs, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto push = [&](std::string unique, std::string data = "{}") {
            return client.post(jobs_of_mail,
                               R"({"kind":"Report","payload":)" + data + R"(,"unique":)" + unique + "}");
        };
        auto reply = co_await push(R"({"key":"daily"})", R"({"n":1})");
        const auto first = reply.text("id");
        BOOST_TEST(reply.status == 201u);
        reply = co_await push(R"({"key":"daily"})");
        BOOST_TEST(reply.status == 200u);
        BOOST_TEST(reply.text("id") == first);
        BOOST_TEST(reply.text("result") == "kept");
        reply = co_await push(R"({"key":"daily","on_conflict":"replace","until":"started"})", R"({"n":2})");
        BOOST_TEST(reply.text("result") == "replaced");
        BOOST_TEST(field(first, "data") == R"({"n":2})");
        reply = co_await push(R"({"key":"daily","on_conflict":"refuse"})");
        BOOST_TEST(reply.status == 409u);
        BOOST_TEST(reply.text("detail").find(first) != std::string::npos);
        reply = co_await push(R"({"fields":["customer"],"unique_for":"1h"})", R"({"customer":1,"n":1})");
        const auto second = reply.text("id");
        reply = co_await push(R"({"fields":["customer"],"unique_for":"1h"})", R"({"customer":1,"n":2})");
        BOOST_TEST(reply.text("id") == second);
        reply = co_await push(R"({"whole_payload":true})", "[1,2]");
        BOOST_TEST(reply.status == 201u);
    });
    BOOST_TEST(broken() == "");
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
        for (const auto* wrong : {"1",
                                  "[]",
                                  "{}",
                                  R"({"kind":""})",
                                  R"({"kind":1})",
                                  R"({"kind":"k","payload":false})",
                                  R"({"kind":"k","klass":"k"})",
                                  R"({"kind":"k","kind":"k"})",
                                  R"({"kind":"k","id":""})",
                                  R"({"kind":"k","delay":"soon"})",
                                  R"({"kind":"k","delay":1,"run_at":"2126-11-21T09:30:00Z"})",
                                  R"({"kind":"k","run_at":"tomorrow"})",
                                  R"({"kind":"k","priority":"1"})",
                                  R"({"kind":"k","priority":1e999})",
                                  R"({"kind":"k","retries":-1})",
                                  R"({"kind":"k","retries":1.5})",
                                  R"({"kind":"k","tags":"a"})",
                                  R"({"kind":"k","tags":[""]})",
                                  R"({"kind":"k","depends_on":[1]})",
                                  R"({"kind":"k","unique":true})",
                                  R"({"kind":"k","unique":{}})",
                                  R"({"kind":"k","unique":{"key":"a","whole_payload":true}})",
                                  R"({"kind":"k","unique":{"key":""}})",
                                  R"({"kind":"k","unique":{"key":"a","unique_for":0}})",
                                  R"({"kind":"k","metadata":{"a":"1","a":"2"}})",
                                  R"({"kind":"k","unique":{"key":"a","until":"soon"}})",
                                  R"({"kind":"k","unique":{"key":"a","on_conflict":"drop"}})",
                                  R"({"kind":"k","unique":{"key":"a","unique_for":"5m","until":"started"}})",
                                  R"({"kind":"k","payload":1,"unique":{"fields":["a"]}})",
                                  R"({"kind":"k","unique":{"whole_payload":1}})"}) {
            const auto reply = co_await client.post(jobs_of_mail, wrong);
            BOOST_TEST(reply.status == 400u, wrong);
        }
        BOOST_TEST(store()("DBSIZE").integer == 0);
    });
}

BOOST_AUTO_TEST_SUITE_END()
