// SPDX-License-Identifier: MIT
#include "program_test.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(batches_command)

using namespace coworker::test;

BOOST_FIXTURE_TEST_CASE(opens_shows_seals_and_cancels_batches, program_test)
{
    BOOST_TEST(coworker({"batches"}).output == "There are no batches.\n");
    auto result = coworker({"batches", "open", "b", "--description", "import", "--queue", "managed:mail",
                            "--on-done", "Done", "--data", R"({"n":1})"});
    BOOST_TEST_REQUIRE(result.code == 0, result.errors);
    BOOST_TEST(result.output == "b\n");
    result = push({"managed:work", "--kind", "Row", "--batch", "b"}, "{}\n");
    BOOST_TEST(result.code == 0, result.errors);
    const auto shown = boost::json::parse(coworker({"batches", "show", "b", "--json"}).output).as_object();
    BOOST_TEST(shown.at("state").as_string() == "open");
    BOOST_TEST(shown.at("description").as_string() == "import");
    BOOST_TEST(shown.at("pending").to_number<int>() == 1);
    BOOST_TEST(coworker({"batches", "seal", "b"}).output == "b is sealed\n");
    BOOST_TEST(coworker({"batches"}).output.find("running") != std::string::npos);
    BOOST_TEST(coworker({"batches", "cancel", "b"}).output == "b is cancelled: 1 job cancelled, 0 left\n");
    BOOST_TEST(coworker({"batches", "show", "b"}).output.find("1: 0 pending") != std::string::npos);
    BOOST_TEST(server("ZCARD", "ql:q:mail-work").integer == 1);
    BOOST_TEST(coworker({"batches", "seal", "none"}).code == 3);
    BOOST_TEST(coworker({"batches", "show", "none"}).code == 3);
    BOOST_TEST(coworker({"batches", "cancel", "none"}).code == 3);
}

BOOST_FIXTURE_TEST_CASE(says_what_is_wrong_with_a_batch, program_test)
{
    BOOST_TEST(coworker({"batches", "show"}).code == 2);
    BOOST_TEST(coworker({"batches", "dance"}).code == 2);
    BOOST_TEST(coworker({"batches", "open", "--on-done", "Done"}).code == 2);
    BOOST_TEST(coworker({"batches", "open", "--on-done", "Done", "--queue", "mail"}).code == 2);
    BOOST_TEST(coworker({"batches", "open", "--retention", "soon"}).code == 2);
    BOOST_TEST(coworker({"batches", "open", "--parent", "none"}).code == 3);
}

BOOST_AUTO_TEST_SUITE_END()
