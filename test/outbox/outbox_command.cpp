// SPDX-License-Identifier: MIT
#include "outbox/database_server.hpp"
#include "program_test.hpp"
#include "running_program.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <optional>
#include <set>

/// coworker outbox
namespace {

struct outbox_command_test : coworker::test::program_test
{
    coworker::test::database_server& database = coworker::test::database_server::chosen();
    std::string connection = database.make_database();
    std::optional<coworker::test::sql_session> sql{connection};

    std::vector<std::string> outbox(std::vector<std::string> more = {})
    {
        more.insert(more.begin(), {"outbox", "--redis", server.url(), "--database", connection});
        return more;
    }
    void make_table() { (*sql)(coworker({"outbox", "--schema", "--database", connection}).output); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(outbox_command, outbox_command_test)

using namespace coworker::test;

BOOST_AUTO_TEST_CASE(pushes_what_is_written)
{
    running_program relay{outbox()}; // the table may come later
    relay.wait_for("; 'coworker outbox --schema'");
    make_table();
    (*sql)("INSERT INTO coworker_outbox (queue, payload) VALUES ('mail', '1')");
    server("BLMOVE", "hworker-jobs-mail", "seen", "RIGHT", "LEFT", 30);
    relay.signal(SIGTERM);
    BOOST_TEST(relay.read_to_end().find(" pushed") != std::string::npos);
    BOOST_TEST(relay.wait() == 0);
}

BOOST_AUTO_TEST_CASE(makes_no_second_job_when_it_is_killed)
{
    constexpr int count = 20'000;
    make_table();
    (*sql)("INSERT INTO coworker_outbox (queue, payload) SELECT 'mail', json FROM " +
           database.numbers(1, count));
    for (int have = 0; have != count;) {
        running_program relay{outbox({"--batch-size", "100", "--log-level", "warning"})};
        const auto wanted = std::min(count, have + count / 5);
        while (have < wanted)
            have = static_cast<int>(server("LLEN", "hworker-jobs-mail").integer);
        relay.signal(SIGKILL);
        relay.wait();
    }
    running_program relay{outbox()};
    while (sql->value("SELECT count(*) FROM coworker_outbox") != "0")
        ;
    std::set<std::string> payloads;
    for (const auto& text : waiting("mail"))
        payloads.insert(text.substr(text.find(',')));
    BOOST_TEST(payloads.size() == static_cast<std::size_t>(count));
    BOOST_TEST(server("LLEN", "hworker-jobs-mail").integer == count);
}

BOOST_AUTO_TEST_CASE(shows_rows_that_were_rejected_and_pushes_them_again)
{
    make_table();
    BOOST_TEST(coworker(outbox({"--rejected"})).says("No rows are rejected."));
    (*sql)("INSERT INTO coworker_outbox (queue, kind, payload) VALUES ('mail', 'Letter', '1')");
    running_program relay{outbox({"--metrics", "localhost:0"})};
    relay.wait_for("1 row was rejected; row 1: ");
    const auto shown = coworker(outbox({"--rejected"}));
    BOOST_TEST(shown.says("The row has a kind"));
    (*sql)("UPDATE coworker_outbox SET kind = NULL");
    BOOST_TEST(coworker(outbox({"--retry", "7"})).code == 3);
    BOOST_TEST(coworker(outbox({"--retry", "1"})).says("1 row waits again"));
    server("BLMOVE", "hworker-jobs-mail", "seen", "RIGHT", "LEFT", 30);
    BOOST_TEST(coworker(outbox({"--retry", "all"})).says("0 rows wait again"));
}

BOOST_AUTO_TEST_CASE(refuses_what_makes_no_sense)
{
    for (const auto& words : std::vector<std::vector<std::string>>{{"--table", "a b"},
                                                                   {"--schema", "--table", "a b"},
                                                                   {"--remember", "5"},
                                                                   {"--remember", "1s"},
                                                                   {"--poll", "0s"},
                                                                   {"--batch-size", "0"},
                                                                   {"--retry", "x"},
                                                                   {"--schema", "--rejected"},
                                                                   {"--within", "5s"},
                                                                   {"--metrics", "9100"}})
        BOOST_TEST(coworker(outbox(words)).code == 2);
    const auto away = coworker({"outbox", "--rejected", "--database", database.nowhere()});
    BOOST_TEST(away.code == 1);
    BOOST_TEST(away.complains("the database: "));
}

BOOST_AUTO_TEST_SUITE_END()
