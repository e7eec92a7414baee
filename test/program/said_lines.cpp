// SPDX-License-Identifier: MIT
#include "program/commands/job_line.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

/// What the lines of a process are to its job, without any process.
BOOST_AUTO_TEST_SUITE(said_lines)

using coworker::program::line_rules;
using coworker::program::read_line;

namespace {

constexpr line_rules of_list{}, of_managed{.is_managed = true};

/// A line about the job "j".
coworker::program::said_line said(const std::string& members, line_rules rules = of_managed)
{
    return read_line(R"({"id":"j",)" + members + '}', "j", "before", rules);
}

struct useless_line
{
    line_rules rules;
    std::string members, complaint;
};

} // namespace

BOOST_AUTO_TEST_CASE(tell_outcomes)
{
    BOOST_TEST((said(R"("outcome":"success")").result->what() == coworker::outcome::kind::success));
    const auto later = said(R"("outcome":"retry","message":"busy","delay":"5m")");
    BOOST_TEST(later.result->reason() == "busy");
    BOOST_TEST((later.result->delay() == std::chrono::minutes{5}));
    BOOST_TEST(said(R"("outcome":"failure")").result->reason() == "the process gave no reason");
    for (const std::string queue : {"managed:next", "next"})
        BOOST_TEST(said(R"("outcome":"forward","queue":")" + queue + '"').problem == "", queue);
}

BOOST_AUTO_TEST_CASE(tell_what_the_job_sleeps_for)
{
    const auto nap = said(R"("outcome":"sleep","name":"nap","delay":"3d")");
    BOOST_TEST((nap.result->what() == coworker::outcome::kind::release));
    const auto& sleep = nap.result->managed()->wait.value();
    BOOST_TEST(sleep.name.str() == "nap");
    BOOST_TEST((sleep.what == coworker::wait_kind::time));
    BOOST_TEST((sleep.length == std::chrono::hours{72}));
    const auto late = said(R"("outcome":"sleep","signal":"yes","until":"2026-11-30T12:00:00Z","after":2)");
    const auto& wait = late.result->managed()->wait.value();
    BOOST_TEST(wait.name.str() == "yes");
    BOOST_TEST((wait.what == coworker::wait_kind::signal));
    BOOST_TEST(wait.after == 2u);
    BOOST_TEST(wait.until.get().value().time_since_epoch().count() == 1'796'040'000'000'000);
}

BOOST_AUTO_TEST_CASE(say_what_is_wrong_with_them)
{
    const auto problem_of = [](const std::string& line) { return read_line(line, "j", "", of_list).problem; };
    BOOST_TEST(problem_of("hello") == "it is no JSON object: hello");
    BOOST_TEST(problem_of("{}") == "it has no member 'id'");
    BOOST_TEST(problem_of(R"({"id":"other","outcome":"success"})") == "it is for another job: other");
    const useless_line all[] = {
        {of_list, R"("outcome":"done")", "is not success, retry, failure or release"},
        {of_list, R"("outcome":"forward","queue":"next")", "is not success, retry, failure or release"},
        {of_list, R"("outcome":"sleep","name":"n","delay":1)", "is not success, retry, failure or release"},
        {of_managed, R"("outcome":"nap")", "is not success, retry, failure, release, sleep or forward"},
        {of_managed, R"("outcome":"sleep","delay":1)", "The member 'name', 'signal' or 'job' is missing"},
        {of_managed, R"("outcome":"sleep","name":")" + std::string(257, 'x') + R"(","delay":1)", "too long"},
        {of_managed, R"("outcome":"sleep","name":"n")", "One of the members 'delay' and 'until'"},
        {of_managed, R"("outcome":"sleep","name":"n","delay":1,"until":"2026-11-30T12:00:00Z")",
         "One of the members"},
        {of_managed, R"("outcome":"sleep","name":"n","signal":"s","delay":1)",
         "does not go with this outcome"},
        {of_managed, R"("outcome":"sleep","name":"n","after":1,"delay":1)", "does not go with this outcome"},
        {of_managed, R"("outcome":"retry","signal":"s")", "does not go with this outcome"},
        {of_list, R"("checkpoint":1)", "it is a checkpoint, which list queues do not keep"},
        {of_list, R"("step":"s","value":1)", "it is a step, which list queues do not keep"},
        {of_managed, R"("step":"s")", "it is a step without a member 'value'"},
        {of_managed, R"("outcome":"forward","queue":"list:next")", "is not the name of a managed queue"},
        {of_managed, R"("outcome":"forward","queue":")" + std::string(513, 'x') + '"',
         "is not the name of a managed queue"},
        {of_list,
         R"("outcome":"success","effects":[{"command":["INCR","n"]},{"queue":"managed:a","job":{"kind":"K"}}])",
         "can push to list queues only"},
        {of_list, R"("outcome":"success","effects":{"command":["INCR","n"]})", "is not an array of effects"},
        {of_list, R"("outcome":"retry","effects":[{"command":["INCR","n"]}])",
         "does not go with this outcome"},
        {of_managed,
         R"("outcome":"success","effects":[{"command":["INCR","n"]},{"queue":"managed:a","job":{}}])",
         "number 2. The member 'kind' is missing"},
        {of_managed, R"("outcome":"success","effects":[{"command":["INCR","n"],"job":{}}])",
         "either 'command', or"}};
    for (const auto& each : all) {
        const auto problem = said(each.members, each.rules).problem;
        BOOST_TEST(problem.find(each.complaint) != problem.npos, each.members << ": " << problem);
    }
}

BOOST_AUTO_TEST_CASE(may_be_late_with_the_progress_of_the_job_before)
{
    BOOST_TEST(read_line(R"({"id":"before","progress":1})", "j", "before", of_managed).is_late);
    BOOST_TEST(!said(R"("progress":1)").is_late);
    BOOST_TEST(said(R"("progress":0.5,"message":"half")").message == "half");
    BOOST_TEST(read_line(R"({"id":"before","log":"bye"})", "j", "before", of_managed).is_late);
}

BOOST_AUTO_TEST_CASE(may_be_lines_of_a_log)
{
    BOOST_TEST(said(R"("log":"page 12")").log[0] == "page 12");
    BOOST_TEST(said(R"("log":["page 12","page 13"])").log.size() == 2u);
    BOOST_TEST(said(R"("log":7)").problem.find("log") != std::string::npos);
    const auto both = said(R"("progress":0.5,"log":"half")");
    BOOST_TEST((both.progress && both.log.size() == 1));
}

BOOST_AUTO_TEST_SUITE_END()
