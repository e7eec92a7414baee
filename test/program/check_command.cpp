// SPDX-License-Identifier: MIT
#include "program_test.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(check_command)

using namespace coworker::test;

BOOST_FIXTURE_TEST_CASE(finds_nothing_wrong, program_test)
{
    for (int i = 0; i != 1000; ++i)
        put('j' + std::to_string(i), "k");
    const auto result = coworker({"check"});
    BOOST_TEST(result.code == 0);
    BOOST_TEST(result.output == "Nothing is wrong.\n");
    BOOST_TEST(coworker({"check", "--json"}).output == "");
}

BOOST_FIXTURE_TEST_CASE(finds_and_repairs_what_is_broken, program_test)
{
    for (int i = 0; i != 1000; ++i)
        put('j' + std::to_string(i), "k");
    server("DEL", "ql:q:mail-work"); // the jobs are nowhere now
    const auto found = coworker({"check"});
    BOOST_TEST(found.code == 4);
    BOOST_TEST(found.says("1000 broken, 0 left behind by normal use, 0 repaired."));
    const auto listed = coworker({"check", "--json"});
    BOOST_TEST(listed.code == 4);
    BOOST_TEST_REQUIRE(listed.lines().size() == 1000);
    const auto finding = boost::json::parse(listed.lines()[0]).as_object();
    BOOST_TEST(finding.at("severity").as_string() == "broken");
    BOOST_TEST(!finding.at("repaired").as_bool());

    const auto repaired = coworker({"check", "--repair"});
    BOOST_TEST(repaired.code == 0);
    BOOST_TEST(repaired.says("1000 repaired."));
    BOOST_TEST(server("ZCARD", "ql:q:mail-work").integer == 1000);
    BOOST_TEST(coworker({"check"}).code == 0);
}

BOOST_FIXTURE_TEST_CASE(looks_at_the_keys_of_a_prefix, program_test)
{
    server("ZADD", "{t}ql:q:mail-work", 1, "nobody\x1b");
    BOOST_TEST(coworker({"check"}).code == 0);
    const auto result = coworker({"check", "--prefix", "{t}ql:"});
    BOOST_TEST(result.says("nobody\\x1b"));
    BOOST_TEST(result.code == 4);
}

BOOST_FIXTURE_TEST_CASE(checks_list_queues_too, program_test)
{
    push({"mail"}, "1\n2\n");
    push({"other"}, "1\n");
    BOOST_TEST(coworker({"check"}).output == "Nothing is wrong.\n");
    server("HSET", "hworker-progress-mail", "[\"x\",\x1b]", "soon");
    server("HSET", "hworker-duplicates-other", "[\"y\",1]", 1);
    const auto found = coworker({"check", "--json"});
    BOOST_TEST(found.code == 4);
    BOOST_TEST_REQUIRE(found.lines().size() == 2);
    BOOST_TEST(found.lines()[0] ==
               R"({"severity":"broken","kind":"unreadable_start","key":"hworker-progress-mail",)"
               R"("member":"[\"x\",\u001b]","repaired":false})");
    BOOST_TEST(coworker({"check", "other"}).code == 0); // drift only
    BOOST_TEST(coworker({"check", "other"}).says("duplicates_of_nobody"));
    BOOST_TEST(coworker({"check", "--repair"}).says("1 broken, 1 left behind by normal use, 2 repaired."));
    BOOST_TEST(waiting("other").size() == 2);
    BOOST_TEST(coworker({"check"}).code == 0);
}

BOOST_FIXTURE_TEST_CASE(checks_only_queues_that_there_are, program_test)
{
    BOOST_TEST(coworker({"check", "nobody"}).code == 3);
    const auto managed = coworker({"check", "managed:mail"});
    BOOST_TEST(managed.code == 2);
    BOOST_TEST(managed.complains("without names"));
}

BOOST_AUTO_TEST_SUITE_END()
