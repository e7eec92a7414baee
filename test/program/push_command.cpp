// SPDX-License-Identifier: MIT
#include "piped_program.hpp"
#include "program_test.hpp"
#include "support/coroutine.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <string>

BOOST_AUTO_TEST_SUITE(push_command)

using namespace coworker::test;

struct push_test : program_test
{
    /// The job in each payload, next to run first.
    std::string jobs(const std::string& queue)
    {
        std::string text;
        for (const auto& payload : waiting(queue))
            text += boost::json::serialize(boost::json::parse(payload).at(1)) + " ";
        return text;
    }
    std::string ids(const std::string& queue)
    {
        std::string text;
        for (const auto& payload : waiting(queue))
            text += std::string{boost::json::parse(payload).at(0).as_string()} + " ";
        return text;
    }
};

BOOST_FIXTURE_TEST_CASE(refuses_what_is_too_much_for_a_queue, push_test)
{
    const auto list = push({"mail", "--max-waiting", "2"}, "1\n2\n3\n");
    BOOST_TEST(list.code == 4);
    BOOST_TEST(list.output == "2 jobs queued, 1 line refused\n");
    BOOST_TEST(list.errors.find("line 3: as many jobs wait") != std::string::npos, list.errors);
    BOOST_TEST(jobs("mail") == "1 2 ");
    server("HSET", "ql:coworker:bounds", "mail", "1");
    const auto managed = push({"managed:mail", "--kind", "k"}, "1\n2\n");
    BOOST_TEST(managed.code == 4);
    BOOST_TEST(managed.errors.find("line 2: ") != std::string::npos, managed.errors);
    BOOST_TEST(push({"mail", "--wait-for-room"}, "1").code == 2);
    BOOST_TEST(push({"managed:mail", "--kind", "k", "--max-waiting", "2"}, "1").code == 2);
    BOOST_TEST(push({"mail", "--max-waiting", "0"}, "1").code == 2);
}

BOOST_FIXTURE_TEST_CASE(queues_a_job_a_line_in_order, push_test)
{
    const auto result = push({"mail"}, "{\"n\": 1}\n\n  2 \r\n\"three\"\n[4]");
    BOOST_TEST(result.code == 0);
    BOOST_TEST(result.output == "4 jobs queued\n");
    BOOST_TEST(result.errors == "");
    BOOST_TEST(jobs("mail") == "{\"n\":1} 2 \"three\" [4] ");
}

BOOST_FIXTURE_TEST_CASE(prints_the_ids_of_the_jobs_that_it_has_queued, push_test)
{
    const auto push_loudly = [&](const std::vector<std::string>& words, const std::string& lines) {
        program_surroundings surroundings;
        surroundings.input = lines;
        return coworker(words, surroundings);
    };
    auto result = push_loudly({"push", "mail"}, "1\n2\n");
    BOOST_TEST_REQUIRE(result.lines().size() == 3u, result.output);
    BOOST_TEST(ids("mail") == result.lines()[0] + ' ' + result.lines()[1] + ' ');
    BOOST_TEST(result.lines()[2] == "2 jobs queued");
    const std::vector<std::string> managed{"push",       "managed:mail", "--kind",       "k",
                                           "--id-field", "id",           "--unique-key", "u"};
    result = push_loudly(managed, "{\"id\":\"a\"}\n{\"id\":\"b\"}\n");
    BOOST_TEST(result.output == "a\n1 job queued, 1 kept\n"); // no id for what is not queued
    result = push_loudly({"push", "other", "--id-field", "id", "--json"}, "{\"id\":\"a\"}\n");
    BOOST_TEST(result.output == "{\"id\":\"a\"}\n{\"queue\":\"other\",\"queued\":1,\"refused\":0}\n");
    BOOST_TEST(push({"mail"}, "1\n").output == "1 job queued\n");
}

BOOST_FIXTURE_TEST_CASE(reads_a_file, push_test)
{
    const auto file = server.folder().file("jobs.jsonl");
    std::ofstream{file} << "\xef\xbb\xbf"
                        << "1\n2\n";
    const auto result = coworker({"push", "mail", file, "--json", "--quiet"});
    BOOST_TEST(result.output == "{\"queue\":\"mail\",\"queued\":2,\"refused\":0}\n");
    BOOST_TEST(jobs("mail") == "1 2 ");
    BOOST_TEST(coworker({"push", "mail", file + "nonsense"}).code == 3);
    BOOST_TEST(coworker({"push", "mail", "/"}).code == 1);
}

BOOST_FIXTURE_TEST_CASE(reports_bad_lines_and_goes_on, push_test)
{
    const auto result = push({"mail"}, "1\nnonsense\n2\n\"\x1b[2J\n{} {}\n\"\xff\"\n" +
                                           std::string(9'000'000, '1') + "\n3\n{\"cut");
    BOOST_TEST(result.code == 4);
    BOOST_TEST(result.output == "3 jobs queued, 6 lines refused\n");
    BOOST_TEST(jobs("mail") == "1 2 3 ");
    for (const auto* words :
         {"line 2: ", "line 4: ", "line 5: ", "line 6: ", "line 7: it is longer", "line 9: "})
        BOOST_TEST(result.complains(words), words);
    BOOST_TEST(!result.complains("line 1:"));
    BOOST_TEST(!result.complains("\x1b"));
}

/// What jq and editors make of JSON: a job is one line.
BOOST_FIXTURE_TEST_CASE(queues_nothing_of_json_over_several_lines, push_test)
{
    for (const std::string text :
         {"{\n  \"to\": \"ada\"\n}\n", "[\n  {\"n\": 1},\n  {\"n\": 2}\n]\n", "\n[\n  1,\n  2\n]", "{"}) {
        const auto result = push({"mail"}, text);
        BOOST_TEST(result.code == 1, text);
        BOOST_TEST(result.output == "");
        BOOST_TEST(
            result.complains("is not whole JSON, and each line has to be a job: jq -c . makes one line of "
                             "each value, jq -c '.[]' one of each element of an array; nothing has "
                             "been queued"),
            result.errors);
    }
    BOOST_TEST(waiting("mail").empty());
}

BOOST_FIXTURE_TEST_CASE(says_that_an_array_is_one_job, push_test)
{
    const std::string hint = "line 1 is an array, and so one job";
    const auto result = push({"mail"}, "[{\"n\":1},{\"n\":2}]\n");
    BOOST_TEST(result.code == 0);
    BOOST_TEST(result.output == "1 job queued\n");
    BOOST_TEST(result.complains(hint + ": jq -c '.[]' makes a line of each of its elements\n"),
               result.errors);
    BOOST_TEST(push({"mail", "--id-field", "id"}, "[{\"id\":1}]").complains(hint));
    for (const std::string text : {"[1,2]\n", "[{\"n\":1}]\n[{\"n\":2}]\n", "[]\n", "{\"n\":[{}]}\n"})
        BOOST_TEST(push({"mail"}, text).errors == "", text);
}

BOOST_FIXTURE_TEST_CASE(queues_nothing_of_an_empty_file, push_test)
{
    const auto result = push({"mail"}, "");
    BOOST_TEST(result.code == 0);
    BOOST_TEST(result.output == "0 jobs queued\n");
}

BOOST_FIXTURE_TEST_CASE(takes_ids_from_jobs, push_test)
{
    std::string lines, expected;
    for (int i = 0; i != 1200; ++i) {
        lines += "{\"id\":" + std::to_string(i) + "}\n";
        expected += std::to_string(i) + " ";
    }
    const auto result =
        push({"mail", "--id-field", "id"}, lines + "{\"id\":\"é\"}\n{\"id\":\"\"}\n{\"id\":1.5}\n{}\n7\n");
    BOOST_TEST(result.code == 4);
    BOOST_TEST(result.output == "1201 jobs queued, 4 lines refused\n");
    BOOST_TEST(ids("mail") == expected + "é ");
}

BOOST_FIXTURE_TEST_CASE(delays_jobs, push_test)
{
    BOOST_TEST(push({"mail", "--delay", "1h"}, "1\n").code == 0);
    BOOST_TEST(push({"mail", "--at", "2126-11-21T09:30:00Z", "--id-field", "id"}, "{\"id\":\"x\"}\n").code ==
               0);
    BOOST_TEST(server("LLEN", "hworker-jobs-mail").integer == 0);
    const auto scheduled = server("ZRANGE", "hworker-scheduled-mail", 0, -1, "WITHSCORES").texts();
    BOOST_REQUIRE(scheduled.size() == 4);
    const auto now = server("TIME").texts().at(0);
    BOOST_TEST(std::stod(scheduled[1]) / 1000 - std::stod(now) > 3500);
    BOOST_TEST(std::stod(scheduled[1]) / 1000 - std::stod(now) <= 3601);
    BOOST_TEST(scheduled[2].ends_with("[\"x\",{\"id\":\"x\"}]"));
    BOOST_TEST(std::stod(scheduled[3]) == 4950927000000.0);
}

BOOST_FIXTURE_TEST_CASE(puts_jobs_into_managed_queues, push_test)
{
    const auto result = push({"managed:mail", "--kind", "welcome", "--id-field", "id", "--priority", "7.5",
                              "--tag", "new", "--tag", "a b"},
                             "{\"id\": \"j1\", \"n\": 12345678901234567890}\n{\"id\": \"j2\"}\n");
    BOOST_TEST(result.code == 0, result.errors);
    BOOST_TEST(result.output == "2 jobs queued\n");
    BOOST_TEST(field("j1", "klass") == "welcome");
    BOOST_TEST(field("j1", "queue") == "mail");
    BOOST_TEST(field("j1", "data") == "{\"id\": \"j1\", \"n\": 12345678901234567890}");
    BOOST_TEST(field("j1", "priority") == "7.5");
    BOOST_TEST(field("j2", "tags") == "[\"new\",\"a b\"]");
    BOOST_TEST(push({"managed:mail", "--klass", "welcome", "--id-field", "id"}, "{\"id\": \"j3\"}\n").code ==
               0);
    BOOST_TEST(field("j3", "klass") == "welcome");
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(pushes_unique_jobs, push_test)
{
    const std::string jobs = "{\"id\":\"a\",\"c\":1}\n{\"id\":\"b\",\"c\":2}\n{\"id\":\"c\",\"c\":1}\n";
    const std::vector<std::string> words{"managed:mail", "--kind",         "k", "--id-field",
                                         "id",           "--unique-field", "c"};
    const auto push_with = [&](std::vector<std::string> more, const std::string& lines) {
        more.insert(more.begin(), words.begin(), words.end());
        return push(more, lines);
    };
    BOOST_TEST(push_with({}, jobs).output == "2 jobs queued, 1 kept\n");
    BOOST_TEST(field("a", "data") == "{\"id\":\"a\",\"c\":1}");
    const auto refused = push_with({"--on-conflict", "refuse"}, jobs);
    BOOST_TEST(refused.code == 4);
    BOOST_TEST(refused.output == "0 jobs queued, 2 kept, 1 line refused\n");
    BOOST_TEST(refused.complains("line 3: the job a has its unique key"));
    BOOST_TEST(push_with({"--on-conflict", "replace", "--json"}, "{\"id\":\"d\",\"c\":2}\n").output ==
               "{\"queue\":\"managed:mail\",\"queued\":0,\"refused\":0,\"kept\":0,\"replaced\":1}\n");
    BOOST_TEST(field("b", "data") == "{\"id\":\"d\",\"c\":2}");
    const std::vector<std::string> hourly{"managed:mail", "--kind", "k", "--unique-key", "u",
                                          "--unique-for", "1h"};
    BOOST_TEST(push(hourly, "1\n").output == "1 job queued\n");
    BOOST_TEST(push(hourly, "2\n").output == "0 jobs queued, 1 kept\n");
    BOOST_TEST(broken() == "");
}

/// What each of them becomes: test/unit/json/option_table.cpp.
BOOST_FIXTURE_TEST_CASE(gives_jobs_options_of_their_own, push_test)
{
    const auto result =
        push({"managed:mail", "--kind", "k", "--id-field", "id", "--limit", "gpu=4", "--metadata",
              "tenant=42", "--metadata", "note=a=b", "--description", "for ada"},
             "{\"id\":\"a\"}\n");
    BOOST_TEST(result.code == 0, result.errors);
    BOOST_TEST(field("a", "limits") == R"([["gpu",4]])");
    BOOST_TEST(field("a", "options") ==
               R"(- {"description":"for ada","metadata":{"note":"a=b","tenant":"42"}})");
    BOOST_TEST(coworker({"job", "a"}).says("description   for ada"));
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(lets_jobs_wait_for_others, push_test)
{
    push({"managed:mail", "--kind", "k", "--id-field", "id"}, "{\"id\":\"a\"}\n");
    const auto result =
        push({"managed:mail", "--kind", "k", "--id-field", "id", "--depends", "a", "--reads-parents"},
             "{\"id\":\"c\"}\n");
    BOOST_TEST(result.code == 0, result.errors);
    BOOST_TEST(field("c", "state") == "depends");
    BOOST_TEST(field("c", "options") == R"(- {"parents":["a"]})");
    BOOST_TEST(push({"managed:mail", "--kind", "k", "--reads-parents"}, "{}\n")
                   .complains("--reads-parents needs --depends"));
}

BOOST_FIXTURE_TEST_CASE(takes_the_kind_from_jobs, push_test)
{
    const auto result =
        push({"managed:mail", "--kind-field", "kind", "--id-field", "id", "--at", "2126-11-21T09:30:00Z"},
             "{\"id\":\"j1\",\"kind\":\"a\"}\n{\"id\":\"j2\"}\n{\"id\":\"j3\",\"kind\":\"\"}\n");
    BOOST_TEST(result.code == 4);
    BOOST_TEST(result.output == "1 job queued, 2 lines refused\n");
    BOOST_TEST(field("j1", "klass") == "a");
    BOOST_TEST(state("j1") == "scheduled");
    const auto due = std::stod(server("ZSCORE", "ql:q:mail-scheduled", "j1").text);
    BOOST_TEST(due >= 4'950'927'000);
    BOOST_TEST(due < 4'950'927'100);
}

BOOST_FIXTURE_TEST_CASE(begins_the_keys_of_managed_queues_as_it_is_told, push_test)
{
    BOOST_TEST(push({"managed:mail", "--kind", "k", "--prefix", "{t}ql:"}, "{}\n").code == 0);
    BOOST_TEST(server("ZCARD", "{t}ql:q:mail-work").integer == 1);
}

BOOST_FIXTURE_TEST_CASE(refuses_what_makes_no_sense, push_test)
{
    for (const auto& words :
         std::vector<std::vector<std::string>>{{},
                                               {""},
                                               {"managed:"},
                                               {std::string(513, 'x')},
                                               {"mail", "--delay", "5x"},
                                               {"mail", "--at", "tomorrow"},
                                               {"mail", "--at", "2026-11-21T09:30:00Z", "--delay", "5m"},
                                               {"mail", "--kind", "k"},
                                               {"mail", "--priority", "1"},
                                               {"mail", "--tag", "t"},
                                               {"managed:mail"},
                                               {"managed:mail", "--kind", "k", "--kind-field", "k"},
                                               {"mail", "--timeout", "5s"},
                                               {"mail", "--limit", "gpu"},
                                               {"mail", "--unique"},
                                               {"managed:mail", "--kind", "k", "--prefix", ""}}) {
        const auto result = push(words, "1\n");
        BOOST_TEST(result.code == 2, (words.empty() ? std::string{} : words.back()) << ": " << result.errors);
        BOOST_TEST(result.errors != "");
        BOOST_TEST(result.output == "");
    }
    BOOST_TEST(server("DBSIZE").integer == 0);
}

BOOST_FIXTURE_TEST_CASE(queues_what_comes_while_more_is_to_come, push_test)
{
    piped_program program{{COWORKER_PROGRAM, "push", "mail", "--redis", server.url()}};
    program.write("1");
    boost::asio::io_context io;
    run_coroutine(io, eventually("the first line is queued", [&] { return waiting("mail").size() == 1; }));
    program.write("2");
    BOOST_TEST(program.finish() == 0);
    BOOST_TEST(jobs("mail") == "1 2 ");
}

BOOST_FIXTURE_TEST_CASE(says_how_far_it_came_when_redis_refuses, push_test)
{
    server("SET", "hworker-jobs-mail", "text");
    const auto result = push({"mail"}, "1\n2\n");
    BOOST_TEST(result.code == 1);
    BOOST_TEST(result.output == "");
    BOOST_TEST(result.complains("WRONGTYPE"));
    BOOST_TEST(result.complains("0 jobs were queued before; lines 1 to 2 may be queued in part"));
}

BOOST_FIXTURE_TEST_CASE(says_where_it_looked_for_a_server_that_is_away, push_test)
{
    server.kill();
    const auto result = push({"mail"}, "1\n");
    BOOST_TEST(result.code == 1);
    BOOST_TEST(result.complains(server.url() + " (COWORKER_REDIS)"));
    BOOST_TEST(result.complains("--redis URL"));
}

BOOST_FIXTURE_TEST_CASE(finishes_although_nobody_reads_what_it_says, push_test)
{
    program_surroundings closed;
    closed.closed_output = true;
    closed.input = "1\n";
    const auto result = coworker({"push", "mail"}, closed);
    BOOST_TEST(result.code == 0);
    BOOST_TEST(result.errors == "");
    BOOST_TEST(jobs("mail") == "1 ");
}

BOOST_FIXTURE_TEST_CASE(a_job_that_cannot_be_queued_stops_no_other, push_test)
{
    const auto result = push({"managed:mail", "--kind", "k", "--unique-field", "c"},
                             "{\"c\":1}\n[2]\n{\"c\":3}\n\"four\"\n{\"c\":5}\n");
    BOOST_TEST(result.code == 4);
    BOOST_TEST(result.output == "3 jobs queued, 2 lines refused\n");
    BOOST_TEST(result.complains("line 2: "));
    BOOST_TEST(result.complains("line 4: "));
    BOOST_TEST(!result.complains("may be queued in part"));
    BOOST_TEST(server("ZCARD", "ql:q:mail-work").integer == 3);

    // Such as a batch that there is none of: Redis refuses each of them.
    const auto batchless = push({"managed:mail", "--kind", "k", "--batch", "none"}, "1\n2\n");
    BOOST_TEST(batchless.code == 4);
    BOOST_TEST(batchless.output == "0 jobs queued, 2 lines refused\n");
}

BOOST_FIXTURE_TEST_CASE(many_jobs_that_redis_refuses_are_told_one_by_one, push_test)
{
    const std::vector<std::string> words{"managed:mail", "--kind",        "k",     "--unique-key",
                                         "daily",        "--on-conflict", "refuse"};
    BOOST_TEST(push(words, "0\n").code == 0);
    std::string lines;
    for (int i = 0; i != 120; ++i)
        lines += std::to_string(i) + '\n';
    const auto result = push(words, lines);
    BOOST_TEST(result.code == 4);
    BOOST_TEST(result.output == "0 jobs queued, 120 lines refused\n");
    BOOST_TEST(result.complains("line 120: "));
}

BOOST_FIXTURE_TEST_CASE(options_that_fit_no_job_are_told_once, push_test)
{
    std::string lines;
    for (int i = 0; i != 99; ++i)
        lines += std::to_string(i) + '\n';
    const std::vector<std::string> words{"managed:mail", "--kind", "k", "--unique-field", "c"};
    const auto few = push(words, lines);
    BOOST_TEST(few.code == 4);
    BOOST_TEST(few.complains("line 2: "));
    const auto result = push(words, lines + "99\n");
    BOOST_TEST(result.code == 1);
    BOOST_TEST(result.complains("nothing has been queued"));
    BOOST_TEST(!result.complains("line 2"));
    BOOST_TEST(server.has_none("ql:q:mail-work"));
}

// To which partition they go then: partitioned_queues.cpp.
BOOST_FIXTURE_TEST_CASE(takes_the_keys_of_jobs_from_a_member, push_test)
{
    const auto result =
        push({"mail", "--key-field", "to"}, "{\"to\":\"ada\"}\n{\"to\":17}\n{\"to\":[]}\n{}\n");
    BOOST_TEST(result.output == "2 jobs queued, 2 lines refused\n");
    BOOST_TEST(result.complains("line 3: it has no member \"to\""));
    BOOST_TEST(push({"managed:mail", "--kind", "k", "--key-field", "to"}, "{}\n").complains("--order-key"));
}

BOOST_AUTO_TEST_SUITE_END()
