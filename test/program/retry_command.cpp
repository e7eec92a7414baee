// SPDX-License-Identifier: MIT
#include "program_test.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(retry_command)

using namespace coworker::test;

const std::string start = "\"2026-11-21T09:54:29.612715000042Z\"";

struct retry_test : program_test
{
    retry_test()
    {
        server("LPUSH", "hworker-failed-mail", "[\"f1\",1]", "[\"f2\",1]", "[\"f1\",1]", "\x1b no id");
        server("HSET", "hworker-broken-mail", "nonsense", start, "[\"b\",1]", start);
    }

    std::int64_t failed() { return server("LLEN", "hworker-failed-mail").integer; }
    std::int64_t broken() { return server("HLEN", "hworker-broken-mail").integer; }

    void fail(const std::string& jid, const std::string& group, const std::string& queue = "mail")
    {
        qless("put", "", queue, jid, "k", "{}", "0", "priority", "3", "tags", "[\"t\"]");
        qless("pop", queue, "w", 1);
        qless("fail", jid, "w", group, "message");
    }

    /// The id that a listing shows of the job that `words` stand in.
    std::string listed(const std::string& command, const std::string& words)
    {
        for (const auto& line : coworker({command, "mail", "--json"}).lines())
            if (line.find(words) != line.npos)
                return std::string{boost::json::parse(line).at("id").as_string()};
        return {};
    }
};

BOOST_FIXTURE_TEST_CASE(retries_jobs_by_their_ids, retry_test)
{
    const auto result = coworker({"retry", "mail", "f1", "b"});
    BOOST_TEST(result.code == 0);
    BOOST_TEST(result.output == "3 jobs queued again\n"); // one of them had failed twice
    const std::vector<std::string> expected{"[\"f1\",1]", "[\"f1\",1]", "[\"b\",1]"};
    BOOST_TEST(waiting("mail") == expected, boost::test_tools::per_element());
    BOOST_TEST(failed() == 2);
    BOOST_TEST(broken() == 1);
}

BOOST_FIXTURE_TEST_CASE(deletes_jobs_that_have_no_id, retry_test)
{
    const auto first = listed("failed", "no id"), second = listed("broken", "nonsense");
    BOOST_TEST(first.size() == 17);
    BOOST_TEST(second.starts_with("@"));
    const auto result = coworker({"delete", "mail", first, second, "--json"});
    BOOST_TEST(result.output == "{\"queue\":\"mail\",\"deleted\":2,\"unknown\":[],\"refused\":0}\n");
    BOOST_TEST(failed() == 3);
    BOOST_TEST(broken() == 1);
    BOOST_TEST(waiting("mail").empty());
}

BOOST_FIXTURE_TEST_CASE(does_what_it_can_and_tells_of_unknown_ids, retry_test)
{
    const auto result = coworker({"delete", "mail", "f2", "f3"});
    BOOST_TEST(result.code == 3);
    BOOST_TEST(result.output == "1 job deleted\n");
    BOOST_TEST(result.complains("'f3'"));
    BOOST_TEST(!result.complains("'f2'"));
    BOOST_TEST(failed() == 3);
    BOOST_TEST(coworker({"retry", "mail", "b", "--state", "failed"}).code == 3);
    BOOST_TEST(broken() == 2);
}

BOOST_FIXTURE_TEST_CASE(acts_on_all, retry_test)
{
    BOOST_TEST(coworker({"retry", "mail", "--all", "--state", "failed"}).output == "4 jobs queued again\n");
    BOOST_TEST(failed() == 0);
    BOOST_TEST(broken() == 2);
    BOOST_TEST(coworker({"delete", "mail", "--all"}).output == "2 jobs deleted\n");
    BOOST_TEST(broken() == 0);
    BOOST_TEST(waiting("mail").size() == 4);
    BOOST_TEST(coworker({"retry", "mail", "--all"}).output == "0 jobs queued again\n");
}

BOOST_FIXTURE_TEST_CASE(retries_managed_jobs, retry_test)
{
    fail("a", "net");
    fail("b", "net");
    fail("c", "disk");
    fail("o", "net", "other");
    put("w", "k");
    BOOST_TEST(coworker({"retry", "managed:mail", "o"}).code == 3);
    const auto result = coworker({"retry", "managed:mail", "a", "w", "nonsense"});
    BOOST_TEST(result.code == 3);
    BOOST_TEST(result.output == "1 job queued again\n");
    BOOST_TEST(result.complains("'w'")); // it has not failed
    BOOST_TEST(state("a") == "waiting");
    BOOST_TEST(field("a", "priority") == "3");
    BOOST_TEST(field("a", "tags") == "[\"t\"]");
    BOOST_TEST(coworker({"retry", "managed:mail", "--all", "--group", "net"}).output ==
               "1 job queued again\n");
    BOOST_TEST(state("b") == "waiting");
    BOOST_TEST(state("c") == "failed");
    BOOST_TEST(state("o") == "failed"); // in another queue
    BOOST_TEST(qless_client::broken() == "");
}

BOOST_FIXTURE_TEST_CASE(does_not_delete_what_others_wait_for, retry_test)
{
    fail("a", "net");
    fail("b", "net");
    put("d", "k", "{}", "depends", "[\"a\"]");
    const auto result = coworker({"delete", "managed:mail", "a", "b"});
    BOOST_TEST(result.code == 4);
    BOOST_TEST(result.output == "1 job deleted\n");
    BOOST_TEST(result.complains("a: "));
    BOOST_TEST(state("a") == "failed");
    fail("c", "net");
    const auto all = coworker({"delete", "managed:mail", "--all"});
    BOOST_TEST(all.code == 4);
    BOOST_TEST(all.output == "1 job deleted\n");
    BOOST_TEST(all.complains("1 job: "));
    BOOST_TEST(state("a") == "failed");
}

BOOST_FIXTURE_TEST_CASE(refuses_what_makes_no_sense, retry_test)
{
    put("j", "k");
    for (const auto& words :
         std::vector<std::vector<std::string>>{{"mail"},
                                               {"mail", "f1", "--all"},
                                               {"mail", "--all", "--state", "waiting"},
                                               {"mail", "--all", "--group", "g"},
                                               {"managed:mail", "j", "--group", "g"},
                                               {"managed:mail", "--all", "--state", "broken"},
                                               {}})
        for (const auto* command : {"retry", "delete"}) {
            auto arguments = words;
            arguments.insert(arguments.begin(), command);
            BOOST_TEST(coworker(arguments).code == 2, arguments.back());
        }
    BOOST_TEST(coworker({"retry", "nonsense", "--all"}).code == 3);
    BOOST_TEST(failed() == 4);
}

BOOST_FIXTURE_TEST_CASE(deletes_all_jobs_that_wait, retry_test)
{
    server("LPUSH", "hworker-jobs-mail", "[\"w1\",1]", "[\"w2\",1]");
    auto result = coworker({"delete", "mail", "--all", "--state", "waiting"});
    BOOST_TEST(result.code == 2); // nobody can be asked
    BOOST_TEST(waiting("mail").size() == 2u);
    result = coworker({"delete", "mail", "w1", "--state", "waiting"});
    BOOST_TEST(result.output == "1 job deleted\n");
    result = coworker({"delete", "mail", "--all", "--state", "waiting", "--yes"});
    BOOST_TEST(result.output == "1 job deleted\n");
    BOOST_TEST(waiting("mail").empty());
    BOOST_TEST(failed() == 4);
    qless("put", "", "mail", "parent", "k", "{}", "0");
    qless("put", "", "mail", "child", "k", "{}", "0", "depends", "[\"parent\"]");
    result = coworker({"delete", "managed:mail", "--all", "--state", "waiting", "--yes", "--json"});
    BOOST_TEST(result.code == 4);
    BOOST_TEST(result.output == "{\"queue\":\"managed:mail\",\"deleted\":0,\"unknown\":[],\"refused\":1}\n");
    result = coworker({"delete", "managed:mail", "--all", "--state", "depends", "--yes"});
    BOOST_TEST(result.output == "1 job deleted\n");
    BOOST_TEST(coworker({"delete", "managed:mail", "parent", "--state", "waiting"}).code == 2);
    BOOST_TEST(coworker({"retry", "mail", "--all", "--state", "waiting"}).code == 2);
    BOOST_TEST(coworker({"delete", "mail", "--all", "--state", "depends", "--yes"}).code == 2);
}

BOOST_FIXTURE_TEST_CASE(removes_queues, retry_test)
{
    fail("j", "g");
    auto result = coworker({"remove", "mail"});
    BOOST_TEST(result.code == 4); // it has jobs
    BOOST_TEST(result.errors.find("--jobs") != result.errors.npos, result.errors);
    BOOST_TEST(coworker({"remove", "mail", "--jobs"}).code == 2); // nobody can be asked
    result = coworker({"remove", "mail", "managed:mail", "--jobs", "--yes"});
    BOOST_TEST(result.code == 0);
    BOOST_TEST(result.output == "mail is removed\nmanaged:mail is removed\n");
    BOOST_TEST(server("KEYS", "*mail*").elements.empty());
    BOOST_TEST(server("EXISTS", "ql:j:j").integer == 0);
    BOOST_TEST(coworker({"remove", "mail"}).code == 3);
    server("HSET", "hworker-progress-mail", "[\"a\",1]", start);
    result = coworker({"remove", "mail", "--jobs", "--yes", "--json"});
    BOOST_TEST(result.output == "{\"queue\":\"mail\",\"removed\":false}\n");
    BOOST_TEST(result.errors.find("--force") != result.errors.npos, result.errors);
    BOOST_TEST(coworker({"remove", "mail", "--jobs", "--force", "--yes"}).code == 0);
}

BOOST_AUTO_TEST_SUITE_END()
