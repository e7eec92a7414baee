// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

/// Schedules through the gateway.
BOOST_AUTO_TEST_SUITE(schedules_by_http)

using namespace coworker::test;

BOOST_FIXTURE_TEST_CASE(sets_shows_and_changes_schedules, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.post(
            "/v1/schedules/nightly",
            R"({"cron":"30 2 * * mon-fri","zone":"Europe/Berlin","missed":"all","queue":"reports",)"
            R"("kind":"Report","payload":{"n":1.50},"priority":5,"retries":2,"tags":["red"],)"
            R"("limits":["gpu"],"group":"a","timeout":"30s","metadata":{"tenant":"42"},"unique":{"key":"nightly"}})");
        BOOST_TEST(reply.status == 200u, reply.body);
        BOOST_TEST(reply.json().at("changed").as_bool());
        reply = co_await client.get("/v1/schedules/nightly");
        BOOST_TEST(reply.text("cron") == "30 2 * * mon-fri");
        BOOST_TEST(reply.text("zone") == "Europe/Berlin");
        BOOST_TEST(reply.text("missed") == "all");
        BOOST_TEST(reply.body.find(R"("payload":{"n":1.50})") != reply.body.npos);
        BOOST_TEST(reply.json().at("next").as_array().size() == 10u);
        BOOST_TEST(reply.json().at("last_at").is_null());

        reply = co_await client.post("/v1/schedules/nightly/pause", "");
        BOOST_TEST(reply.status == 200u);
        reply = co_await client.get("/v1/schedules");
        BOOST_TEST_REQUIRE(reply.json().at("schedules").as_array().size() == 1u);
        BOOST_TEST(reply.json().at("schedules").at(0).at("paused").as_bool());
        reply = co_await client.post("/v1/schedules/nightly/resume", "");
        BOOST_TEST(reply.status == 200u);

        reply = co_await client.post("/v1/schedules/nightly/run", "");
        const auto jid = reply.text("id");
        BOOST_TEST(jid.starts_with("nightly@"));
        reply = co_await client.get("/v1/jobs/" + jid);
        BOOST_TEST(reply.text("kind") == "Report");
        BOOST_TEST(reply.json().at("priority").to_number<double>() == 5);
        BOOST_TEST(field(jid, "limits") == R"([["gpu",1]])");
        BOOST_TEST(field(jid, "group") == "a");
        BOOST_TEST(field(jid, "options") == R"(- {"timeout":30,"metadata":{"tenant":"42"}})");
        reply = co_await client.post("/v1/schedules/nightly/run", "");
        BOOST_TEST(reply.text("id") == jid); // has the unique key

        reply = co_await client.post("/v1/schedules/nightly/delete", "");
        BOOST_TEST(reply.status == 200u);
        reply = co_await client.post("/v1/schedules/nightly/delete", "");
        BOOST_TEST(reply.status == 404u);
    });
}

BOOST_FIXTURE_TEST_CASE(shows_of_a_schedule_what_it_can_be_set_to, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const std::string body =
            R"({"every":60,"anchor":"2026-11-22T06:30:00.000000Z","missed":"skip","queue":"managed:reports",)"
            R"("begin":"2026-11-23T06:30:00.000000Z","end":"2096-11-23T06:30:00.000000Z","most_runs":9,"jitter":5,)"
            R"("kind":"Report","payload":{"a":[1],"b":2},"priority":5,"retries":2,"tags":["red"],)"
            R"("limits":[{"name":"gpu","units":4}],"order_key":"o","group":"g","timeout":30,"expiry":60,)"
            R"("backoff":{"initial":5,"factor":3,"maximum":60,"jitter":0.5},"retention":70,)"
            R"("result_retention":80,"metadata":{"tenant":"42"},"description":"the report","batch":"b",)"
            R"("unique":{"fields":["a"],"until":"started","on_conflict":"replace_payload"}})";
        auto reply = co_await client.post("/v1/schedules/s", body);
        BOOST_TEST(reply.status == 200u, reply.body);
        reply = co_await client.get("/v1/schedules/s");
        auto shown = reply.json().as_object();
        for (const auto state :
             {"name", "cron", "zone", "paused", "runs", "last_at", "last_id", "problem", "next"})
            shown.erase(state);
        BOOST_TEST(shown == boost::json::parse(body));
        reply = co_await client.post("/v1/schedules/s", boost::json::serialize(shown));
        BOOST_TEST(reply.status == 200u, reply.body);
        BOOST_TEST(!reply.json().at("changed").as_bool());
    });
}

BOOST_FIXTURE_TEST_CASE(says_what_is_wrong_with_a_schedule, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto refused = [&](std::string body, const char* why) -> asio::awaitable<void> {
            const auto reply = co_await client.post("/v1/schedules/s", body);
            BOOST_TEST(reply.status == 400u, body);
            BOOST_TEST(reply.text("detail").find(why) != std::string::npos, reply.body);
        };
        co_await refused(R"({"cron":"61 * * * *","queue":"q","kind":"K"})", "minute: '61' is out of range");
        co_await refused(R"({"every":60,"zone":"Europe/Berlin","queue":"q","kind":"K"})",
                         "only cron lines have a time zone");
        co_await refused(R"({"cron":"@daily","anchor":"2026-11-22T06:30:00Z","queue":"q","kind":"K"})",
                         "only intervals have one");
        co_await refused(R"({"cron":"@daily","zone":"Mars","queue":"q","kind":"K"})", "no time zone 'Mars'");
        co_await refused(R"({"queue":"q","kind":"K"})", "either a cron line or an interval");
        co_await refused(R"({"every":"1.5s","queue":"q","kind":"K"})",
                         "'every' is not a time of whole seconds");
        co_await refused(R"({"every":5,"anchor":"noon","queue":"q","kind":"K"})", "'anchor' is not a time");
        co_await refused(R"({"every":5,"missed":"none","queue":"q","kind":"K"})",
                         "'missed' is not skip, once or all");
        co_await refused(R"({"every":5,"queue":"q","kind":"K","retries":-1})",
                         "'retries' is not a whole number");
        co_await refused(R"({"every":5,"queue":"q","kind":"K","tags":"x"})", "'tags' is not an array");
        co_await refused(R"({"every":5,"queue":"q","kind":7})", "'kind' is not a string");
        co_await refused(R"({"every":5,"queue":"q","kind":"K","colour":"red"})", "'colour' is not known");
        co_await refused(R"({"every":5,"kind":"K"})", "'queue' is missing");
        co_await refused(R"({"every":5,"queue":"q"})", "'kind' is missing");
        co_await refused(R"({"every":5,"queue":"q","kind":"K","delay":5})", "'delay' is not known");
        co_await refused(R"({"every":5,"every":6,"queue":"q","kind":"K"})", "there twice");
        co_await refused("[]", "JSON object");
    });
}

BOOST_FIXTURE_TEST_CASE(list_queues_have_schedules_of_their_own, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const std::string there = "/v1/queues/mail/schedules", digest = there + "/digest";
        auto reply =
            co_await client.post(digest, R"({"every":"1h","missed":"all","jitter":5,"payload":{"n":1.50}})");
        BOOST_TEST(reply.json().at("changed").as_bool());
        reply = co_await client.post(digest, R"({"every":"1h","payload":1,"kind":"Letter"})");
        BOOST_TEST(reply.status == 400u);
        reply = co_await client.post(digest, R"({"every":"1h"})");
        BOOST_TEST(reply.text("detail").find("'payload'") != std::string::npos);
        reply = co_await client.get(digest);
        BOOST_TEST(reply.text("queue") == "mail");
        BOOST_TEST(reply.json().at("kind").is_null());
        BOOST_TEST(reply.body.find(R"("payload":{"n":1.50})") != reply.body.npos);
        reply = co_await client.post(digest, R"({"every":"1h","payload":[1]})");
        BOOST_TEST(reply.json().at("changed").as_bool());

        reply = co_await client.post(digest + "/run", "");
        BOOST_TEST(reply.text("id").starts_with("digest@"));
        BOOST_TEST(store()("LINDEX", "hworker-jobs-mail", 0).text == "[\"" + reply.text("id") + "\",[1]]");
        reply = co_await client.post(digest + "/pause", "");
        BOOST_TEST(reply.json().at("paused").as_bool());
        for (const auto& path : {there, std::string{"/v1/schedules"}}) {
            reply = co_await client.get(path);
            BOOST_TEST_REQUIRE(reply.json().at("schedules").as_array().size() == 1u);
            BOOST_TEST(reply.json().at("schedules").at(0).at("paused").as_bool());
        }
        reply = co_await client.post(digest + "/resume", "");
        BOOST_TEST(reply.status == 200u);
        reply = co_await client.post(digest + "/delete", "");
        BOOST_TEST(reply.status == 200u);
        reply = co_await client.get(digest);
        BOOST_TEST(reply.status == 404u);
        reply = co_await client.get("/v1/queues/managed:mail/schedules");
        BOOST_TEST(reply.status == 409u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
