// SPDX-License-Identifier: MIT
#include "managed/read_job.hpp"

#include "support/expect.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using coworker::detail::read_job;
using coworker::detail::read_recurring_job;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(read_jobs)

namespace {

const std::vector<std::string> none;

timestamp at(std::chrono::microseconds time)
{
    return timestamp{time};
}

void check_complains(std::string_view json, std::string_view words)
{
    BOOST_TEST_CONTEXT(json)
    {
        const auto error = error_in([&] { (void)read_job(json); });
        BOOST_TEST(error == errc::not_decodable);
        BOOST_TEST(error.says(words), error.message);
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(reads_every_member)
{
    const auto job = read_job(R"({"jid":"j","klass":"Mail","state":"running","queue":"q","worker":"w",
        "tracked":true,"priority":-2.5,"expires":1700000060.1235,"retries":5,"remaining":3,
        "data":"{\"to\": [1, 2.50]}","tags":["a","b\/c"],
        "history":[{"when":1700000000,"what":"put","q":"q"},{"when":1700000001,"what":"popped","worker":"w"}],
        "failure":{"group":"g","message":"m","when":1699999999,"worker":"v"},
        "spawned_from_jid":"r","dependents":["d"],"dependencies":["e","f"]})");
    BOOST_TEST(job.jid == "j");
    BOOST_TEST(job.kind == "Mail");
    BOOST_TEST(job.data == R"({"to": [1, 2.50]})");
    BOOST_TEST(to_string(job.state) == "running");
    BOOST_TEST(job.queue == "q");
    BOOST_TEST(job.worker == "w");
    BOOST_TEST(job.priority == -2.5);
    BOOST_TEST((job.tags == std::vector<std::string>{"a", "b/c"}));
    BOOST_TEST((job.expires == at(1700000060123500us)));
    BOOST_TEST(job.retries == 5);
    BOOST_TEST(job.remaining == 3);
    BOOST_TEST_REQUIRE(job.history.size() == 2u);
    BOOST_TEST((job.history[0].when == at(1700000000s)));
    BOOST_TEST(job.history[0].what == "put");
    BOOST_TEST(job.history[0].queue == "q");
    BOOST_TEST(job.history[1].worker == "w");
    BOOST_TEST_REQUIRE(job.failure.has_value());
    BOOST_TEST(job.failure->group == "g");
    BOOST_TEST(job.failure->message == "m");
    BOOST_TEST(job.failure->worker == "v");
    BOOST_TEST((job.failure->when == at(1699999999s)));
    BOOST_TEST(job.spawned_from == "r");
    BOOST_TEST((job.dependents == std::vector<std::string>{"d"}));
    BOOST_TEST((job.dependencies == std::vector<std::string>{"e", "f"}));
    BOOST_TEST(job.tracked);
}

BOOST_AUTO_TEST_CASE(an_empty_list_may_be_an_empty_object)
{
    for (const auto* empty : {"{}", "[]", "null", "false"}) {
        const std::string e = empty;
        const auto job = read_job(R"({"jid":"j","state":"waiting","tags":)" + e + R"(,"history":)" + e +
                                  R"(,"failure":)" + e + R"(,"dependents":)" + e + R"(,"dependencies":)" + e +
                                  R"(,"spawned_from_jid":false,"queue":false,"expires":0})");
        BOOST_TEST(job.tags == none);
        BOOST_TEST(job.history.empty());
        BOOST_TEST(!job.failure);
        BOOST_TEST(job.dependents == none);
        BOOST_TEST(job.dependencies == none);
        BOOST_TEST(job.spawned_from.empty());
        BOOST_TEST(job.queue.empty());
        BOOST_TEST(!job.expires);
    }
}

BOOST_AUTO_TEST_CASE(missing_members_are_empty_and_unknown_ones_passed_over)
{
    const auto job = read_job(R"({"state":"complete","colour":{"red":[1]}})");
    BOOST_TEST((job.state == managed_state::complete));
    BOOST_TEST(job.jid.empty());
    BOOST_TEST(job.remaining == 0);
    BOOST_TEST(!job.tracked);
}

BOOST_AUTO_TEST_CASE(knows_every_state)
{
    for (const auto* name :
         {"waiting", "scheduled", "depends", "running", "stalled", "failed", "complete", "recurring"})
        BOOST_TEST(to_string(read_job(R"({"state":")" + std::string{name} + "\"}").state) == name);
    BOOST_TEST((read_job(R"({"state":"recur"})").state == managed_state::recurring));
}

BOOST_AUTO_TEST_CASE(a_message_in_the_history_keeps_its_details)
{
    const auto job = read_job(R"({"state":"waiting","history":[
        {"when":1,"what":"note","q":7,"deep":{"a":[1]}}, {"when":2,"what":"popped","worker":[]},
        {"when":3,"what":"failed","group":"g","worker":"w"}, {"what":"done","when":4}]})");
    BOOST_TEST_REQUIRE(job.history.size() == 4u);
    BOOST_TEST(job.history[0].details.find("\"deep\":{\"a\":[1]}") != std::string::npos);
    BOOST_TEST(job.history[0].queue.empty());
    BOOST_TEST(job.history[1].worker.empty());
    BOOST_TEST(job.history[2].group == "g");
    BOOST_TEST(job.history[2].worker == "w");
    BOOST_TEST(job.history[3].details.empty());
}

BOOST_AUTO_TEST_CASE(tags_that_are_numbers_are_texts)
{
    const auto job = read_job(R"({"state":"waiting","tags":["a",7]})");
    BOOST_TEST((job.tags == std::vector<std::string>{"a", "7"}));
}

BOOST_AUTO_TEST_CASE(numbers_out_of_range_stay_at_its_ends)
{
    const auto job = read_job(
        R"({"state":"waiting","retries":1e300,"remaining":-1e300,"expires":1e300,"priority":1e300})");
    BOOST_TEST(job.retries == std::numeric_limits<int>::max());
    BOOST_TEST(job.remaining == std::numeric_limits<int>::min());
    BOOST_TEST(job.priority == 1e300);
    BOOST_TEST(job.expires.has_value());
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_utf8_are_let_through)
{
    const auto job = read_job("{\"state\":\"waiting\",\"data\":\"\\\"\xff\\\"\"}");
    BOOST_TEST(job.data == "\"\xff\"");
    BOOST_TEST(!job.data_as<std::string>());
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_named)
{
    check_complains(R"({"jid":"x","state":"waiting","priority":"high"})",
                    "job 'x': 'priority' is not a number");
    check_complains(R"({"jid":"x","state":"waiting","tags":{"a":1}})", "job 'x': 'tags' is not a list");
    check_complains(R"({"jid":"x","state":"waiting","tags":[[]]})", "'tags' is not a list of texts");
    check_complains(R"({"jid":"x","state":"waiting","data":{}})", "'data' is not a text");
    check_complains(R"({"jid":"x","state":"waiting","failure":[1]})", "'failure' is not an object");
    check_complains(R"({"jid":"x","state":"waiting","tracked":1})", "'tracked' is not true or false");
    check_complains(R"({"jid":"x","state":"asleep"})", "'state' is 'asleep'");
    check_complains(R"({"jid":"x"})", "'state' is ''");
    check_complains(R"({"jid":"x","state":"waiting","history":[7]})", "job 'x' is not an object");
    check_complains("[]", "job is not an object");
    check_complains("{", "is not JSON");
    check_complains("", "is not JSON");
}

BOOST_AUTO_TEST_CASE(reads_lists_of_jobs)
{
    BOOST_TEST(detail::read_jobs("{}").empty());
    BOOST_TEST(detail::read_jobs("[]").empty());
    const auto jobs = detail::read_jobs(R"([{"jid":"a","state":"waiting"},{"jid":"b","state":"failed"}])");
    BOOST_TEST_REQUIRE(jobs.size() == 2u);
    BOOST_TEST(jobs[1].jid == "b");
    const auto error = error_in([] { (void)detail::read_jobs("7"); });
    BOOST_TEST(error == errc::not_decodable);
    BOOST_TEST(error.says("the list of jobs is not a list"), error.message);
}

BOOST_AUTO_TEST_CASE(reads_recurring_jobs)
{
    const auto job = read_recurring_job(R"({"jid":"r","klass":"k","state":"recur","queue":"q","priority":1.5,
        "interval":0.5,"retries":5,"count":7,"data":"[]","tags":{},"backlog":2})");
    BOOST_TEST(job.jid == "r");
    BOOST_TEST(job.kind == "k");
    BOOST_TEST(job.queue == "q");
    BOOST_TEST(job.data == "[]");
    BOOST_TEST(job.priority == 1.5);
    BOOST_TEST((job.interval == 500ms));
    BOOST_TEST(job.retries == 5);
    BOOST_TEST(job.count == 7);
    BOOST_TEST(job.backlog == 2);
    BOOST_TEST(job.tags == none);
}

BOOST_AUTO_TEST_SUITE_END()
