// SPDX-License-Identifier: MIT
#include "json/list_submission.hpp"
#include "json/members.hpp"

#include "text/times.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(submissions)

using namespace coworker::detail;
using namespace std::chrono_literals;

namespace {

const std::vector<std::string> no_types;

list_submission read_one(std::string_view body)
{
    auto all = read_list_submissions(body, {no_types, 10});
    BOOST_TEST_REQUIRE(all.items.size() == 1u);
    return std::get<list_submission>(all.items[0]);
}

/// The status and the words of a refusal.
answer refused(std::string_view body, const submission_rules& rules = {no_types, 10})
{
    try {
        read_list_submissions(body, rules);
    } catch (const refusal& refused) {
        return answer_of(refused);
    }
    return {};
}

bool says(const answer& what, std::string_view words)
{
    return what.body.find(words) != what.body.npos;
}

} // namespace

BOOST_AUTO_TEST_CASE(reads_a_job)
{
    const auto job =
        read_one(R"( {"type": "mail", "payload": {"n": 1.10, "big": 123456789012345678901234567890}} )");
    BOOST_TEST(job.type == "mail");
    BOOST_TEST(job.what.job.text == R"({"n": 1.10, "big": 123456789012345678901234567890})");
    BOOST_TEST(!job.what.options.id.has_value());
    BOOST_TEST((job.what.options.delay == 0ms));
    BOOST_TEST(!job.what.options.at.has_value());
}

BOOST_AUTO_TEST_CASE(takes_any_json_as_payload)
{
    for (const auto payload : {"null", "0", "\"\"", "[]", "{}", "false", "[[[1]]]"})
        BOOST_TEST(read_one(R"({"payload":)" + std::string{payload} + R"(,"type":"a"})").what.job.text ==
                   payload);
}

BOOST_AUTO_TEST_CASE(reads_when_and_under_which_id)
{
    auto how = read_one(R"({"type":"a","payload":1,"delay":"5m","id":"order-\u0034711"})").what.options;
    BOOST_TEST((how.delay == 5min));
    BOOST_TEST(how.id.value() == "order-4711");
    const auto delay_of = [](std::string_view body) { return read_one(body).what.options.delay; };
    BOOST_TEST((delay_of(R"({"type":"a","payload":1,"delay":1.5})") == 1500ms));
    BOOST_TEST((delay_of(R"({"type":"a","payload":1,"delay":0})") == 0ms));
    how = read_one(R"({"type":"a","payload":1,"run_at":"1970-01-01T00:00:01.0005Z"})").what.options;
    BOOST_TEST((how.at.value().time_since_epoch() == 1000500us));
}

BOOST_AUTO_TEST_CASE(says_what_is_wrong)
{
    const std::pair<const char*, const char*> cases[] = {
        {"", "not valid JSON"},
        {"{", "not valid JSON"},
        {"{} x", "not valid JSON"},
        {"\xff", "not valid JSON"},
        {R"({"type":"a","payload":")"
         "\xc3\x28\"}",
         "not valid JSON"},
        {"1", "A job is a JSON object"},
        {"\"mail\"", "A job is a JSON object"},
        {"[]", "no jobs"},
        {"{}", "'type' is missing"},
        {R"({"type":"a"})", "'payload' is missing"},
        {R"({"payload":1})", "'type' is missing"},
        {R"({"type":1,"payload":1})", "'type' is not a string"},
        {R"({"type":"","payload":1})", "type is not valid"},
        {R"({"type":"a","payload":1,"delai":5})", "'delai' is not known"},
        {R"({"type":"a","type":"b","payload":1})", "'type' is there twice"},
        {R"({"type":"a","payload":1,"delay":-1})", "'delay' is neither"},
        {R"({"type":"a","payload":1,"delay":null})", "'delay' is neither"},
        {R"({"type":"a","payload":1,"delay":"soon"})", "'delay' is neither"},
        {R"({"type":"a","payload":1,"run_at":5})", "RFC 3339"},
        {R"({"type":"a","payload":1,"run_at":"tomorrow"})", "RFC 3339"},
        {R"({"type":"a","payload":1,"delay":5,"run_at":"2026-11-21T09:00:00Z"})", "not both"},
        {R"({"type":"a","payload":1,"id":""})", "'id' is not a string"},
        {R"({"type":"a","payload":1,"id":7})", "'id' is not a string"},
    };
    for (const auto& [body, words] : cases) {
        const auto what = refused(body);
        BOOST_TEST(what.status == 400u, body);
        BOOST_TEST(what.content_type == "application/problem+json", body);
        BOOST_TEST(says(what, words), what.body);
    }
    BOOST_TEST(refused(std::string(300, '[') + std::string(300, ']')).status == 400u);
    BOOST_TEST(refused(R"({"type":"a","payload":1,"id":")" + std::string(257, 'x') + "\"}").status == 400u);
    BOOST_TEST(refused(R"({"payload":1,"type":")" + std::string(512, 'x') + "\"}").status == 200u);
    BOOST_TEST(
        says(refused(R"({"payload":1,"type":")" + std::string(513, 'x') + "\"}"), "type is not valid"));
}

BOOST_AUTO_TEST_CASE(takes_only_the_types_it_was_given)
{
    const std::vector<std::string> types{"mail", "thumbnail"};
    BOOST_TEST(refused(R"({"type":"mail","payload":1})", {types, 10}).status == 200u);
    const auto other = refused(R"({"type":"sms","payload":1})", {types, 10});
    BOOST_TEST(other.status == 422u);
    BOOST_TEST(says(other, "'sms'"));
}

BOOST_AUTO_TEST_CASE(reads_jobs_of_a_queue_that_the_path_names)
{
    const submission_rules rules{no_types, 10, "mail"};
    const auto all = read_list_submissions(R"([{"payload":1,"id":"x"},{"type":"mail","payload":1}])", rules);
    BOOST_TEST_REQUIRE(all.items.size() == 2u);
    BOOST_TEST(std::get<list_submission>(all.items[0]).type == "mail");
    BOOST_TEST(std::get<list_submission>(all.items[0]).what.options.id.value() == "x");
    BOOST_TEST(says(answer_of(std::get<refusal>(all.items[1])), "'type' is not known; a job has payload, "));
    BOOST_TEST(!says(refused("7", rules), "type\\\":"));
}

BOOST_AUTO_TEST_CASE(judges_each_job_of_an_array)
{
    const auto all = read_list_submissions(
        R"([{"type":"a","payload":1}, {"type":"a"} ,7,{"type":"b","payload":[2]}])", {no_types, 4});
    BOOST_TEST(all.is_array);
    BOOST_TEST_REQUIRE(all.items.size() == 4u);
    BOOST_TEST(std::get<list_submission>(all.items[0]).what.job.text == "1");
    BOOST_TEST(says(answer_of(std::get<refusal>(all.items[1])), "'payload' is missing"));
    BOOST_TEST(says(answer_of(std::get<refusal>(all.items[2])), "JSON object"));
    BOOST_TEST(std::get<list_submission>(all.items[3]).type == "b");
    BOOST_TEST(refused("[1,2,3,4,5]", {no_types, 4}).status == 413u);
}

BOOST_AUTO_TEST_CASE(reads_delays)
{
    BOOST_TEST((parse_delay("0") == 0ms));
    BOOST_TEST((parse_delay("30") == 30s));
    BOOST_TEST((parse_delay("0.25") == 250ms));
    BOOST_TEST((parse_delay("0.0001") == 1ms));
    BOOST_TEST((parse_delay("250ms") == 250ms));
    BOOST_TEST((parse_delay("90s") == 90s));
    BOOST_TEST((parse_delay("5m") == 5min));
    BOOST_TEST((parse_delay("2h") == 2h));
    BOOST_TEST((parse_delay("1.5d") == 36h));
    BOOST_TEST((parse_delay("1h30m") == 90min));
    BOOST_TEST((parse_delay("1e-9") == 1ms));
    BOOST_TEST((parse_delay("3660d") == longest_delay));
}

BOOST_AUTO_TEST_CASE(refuses_other_delays)
{
    for (const auto text : {"", "-1", "soon", "5 m", "5M", "5y", "m", "nan", "inf", "1e300", "1e999", "3661d",
                            "+5", ".5", "null", "true", "[]", "{}"})
        BOOST_TEST(!parse_delay(text).has_value(), text);
}

BOOST_AUTO_TEST_SUITE_END()
