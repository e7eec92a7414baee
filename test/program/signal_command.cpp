// SPDX-License-Identifier: MIT
#include "program_test.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(signal_command)

using namespace coworker::test;

BOOST_FIXTURE_TEST_CASE(sends_a_signal_to_a_job, program_test)
{
    qless("put", "", "mail", "j", "k", "{}", "0");
    auto result = coworker({"signal", "j", "approved", R"({"by": "ada"})"});
    BOOST_TEST(result.code == 0);
    BOOST_TEST(result.output == "sent\n");
    BOOST_TEST(server("HGET", "ql:j:j", "signal:1:approved").text == R"({"by": "ada"})");
    result = coworker({"signal", "j", "approved", "--json"});
    BOOST_TEST(result.output == "{\"id\":\"j\",\"signal\":\"approved\",\"sent\":true}\n");
    BOOST_TEST(server("HGET", "ql:j:j", "signal:2:approved").text == "null");
    result = coworker({"job", "j"});
    BOOST_TEST(result.says(R"({"approved":[{"by": "ada"},null]})"));
}

BOOST_FIXTURE_TEST_CASE(says_why_it_cannot_be_sent, program_test)
{
    qless("put", "", "mail", "j", "k", "{}", "0");
    qless("pop", "mail", "w", 1);
    qless("complete", "j", "w", "mail", "{}");
    BOOST_TEST(coworker({"signal", "none", "approved"}).code == 3);
    const auto ended = coworker({"signal", "j", "approved"});
    BOOST_TEST(ended.code == 1);
    BOOST_TEST(ended.complains("the job has ended"));
    const auto no_json = coworker({"signal", "j", "approved", "yes"});
    BOOST_TEST(no_json.code == 2);
    BOOST_TEST(no_json.complains("the value is not JSON: yes"));
}

BOOST_AUTO_TEST_SUITE_END()
