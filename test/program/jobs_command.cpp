// SPDX-License-Identifier: MIT
#include "program_test.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(jobs_command)

using namespace coworker::test;

struct jobs_test : program_test
{
    std::vector<boost::json::object> list(std::vector<std::string> arguments)
    {
        arguments.push_back("--json");
        const auto result = coworker(arguments);
        BOOST_TEST_REQUIRE(result.code == 0, result.errors);
        std::vector<boost::json::object> jobs;
        for (const auto& line : result.lines())
            jobs.push_back(boost::json::parse(line).as_object());
        return jobs;
    }

    /// Ids of listed jobs, a blank behind each.
    std::string ids(const std::vector<std::string>& arguments)
    {
        std::string text;
        for (const auto& job : list(arguments))
            text += std::string{job.at("id").as_string()} + " ";
        return text;
    }
};

const std::string start = "\"2026-11-21T09:54:29.612715000042Z\"";

BOOST_FIXTURE_TEST_CASE(shows_as_many_waiting_jobs_as_were_asked_for, jobs_test)
{
    std::string lines;
    for (int i = 0; i != 130; ++i)
        lines += "{\"id\":" + std::to_string(i) + "}\n";
    push({"mail", "--id-field", "id"}, lines);
    BOOST_TEST(list({"jobs", "mail"}).size() == 25);
    BOOST_TEST(ids({"jobs", "mail", "--count", "3"}) == "0 1 2 ");
    BOOST_TEST(list({"jobs", "mail", "--count", "1000000"}).size() == 130);
    BOOST_TEST(list({"jobs", "mail", "--count", "101"}).back().at("id").as_string() == "100");
    BOOST_TEST(coworker({"jobs", "mail", "--state", "failed"}).output == "No jobs.\n");
}

BOOST_FIXTURE_TEST_CASE(shows_jobs_short_to_people_and_whole_to_scripts, jobs_test)
{
    const std::string text(500, 'x');
    push({"mail", "--id-field", "id"},
         "{\"id\":\"a\",\"n\":12345678901234567890123,\"t\":\"" + text + "\"}\n");
    const auto table = coworker({"jobs", "mail"});
    BOOST_TEST_REQUIRE(table.lines().size() == 2);
    BOOST_TEST(table.lines()[0] == "ID  PAYLOAD");
    BOOST_TEST(table.lines()[1].ends_with("…"));
    BOOST_TEST(table.lines()[1].size() < 100);
    const auto json = coworker({"jobs", "mail", "--json"});
    BOOST_TEST(json.says("\"payload\":{\"id\":\"a\",\"n\":12345678901234567890123,\"t\":\"" + text + "\"}"));
}

BOOST_FIXTURE_TEST_CASE(never_shows_raw_bytes, jobs_test)
{
    server("LPUSH", "hworker-jobs-mail", "\x1b[2J\xff",
           "[\"\x7f\",\"\xc2\x9b"
           "2J\"]",
           "[\"\xe2\x80\xae\",2]");
    server("LPUSH", "hworker-failed-mail", "[\"f\",1]");
    server("HSET", "hworker-failures-mail", "[\"f\",1]",
           start + " 3 a\x1b]0;title\x07"
                   "b");
    for (const auto* more : {"", "--json"}) {
        std::vector<std::string> words{"jobs", "mail"}, failed{"failed", "mail"};
        if (*more) {
            words.push_back(more);
            failed.push_back(more);
        }
        const auto all = coworker(words).output + coworker(failed).output;
        for (const char byte : {'\x1b', '\x7f', '\xff', '\x07'})
            BOOST_TEST(all.find(byte) == all.npos);
        BOOST_TEST(all.find("\xc2\x9b") == all.npos);
    }
    BOOST_TEST(coworker({"failed", "mail"}).says("a\\x1b]0;title\\x07b"));
    BOOST_TEST(list({"jobs", "mail"}).at(0).at("text_hex").as_string() == "1b5b324aff");
}

BOOST_FIXTURE_TEST_CASE(shows_list_jobs_in_every_state, jobs_test)
{
    push({"mail", "--delay", "1h", "--id-field", "id"}, "{\"id\":\"s\"}\n");
    server("HSET", "hworker-progress-mail", "[\"p\",1]", start, "false", start);
    server("HSET", "hworker-workers-mail", 42, "coworker-1");
    server("LPUSH", "hworker-failed-mail", "[\"f1\",1]", "[\"f2\",1]");
    server("HSET", "hworker-failures-mail", "[\"f1\",1]", start + " 3 no such address");
    server("HSET", "hworker-broken-mail", "nonsense", start);
    const auto digest = server("EVAL", "return redis.sha1hex(ARGV[1])", 0, "nonsense").text;
    server("HSET", "hworker-reasons-mail", digest, "it is no job");
    BOOST_TEST(list({"jobs", "mail", "--state", "scheduled"}).at(0).contains("due_at"));
    const auto running = list({"jobs", "mail", "--state", "running"});
    BOOST_TEST_REQUIRE(running.size() == 1);
    BOOST_TEST(running[0].at("worker").as_string() == "coworker-1");
    BOOST_TEST(running[0].at("started_at").as_string().starts_with("2026-11-21T09:54:29.612"));
    BOOST_TEST(list({"jobs", "mail", "--worker", "coworker-1"}).size() == 1u);
    BOOST_TEST(list({"jobs", "mail", "--state", "running", "--worker", "coworker-2"}).empty());
    const auto failed = list({"failed", "mail"});
    BOOST_TEST_REQUIRE(failed.size() == 2);
    BOOST_TEST(failed[0].at("id").as_string() == "f2");
    BOOST_TEST(failed[1].at("failure").at("message").as_string() == "no such address");
    BOOST_TEST(failed[1].at("attempts").as_int64() == 3);
    const auto broken = list({"broken", "mail"});
    BOOST_TEST_REQUIRE(broken.size() == 1);
    BOOST_TEST(broken[0].at("text").as_string() == "nonsense");
    BOOST_TEST(broken[0].at("failure").at("message").as_string() == "it is no job");
    BOOST_TEST(broken[0].at("id").as_string().starts_with("@"));
    BOOST_TEST(coworker({"failed", "mail"}).says("no such address"));
    BOOST_TEST(coworker({"broken", "mail"}).says("nonsense"));
    BOOST_TEST(coworker({"broken", "mail"}).says("it is no job"));
}

BOOST_FIXTURE_TEST_CASE(shows_managed_jobs_in_every_state, jobs_test)
{
    put("c", "k");
    qless("pop", "mail", "worker-1", 1);
    qless("complete", "c", "worker-1", "mail", "{}");
    BOOST_TEST(ids({"jobs", "managed:mail", "--state", "complete"}) == "c ");
    BOOST_TEST(coworker({"jobs", "managed:mail", "--state", "complete"}).says("COMPLETED"));
    put("r", "k");
    qless("pop", "mail", "worker-1", 1);
    put("w1", "k", "{\"n\":1}");
    put("w2", "k");
    put("d", "k", "{}", "depends", "[\"w1\"]");
    qless("put", "", "mail", "s", "k", "{}", "3600");
    qless("recur", "mail", "again", "k", "{}", "interval", "60", "3600");
    BOOST_TEST(list({"jobs", "managed:mail"}).size() == 2);
    BOOST_TEST(list({"jobs", "managed:mail", "--count", "1"}).size() == 1);
    BOOST_TEST(ids({"jobs", "managed:mail", "--state", "depends"}) == "d ");
    BOOST_TEST(ids({"jobs", "managed:mail", "--state", "scheduled"}) == "s ");
    BOOST_TEST(ids({"jobs", "managed:mail", "--state", "recurring"}) == "again ");
    const auto running = list({"jobs", "managed:mail", "--state", "running"});
    BOOST_TEST_REQUIRE(running.size() == 1);
    BOOST_TEST(running[0].at("worker").as_string() == "worker-1");
    BOOST_TEST(running[0].at("attempts").as_int64() == 1);
    server("ZADD", "ql:q:mail-locks", 1, "r"); // its lock has run out
    const auto stalled = list({"jobs", "managed:mail", "--state", "stalled"});
    BOOST_TEST_REQUIRE(stalled.size() == 1);
    BOOST_TEST(stalled[0].at("id").as_string() == "r");
    BOOST_TEST(stalled[0].at("state").as_string() == "stalled");
}

BOOST_FIXTURE_TEST_CASE(shows_failed_jobs_by_queue_and_by_group, jobs_test)
{
    BOOST_TEST(coworker({"failed"}).output == "No jobs have failed.\n");
    put_and_fail("mail", "a", "net", "no route");
    put_and_fail("mail", "b", "disk", "full");
    put_and_fail("other", "c", "net", "timed out");
    BOOST_TEST(ids({"failed", "managed:mail"}) == "b a ");
    BOOST_TEST(ids({"jobs", "managed:mail", "--state", "failed", "--count", "1"}) == "b ");
    BOOST_TEST(ids({"failed", "--group", "net"}) == "c a ");
    BOOST_TEST(ids({"failed", "managed:other", "--group", "net"}) == "c ");
    server("LPUSH", "hworker-jobs-idle", "[\"w\",1]");
    server("LPUSH", "hworker-failed-letters", "[\"f\",1]", "[\"g\",1]", "[\"h\",1]");
    BOOST_TEST(coworker({"failed"}).output == "QUEUE             GROUP  FAILED\n"
                                              "letters           -           3\n"
                                              "(managed queues)  disk        1\n"
                                              "(managed queues)  net         2\n");
    const auto lines = coworker({"failed", "--json"}).lines();
    BOOST_TEST_REQUIRE(lines.size() == 3u);
    BOOST_TEST(lines[0] == "{\"queue\":\"letters\",\"count\":3}");
    BOOST_TEST(lines[2] == "{\"group\":\"net\",\"count\":2}");
    const auto queues = coworker({"queues", "managed:mail", "managed:other", "--json"}).lines();
    BOOST_TEST_REQUIRE(queues.size() == 2u);
    BOOST_TEST(queues[0].find("\"failed\":2,") != std::string::npos, queues[0]);
    BOOST_TEST(queues[1].find("\"failed\":1,") != std::string::npos, queues[1]);
    BOOST_TEST(coworker({"failed", "--group", "nonsense"}).code == 3);
    const auto job = list({"failed", "managed:other"}).at(0);
    BOOST_TEST(job.at("failure").at("message").as_string() == "timed out");
    BOOST_TEST(job.at("failure").at("group").as_string() == "net");
    BOOST_TEST(job.at("queue").as_string() == "managed:other");
}

BOOST_FIXTURE_TEST_CASE(searches_jobs, jobs_test)
{
    qless("batch_open", "B");
    put("a", "Letter", R"({"to":"ada"})", "tags", R"(["red"])");
    put("b", "Report", R"({"of":"ada"})", "options", R"({"batch":"B"})");
    BOOST_TEST(ids({"jobs", "managed:mail", "--kind", "Letter"}) == "a ");
    BOOST_TEST(ids({"jobs", "managed:mail", "--text", "ada", "--tag", "red"}) == "a ");
    BOOST_TEST(ids({"jobs", "managed:mail", "--batch", "B"}) == "b ");
    BOOST_TEST(ids({"jobs", "managed:mail", "--batch", "B", "--since", "1h"}) == "b ");
    BOOST_TEST(ids({"jobs", "managed:mail", "--until", "1h"}) == "");
    BOOST_TEST(ids({"jobs", "managed:mail", "--until", "2020-01-01T00:00:00Z"}) == "");
    qless("pop", "mail", "w", "2");
    qless("fail", "b", "w", "net", "timed out");
    BOOST_TEST(ids({"failed", "--batch", "B"}) == "b ");
    BOOST_TEST(ids({"failed", "--batch", "none"}) == "");
    BOOST_TEST(ids({"failed", "--group", "net", "--since", "1h"}) == "b ");
    BOOST_TEST(ids({"failed", "managed:mail", "--kind", "Letter"}) == "");
    push({"letters"}, "\"x\"\n\"y\"\n");
    BOOST_TEST(coworker({"jobs", "letters", "--since", "1h", "--json"}).lines().size() == 2u);
    BOOST_TEST(coworker({"jobs", "letters", "--text", "\"y\"", "--json"}).lines().size() == 1u);
    for (const auto& words : std::vector<std::vector<std::string>>{
             {"jobs", "managed:mail", "--since", "soon"},
             {"jobs", "letters", "--kind", "Letter"},
             {"jobs", "managed:mail", "--state", "recurring", "--text", "x"}})
        BOOST_TEST(coworker(words).code == 2, words.back());
}

BOOST_FIXTURE_TEST_CASE(refuses_states_that_do_not_exist, jobs_test)
{
    push({"mail"}, "1\n");
    put("j", "k");
    for (const auto& words :
         std::vector<std::vector<std::string>>{{"jobs", "mail", "--state", "nonsense"},
                                               {"jobs", "mail", "--state", "stalled"},
                                               {"jobs", "managed:mail", "--state", "broken"},
                                               {"jobs", "mail", "--state", "complete"},
                                               {"jobs", "mail", "--count", "0"},
                                               {"jobs", "mail", "--count", "1000001"},
                                               {"jobs", "mail", "--offset", "1"},
                                               {"jobs"},
                                               {"broken"},
                                               {"broken", "managed:mail"},
                                               {"failed", "mail", "--group", "g"}})
        BOOST_TEST(coworker(words).code == 2, words.back());
    for (const auto* command : {"jobs", "failed", "broken"})
        BOOST_TEST(coworker({command, "nonsense"}).code == 3);
    BOOST_TEST(coworker({"jobs", "mail", "--state", "stalled"}).complains("list queue"));
}

BOOST_AUTO_TEST_SUITE_END()
