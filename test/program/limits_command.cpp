// SPDX-License-Identifier: MIT
#include "program_test.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker::test;

BOOST_AUTO_TEST_SUITE(limits_command)

BOOST_FIXTURE_TEST_CASE(sets_shows_and_removes_limits, program_test)
{
    const auto none = coworker({"limits"});
    BOOST_TEST(none.code == 0);
    BOOST_TEST(none.says("No limits are set."));
    BOOST_TEST(coworker({"limit", "tenant:*", "--max-running", "2"}).code == 0);
    const auto rate =
        coworker({"limit", "api", "--rate", "100", "--period", "1m", "--burst", "10", "--json"});
    BOOST_TEST(rate.code == 0);
    BOOST_TEST(
        rate.output ==
        R"({"name":"api","set":true,"max_running":null,"rate":100,"period":60,"burst":10,"used":0,"held_back":0,"opens_in_seconds":0,"held_for_seconds":0})"
        "\n");
    const auto one = coworker({"limits", "tenant:42", "--json"});
    BOOST_TEST(
        one.output ==
        R"({"name":"tenant:42","set":true,"max_running":2,"rate":null,"period":null,"burst":null,"used":0,"held_back":0,"opens_in_seconds":0,"held_for_seconds":0})"
        "\n");
    BOOST_TEST(coworker({"limits"}).says("tenant:*"));
    BOOST_TEST(
        coworker({"limit", "api", "--remove", "--json"}).output ==
        R"({"name":"api","set":false,"max_running":null,"rate":null,"period":null,"burst":null,"used":0,"held_back":0,"opens_in_seconds":0,"held_for_seconds":0})"
        "\n");
}

BOOST_FIXTURE_TEST_CASE(replaces_what_was_set_and_shows_the_whole_limit, program_test)
{
    coworker({"limit", "api", "--rate", "3", "--period", "10s"});
    const auto now = coworker({"limit", "api", "--max-running", "5"});
    BOOST_REQUIRE(now.lines().size() == 2u);
    BOOST_TEST(now.says("MAX RUNNING"));
    BOOST_TEST(!now.says("3 in 10s"));
    BOOST_TEST(
        coworker({"limits", "api", "--json"}).output ==
        R"({"name":"api","set":true,"max_running":5,"rate":null,"period":null,"burst":null,"used":0,"held_back":0,"opens_in_seconds":0,"held_for_seconds":0})"
        "\n");
    BOOST_TEST(coworker({"limit", "--help"}).says("replaces"));
}

BOOST_FIXTURE_TEST_CASE(shows_and_sets_the_limits_of_a_queue, program_test)
{
    BOOST_TEST(coworker({"queue-limits", "managed:mail"}).says("subject to their own limits only"));
    const auto set = coworker({"queue-limits", "managed:mail", "gpu=4", "api"});
    BOOST_TEST(set.code == 0, set.errors);
    BOOST_TEST(set.says("gpu"));
    BOOST_TEST(coworker({"queue-limits", "managed:mail", "--json"}).output ==
               R"({"queue":"managed:mail","limits":[{"name":"gpu","units":4},{"name":"api","units":1}]})"
               "\n");
    BOOST_TEST(coworker({"queue-limits", "managed:mail", "api", "--json"}).output ==
               R"({"queue":"managed:mail","limits":[{"name":"api","units":1}]})"
               "\n");
    BOOST_TEST(coworker({"queue-limits", "managed:mail", "--remove", "--json"}).output ==
               R"({"queue":"managed:mail","limits":[]})"
               "\n");
}

BOOST_FIXTURE_TEST_CASE(refuses_limits_of_a_queue_that_cannot_be, program_test)
{
    BOOST_TEST(coworker({"queue-limits", "mail", "gpu"}).complains("limits belong to managed queues"));
    BOOST_TEST(coworker({"queue-limits", "managed:mail", "gpu=0"})
                   .complains("LIMIT is not made of limits with units from 1 to 1000000"));
    BOOST_TEST(coworker({"queue-limits", "managed:mail", "gpu", "gpu"})
                   .complains("LIMIT is not a list of different limits"));
    BOOST_TEST(coworker({"queue-limits", "managed:mail", "gpu", "--remove"}).code == 2);
    BOOST_TEST(coworker({"queue-limits", "managed:mail", "order:x"}).code == 2);
}

BOOST_FIXTURE_TEST_CASE(shows_and_sets_the_weight_of_a_group, program_test)
{
    BOOST_TEST(coworker({"group", "managed:mail"}).output ==
               "All groups of managed:mail have the weight 1.\n");
    BOOST_TEST(coworker({"group", "managed:mail", "acme"}).output == "GROUP  WEIGHT\nacme        1\n");
    const auto set = coworker({"group", "managed:mail", "acme", "--weight", "2.5", "--json"});
    BOOST_TEST(set.output == R"({"group":"acme","weight":2.5,"queue":"managed:mail"})"
                             "\n",
               set.errors);
    BOOST_TEST(coworker({"group", "managed:mail", "acme"}).output == "GROUP  WEIGHT\nacme      2.5\n");
    BOOST_TEST(coworker({"group", "managed:mail", "b", "--weight", "0.001"}).output ==
               "GROUP  WEIGHT\nb       0.001\n");
    BOOST_TEST(coworker({"group", "managed:mail"}).output == "GROUP  WEIGHT\nacme      2.5\nb       0.001\n");
    BOOST_TEST(coworker({"group", "managed:mail", "--json"}).output ==
               "{\"group\":\"acme\",\"weight\":2.5,\"queue\":\"managed:mail\"}\n"
               "{\"group\":\"b\",\"weight\":0.001,\"queue\":\"managed:mail\"}\n");
    BOOST_TEST(coworker({"group", "managed:mail", "--weight", "2"}).complains("--weight needs a GROUP"));
    BOOST_TEST(coworker({"group", "mail", "acme"}).complains("groups belong to managed queues"));
    BOOST_TEST(coworker({"group", "managed:mail", "acme", "--weight", "0"}).complains("from 0.001 to 1000"));
}

BOOST_FIXTURE_TEST_CASE(shows_and_changes_the_settings_of_a_queue, program_test)
{
    BOOST_TEST(
        coworker({"queue-settings", "managed:mail"}).output ==
        "HEARTBEAT  MAX CONCURRENCY  MAX WAITING  AGEING\n  default                -            -       -\n");
    const auto set = coworker({"queue-settings", "managed:mail", "--heartbeat", "90s", "--max-concurrency",
                               "8", "--max-waiting", "2", "--ageing", "10m"});
    BOOST_TEST(set.output == "HEARTBEAT  MAX CONCURRENCY  MAX WAITING  AGEING\n   1m 30s                8    "
                             "        2     10m\n",
               set.errors);
    BOOST_TEST(server("HGET", "ql:coworker:bounds", "mail").text.starts_with("2 600 "));
    BOOST_TEST(server("HGET", "ql:config", "mail-heartbeat").text == "90");
    BOOST_TEST(coworker({"queue-settings", "managed:mail", "--max-concurrency", "1", "--json"}).output ==
               "{\"heartbeat\":90,\"max_concurrency\":1,\"max_waiting\":2,\"ageing\":600,\"held_for_"
               "seconds\":0,\"queue\":"
               "\"managed:mail\"}\n");
    BOOST_TEST(coworker({"queue-settings", "managed:mail", "--heartbeat", "default", "--max-concurrency", "0",
                         "--max-waiting", "0", "--ageing", "0", "--json"})
                   .output ==
               "{\"heartbeat\":null,\"max_concurrency\":0,\"max_waiting\":0,\"ageing\":0,\"held_for_"
               "seconds\":0,\"queue\":\"managed:mail\"}\n");
    BOOST_TEST(server.has_none("ql:coworker:bounds"));
    BOOST_TEST(server.has_none("ql:config"));
}

BOOST_FIXTURE_TEST_CASE(holds_what_is_named_for_a_time, program_test)
{
    BOOST_TEST(coworker({"hold", "managed:mail"}).output == "mail is not held\n");
    const auto held = coworker({"hold", "managed:mail", "--for", "2h"});
    BOOST_TEST(held.output.starts_with("mail is held for "), held.errors);
    BOOST_TEST(coworker({"hold", "managed:mail", "--json"})
                   .output.starts_with(R"({"queue":"mail","held_for_seconds":71)"));
    BOOST_TEST(
        coworker({"queue-settings", "managed:mail", "--json"}).output.find(R"("held_for_seconds":0)") ==
        std::string::npos);
    BOOST_TEST(coworker({"hold", "managed:mail", "--end"}).output == "mail is not held\n");
    coworker({"hold", "managed:mail", "--group", "g", "--for", "2h"});
    coworker({"hold", "--limit", "api", "--for", "2h"});
    coworker({"hold", "--order-key", "o", "--for", "2h"});
    for (const auto* key : {"group:4:mail:g", "limit:api", "order:o"})
        BOOST_TEST(server("PTTL", std::string{"ql:coworker:hold:"} + key).integer > 7'000'000);
    BOOST_TEST(server("EXISTS", "ql:coworker:hold:queue:mail").integer == 0);
    BOOST_TEST(coworker({"hold", "mail", "--for", "1s"}).complains("a hold is of a queue (managed:NAME"));
    BOOST_TEST(coworker({"hold", "--limit", "a", "--order-key", "b"}).complains("a hold is of a queue"));
    BOOST_TEST(coworker({"hold", "--limit", "a", "--for", "soon"}).complains("--for is a time"));
    BOOST_TEST(coworker({"hold", "--limit", "a", "--for", "1s", "--end"}).complains("exclude each other"));
}

BOOST_FIXTURE_TEST_CASE(refuses_settings_that_cannot_be, program_test)
{
    BOOST_TEST(coworker({"queue-settings", "mail"}).complains("settings belong to managed queues"));
    for (const auto* time : {"0s", "soon", "-1s"})
        BOOST_TEST(
            coworker({"queue-settings", "managed:mail", "--heartbeat", time}).complains("is a time such as"),
            time);
    for (const auto* count : {"-1", "1.5", "2e9"})
        BOOST_TEST(coworker({"queue-settings", "managed:mail", "--max-concurrency", count})
                       .complains("a whole number"),
                   count);
    BOOST_TEST(
        coworker({"queue-settings", "managed:mail", "--ageing", "soon"}).complains("is a time such as"));
    BOOST_TEST(server.has_none("ql:config"));
}

BOOST_FIXTURE_TEST_CASE(refuses_limits_that_say_nothing, program_test)
{
    BOOST_TEST(coworker({"limit", "api"}).complains("needs --max-running or --rate"));
    BOOST_TEST(
        coworker({"limit", "api", "--burst", "2", "--max-running", "1"}).complains("belong to --rate"));
    BOOST_TEST(coworker({"limit", "api", "--rate", "1.5"}).complains("whole number"));
    BOOST_TEST(coworker({"limit", "api", "--rate", "1", "--period", "x"}).complains("--period is a time"));
    BOOST_TEST(coworker({"limit", "api", "--rate", "1", "--remove"}).code == 2);
}

BOOST_AUTO_TEST_SUITE_END()
