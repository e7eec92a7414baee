// SPDX-License-Identifier: MIT
#include "http_effects_test.hpp"
#include "json_schema.hpp"

#include <boost/json/parse.hpp>

#include <string>

/// Workers over HTTP hand over Redis commands and jobs, which are carried out with the acknowledgement.
BOOST_AUTO_TEST_SUITE(effects_by_http)

using namespace coworker::test;
using namespace coworker::test::effects;
using namespace coworker;
namespace json = boost::json;

BOOST_FIXTURE_TEST_CASE(are_carried_out_in_the_step_that_acknowledges, http_effects_test)
{
    serve([&]() -> asio::awaitable<void> {
        const auto of_list = co_await end(list, some);
        BOOST_TEST(of_list.status == 200u, of_list.body);
        BOOST_TEST(counter() == "1");
        const auto parsed = of_list.json();
        const std::string id{parsed.at("pushed").at(0).as_string()};
        BOOST_TEST(waiting("later") == std::vector<std::string>{"[\"" + id + "\",1]"});

        const auto reply =
            co_await end(managed, R"([{"command":["HSET","shop:stats","empty","","all", "1 2"]},
                         {"queue":"managed:later","job":{"kind":"Receipt","payload":{"n": 1.50},"id":"c","priority":7,
                           "tags":["t"],"run_at":"2031-01-01T00:00:00Z"}},
                         {"queue":"later","job":{"payload":[2],"id":"d"}},
                         {"command":["DEL","shop:orders","shop:none"]}, {"command":["PUBLISH","news","x"]}])");
        BOOST_TEST(reply.status == 200u);
        BOOST_TEST(reply.body == R"({"acknowledged":true,"pushed":["c","d"]})"
                                 "\n");
        BOOST_TEST(store()("HGET", "shop:stats", "all").text == "1 2");
        BOOST_TEST(store()("HEXISTS", "shop:stats", "empty").integer == 1);
        BOOST_TEST(counter() == "");
        BOOST_TEST(state("j") == "complete");
        BOOST_TEST(state("c") == "scheduled");
        const auto due = std::stod(store()("ZSCORE", "ql:q:later-scheduled", "c").text);
        BOOST_TEST(due >= 1'924'992'000);
        BOOST_TEST(due < 1'924'992'100);
        BOOST_TEST(field("c", "data") == R"({"n": 1.50})");
        BOOST_TEST(field("c", "priority") == "7");
        BOOST_TEST(field("c", "tags") == R"(["t"])");
        BOOST_TEST(waiting("later").back() == R"(["d",[2]])");
        const auto none = co_await end(managed, "[]");
        BOOST_TEST(none.body == "{\"acknowledged\":true}\n");
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(are_carried_out_when_a_job_is_forwarded, http_effects_test)
{
    put("j", "Letter");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto taken = co_await client.post(managed + "/take", "{}");
        const auto reply = co_await client.post(
            managed + "/acknowledge", "{\"token\":\"" + token_of(taken) +
                                          R"(","outcome":"forward","queue":"sent","effects":)" + some + '}');
        BOOST_TEST(reply.status == 200u, reply.body);
        BOOST_TEST(field("j", "queue") == "sent");
        BOOST_TEST(counter() == "1");
    });
    BOOST_TEST(broken() == "");
}

/// Of many at once each by itself, and once however often it is sent.
BOOST_FIXTURE_TEST_CASE(are_not_carried_out_when_the_lease_is_lost, http_effects_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        for (const auto& queue : both) {
            push(queue, "j");
            const auto taken = co_await client.post(queue + "/take", "{}");
            const auto good = success(token_of(taken), some);
            const auto reply = co_await client.post(queue + "/acknowledge", "[" + good + ',' + good + ']');
            BOOST_TEST(reply.status == 207u, reply.body);
            const auto parsed = reply.json();
            BOOST_TEST(parsed.at(0).at("status") == 200);
            BOOST_TEST(parsed.at(0).at("pushed").as_array().size() == 1u);
            BOOST_TEST(parsed.at(1).at("status") == 409);
            BOOST_TEST(counter() == "1");
            BOOST_TEST(waiting("later").size() == 1u);
            store()("DEL", "shop:orders", "hworker-jobs-later");
        }
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(that_cannot_be_carried_out_fail_the_job, http_effects_test)
{
    store()("SET", "shop:text", "x");
    serve([&]() -> asio::awaitable<void> {
        for (const auto& queue : both) {
            const auto reply = co_await end(queue, R"([{"command":["INCR","shop:orders"]},)"
                                                   R"({"queue":"later","job":{"payload":1}},)"
                                                   R"({"command":["HINCRBY","shop:text","n","1"]}])");
            BOOST_TEST(reply.status == 422u, reply.body);
            BOOST_TEST(
                says(reply.text("detail"), "effect HINCRBY shop:text: the key holds a string, not a hash"),
                reply.body);
            BOOST_TEST(counter() == "");
            BOOST_TEST(waiting("later").empty());
        }
        BOOST_TEST(state("j") == "failed");
        BOOST_TEST(store()("LRANGE", "ql:f:Letter:effects", 0, -1).texts() == std::vector<std::string>{"j"});
        BOOST_TEST(store()("LLEN", "hworker-failed-mail").integer == 1);
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(are_refused_where_they_make_no_sense, http_effects_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto described = co_await client.get("/openapi.json");
        const auto description = described.json();
        const auto& schemas = description.at("components").at("schemas");
        for (const auto& queue : both) {
            const auto& schema = schemas.at("acknowledgement").at("properties").at("effects");
            push(queue, "j");
            for (const auto* const wrong :
                 {"7", "{}", "[7]", "[{}]", R"([{"command":"INCR shop:orders"}])",
                  R"([{"command":["INCR"]}])", R"([{"command":["INCR",7]}])",
                  R"([{"command":["INCR","shop:a"],"queue":"a"}])",
                  R"([{"command":["INCR","shop:a"],"job":{"payload":1}}])", R"([{"queue":"later"}])",
                  R"([{"job":{"payload":1}}])", R"([{"queue":7,"job":{"payload":1}}])",
                  R"([{"queue":"later","job":7}])", R"([{"queue":"later","job":{"data":1}}])",
                  R"([{"queue":"later","job":{"payload":1,"delay":5}}])",
                  R"([{"queue":"a","managed_queue":"b","job":{"kind":"K"}}])",
                  R"([{"queue":"managed:later","job":{"payload":1}}])",
                  R"([{"queue":"managed:later","job":{"kind":"K","more":1}}])", R"([{"more":1}])"}) {
                // The first of them is fine, and is not carried out.
                const std::string inner{wrong};
                const auto effects =
                    inner[0] == '[' ? "[{\"command\":[\"INCR\",\"shop:orders\"]}," + inner.substr(1) : inner;
                const auto detail = co_await refused(queue, effects);
                BOOST_TEST(says(detail, "The member 'effects'"), detail);
                BOOST_TEST((inner[0] != '[' || says(detail, "number 2. ")), detail);
                BOOST_TEST(mismatch(description, schema, json::parse(wrong)) != "", wrong);
            }
            BOOST_TEST(mismatch(description, schema, json::parse(some)) == "");
            const auto unknown =
                co_await refused(queue, R"([{"command":["MSET","shop:a","1","shop:b","2"]}])");
            BOOST_TEST(says(unknown, "'MSET' is not permitted"), unknown);
        }
        BOOST_TEST(mismatch(description, schemas.at("acknowledgement").at("properties").at("effects"),
                            json::parse("[" + a_child + "]")) == "");
        const auto detail = co_await refused(list, "[" + a_child + "]");
        BOOST_TEST(says(detail, "managed:later"), detail);
        const auto twice = co_await refused(
            managed,
            R"([{"queue":"managed:later","job":{"kind":"K","unique":{"key":"u","on_conflict":"refuse"}}}])");
        BOOST_TEST(says(twice, "number 1. "), twice);
        for (const auto* const outcome : {"retry", "failure", "release"}) {
            const auto taken = co_await client.post(managed + "/take", "{}");
            const auto token = token_of(taken);
            auto reply =
                co_await client.post(managed + "/acknowledge", "{\"token\":\"" + token + R"(","outcome":")" +
                                                                   outcome + R"(","effects":)" + some + '}');
            BOOST_TEST(reply.status == 400u);
            BOOST_TEST(says(reply.text("detail"), "'effects' does not go with this outcome"), reply.body);
            reply = co_await client.post(managed + "/acknowledge",
                                         "{\"token\":\"" + token + R"(","outcome":"release"})");
            BOOST_TEST(reply.status == 200u);
        }
        BOOST_TEST(counter() == "");
        BOOST_TEST(pushed() == 0);
    });
    BOOST_TEST(broken() == "");
}

BOOST_AUTO_TEST_SUITE_END()
