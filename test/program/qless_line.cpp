#include "program/commands/qless_line.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(qless_line)

using namespace coworker::program;

const std::string hash = "0123456789abcdef0123456789abcdef01234567";

BOOST_AUTO_TEST_CASE(reads_texts_and_whole_numbers)
{
    const auto line = parse_request(R"({"args": ["get", -5, 18446744073709551615, "é\u0000/"], "id": 1})");
    const std::vector<std::string> expected{"get", "-5", "18446744073709551615",
                                            std::string{"\xc3\xa9\0/", 4}};
    BOOST_TEST(line.complaint == "");
    BOOST_TEST(line.words == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(complains_about_what_is_no_request)
{
    for (const auto* line :
         {"", "get", "[]", "{}", R"({"args": "get"})", R"({"args": ["get", null]})",
          R"({"args": ["get", 1.5]})", R"({"args": ["get"]} {})", "{\"args\": [\"\xff\"]}"})
        BOOST_TEST(parse_request(line).complaint != "", line);
}

BOOST_AUTO_TEST_CASE(finds_commands_under_their_own_names)
{
    for (const auto* name : {"put", "pop_many", "config.get", "config.unset", "recur", "recur.get",
                             "recur.untag", "worker.deregister", "workers", "queue.forget", "queues"})
        BOOST_TEST(find_command(name) != nullptr, name);
    for (const auto* name :
         {"", "nonsense", "config_get", "recur_tag", "put.many", "managed/put", "list/exchange", "PUT"})
        BOOST_TEST(find_command(name) == nullptr, name);
}

BOOST_AUTO_TEST_CASE(shows_errors_without_code_script_and_hash)
{
    BOOST_TEST(bare_error("ERR Put(): x") == "Put(): x");
    BOOST_TEST(bare_error("ERR user_script:12: Put(): x script: " + hash + ", on @user_script:12.") ==
               "Put(): x");
    BOOST_TEST(bare_error("WRONGTYPE Operation script: " + hash + ", on @user_script:5.") ==
               "WRONGTYPE Operation");
    for (const auto* text : {"user_script: it", "user_script:x: it", "a script: b.", "",
                             "a script: 0123, on @user_script:5.", "OOM command not allowed"})
        BOOST_TEST(bare_error(text) == text);
}

BOOST_AUTO_TEST_CASE(shows_bytes_of_an_error_that_are_no_text)
{
    BOOST_TEST(error_line("held by \"é\"") == R"({"err":"held by \"é\""})");
    BOOST_TEST(error_line("held by \xff!") == R"({"err":"held by \\xff!"})");
}

BOOST_AUTO_TEST_SUITE_END()
