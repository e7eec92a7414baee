// SPDX-License-Identifier: MIT
#include "redis/cluster/cluster_refusal.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(cluster_refusal)

using coworker::detail::node_address;
using coworker::detail::read_refusal;
using reason = coworker::detail::cluster_refusal::reason;

const node_address asked{"10.0.0.1", "7000"};

BOOST_AUTO_TEST_CASE(reads_where_a_slot_is)
{
    const auto moved = read_refusal("MOVED 3999 127.0.0.1:6381", asked);
    BOOST_REQUIRE(moved.has_value());
    BOOST_TEST((moved->why == reason::moved));
    BOOST_TEST(moved->slot == 3999);
    BOOST_TEST((moved->where == node_address{"127.0.0.1", "6381"}));

    const auto asks = read_refusal("ASK 16383 redis-a.example:6381", asked);
    BOOST_REQUIRE(asks.has_value());
    BOOST_TEST((asks->why == reason::asks));
    BOOST_TEST(asks->slot == 16383);
    BOOST_TEST((asks->where == node_address{"redis-a.example", "6381"}));
}

BOOST_AUTO_TEST_CASE(reads_an_ipv6_address)
{
    const auto moved = read_refusal("MOVED 1 2001:db8::1:6381", asked);
    BOOST_REQUIRE(moved.has_value());
    BOOST_TEST((moved->where == node_address{"2001:db8::1", "6381"}));
}

BOOST_AUTO_TEST_CASE(takes_a_missing_host_for_the_one_that_was_asked)
{
    const auto moved = read_refusal("MOVED 1 :6381", asked);
    BOOST_REQUIRE(moved.has_value());
    BOOST_TEST((moved->where == node_address{"10.0.0.1", "6381"}));
}

BOOST_AUTO_TEST_CASE(knows_no_host_where_the_node_knows_none)
{
    const auto moved = read_refusal("MOVED 1 ?:6381", asked);
    BOOST_REQUIRE(moved.has_value());
    BOOST_TEST(moved->where.host == "");
}

BOOST_AUTO_TEST_CASE(tells_the_others_apart)
{
    BOOST_TEST((read_refusal("TRYAGAIN Multiple keys request during rehashing of slot", asked)->why ==
                reason::try_again));
    BOOST_TEST((read_refusal("CLUSTERDOWN The cluster is down", asked)->why == reason::down));
    BOOST_TEST((read_refusal("CLUSTERDOWN Hash slot not served", asked)->why == reason::down));
    BOOST_TEST((read_refusal("LOADING Redis is loading the dataset in memory", asked)->why == reason::down));
    BOOST_TEST((read_refusal("READONLY You can't write against a read only replica.", asked)->why ==
                reason::read_only));
}

BOOST_AUTO_TEST_CASE(takes_nothing_else_for_a_refusal)
{
    for (const auto* error :
         {"", "ERR no such key", "MOVED", "MOVED 3999", "MOVED x 127.0.0.1:6381", "MOVED 16384 a:1",
          "MOVED 1 a:0", "MOVED 1 a:65536", "MOVED 1 a", "MOVEDX 1 a:1", "moved 1 a:1",
          "CROSSSLOT Keys in request don't hash to the same slot",
          "ERR Script attempted to access a non local key in a cluster node"})
        BOOST_TEST(!read_refusal(error, asked).has_value(), error);
}

BOOST_AUTO_TEST_SUITE_END()
