// SPDX-License-Identifier: MIT
#include "redis/connection_names.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker::detail;

BOOST_AUTO_TEST_SUITE(client_list_names)

BOOST_AUTO_TEST_CASE(reads_the_names_in_a_client_list)
{
    const auto names = connection_names(
        "id=3 addr=/tmp/s:0 laddr=/tmp/s:0 fd=8 name=coworker-1 age=0 lib-name=redis-py lib-ver=5 cmd=ping\n"
        "id=4 addr=127.0.0.1:5 laddr=127.0.0.1:6379 fd=9 name= age=2 lib-name= cmd=client|list\n"
        "id=5 addr=127.0.0.1:6 laddr=127.0.0.1:6379 fd=9 name=other age=2 user=name=x cmd=get\n"
        "id=6 name=last");
    BOOST_TEST((names == std::set<std::string>{"coworker-1", "other", "last"}));
    BOOST_TEST(connection_names("").empty());
    BOOST_TEST(connection_names("id=7 name=").empty());
    BOOST_TEST(connection_names("id=7 name=a\nid=8").contains("a"));
}

BOOST_AUTO_TEST_SUITE_END()
