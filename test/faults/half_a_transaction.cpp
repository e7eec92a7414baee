// SPDX-License-Identifier: MIT
#include "support/append_only_file.hpp"
#include "support/redis_server.hpp"

#include <boost/test/unit_test.hpp>

/// Redis is killed while it writes what a script has done. The tests of faults rest on this, since Redis 7.0 and 8.0
/// keep the beginning of the transaction, and lose what is written behind it.
BOOST_AUTO_TEST_SUITE(half_a_transaction)

using namespace coworker::test;

BOOST_AUTO_TEST_CASE(is_left_by_a_killed_server_and_takes_nothing_with_it)
{
    redis_server server{{.append_only = true}};
    server("LPUSH", "before", 1);
    server.kill();
    write_half_a_transaction(server.folder().path());
    server.restart();
    server("LPUSH", "behind", 1);
    server.restart();
    BOOST_TEST(server("LLEN", "before").integer == 1);
    BOOST_TEST(server("LLEN", "half").integer == 0);
    BOOST_TEST(server("LLEN", "behind").integer == 1);
}

BOOST_AUTO_TEST_SUITE_END()
