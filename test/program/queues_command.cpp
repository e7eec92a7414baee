// SPDX-License-Identifier: MIT
#include "program_test.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(queues_command)

using namespace coworker::test;

struct queues_test : program_test
{
    boost::json::object look(const std::string& queue)
    {
        const auto result = coworker({"queues", queue, "--json"});
        BOOST_TEST_REQUIRE(result.code == 0, result.errors);
        return boost::json::parse(result.output).as_object();
    }
};

BOOST_FIXTURE_TEST_CASE(finds_nothing_in_an_empty_database, queues_test)
{
    const auto result = coworker({"queues"});
    BOOST_TEST(result.code == 0);
    BOOST_TEST(result.output == "There are no queues.\n");
    BOOST_TEST(coworker({"queues", "--json"}).output == "");
}

BOOST_FIXTURE_TEST_CASE(names_the_kinds_that_no_worker_handles, queues_test)
{
    push({"managed:mail", "--kind", "Letter", "--payload-version", "2"}, "1\n");
    const auto id = server("ZRANGE", "ql:q:mail-work", 0, -1).texts().at(0);
    // as a worker of another kind does
    const std::string kind{"Letter\0002", 8};
    server("ZADD", "ql:q:mail-work", "-inf", id);
    server("ZADD", "ql:coworker:kinds:mail", 0, kind);
    server("ZADD", "ql:coworker:kind:4:mail:" + kind, 0, id);
    const auto queue = look("managed:mail");
    BOOST_TEST(queue.at("unhandled").as_int64() == 1);
    BOOST_TEST(queue.at("unhandled_kinds").as_array().at(0).as_string() == "Letter (version 2)");
    BOOST_TEST(coworker({"queues", "managed:mail"}).says("1 that no worker handles"));
    BOOST_TEST(coworker({"job", id}).says("no worker handles this kind"));
    BOOST_TEST(coworker({"job", id, "--json"}).says(R"("unhandled":true,"version":2)"));
}

BOOST_FIXTURE_TEST_CASE(counts_the_jobs_of_list_queues, queues_test)
{
    push({"mail"}, "1\n2\n3\n");
    push({"mail", "--delay", "1h"}, "4\n");
    server("LPUSH", "hworker-failed-mail", "[\"f\",1]");
    server("HSET", "hworker-broken-mail", "b", "\"2026-11-21T09:54:29Z\"");
    server("HSET", "hworker-progress-mail", "[\"p\",1]", "\"2026-11-21T09:54:29Z\"", "false",
           "\"2026-11-21T09:54:29Z\"");
    const auto queue = look("mail");
    BOOST_TEST(queue.at("name").as_string() == "mail");
    BOOST_TEST(queue.at("kind").as_string() == "list");
    BOOST_TEST(queue.at("waiting").as_int64() == 3);
    BOOST_TEST(queue.at("scheduled").as_int64() == 1);
    BOOST_TEST(queue.at("running").as_int64() == 1);
    BOOST_TEST(queue.at("failed").as_int64() == 1);
    BOOST_TEST(queue.at("broken").as_int64() == 1);
    BOOST_TEST(!queue.at("paused").as_bool());
    BOOST_TEST(queue.at("latency_seconds").to_number<double>() < 60);
    BOOST_TEST(!queue.contains("stalled"));
}

BOOST_FIXTURE_TEST_CASE(shows_partitions_on_request, queues_test)
{
    server("SET", "hworker-partitions-mail", "2");
    server("LPUSH", "hworker-jobs-{mail:0}", R"(["1",1])");
    server("LPUSH", "hworker-jobs-{mail:1}", R"(["2",2])", R"(["3",3])");
    const auto queue = look("mail");
    BOOST_TEST(queue.at("partitions").as_int64() == 2);
    BOOST_TEST(queue.at("waiting").as_int64() == 3);
    const auto all = coworker({"queues"});
    BOOST_TEST(all.output.find("{mail:") == all.output.npos, all.output);
    const auto each = coworker({"queues", "mail", "--partitions"});
    BOOST_TEST(each.code == 0);
    BOOST_TEST(each.output.find("{mail:0}") < each.output.find("{mail:1}"), each.output);
    BOOST_TEST(look("{mail:1}").at("waiting").as_int64() == 2);
}

BOOST_FIXTURE_TEST_CASE(counts_the_jobs_of_managed_queues, queues_test)
{
    put("j1", "k");
    put("j2", "k", "{}", "depends", "[\"j1\"]");
    qless("put", "", "mail", "j3", "k", "{}", "3600");
    const auto queue = look("managed:mail");
    BOOST_TEST(queue.at("name").as_string() == "managed:mail");
    BOOST_TEST(queue.at("kind").as_string() == "managed");
    BOOST_TEST(queue.at("waiting").as_int64() == 1);
    BOOST_TEST(queue.at("depends").as_int64() == 1);
    BOOST_TEST(queue.at("scheduled").as_int64() == 1);
    BOOST_TEST(queue.at("stalled").as_int64() == 0);
    BOOST_TEST(queue.at("latency_seconds").to_number<double>() < 60);
    BOOST_TEST(!queue.contains("broken"));
}

BOOST_FIXTURE_TEST_CASE(finds_queues_among_other_keys, queues_test)
{
    for (int i = 0; i != 3000; ++i)
        server("SET", "other-" + std::to_string(i), i);
    server("SET", "hworker-", 1);
    server("SET", "hworker-jobs-", 1);
    server("SET", "hworker-nonsense-x", 1);
    server("SET", "hworker-paused-only-paused", 1);
    server("LPUSH", "hworker-jobs-a-b-c", "[\"1\",1]");
    server("LPUSH", "hworker-jobs-managed:x", "[\"1\",1]");
    server("LPUSH", "hworker-jobs-\x1b[31m", "[\"1\",1]");
    put("j1", "k");
    const auto lines = coworker({"queues"}).lines();
    BOOST_TEST_REQUIRE(lines.size() == 6);
    BOOST_TEST(lines[0].starts_with("QUEUE "));
    BOOST_TEST(lines[1].starts_with("\\x1b[31m "));
    BOOST_TEST(lines[2].starts_with("a-b-c "));
    BOOST_TEST(lines[3].starts_with("list:managed:x "));
    BOOST_TEST(lines[4].starts_with("only-paused "));
    BOOST_TEST(lines[4].ends_with(" paused"));
    BOOST_TEST(lines[5].starts_with("managed:mail "));
    BOOST_TEST(look("list:managed:x").at("name").as_string() == "list:managed:x");
}

BOOST_FIXTURE_TEST_CASE(tells_of_queues_that_do_not_exist, queues_test)
{
    push({"mail"}, "1\n");
    for (const auto* name : {"nonsense", "managed:mail"}) {
        const auto result = coworker({"queues", "mail", name});
        BOOST_TEST(result.code == 3);
        BOOST_TEST(result.complains(name));
        BOOST_TEST(result.output == "");
    }
}

BOOST_FIXTURE_TEST_CASE(uses_colours_on_a_terminal_unless_refused, queues_test)
{
    push({"mail"}, "1\n");
    program_surroundings terminal;
    terminal.terminal = true;
    BOOST_TEST(coworker({"queues"}, terminal).says("\x1b[1mQUEUE\x1b[0m"));
    BOOST_TEST(!coworker({"queues"}).says("\x1b"));
    for (const auto* setting : {"NO_COLOR=1", "TERM=dumb"}) {
        auto refusing = terminal;
        refusing.environment.push_back(setting);
        BOOST_TEST(!coworker({"queues"}, refusing).says("\x1b"));
    }
}

BOOST_FIXTURE_TEST_CASE(pauses_and_resumes, queues_test)
{
    push({"mail"}, "1\n");
    put("j1", "k");
    const auto paused = coworker({"pause", "mail", "managed:mail"});
    BOOST_TEST(paused.code == 0);
    BOOST_TEST(paused.output == "mail is paused\nmanaged:mail is paused\n");
    BOOST_TEST(look("mail").at("paused").as_bool());
    BOOST_TEST(look("managed:mail").at("paused").as_bool());
    BOOST_TEST(coworker({"pause", "managed:mail", "--delays"}).code == 0);
    BOOST_TEST(server("HEXISTS", "ql:coworker:countdowns", "mail").integer == 1);
    BOOST_TEST(coworker({"pause", "mail", "--delays"}).complains("--delays is for managed queues"));
    BOOST_TEST(coworker({"resume", "mail", "managed:mail", "--json"}).output ==
               "{\"queue\":\"mail\",\"paused\":false}\n{\"queue\":\"managed:mail\",\"paused\":false}\n");
    BOOST_TEST(!look("mail").at("paused").as_bool());
    BOOST_TEST(!look("managed:mail").at("paused").as_bool());
}

BOOST_FIXTURE_TEST_CASE(pauses_nothing_by_a_slip, queues_test)
{
    push({"mail"}, "1\n");
    BOOST_TEST(coworker({"pause", "mail", "mial"}).code == 3);
    BOOST_TEST(!look("mail").at("paused").as_bool());
    BOOST_TEST(coworker({"resume", "managed:mail"}).code == 3);
    BOOST_TEST(coworker({"pause"}).code == 2);
    BOOST_TEST(coworker({"pause", "mial", "--force"}).code == 0);
    BOOST_TEST(look("mial").at("paused").as_bool());
}

BOOST_AUTO_TEST_SUITE_END()
