// SPDX-License-Identifier: MIT
#include "json/push_options.hpp"

#include "managed/managed_queue/put_request.hpp"
#include "json/managed_submission.hpp"
#include "json/push_flags.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <set>

/// The table of options: each is read from JSON as from flags.
BOOST_AUTO_TEST_SUITE(option_table)

using namespace coworker;
using namespace coworker::detail;

namespace {

struct pushed_both_ways
{
    std::string json; ///< members
    given_flags flags;
    std::string words; ///< as Redis gets them
};

const std::vector<pushed_both_ways>& pushes()
{
    static const std::vector<pushed_both_ways> all{
        {R"("priority":-2.5)", {{"--priority", {"-2.5"}}}, "priority -2.5"},
        {R"("retries":3)", {{"--retries", {"3"}}}, "retries 3"},
        {R"("tags":["a b","é"])", {{"--tag", {"a b", "é"}}}, R"(tags ["a b","é"])"},
        {R"("limits":["gpu",{"name":"a=b","units":2}])",
         {{"--limit", {"gpu", "a=b=2"}}},
         R"(limits [["gpu",1],["a=b",2]])"},
        {R"("order_key":"customer 7")", {{"--order-key", {"customer 7"}}}, "order customer 7"},
        {R"("group":"\"acme\"")", {{"--group", {"\"acme\""}}}, "group \"acme\""},
        {R"("timeout":"1m30s")", {{"--timeout", {"1m30s"}}}, R"(options {"timeout":90})"},
        {R"("expiry":60)", {{"--expiry", {"60"}}}, R"(options {"expiry":60})"},
        {R"("backoff":{"initial":"5s"})",
         {{"--backoff", {"5s"}}},
         R"(options {"backoff":{"initial":5,"factor":2,"maximum":600,"jitter":0.5}})"},
        {R"("backoff":{"initial":"5s","maximum":"10s"})",
         {{"--backoff", {"5s..10s"}}},
         R"(options {"backoff":{"initial":5,"factor":2,"maximum":10,"jitter":0.5}})"},
        {R"("backoff":{"initial":"2h"})",
         {{"--backoff", {"2h"}}},
         R"(options {"backoff":{"initial":7200,"factor":2,"maximum":7200,"jitter":0.5}})"},
        {R"("retention":0)", {{"--retention", {"0s"}}}, R"(options {"retention":0})"},
        {R"("result_retention":"2d")",
         {{"--result-retention", {"2d"}}},
         R"(options {"result_retention":172800})"},
        {R"("metadata":{"tenant":"42","note":"a=b"})",
         {{"--metadata", {"tenant=42", "note=a=b"}}},
         R"(options {"metadata":{"note":"a=b","tenant":"42"}})"},
        {R"("description":"for ada \"7\"")",
         {{"--description", {"for ada \"7\""}}},
         R"(options {"description":"for ada \"7\""})"},
        {R"("version":2)", {{"--payload-version", {"2"}}}, R"(options {"version":2})"},
        {R"("batch":"b")", {{"--batch", {"b"}}}, R"(options {"batch":"b"})"},
        {R"("depends_on":["a","b"],"on_parent_failure":"go_on")",
         {{"--depends", {"a", "b"}}, {"--on-parent-failure", {"go-on"}}},
         R"(depends ["a","b"] options {"on_parent_failure":"go_on"})"},
        {R"("wait_for_signal":"approved")",
         {{"--wait-for-signal", {"approved"}}},
         R"(options {"wait_for_signal":"approved"})"},
        {R"("depends_on":["a"],"reads_parents":true)",
         {{"--depends", {"a"}}, {"--reads-parents", {}}},
         R"(depends ["a"] options {"parents":["a"]})"},
        {R"("unique":{"key":"daily","until":"started","on_conflict":"replace_payload"})",
         {{"--unique-key", {"daily"}},
          {"--unique-until", {"started"}},
          {"--on-conflict", {"replace_payload"}}},
         "unique daily until started conflict data"},
        {R"("unique":{"fields":["n"],"unique_for":"1h","on_conflict":"replace_time"})",
         {{"--unique-field", {"n"}}, {"--unique-for", {"1h"}}, {"--on-conflict", {"replace-time"}}},
         R"(unique {"kind":"k","data":{"n":1}} until 3600 conflict time)"},
        {R"("unique":{"whole_payload":true})",
         {{"--unique", {}}},
         R"(unique {"kind":"k","data":{"n":1}} until done conflict keep)"},
    };
    return all;
}

std::string words_of(const managed_push_options& options)
{
    managed_call call{"", "put"};
    const auto before = call.size();
    add_put_options(call, {"k", R"({"n":1})", "j", options});
    std::string all;
    for (const auto& word : call.words().subspan(before))
        all += (all.empty() ? "" : " ") + std::string{word};
    return all;
}

managed_push_options read_json(const std::string& members)
{
    return read_managed_submission(R"({"kind":"k","payload":{"n":1},)" + members + "}").job.options;
}

/// What is said against it; empty if it can be used.
template<class Read>
std::string refusal_of(Read read)
{
    try {
        (void)read();
    } catch (const refusal& why) {
        return why.detail;
    }
    return {};
}

std::string refusal_of_json(const std::string& members)
{
    return refusal_of([&] { return read_json(members); });
}

std::string refusal_of_flags(const given_flags& given)
{
    return refusal_of([&] { return read_flags(given); });
}

} // namespace

BOOST_AUTO_TEST_CASE(is_read_from_flags_as_from_json)
{
    for (const auto& each : pushes()) {
        BOOST_TEST(words_of(read_json(each.json)) == each.words, each.json);
        BOOST_TEST(words_of(read_flags(each.flags)) == each.words, each.json);
    }
}

BOOST_AUTO_TEST_CASE(has_no_option_that_is_not_tested_here)
{
    std::set<std::string> tested;
    for (const auto& each : pushes())
        for (const auto& [flag, _] : each.flags)
            tested.insert(flag);
    for_each_flag(job_pushed::now, [&](const push_option& option) {
        BOOST_TEST(tested.contains(flag_of(option)), flag_of(option));
        BOOST_TEST(help_of(option).size() > 10u);
    });
}

BOOST_AUTO_TEST_CASE(refuses_the_same_in_the_words_of_each)
{
    const std::string no_time =
        R"( is not a number of seconds or a text such as "90s", "5m", "2h" or "1d", up to ten years.)";
    BOOST_TEST(refusal_of_json(R"("timeout":0)") == "The member 'timeout' is not greater than zero.");
    BOOST_TEST(refusal_of_flags({{"--timeout", {"0s"}}}) == "--timeout is not greater than zero.");
    BOOST_TEST(refusal_of_json(R"("expiry":"soon")") == "The member 'expiry'" + no_time);
    BOOST_TEST(refusal_of_flags({{"--expiry", {"soon"}}}) == "--expiry" + no_time);
    BOOST_TEST(refusal_of_flags({{"--backoff", {"5s.."}}}) == "--backoff" + no_time);
    const std::string shorter = "The longest wait of a back-off is shorter than the first one.";
    BOOST_TEST(refusal_of_json(R"("backoff":{"initial":"2m","maximum":"1m"})") == shorter);
    BOOST_TEST(refusal_of_flags({{"--backoff", {"2m..1m"}}}) == shorter);
    BOOST_TEST(refusal_of_json(R"("backoff":{"maximum":"500ms"})") == "");
    BOOST_TEST(refusal_of_json(R"("on_parent_failure":"perhaps")") ==
               "The member 'on_parent_failure' is not wait, fail, skip or go_on.");
    BOOST_TEST(refusal_of_flags({{"--depends", {"a"}}, {"--on-parent-failure", {"perhaps"}}}) ==
               "--on-parent-failure is not wait, fail, skip or go_on.");
    BOOST_TEST(refusal_of_json(R"("reads_parents":true)") ==
               "The member 'reads_parents' needs 'depends_on'.");
    BOOST_TEST(refusal_of_flags({{"--reads-parents", {}}}) == "--reads-parents needs --depends.");
    BOOST_TEST(refusal_of_json(R"("unique":{"unique_for":"1h"})") ==
               "A job is unique by exactly one of 'key', 'fields' and 'whole_payload'.");
    BOOST_TEST(refusal_of_flags({{"--unique-for", {"1h"}}}) ==
               "A job is unique by exactly one of --unique-key, --unique-field and --unique.");
    BOOST_TEST(refusal_of_flags(
                   {{"--unique-key", {"k"}}, {"--unique-for", {"1h"}}, {"--unique-until", {"started"}}}) ==
               "Give either --unique-for or --unique-until, not both.");
}

BOOST_AUTO_TEST_CASE(refuses_members_that_cannot_be_used)
{
    const std::string longest(256, 'x');
    BOOST_TEST(refusal_of_json(R"("description":")" + longest + '"') == "");
    const std::string wrong[] = {R"("priority":"1")",
                                 R"("priority":1e999)",
                                 R"("retries":-1)",
                                 R"("retries":1.5)",
                                 R"("tags":"a")",
                                 R"("tags":[""])",
                                 R"("depends_on":[1])",
                                 R"("limits":"gpu")",
                                 R"("limits":[1])",
                                 R"("limits":[""])",
                                 R"("limits":["gpu","gpu"])",
                                 R"("limits":["order:a"])",
                                 R"("limits":["a&&b"])",
                                 R"("limits":["&a"])",
                                 R"("limits":[{"units":2}])",
                                 R"("limits":[{"name":"gpu","units":0}])",
                                 R"("limits":[{"name":"gpu","weight":2}])",
                                 R"("order_key":"")",
                                 R"("group":7)",
                                 R"("backoff":5)",
                                 R"("backoff":{"jitter":2})",
                                 R"("backoff":{"first":2})",
                                 R"("metadata":{"tenant":42})",
                                 R"("metadata":{"":"a"})",
                                 R"("metadata":["a"])",
                                 R"("metadata":{"a":"1","a":"2"})",
                                 R"("on_parent_failure":1)",
                                 R"("reads_parents":"a")",
                                 R"("result_retention":0)",
                                 R"("wait_for_signal":"")",
                                 R"("wait_for_signal":7)",
                                 R"("description":"")",
                                 R"("description":")" + longest + R"(x")",
                                 R"("description":7)",
                                 R"("version":0)",
                                 R"("version":1.5)",
                                 R"("version":1000001)",
                                 R"("unique":true)",
                                 R"("unique":{})",
                                 R"("unique":{"key":"a","whole_payload":true})",
                                 R"("unique":{"key":""})",
                                 R"("unique":{"key":"a","unique_for":0})",
                                 R"("unique":{"key":"a","until":"soon"})",
                                 R"("unique":{"key":"a","on_conflict":"drop"})",
                                 R"("unique":{"key":"a","unique_for":"5m","until":"started"})",
                                 R"("unique":{"whole_payload":1})",
                                 R"("klass":"k")",
                                 R"("kind":"k")",
                                 R"("id":"")",
                                 R"("delay":"soon")",
                                 R"("delay":1,"run_at":"2126-11-21T09:30:00Z")",
                                 R"("run_at":"tomorrow")"};
    for (const auto& members : wrong)
        BOOST_TEST(refusal_of_json(members) != "", members);
}

BOOST_AUTO_TEST_CASE(refuses_flags_that_cannot_be_used)
{
    const std::string long_text(257, 'x');
    const std::pair<const char*, std::string> wrong[] = {{"--priority", "nan"},
                                                         {"--priority", "1e999"},
                                                         {"--priority", ""},
                                                         {"--priority", "\"1\""},
                                                         {"--retries", "1.5"},
                                                         {"--retries", "-1"},
                                                         {"--retries", "[1]"},
                                                         {"--tag", ""},
                                                         {"--tag", "\xff"},
                                                         {"--order-key", ""},
                                                         {"--order-key", long_text},
                                                         {"--group", long_text},
                                                         {"--unique-key", ""},
                                                         {"--unique-key", long_text},
                                                         {"--batch", std::string(201, 'x')},
                                                         {"--limit", "gpu=0"},
                                                         {"--limit", "gpu=1000001"},
                                                         {"--limit", "gpu=many"},
                                                         {"--limit", "gpu="},
                                                         {"--limit", "=4"},
                                                         {"--limit", "order:a"},
                                                         {"--limit", long_text},
                                                         {"--metadata", "tenant"},
                                                         {"--metadata", "=42"},
                                                         {"--on-conflict", "x"},
                                                         {"--metadata", "\xff=1"},
                                                         {"--metadata", std::string(129, 'x') + "=1"},
                                                         {"--description", ""},
                                                         {"--description", long_text},
                                                         {"--unique-until", "now"},
                                                         {"--result-retention", "0s"},
                                                         {"--metadata", "x=" + std::string(8192, 'x')}};
    for (const auto& [flag, text] : wrong)
        BOOST_TEST(refusal_of_flags({{flag, {text}}}).starts_with(flag), flag << ' ' << text);
    BOOST_TEST(refusal_of_flags({{"--limit", {"gpu", "gpu=2"}}}).starts_with("--limit"));
    BOOST_TEST(refusal_of_flags({{"--limit", {"a&"}}}).starts_with("--limit"));
    BOOST_TEST(refusal_of_flags({{"--unique", {}}, {"--unique-key", {"u"}}}) != "");
    BOOST_TEST(refusal_of_flags({{"--unique", {}}, {"--unique-for", {"0s"}}}) != "");
    BOOST_TEST(refusal_of_flags({{"--limit", option_texts(17, "x")}}).starts_with("--limit"));
    BOOST_TEST(refusal_of_flags({{"--metadata", {"a=1", "a=2"}}}).starts_with("--metadata"));
    const auto read_limit = [] { return read_flag("LIMIT", {"gpu=0"}, json_of_limits, member_limits); };
    BOOST_TEST(refusal_of(read_limit).starts_with("LIMIT is not"));
}

BOOST_AUTO_TEST_CASE(says_in_openapi_what_it_reads)
{
    const auto schemas =
        boost::json::parse('{' + schemas_of(options_of_push(), job_pushed::now) + '}').as_object();
    BOOST_TEST(schemas.size() == options_of_push().size());
    BOOST_TEST(schemas.at("order_key").at("maxLength").as_int64() == 256);
    BOOST_TEST(schemas.at("order_key").at("description").as_string().ends_with("in the order pushed."));
    const auto later =
        boost::json::parse('{' + schemas_of(options_of_push(), job_pushed::later) + '}').as_object();
    BOOST_TEST(!later.contains("depends_on"));
    for (const auto& [name, _] : later)
        BOOST_TEST(push_option_readers(job_pushed::later).contains(name), name);
    BOOST_TEST(later.size() == push_option_readers(job_pushed::later).size());
    // Words and bounds are those that are read.
    for (const auto& option : options_of_unique())
        for (const auto& word : option.value.words)
            BOOST_TEST(refusal_of_json(R"("unique":{"key":"a",")" + std::string{option.name} + R"(":")" +
                                       word + R"("})") == "");
    const auto backoff =
        boost::json::parse('{' + schemas_of(options_of_backoff(), job_pushed::now) + '}').as_object();
    BOOST_TEST(backoff.at("jitter").at("maximum").as_int64() == 1);
    BOOST_TEST(refusal_of_json(R"("backoff":{"jitter":1})") == "");
    BOOST_TEST(refusal_of_json(R"("backoff":{"jitter":1.01})") != "");
}

BOOST_AUTO_TEST_SUITE_END()
