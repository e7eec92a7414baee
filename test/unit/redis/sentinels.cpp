// SPDX-License-Identifier: MIT
#include "redis/sentinels.hpp"

#include "coworker/error.hpp"
#include "support/crafted_reply.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(sentinels)

using coworker::detail::parse_sentinel;
using coworker::detail::read_primary;
using coworker::test::crafted_reply;

namespace {

/// An answer to SENTINEL MASTER, which is an array in RESP2 and a map in RESP3.
std::string answer_of(char kind, const std::vector<std::string>& words)
{
    std::string bytes = kind + std::to_string(kind == '%' ? words.size() / 2 : words.size()) + "\r\n";
    for (const auto& word : words)
        bytes += '$' + std::to_string(word.size()) + "\r\n" + word + "\r\n";
    return bytes;
}

} // namespace

BOOST_AUTO_TEST_CASE(reads_where_a_sentinel_is)
{
    const auto is = [](const char* place, const char* host, const char* port) {
        const auto read = parse_sentinel(place);
        BOOST_TEST(read.host == host);
        BOOST_TEST(read.port == port);
    };
    is("one", "one", "26379");
    is("one:5000", "one", "5000");
    is("[::1]", "::1", "26379");
    is("[fe80::1%eth0]:5000", "fe80::1%eth0", "5000");
    for (const auto* place : {"", ":1", "[::1", "[::1]1", "[]:1", "::1", "one:", "one:x", "one:70000"})
        BOOST_CHECK_THROW((void)parse_sentinel(place), coworker::system_error);
}

BOOST_AUTO_TEST_CASE(reads_which_server_is_the_primary)
{
    const std::vector<std::string> words{"name", "jobs",  "ip",     "10.0.0.7",     "port",
                                         "6380", "runid", "abc123", "config-epoch", "17"};
    for (const char kind : {'*', '%'}) {
        const auto answers = crafted_reply(answer_of(kind, words));
        const auto primary = read_primary(answers[0]);
        BOOST_TEST_REQUIRE(primary.has_value());
        BOOST_TEST(primary->where.host == "10.0.0.7");
        BOOST_TEST(primary->where.port == "6380");
        BOOST_TEST(primary->run_id == "abc123");
        BOOST_TEST(primary->epoch == 17u);
    }
}

BOOST_AUTO_TEST_CASE(knows_no_run_of_a_server_that_was_not_reached_yet)
{
    const auto answers =
        crafted_reply(answer_of('*', {"ip", "10.0.0.7", "port", "6380", "runid", "", "config-epoch", "x"}));
    const auto primary = read_primary(answers[0]);
    BOOST_TEST_REQUIRE(primary.has_value());
    BOOST_TEST(primary->run_id.empty());
    BOOST_TEST(primary->epoch == 0u);
}

BOOST_AUTO_TEST_CASE(finds_nothing_where_no_server_is_named)
{
    for (const std::string bytes :
         {"-ERR No such master with that name\r\n", "*0\r\n", "+OK\r\n", "*2\r\n$2\r\nip\r\n$1\r\na\r\n"}) {
        const auto answers = crafted_reply(bytes);
        BOOST_TEST(!read_primary(answers[0]).has_value());
    }
}

BOOST_AUTO_TEST_CASE(says_on_one_line_which_were_asked_in_vain)
{
    using coworker::detail::on_one_line;
    BOOST_TEST(on_one_line("") == "");
    BOOST_TEST(on_one_line("no answer") == "no answer");
    BOOST_TEST(on_one_line("These were asked:\n  one: refused\n  two: refused\n") ==
               "These were asked: one: refused; two: refused");
}

BOOST_AUTO_TEST_SUITE_END()
