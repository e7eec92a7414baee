// SPDX-License-Identifier: MIT
#include "redis/cluster/request_parts.hpp"

#include "redis/cluster/key_slot.hpp"

#include <boost/redis/request.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

BOOST_AUTO_TEST_SUITE(request_parts)

using boost::redis::request;
using coworker::detail::slot_of;
using coworker::detail::take_apart;

BOOST_AUTO_TEST_CASE(finds_the_slot_of_a_command)
{
    request all;
    all.push("LPUSH", "hworker-jobs-{emails}", "one", "two\r\n*1\r\n$4\r\nPING\r\n");
    const auto parts = take_apart(all.payload());
    BOOST_REQUIRE(parts.size() == 1u);
    BOOST_TEST((parts[0].slot == slot_of("emails")));
    BOOST_TEST(!parts[0].is_script);
    BOOST_REQUIRE(parts[0].commands.size() == 1u);
    BOOST_TEST(parts[0].commands[0].size() == 4u);
    BOOST_TEST(parts[0].commands[0][3] == "two\r\n*1\r\n$4\r\nPING\r\n");
}

BOOST_AUTO_TEST_CASE(finds_the_first_key_of_a_script_call)
{
    request all;
    all.push("EVALSHA", "1234", "2", "{a}1", "{a}2", "argument");
    all.push("EVALSHA", "1234", "0", "argument");
    const auto parts = take_apart(all.payload());
    BOOST_REQUIRE(parts.size() == 2u);
    BOOST_TEST((parts[0].slot == slot_of("a")));
    BOOST_TEST(parts[0].is_script);
    BOOST_TEST(parts[1].is_script);
}

BOOST_AUTO_TEST_CASE(keeps_what_prepares_a_command_with_it)
{
    request all;
    all.push("SCRIPT", "LOAD", "return 1");
    all.push("CLIENT", "CACHING", "YES");
    all.push("EVALSHA", "1234", "1", "a");
    all.push("GET", "b");
    const auto parts = take_apart(all.payload());
    BOOST_REQUIRE(parts.size() == 2u);
    BOOST_TEST(parts[0].commands.size() == 3u);
    BOOST_TEST((parts[0].slot == slot_of("a")));
    BOOST_TEST((parts[1].slot == slot_of("b")));
}

BOOST_AUTO_TEST_CASE(sends_commands_without_a_key_where_the_first_key_is)
{
    request all;
    all.push("CLIENT", "LIST");
    all.push("HKEYS", "hworker-workers-{emails}");
    all.push("TIME");
    for (const auto& part : take_apart(all.payload()))
        BOOST_TEST((part.slot == slot_of("emails")));
}

BOOST_AUTO_TEST_CASE(lets_any_node_carry_out_what_has_no_key)
{
    request all;
    all.push("PING");
    all.push("INFO");
    all.push("CLIENT", "LIST");
    for (const auto& part : take_apart(all.payload()))
        BOOST_TEST(!part.slot.has_value());
    BOOST_TEST(take_apart("").empty());
}

BOOST_AUTO_TEST_CASE(refuses_what_is_no_request)
{
    for (const std::string text : {"PING\r\n", "*1\r\n", "*1\r\n$4\r\nPIN", "*0\r\n", "*1\r\n$-1\r\n",
                                   "*x\r\n", "*99999999999999999999\r\n", "*1\r\n$99999999999\r\nPING\r\n"})
        BOOST_CHECK_THROW(take_apart(text), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
