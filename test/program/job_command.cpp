// SPDX-License-Identifier: MIT
#include "support/coroutine.hpp"
#include "work_test.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(job_command)

using namespace coworker::test;

namespace {

/// Waits until Redis will announce changes of a job that a program waits for.
void wait_until_tracked(redis_server& server)
{
    boost::asio::io_context io;
    run_coroutine(io, eventually("the program waits", [&server] {
                      return std::stoul(server.raw().info("stats", "tracking_total_keys")) >= 2;
                  }));
}

} // namespace

BOOST_FIXTURE_TEST_CASE(shows_a_job_with_its_history, program_test)
{
    put("j", "welcome", "{\"n\":1}", "priority", "7", "tags", "[\"new\"]");
    qless("pop", "mail", "worker-1", 1);
    qless("fail", "j", "worker-1", "net", "no route\x1b[2J");
    qless("log", "j", "looked at", "{\"by\":\"ada\"}");
    const auto text = coworker({"job", "j"});
    BOOST_TEST(text.code == 0);
    for (const auto* words : {"welcome", "failed", "no route\\x1b[2J", "popped", "worker-1", "new",
                              "{\"n\":1}", "{\"by\":\"ada\"}"})
        BOOST_TEST(text.says(words), words);
    const auto job = boost::json::parse(coworker({"job", "j", "--json"}).output).as_object();
    BOOST_TEST(job.at("state").as_string() == "failed");
    BOOST_TEST(job.at("failure").at("group").as_string() == "net");
    BOOST_TEST(job.at("history").as_array().size() == 4);
    BOOST_TEST(job.at("history").at(1).at("worker").as_string() == "worker-1");
    BOOST_TEST(job.at("payload").at("n").as_int64() == 1);
    BOOST_TEST(job.at("priority").as_int64() == 7);
    BOOST_TEST(job.at("result").is_null());
}

BOOST_FIXTURE_TEST_CASE(shows_the_progress_and_the_result_of_a_job, program_test)
{
    put("j", "welcome");
    qless("pop", "mail", "w", 1);
    qless("note", "mail", "w", 4, "j", "", "progress", R"({"fraction":0.4,"message":"page\u001b 12"})");
    qless("complete", "j", "w", "mail", "{}", "result", R"({"pages":30})", "keep", 60'000);
    const auto text = coworker({"job", "j"});
    for (const auto* words : {"40 %, page\\x1b 12", R"({"pages":30})"})
        BOOST_TEST(text.says(words), words);
    const auto job = boost::json::parse(coworker({"job", "j", "--json"}).output).as_object();
    BOOST_TEST(job.at("result").at("pages").as_int64() == 30);
    BOOST_TEST(job.at("progress").at("fraction").to_number<double>() == 0.4);
}

BOOST_FIXTURE_TEST_CASE(shows_what_a_job_has_logged, program_test)
{
    put("j", "welcome");
    qless("pop", "mail", "w", 1);
    qless("note", "mail", "w", 4, "j", "", "log", R"([[0,"page\u001b 12"],[0,"page 13"]])");
    const auto text = coworker({"job", "j"});
    for (const auto* words : {"page\\x1b 12", "page 13"})
        BOOST_TEST(text.says(words), words);
    const auto job = boost::json::parse(coworker({"job", "j", "--json"}).output).as_object();
    BOOST_TEST(job.at("log").as_array().size() == 2u);
    BOOST_TEST(job.at("log").at(1).at("text").as_string() == "page 13");
    BOOST_TEST(job.at("log").at(1).at("at").is_string());
}

BOOST_FIXTURE_TEST_CASE(waits_for_the_end_of_a_job_and_shows_its_result, work_test)
{
    push({"managed:mail", "--kind", "k", "--id-field", "id"}, "{\"id\":\"j\"}\n");
    running_program waits{{"job", "j", "--wait", "1h", "--json", "--redis", server.url()}};
    wait_until_tracked(server);
    qless("pop", "mail", "w", 1);
    qless("complete", "j", "w", "mail", "{}", "result", R"({"pages":30})", "keep", 60'000);
    waits.wait_for(R"("result":{"pages":30})");
    BOOST_TEST(waits.wait() == 0);
    // One that has ended before is shown at once.
    BOOST_TEST(coworker({"job", "j", "--wait", "1h"}).says(R"({"pages":30})"));
}

BOOST_FIXTURE_TEST_CASE(tells_a_script_that_waits_how_the_job_ended, program_test)
{
    for (const auto* jid : {"fails", "waits"})
        put(jid, "welcome");
    qless("pop", "mail", "w", 1);
    qless("fail", "fails", "w", "net", "no route");
    const auto failed = coworker({"job", "fails", "--wait", "1h"});
    BOOST_TEST(failed.code == 4);
    BOOST_TEST(failed.says("no route"));
    BOOST_TEST(failed.complains("fails has failed"));
    const auto late = coworker({"job", "waits", "--wait", "10ms", "--json"});
    BOOST_TEST(late.code == 4);
    BOOST_TEST(late.says(R"("state":"waiting")"));
    BOOST_TEST(late.complains("waits has not ended within"));
    BOOST_TEST(coworker({"job", "none", "--wait", "1h"}).code == 3);
    qless("recur", "mail", "again", "k", "{}", "interval", "60", "0");
    BOOST_TEST(coworker({"job", "again", "--wait", "1h"}).says("recurring"));
    BOOST_TEST(coworker({"job", "waits", "--wait", "soon"}).code == 2);
    BOOST_TEST(coworker({"job", "mail", "x", "--wait", "1h"}).complains("of a managed queue"));
}

BOOST_FIXTURE_TEST_CASE(tells_that_a_job_was_cancelled_that_was_waited_for, work_test)
{
    push({"managed:mail", "--kind", "k", "--id-field", "id"}, "{\"id\":\"j\"}\n");
    running_program waits{{"job", "j", "--wait", "1h", "--redis", server.url()}};
    wait_until_tracked(server);
    qless("cancel", "j");
    waits.wait_for("'j' was cancelled or deleted");
    BOOST_TEST(waits.wait() == 3);
}

BOOST_FIXTURE_TEST_CASE(shows_what_becomes_of_a_job_when_a_parent_fails, program_test)
{
    put("parent", "welcome");
    put("j", "welcome", "{}", "depends", R"(["parent"])", "options", R"({"on_parent_failure":"go_on"})");
    qless("cancel", "parent");
    const auto text = coworker({"job", "j"});
    BOOST_TEST(text.says("parent fails  go_on"));
    BOOST_TEST(text.says("went on after parent"));
    const auto job = boost::json::parse(coworker({"job", "j", "--json"}).output).as_object();
    const auto& options = job.at("options");
    BOOST_TEST(options.at("on_parent_failure").as_string() == "go_on");
    BOOST_TEST(options.at("failed_parents").at(0).as_string() == "parent");
}

BOOST_FIXTURE_TEST_CASE(shows_a_recurring_job, program_test)
{
    qless("recur", "mail", "again", "k", "{}", "interval", "60", "0");
    BOOST_TEST(coworker({"job", "again"}).says("recurring"));
    const auto job = boost::json::parse(coworker({"job", "again", "--json"}).output).as_object();
    BOOST_TEST(job.at("interval_seconds").as_int64() == 60);
}

BOOST_FIXTURE_TEST_CASE(shows_a_job_of_a_list_queue, program_test)
{
    push({"mail", "--id-field", "id"}, "{\"id\":\"w1\"}\n{\"id\":\"w2\",\"n\":1}\n");
    server("HSET", "hworker-broken-mail", "nonsense\x1b[2J", "\"2026-11-21T09:54:29.612715000042Z\"");
    server("LPUSH", "hworker-failed-mail", "[\"f\",1]");
    server("HSET", "hworker-failures-mail", "[\"f\",1]",
           "\"2026-11-21T09:54:29.612715000042Z\" 3 no such address");
    const auto waiting = coworker({"job", "mail", "w2"});
    BOOST_TEST(waiting.says("state         waiting"));
    BOOST_TEST(waiting.says("payload       {\"id\":\"w2\",\"n\":1}"));
    const auto failed = coworker({"job", "list:mail", "f"});
    for (const auto* words : {"failed", "attempts      3", "no such address", "2026-11-21"})
        BOOST_TEST(failed.says(words), words);
    const auto json = boost::json::parse(coworker({"job", "mail", "f", "--json"}).output).as_object();
    BOOST_TEST(json.at("state").as_string() == "failed");
    BOOST_TEST(json.at("attempts").as_int64() == 3);
    const auto listed = boost::json::parse(coworker({"broken", "mail", "--json"}).output).as_object();
    const auto broken = coworker({"job", "mail", std::string{listed.at("id").as_string()}});
    BOOST_TEST(broken.says("payload       nonsense\\x1b[2J"));
}

BOOST_FIXTURE_TEST_CASE(shows_a_job_of_a_managed_queue_that_is_named, program_test)
{
    put("j", "welcome");
    qless("recur", "mail", "again", "k", "{}", "interval", "60", "0");
    BOOST_TEST(coworker({"job", "managed:mail", "j"}).says("welcome"));
    BOOST_TEST(coworker({"job", "managed:mail", "again"}).says("recurring"));
    BOOST_TEST(coworker({"job", "managed:other", "j"}).code == 3);
    BOOST_TEST(coworker({"job", "managed:other", "again"}).code == 3);
}

BOOST_FIXTURE_TEST_CASE(tells_of_a_job_that_does_not_exist, program_test)
{
    const auto result = coworker({"job", "nonsense"});
    BOOST_TEST(result.code == 3);
    BOOST_TEST(result.complains("nonsense"));
    BOOST_TEST(coworker({"job", ""}).code == 2);
    for (const auto* id : {"nonsense", "@0123456789abcdef"}) {
        const auto listed = coworker({"job", "mail", id});
        BOOST_TEST(listed.code == 3);
        BOOST_TEST(listed.complains("there is no job '" + std::string{id} + "' in mail"));
    }
    BOOST_TEST(coworker({"job", "two words", "x", "y"}).code == 2);
    BOOST_TEST(coworker({"job"}).code == 2);
}

BOOST_AUTO_TEST_SUITE_END()
