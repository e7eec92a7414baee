// SPDX-License-Identifier: MIT
#include "http_effects_test.hpp"

/// Which effects a gateway carries out for workers over HTTP.
BOOST_AUTO_TEST_SUITE(effects_that_are_permitted)

using namespace coworker::test;
using namespace coworker::test::effects;
using namespace coworker;

BOOST_FIXTURE_TEST_CASE(write_only_where_the_gateway_may, http_effects_test)
{
    settings.effect_keys.push_back("q"); // and so of managed queues, if these were no exception
    settings.effect_keys.push_back("hw");
    serve([&]() -> asio::awaitable<void> {
        for (const auto& queue : both) {
            push(queue, "j");
            for (const auto* const command : {R"(["INCR","orders"])", R"(["DEL","shop:orders","other"])",
                                              R"(["UNLINK","shop:orders","x"])", R"(["PUBLISH","old","x"])",
                                              R"(["HSET","ql:j:j","worker","me"])", R"(["SET","",""])",
                                              R"(["LPUSH","hworker-jobs-later","[\"a\",1]"])"}) {
                const auto effects =
                    std::string{R"([{"command":["INCR","shop:orders"]},{"command":)"} + command + "}]";
                const auto detail = co_await refused(queue, effects, 403);
                BOOST_TEST(says(detail, "'effects' cannot be used, number 2. "), detail);
            }
        }
        BOOST_TEST(counter() == "");
    });
    BOOST_TEST(store()("EXISTS", "ql:j:orders", "hworker-jobs-later").integer == 0);
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(are_jobs_only_unless_it_is_said_where_commands_may_write, managed_gateway_test)
{
    settings.types = {"mail", "served"};
    settings.tokens = tokens_of("all", "some");
    put("j", "Letter");
    serve([&]() -> asio::awaitable<void> {
        const auto ask = [&](std::string path, std::string body,
                             std::string token = "all") -> asio::awaitable<http_reply> {
            auto client = connect();
            co_return co_await client.post(managed + path, body,
                                           "Content-Type: application/json\r\nAuthorization: Bearer " +
                                               token + "\r\n");
        };
        const auto taken = co_await ask("/take", "{}");
        const auto jobs = taken.json();
        const std::string token{jobs.at("jobs").at(0).at("token").as_string()};
        const auto with = [&](std::string effect) {
            return "{\"token\":\"" + token + R"(","outcome":"success","effects":[)" + effect + "]}";
        };
        const auto command = co_await ask("/acknowledge", with(R"({"command":["INCR","shop:orders"]})"));
        BOOST_TEST(command.status == 403u);
        BOOST_TEST(says(command.text("detail"), "--effect-keys"), command.body);
        const auto other = co_await ask("/acknowledge", with(a_child));
        BOOST_TEST(other.status == 403u);
        BOOST_TEST(says(other.text("detail"), "'later' is not one of those"), other.body);
        const auto of_list = co_await ask("/acknowledge", with(R"({"queue":"later","job":{"payload":1}})"));
        BOOST_TEST(of_list.status == 403u);
        const auto served = R"({"queue":"managed:served","job":{"kind":"K"}})";
        const auto reader = co_await ask("/acknowledge", with(served), "some");
        BOOST_TEST(reader.status == 403u);
        BOOST_TEST(state("j") == "running");
        BOOST_TEST(store()("EXISTS", "ql:q:served-work").integer == 0);
        const auto good = co_await ask("/acknowledge", with(served));
        BOOST_TEST(good.status == 200u, good.body);
        BOOST_TEST(state("j") == "complete");
        BOOST_TEST(store()("ZCARD", "ql:q:served-work").integer == 1);
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(need_beginnings_of_keys_that_are_not_empty, gateway_test)
{
    const auto refuses = [](const system_error& error) { return error.code() == errc::invalid_option; };
    BOOST_CHECK_EXCEPTION((coworker::gateway{redis, {.port = 0, .effect_keys = {"a", ""}}}), system_error,
                          refuses);
}

BOOST_AUTO_TEST_SUITE_END()
