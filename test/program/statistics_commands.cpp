// SPDX-License-Identifier: MIT
#include "program/commands/histogram.hpp"
#include "program/commands/history_table.hpp"
#include "work_test.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(statistics_commands)

using namespace coworker::test;

BOOST_FIXTURE_TEST_CASE(shows_the_workers_of_all_queues, program_test)
{
    const std::string start = "\"2026-11-21T09:54:29.6127150000";
    server("HSET", "hworker-workers-mail", 41, "coworker-a", 42, "coworker-b"); // neither is connected
    server("ZADD", "ql:workers", server("TIME").texts().at(0),
           "coworker:00000000000000aa00000000000000aa"); // nor is this one
    server("HSET", "hworker-progress-mail", "[\"1\",1]", start + "41Z\"", "[\"2\",1]", start + "41Z\"",
           "[\"3\",1]", "\"2026-11-21T09:54:29Z\"");
    put("r", "k");
    put("s", "k");
    qless("pop", "mail", "worker-1", 2);
    const auto result = coworker({"workers", "--json"});
    BOOST_TEST(result.code == 0);
    const std::vector<std::string> expected{
        R"({"name":"",)",           R"("loads":[{"kind":"list","queue":"mail","running":1,"stalled":0}]})",
        R"({"name":"coworker-a",)", R"("loads":[{"kind":"list","queue":"mail","running":2,"stalled":0}]})",
        R"({"name":"worker-1",)",   R"("loads":[{"kind":"managed","queue":null,"running":2,"stalled":0}]})"};
    const auto lines = result.lines();
    BOOST_TEST_REQUIRE(lines.size() == 3u, result.output);
    for (std::size_t i = 0; i != lines.size(); ++i) {
        BOOST_TEST(lines[i].starts_with(expected[2 * i]), lines[i]);
        BOOST_TEST(lines[i].ends_with(expected[2 * i + 1]), lines[i]);
    }
    BOOST_TEST(coworker({"workers"}).lines().size() == 4);
}

BOOST_FIXTURE_TEST_CASE(shows_that_there_are_no_workers, program_test)
{
    BOOST_TEST(coworker({"workers"}).output == "No workers.\n");
    BOOST_TEST(coworker({"workers", "--json"}).output == "");
}

BOOST_FIXTURE_TEST_CASE(shows_what_list_queues_have_counted, program_test)
{
    server("HSET", "hworker-counters-mail", "success", 1234567, "recovered", 3);
    BOOST_TEST(
        coworker({"stats", "mail", "--json"}).output ==
        R"({"queue":"mail","totals":{"succeeded":1234567,"retried":0,"failed":0,"broken":0,"recovered":3,"dropped":0,)"
        R"("dropped_broken":0}})"
        "\n");
    BOOST_TEST(coworker({"stats", "mail"}).says("succeeded       1234567\n"));
    BOOST_TEST(coworker({"stats", "mail", "--day", "2026-11-21"}).code == 2);
    BOOST_TEST(coworker({"stats", "nonsense"}).code == 3);
}

BOOST_FIXTURE_TEST_CASE(shows_how_long_managed_jobs_waited_and_ran, program_test)
{
    for (const auto* jid : {"a", "b", "c"}) {
        put(jid, "k");
        qless("pop", "mail", "w", 1);
        if (*jid == 'c')
            qless("fail", jid, "w", "group", "message");
        else
            qless("complete", jid, "w", "mail", "{}");
    }
    for (int run = 0; run != 2; ++run) {
        put("d", "k");
        qless("pop", "mail", "w", 1);
        qless("retry", "d", "mail", "w", "60");
    }
    const auto result = coworker({"stats", "managed:mail", "--json"});
    BOOST_TEST(result.code == 0);
    const auto stats = boost::json::parse(result.output).as_object();
    BOOST_TEST(stats.at("retries").as_int64() == 2);
    BOOST_TEST(stats.at("lost_locks").as_int64() == 0);
    BOOST_TEST(stats.at("wait").at("count").as_int64() == 5);
    BOOST_TEST(stats.at("run").at("count").as_int64() == 2);
    BOOST_TEST(stats.at("failures").as_int64() == 1);
    BOOST_TEST(stats.at("wait").at("histogram").as_array().size() >= 1);
    const auto text = coworker({"stats", "managed:mail", "--day", std::string{stats.at("day").as_string()}});
    BOOST_TEST(text.says("1 failures, 1 of them still failed, 2 retries, 0 lost locks"));
    BOOST_TEST(text.says("Waited: 5 jobs, mean "));
    BOOST_TEST(text.says("###"));
}

BOOST_FIXTURE_TEST_CASE(shows_a_day_on_which_nothing_happened, program_test)
{
    put("a", "k");
    const auto result = coworker({"stats", "managed:mail", "--day", "2001-02-03"});
    BOOST_TEST(result.code == 0);
    BOOST_TEST(result.output ==
               "2001-02-03 (UTC): 0 failures, 0 of them still failed, 0 retries, 0 lost locks\n\n"
               "Waited: 0 jobs\n\nRan: 0 jobs\n");
    for (const auto* day : {"yesterday", "2001-02-30", "2001-02-03T00:00:00Z"})
        BOOST_TEST(coworker({"stats", "managed:mail", "--day", day}).code == 2);
}

BOOST_FIXTURE_TEST_CASE(watches_a_queue_until_it_is_told_to_end, program_test)
{
    push({"mail"}, "1\n2\n");
    put("a", "k");
    for (const std::string queue : {"mail", "managed:mail"}) {
        running_program watch{{"stats", queue, "--watch", "0.1", "--json", "--redis", server.url()}};
        watch.wait_for("\"now\":");
        watch.wait_for("\"rates\":{\"succeeded\":");
        watch.signal(SIGTERM);
        BOOST_TEST(watch.wait() == -SIGTERM);
    }
    running_program watch{{"stats", "mail", "--watch", "--redis", server.url()}};
    watch.wait_for("FAILED/s");
    watch.wait_for("succeeded");
    watch.wait_for("FAILED/s"); // and again, after the two seconds that are the default
    watch.signal(SIGINT);
    BOOST_TEST(watch.wait() == -SIGINT);
    for (const auto* interval : {"0", "nonsense", "-1"})
        BOOST_TEST(coworker({"stats", "mail", "--watch", interval}).code == 2, interval);
}

BOOST_FIXTURE_TEST_CASE(shows_the_last_day_of_all_queues, program_test)
{
    BOOST_TEST(coworker({"stats"}).code == 2);
    BOOST_TEST(coworker({"stats", "--day", "2026-11-21"}).code == 2);
    put("j", "k");
    server("LPUSH", "hworker-jobs-mail", R"(["id",1])");
    const auto minute = std::stoll(server("TIME").texts().at(0)) / 60 * 60 - 60;
    server("LPUSH", "hworker-history-mail", std::to_string(minute) + " 3 0 0");
    server("LPUSH", "ql:coworker:history:mail", std::to_string(minute) + " 4 1 0");
    const auto history = boost::json::parse(coworker({"stats", "--history", "--json"}).output).as_object();
    BOOST_TEST(history.at("queue").is_null());
    BOOST_TEST(history.at("minutes").at(0).at("succeeded").as_int64() == 7);
    BOOST_TEST(history.at("minutes").at(0).at("failed").as_int64() == 1);
}

BOOST_FIXTURE_TEST_CASE(shows_which_redis_it_is, program_test)
{
    server("CONFIG", "SET", "maxmemory", "512mb");
    const auto text = coworker({"server"});
    BOOST_TEST(text.code == 0);
    for (const auto* words : {"memory   ", " of 512.0 MiB", "clients  ", "up       "})
        BOOST_TEST(text.says(words), words);
    const auto shown = boost::json::parse(coworker({"server", "--json"}).output).as_object();
    BOOST_TEST(shown.at("memory_limit_bytes").as_int64() == 512 * 1024 * 1024);
    BOOST_TEST(shown.at("nodes").as_int64() == 1);
}

BOOST_FIXTURE_TEST_CASE(shows_the_last_day_of_a_queue, program_test)
{
    push({"mail"}, "1\n");
    put("a", "k");
    const std::vector<std::pair<std::int64_t, std::string>> minutes_ago = {
        {25 * 60, " 9 9 9"}, {120, " 40 2 5"}, {0, " 20 0 1"}};
    for (const std::string queue : {"mail", "managed:mail"}) {
        BOOST_TEST(coworker({"stats", queue, "--history"}).output ==
                   "No job has ended within the last day.\n");
        const auto minute = std::stoll(server("TIME").texts().at(0)) / 60 * 60;
        const auto key = queue == "mail" ? "hworker-history-mail" : "ql:coworker:history:mail";
        for (const auto& [ago, counts] : minutes_ago)
            server("LPUSH", key, std::to_string(minute - 60 * ago) + counts);
        const auto text = coworker({"stats", queue, "--history"});
        BOOST_TEST(text.code == 0);
        BOOST_TEST_REQUIRE(text.lines().size() >= 6u); // headings, three hours, an empty line, rates
        BOOST_TEST(text.lines()[0] == "HOUR (UTC)        SUCCEEDED  RETRIED  FAILED");
        BOOST_TEST(text.says("         40        5       2  " + std::string(30, '#') + '\n'));
        BOOST_TEST(text.says("          0        0       0\n"));
        BOOST_TEST(text.says("a minute: "));
        for (const auto& line : text.lines())
            BOOST_TEST(line.size() <= 80u, line);
        const auto json =
            boost::json::parse(coworker({"stats", queue, "--history", "--json"}).output).as_object();
        BOOST_TEST(json.at("queue").as_string() == queue);
        BOOST_TEST(json.at("until").as_string() > json.at("from").as_string());
        const auto& minutes = json.at("minutes").as_array();
        BOOST_TEST_REQUIRE(minutes.size() == 2u);
        BOOST_TEST(minutes[0].at("succeeded").as_int64() == 40);
        BOOST_TEST(minutes[0].at("failed").as_int64() == 2);
        BOOST_TEST(minutes[1].at("retried").as_int64() == 1);
        BOOST_TEST(minutes[1].at("minute").as_string().ends_with(":00Z"));
    }
    BOOST_TEST(coworker({"stats", "mail", "--history", "--watch", "1"}).code == 2);
    BOOST_TEST(coworker({"stats", "managed:mail", "--history", "--day", "2026-11-21"}).code == 2);
    BOOST_TEST(coworker({"stats", "nonsense", "--history"}).code == 3);
}

BOOST_AUTO_TEST_CASE(sums_minutes_up_by_hours)
{
    using namespace std::chrono_literals;
    coworker::queue_history history;
    history.until = coworker::timestamp{1000h + 2min};
    BOOST_TEST(coworker::program::by_hours(history).empty());
    for (const auto minute : {997h + 59min, 999h + 0min, 999h + 59min}) {
        auto& counts = history.minutes.emplace_back();
        counts.minute = coworker::timestamp{minute};
        counts.succeeded = 2;
        counts.failed = 1;
    }
    const auto hours = coworker::program::by_hours(history);
    BOOST_TEST_REQUIRE(hours.size() == 4u); // 997 to 1000
    BOOST_TEST((hours[0].minute == coworker::timestamp{997h}));
    BOOST_TEST(hours[0].succeeded == 2u);
    BOOST_TEST(hours[1].succeeded == 0u);
    BOOST_TEST(hours[2].succeeded == 4u);
    BOOST_TEST(hours[2].failed == 2u);
    BOOST_TEST(hours[3].succeeded == 0u);
}

BOOST_AUTO_TEST_CASE(puts_bins_together)
{
    using namespace coworker::program;
    coworker::managed_distribution times;
    BOOST_TEST(bars_of(times).empty());
    times.count = 19;
    times.histogram[1] = 1;   // 1 s
    times.histogram[5] = 2;   // 5 s
    times.histogram[9] = 3;   // 9 s
    times.histogram[61] = 4;  // 2 min
    times.histogram[147] = 5; // 6 d
    const auto bars = bars_of(times);
    BOOST_TEST_REQUIRE(bars.size() == 17);
    BOOST_TEST(bars[0].label == "1s - 2s");
    BOOST_TEST(bars[0].count == 1);
    BOOST_TEST(bars[1].count == 0);
    BOOST_TEST(bars[2].label == "5s - 10s");
    BOOST_TEST(bars[2].count == 5);
    BOOST_TEST(bars[7].label == "2m - 5m");
    BOOST_TEST(bars[7].count == 4);
    BOOST_TEST(bars[15].label == "1d - 7d");
    BOOST_TEST(bars[15].count == 5);
    BOOST_TEST(bars[16].label == "7d or more");
    BOOST_TEST(bars[16].count == 4);
}

BOOST_AUTO_TEST_CASE(draws_bars_in_proportion)
{
    using coworker::program::drawn;
    BOOST_TEST(drawn(0, 10, 10) == "");
    BOOST_TEST(drawn(0, 0, 10) == "");
    BOOST_TEST(drawn(5, 10, 10) == "#####");
    BOOST_TEST(drawn(1, 1'000'000, 10) == "#");
    BOOST_TEST(drawn(10, 10, 10) == "##########");
}

BOOST_AUTO_TEST_SUITE_END()
