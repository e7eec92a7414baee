// SPDX-License-Identifier: MIT
#include "redis/server_connection/connection_setup.hpp"

#include <boost/redis/request.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>

namespace coworker::detail {

static std::ostream& operator<<(std::ostream& out, setup_verdict verdict)
{
    return out << static_cast<int>(verdict);
}

} // namespace coworker::detail

BOOST_AUTO_TEST_SUITE(connection_setup)

using coworker::detail::connection_setup;
using coworker::detail::judge;
using coworker::detail::setup_step;
using coworker::detail::setup_verdict;

BOOST_AUTO_TEST_CASE(what_passes_is_waited_for_at_every_step)
{
    for (const std::string text :
         {"LOADING Redis is loading the dataset in memory", "ERR max number of clients reached",
          "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
          "MASTERDOWN Link with MASTER is down", "OOM command not allowed when used memory > 'maxmemory'."})
        for (const auto step :
             {setup_step::hello, setup_step::select_database, setup_step::tracking, setup_step::subscribe})
            BOOST_TEST(judge({step, text, "7.0.15"}) == setup_verdict::passes, text);
}

BOOST_AUTO_TEST_CASE(only_tracking_can_be_done_without)
{
    const std::string text =
        "NOPERM User tracking-svc has no permissions to run the 'client|tracking' command";
    BOOST_TEST(judge({setup_step::tracking, text, "7.0.15"}) == setup_verdict::poll);
    // The words are the same; what counts is which command was refused.
    BOOST_TEST(judge({setup_step::subscribe, text, "7.0.15"}) == setup_verdict::refused);
    BOOST_TEST(judge({setup_step::tracking, "ERR unknown subcommand 'TRACKING'.", "7.0.15"}) ==
               setup_verdict::poll);
}

BOOST_AUTO_TEST_CASE(names_in_an_error_do_not_count)
{
    for (const std::string user : {"AUTH", "AUTHOR", "LOADING", "NOPROTO", "WRONGPASS", "TRACKING"})
        BOOST_TEST(judge({setup_step::subscribe,
                          "NOPERM User " + user + " has no permissions to run the 'subscribe' command",
                          "7.0.15"}) == setup_verdict::refused,
                   user);
}

BOOST_AUTO_TEST_CASE(refused_credentials_are_told_from_missing_permissions)
{
    BOOST_TEST(judge({setup_step::hello, "WRONGPASS invalid username-password pair or user is disabled.",
                      ""}) == setup_verdict::authentication_refused);
    BOOST_TEST(judge({setup_step::hello, "NOAUTH HELLO must be called with the client already authenticated",
                      ""}) == setup_verdict::authentication_refused);
}

BOOST_AUTO_TEST_CASE(an_old_server_is_known_by_its_version)
{
    BOOST_TEST(judge({setup_step::hello, "ERR unknown command `HELLO`, with args beginning with: ", ""}) ==
               setup_verdict::too_old);
    BOOST_TEST(judge({setup_step::hello, "NOPROTO unsupported protocol version", ""}) ==
               setup_verdict::too_old);
    const std::string text = "ERR unknown subcommand or wrong number of arguments";
    BOOST_TEST(judge({setup_step::subscribe, text, "6.2.14"}) == setup_verdict::too_old);
    BOOST_TEST(judge({setup_step::subscribe, text, "7.0.15"}) == setup_verdict::refused);
}

BOOST_AUTO_TEST_CASE(knows_which_step_each_answer_belongs_to)
{
    connection_setup setup;
    setup.name = "coworker:1";
    setup.database = 2;
    setup.tracking = true;
    setup.channels = {"a", "b"};
    boost::redis::request request;
    const auto steps = setup.add_to(request);
    BOOST_TEST(request.get_expected_responses() == steps.size());
    BOOST_TEST((steps[0] == setup_step::hello));
    BOOST_TEST((steps[1] == setup_step::select_database));
    BOOST_TEST((steps[2] == setup_step::tracking));
    BOOST_TEST((steps[3] == setup_step::subscribe));
}

BOOST_AUTO_TEST_SUITE_END()
