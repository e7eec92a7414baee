// SPDX-License-Identifier: MIT
#include "managed/script_refusal.hpp"

#include "support/print.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

/// Every text of section 5 of the protocol, with the meaning it has for a caller.
BOOST_AUTO_TEST_SUITE(refusals)

using coworker::errc;
using coworker::detail::find_refusal;

void check_means(std::string_view text, errc expected)
{
    for (const auto& seen : {std::string{text}, "ERR " + std::string{text}})
        BOOST_TEST_CONTEXT(seen)
        {
            const auto meaning = find_refusal(seen);
            BOOST_TEST_REQUIRE(meaning.has_value());
            BOOST_TEST(*meaning == expected);
        }
}

void check_is_a_complaint(std::string_view text)
{
    BOOST_TEST(!find_refusal(text).has_value(), "should be no refusal: " << text);
    BOOST_TEST(!find_refusal("ERR " + std::string{text}).has_value(), "should be no refusal: " << text);
}

BOOST_AUTO_TEST_CASE(a_job_that_does_not_exist)
{
    check_means("Complete(): Job J does not exist", errc::job_not_found);
    check_means("Requeue(): Job J does not exist", errc::job_not_found);
    check_means("Fail(): Job Jdoes not exist", errc::job_not_found);
    check_means("Retry(): Job J does not exist", errc::job_not_found);
    check_means("Heartbeat(): Job J does not exist", errc::job_not_found);
    check_means("Timeout(): Job J does not exist", errc::job_not_found);
    check_means("Tag(): Job J does not exist", errc::job_not_found);
    check_means("Untag(): Job J does not exist", errc::job_not_found);
    check_means("Track(): Job does not exist", errc::job_not_found);
    check_means("Priority(): Job J does not exist", errc::job_not_found);
    check_means("Log(): Job J does not exist", errc::job_not_found);
    check_means("Depends(): Job J not in the depends state: false", errc::job_not_found);
}

BOOST_AUTO_TEST_CASE(a_job_that_is_not_running)
{
    check_means("Complete(): Job J is not currently running: waiting", errc::job_not_running);
    check_means("Fail(): Job Jnot currently running: complete", errc::job_not_running);
    check_means("Retry(): Job J is not currently running: scheduled", errc::job_not_running);
    check_means("Heartbeat(): Job J not currently running: stalled", errc::job_not_running);
    check_means("Timeout(): Job J not running", errc::job_not_running);
}

BOOST_AUTO_TEST_CASE(a_job_that_somebody_else_holds)
{
    check_means("Complete(): Job J has been handed out to another worker: W", errc::lease_lost);
    check_means("Fail(): Job J running with another worker: W", errc::lease_lost);
    check_means("Retry(): Job J has been given to another worker: W", errc::lease_lost);
    check_means("Heartbeat(): Job J given out to another worker: W", errc::lease_lost);
    check_means("Complete(): Job J has been handed out to another worker: ", errc::lease_lost);
}

BOOST_AUTO_TEST_CASE(a_job_in_another_place)
{
    check_means("Cancel(): J is a dependency of D but is not mentioned to be canceled",
                errc::still_depended_on);
    check_means("Depends(): Job J not in the depends state: running", errc::not_waiting_for_dependencies);
    check_means("Recur(): No recurring job J", errc::recurring_job_not_found);
}

BOOST_AUTO_TEST_CASE(names_that_hold_the_words_of_other_refusals)
{
    check_means("Retry(): Job J has been given to another worker: not currently running: x",
                errc::lease_lost);
    check_means("Cancel(): Job x does not exist is a dependency of D but is not mentioned to be canceled",
                errc::still_depended_on);
    check_means("Recur(): No recurring job Job does not exist", errc::recurring_job_not_found);
}

BOOST_AUTO_TEST_CASE(complaints_about_the_question_mean_none_of_these)
{
    for (const auto* text : {"Job(): no jid provided",
                             "Queue(): no queue name provided",
                             "Put(): Arg \"jid\" missing",
                             "Put(): Arg \"klass\" missing",
                             "Put(): Arg \"delay\" not a number: X",
                             "Put(): Arg \"retries\" not a number: X",
                             "Put(): Arg \"priority\" not a numberX",
                             "Odd number of additional args: table: 0x0",
                             "Pop(): Arg \"worker\" missing",
                             "Pop(): Arg \"count\" missing or not a number: X",
                             "Peek(): Arg \"count\" missing or not a number: X",
                             "Complete(): Arg \"worker\" missing",
                             "Complete(): Arg \"queue\" missing",
                             "Complete(): \"delay\" cannot be used without a \"next\".",
                             "Complete(): \"depends\" cannot be used without a \"next\".",
                             "assertion failed!",
                             "Fail(): Arg \"worker\" missing",
                             "Retry(): Arg \"queue\" missing",
                             "Retry(): Arg \"delay\" not a number: X",
                             "Heatbeat(): Arg \"worker\" missing",
                             "Jobs(): Arg \"state\" missing",
                             "Jobs(): Unknown type \"Job does not exist\"",
                             "Failed(): Arg \"start\" is not a number: X",
                             "Unfail(): Arg \"group\" missing",
                             "Stats(): Arg \"date\" missing or not a number: X",
                             "Tag(): Arg \"command\" must be \"add\", \"remove\", \"get\" or \"top\"",
                             "Tag(): Arg \"jid\" missing",
                             "Tag(): First argument must be \"add\", \"remove\" or \"get\"",
                             "Track(): Arg \"jid\" missing",
                             "Track(): Unknown action \"X\"",
                             "Priority(): Arg \"priority\" missing or not a number: X",
                             "Depends(): Arg \"command\" missing",
                             "Depends(): Argument \"command\" must be \"on\" or \"off\"",
                             "Log(): Argument 'jid' missing",
                             "Log(): Argument 'data' not a JSON object: does not exist",
                             "RecurringJob On(): Arg \"jid\" missing",
                             "Recur(): schedule type \"X\" unknown",
                             "Recur(): Arg \"interval\" must be greater than 0",
                             "Recur(): Unrecognized option \"K\"",
                             "No value provided for K",
                             "config.set(): Arg \"option\" missing",
                             "No Keys should be provided",
                             "Must provide a command",
                             "Unknown command X",
                             "Arg \"now\" missing or not a number: nil",
                             "Expected value but found invalid token at character 1",
                             "bad argument #1 to 'decode' (string expected, got nil)",
                             "Wrong number of args calling Redis command from script",
                             "Batch(): the counts do not fit the arguments",
                             "Check(): Unknown mode \"x\"",
                             "OOM command not allowed when used memory > 'maxmemory'.",
                             "NOSCRIPT No matching script",
                             ""})
        check_is_a_complaint(text);
}

BOOST_AUTO_TEST_SUITE_END()
