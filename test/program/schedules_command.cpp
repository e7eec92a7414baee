// SPDX-License-Identifier: MIT
#include "program_test.hpp"
#include "support/qless_client.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(schedules_command)

using namespace coworker::test;

BOOST_FIXTURE_TEST_CASE(sets_shows_runs_and_removes_schedules, program_test)
{
    BOOST_TEST(coworker({"schedules"}).output == "There are no schedules.\n");
    auto result = coworker({"schedules",     "set",        "nightly",
                            "--cron",        "30 2 * * *", "--zone",
                            "Europe/Berlin", "--queue",    "managed:reports",
                            "--kind",        "Report",     "--data",
                            R"({"n":1.50})", "--priority", "5",
                            "--retries",     "2",          "--tag",
                            "red",           "--missed",   "all"});
    BOOST_TEST_REQUIRE(result.code == 0, result.errors);
    BOOST_TEST(result.output == "nightly is set\n");
    result = coworker(
        {"schedules", "set", "pulse", "--every", "10m", "--queue", "managed:checks", "--kind", "Check"});
    BOOST_TEST(result.output == "pulse is set\n");

    result = coworker({"schedules", "set", "twice", "--cron", "@daily", "--queue", "managed:checks", "--kind",
                       "Check", "--begin", "2096-11-22T06:30:00Z", "--end", "2096-12-24T06:30:00Z",
                       "--most-runs", "2", "--jitter", "90s"});
    BOOST_TEST_REQUIRE(result.code == 0, result.errors);
    BOOST_TEST(coworker({"schedules", "show", "twice"}).says(", at most 2 runs, jobs wait up to 1m 30s\n"));
    const auto bounded =
        boost::json::parse(coworker({"schedules", "show", "twice", "--json"}).output).as_object();
    BOOST_TEST(bounded.at("begin").as_string() == "2096-11-22T06:30:00.000000Z");
    BOOST_TEST(bounded.at("next").at(0).as_string() == "2096-11-23T00:00:00.000000Z");
    BOOST_TEST(bounded.at("next").as_array().size() == 2u);
    result = coworker({"schedules", "show", "nightly", "--json"});
    const auto shown = boost::json::parse(result.output).as_object();
    BOOST_TEST(shown.at("cron").as_string() == "30 2 * * *");
    BOOST_TEST(shown.at("zone").as_string() == "Europe/Berlin");
    BOOST_TEST(shown.at("missed").as_string() == "all");
    BOOST_TEST(shown.at("queue").as_string() == "managed:reports");
    BOOST_TEST(shown.at("next").as_array().size() == 10u);
    BOOST_TEST(shown.at("priority").to_number<int>() == 5);
    BOOST_TEST(boost::json::serialize(shown.at("tags")) == R"(["red"])");
    BOOST_TEST(coworker({"schedules", "show", "nightly"}).says("\noptions    {\"priority\":5,"));
    BOOST_TEST(coworker({"schedules"}).output.find("every 10m") != std::string::npos);
    BOOST_TEST(coworker({"schedules", "show", "pulse"}).output.find("Check in managed:checks") !=
               std::string::npos);

    result = coworker({"schedules", "run", "nightly"});
    BOOST_TEST(result.code == 0);
    BOOST_TEST(result.output.starts_with("nightly@"));
    BOOST_TEST(server("ZCARD", "ql:q:reports-work").integer == 1);
    BOOST_TEST(field(result.lines().at(0), "remaining") == "2");
    BOOST_TEST(coworker({"schedules", "pause", "nightly"}).output == "nightly is paused\n");
    BOOST_TEST(coworker({"schedules"}).output.find("paused") != std::string::npos);
    BOOST_TEST(coworker({"schedules", "resume", "nightly"}).output == "nightly is resumed\n");
    BOOST_TEST(coworker({"schedules", "remove", "nightly"}).output == "nightly is removed\n");
    BOOST_TEST(coworker({"schedules", "remove", "nightly"}).code == 3);
}

BOOST_FIXTURE_TEST_CASE(shows_recurring_jobs_beside_schedules, program_test)
{
    qless_client{server}.qless("recur", "checks", "pulse", "Check", "{\"deep\":1}", "interval", "600", "0");
    const auto shown = coworker({"schedules"}).output;
    BOOST_TEST(shown.find("There are no schedules.") == 0u, shown);
    for (const auto* part : {"RECURRING JOB", "pulse", "every 10m", "managed:checks", "Check"})
        BOOST_TEST(shown.find(part) != std::string::npos, shown);
    const auto line = boost::json::parse(coworker({"schedules", "--json"}).output).as_object();
    BOOST_TEST(line.at("id").as_string() == "pulse");
    BOOST_TEST(line.at("interval_seconds").to_number<double>() == 600);
    BOOST_TEST(line.at("queue").as_string() == "managed:checks");
}

BOOST_FIXTURE_TEST_CASE(says_what_is_wrong_with_a_schedule, program_test)
{
    const auto refused = [&](std::vector<std::string> words, const std::string& why) {
        words.insert(words.begin(), {"schedules", "set", "s"});
        const auto result = coworker(words);
        BOOST_TEST(result.code == 2, result.errors);
        BOOST_TEST(result.errors.find(why) != why.npos, result.errors);
    };
    refused({"--cron", "@daily"}, "--queue managed:NAME and --kind NAME");
    refused({"--cron", "@daily", "--queue", "managed:m"}, "--kind NAME");
    refused({"--cron", "61 * * * *", "--queue", "managed:m", "--kind", "K"}, "minute: '61' is out of range");
    refused({"--cron", "@daily", "--queue", "managed:m", "--kind", "K", "--begin", "tomorrow"}, "--begin");
    refused({"--cron", "@daily", "--queue", "managed:m", "--kind", "K", "--most-runs", "many"},
            "--most-runs");
    refused({"--cron", "@daily", "--queue", "managed:m", "--kind", "K", "--jitter", "1.5s"}, "--jitter");
    refused({"--cron", "@daily", "--zone", "Mars", "--queue", "managed:m", "--kind", "K"},
            "no time zone 'Mars'");
    refused({"--every", "1500ms", "--queue", "managed:m", "--kind", "K"},
            "--every is not a time of whole seconds");
    refused({"--queue", "managed:m", "--kind", "K"}, "either a cron line or an interval");
    refused({"--every", "1h", "--queue", "managed:m", "--kind", "K", "--timeout", "soon"},
            "--timeout is not a number of seconds or a text such as");
    refused({"--every", "1h", "--queue", "managed:m", "--kind", "K", "--unique-for", "1h"},
            "see coworker schedules --help");
    BOOST_TEST(coworker({"schedules", "pause"}).code == 2);
    BOOST_TEST(coworker({"schedules", "dance"}).code == 2);
}

BOOST_FIXTURE_TEST_CASE(list_queues_have_schedules_of_their_own, program_test)
{
    auto result = coworker(
        {"schedules", "set", "digest", "--every", "1h", "--queue", "mail", "--data", R"({"to":"all"})"});
    BOOST_TEST_REQUIRE(result.code == 0, result.errors);
    BOOST_TEST(result.output == "digest is set\n");
    BOOST_TEST(coworker({"schedules"}).output.find("mail ") != std::string::npos);
    BOOST_TEST(coworker({"schedules", "show", "digest"}).code == 3); // of managed queues
    result = coworker({"schedules", "show", "digest", "--queue", "mail"});
    BOOST_TEST(result.says("job        in mail, {\"to\":\"all\"}\n"), result.output);
    result = coworker({"schedules", "run", "digest", "--queue", "mail"});
    BOOST_TEST(result.output.starts_with("digest@"));
    BOOST_TEST(server("LLEN", "hworker-jobs-mail").integer == 1);
    BOOST_TEST(coworker({"schedules", "pause", "digest", "--queue", "mail"}).output == "digest is paused\n");
    BOOST_TEST(coworker({"schedules", "remove", "digest", "--queue", "mail"}).output ==
               "digest is removed\n");
    for (const std::vector<std::string>& wrong :
         {std::vector<std::string>{"--kind", "Letter"}, {"--priority", "5"}}) {
        std::vector<std::string> words{"schedules", "set", "digest", "--every", "1h", "--queue", "mail"};
        words.insert(words.end(), wrong.begin(), wrong.end());
        BOOST_TEST(coworker(words).errors.find("managed:mail") != std::string::npos);
    }
}

BOOST_AUTO_TEST_SUITE_END()
