// SPDX-License-Identifier: MIT
#include "redis/cluster/read_slot_map.hpp"

#include "support/crafted_reply.hpp"
#include "support/expect.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(read_slot_map)

using coworker::errc;
using coworker::detail::node_address;
using coworker::detail::read_shards;
using coworker::detail::read_slots;
using coworker::test::crafted_reply;
using coworker::test::error_in;

const node_address asked{"10.0.0.9", "7009"};

std::string bulk(std::string_view text)
{
    return "$" + std::to_string(text.size()) + "\r\n" + std::string{text} + "\r\n";
}

/// A node as Redis 7 describes it.
std::string node(std::string_view endpoint, std::string_view role = "master",
                 std::string_view health = "online")
{
    return "%7\r\n" + bulk("id") + bulk("1b3dd7e6") + bulk("port") + ":7001\r\n" + bulk("tls-port") +
           ":7101\r\n" + bulk("ip") + bulk("10.0.0.1") + bulk("endpoint") + bulk(endpoint) + bulk("role") +
           bulk(role) + bulk("health") + bulk(health);
}

std::string shard(std::string_view slots, std::initializer_list<std::string> nodes)
{
    auto text = "%2\r\n" + bulk("slots") + std::string{slots} + bulk("nodes") + "*" +
                std::to_string(nodes.size()) + "\r\n";
    for (const auto& each : nodes)
        text += each;
    return text;
}

const std::string all_slots = "*2\r\n:0\r\n:16383\r\n";

/// Who serves slot 0 when the cluster has this one shard.
node_address primary_of(std::initializer_list<std::string> nodes, bool over_tls = false)
{
    const auto answers = crafted_reply("*1\r\n" + shard(all_slots, nodes));
    const auto map = read_shards(answers[0], asked, over_tls);
    return map.owner(0) == nullptr ? node_address{} : *map.owner(0);
}

BOOST_AUTO_TEST_CASE(reads_the_slots_of_each_shard)
{
    const auto answers =
        crafted_reply("*3\r\n" + shard("*4\r\n:8001\r\n:16383\r\n:3\r\n:3\r\n", {node("a")}) +
                      shard("*2\r\n:0\r\n:2\r\n", {node("b")}) + shard("*0\r\n", {node("c")}));
    const auto map = read_shards(answers[0], asked, false);
    BOOST_TEST((*map.owner(2) == node_address{"b", "7001"}));
    BOOST_TEST((*map.owner(3) == node_address{"a", "7001"}));
    BOOST_TEST(map.owner(4) == nullptr);
    BOOST_TEST((*map.owner(16383) == node_address{"a", "7001"}));
    BOOST_TEST(map.served() == 8383u + 4u);
}

BOOST_AUTO_TEST_CASE(reads_arrays_in_place_of_maps)
{
    const auto answers = crafted_reply("*1\r\n*4\r\n" + bulk("slots") + "*2\r\n$1\r\n0\r\n$1\r\n5\r\n" +
                                       bulk("nodes") + "*1\r\n*6\r\n" + bulk("port") + bulk("7001") +
                                       bulk("endpoint") + bulk("a") + bulk("role") + bulk("master"));
    BOOST_TEST((*read_shards(answers[0], asked, false).owner(5) == node_address{"a", "7001"}));
}

BOOST_AUTO_TEST_CASE(chooses_the_primary_and_not_a_replica)
{
    BOOST_TEST((primary_of({node("r", "replica"), node("p")}) == node_address{"p", "7001"}));
    BOOST_TEST((primary_of({node("old", "master", "fail"), node("new")}) == node_address{"new", "7001"}));
    BOOST_TEST((primary_of({node("away", "master", "fail")}) == node_address{"away", "7001"}));
    BOOST_TEST((primary_of({node("r", "replica")}) == node_address{}));
}

BOOST_AUTO_TEST_CASE(reaches_a_node_where_it_announces_itself)
{
    BOOST_TEST((primary_of({node("redis-a.example")}) == node_address{"redis-a.example", "7001"}));
    BOOST_TEST((primary_of({node("")}) == node_address{"10.0.0.9", "7001"}));
    BOOST_TEST((primary_of({node("?")}) == node_address{"10.0.0.1", "7001"}));
    BOOST_TEST((primary_of({node("a")}, true) == node_address{"a", "7101"}));
}

BOOST_AUTO_TEST_CASE(reads_the_older_form)
{
    const auto answers =
        crafted_reply("*3\r\n*3\r\n:0\r\n:99\r\n*4\r\n" + bulk("a") + ":7001\r\n" + bulk("1b") + "%0\r\n" +
                      "*4\r\n:100\r\n:199\r\n*4\r\n_\r\n:7002\r\n" + bulk("2b") + "%1\r\n" + bulk("ip") +
                      bulk("10.0.0.2") + "*3\r\n" + bulk("replica") + ":7003\r\n" + bulk("3b") + //
                      "*3\r\n:200\r\n:200\r\n*4\r\n" + bulk("?") + ":7004\r\n" + bulk("4b") + "*2\r\n" +
                      bulk("ip") + bulk("10.0.0.4"));
    const auto map = read_slots(answers[0], asked);
    BOOST_TEST((*map.owner(99) == node_address{"a", "7001"}));
    BOOST_TEST((*map.owner(100) == node_address{"10.0.0.9", "7002"}));
    BOOST_TEST((*map.owner(200) == node_address{"10.0.0.4", "7004"}));
    BOOST_TEST(map.served() == 201u);
}

BOOST_AUTO_TEST_CASE(does_not_believe_answers_of_another_shape)
{
    for (const auto& answer :
         {std::string{"*1\r\n:1\r\n"}, "*1\r\n" + shard("*2\r\n:0\r\n:16384\r\n", {node("a")}),
          "*1\r\n" + shard("*2\r\n:-1\r\n:5\r\n", {node("a")}),
          "*1\r\n" + shard("*2\r\n:5\r\n:4\r\n", {node("a")})}) {
        const auto answers = crafted_reply(answer);
        BOOST_TEST(error_in([&] { read_shards(answers[0], asked, false); }) == errc::unexpected_answer);
        BOOST_TEST(error_in([&] { read_slots(answers[0], asked); }) == errc::unexpected_answer);
    }
    const auto empty = crafted_reply("*0\r\n");
    BOOST_TEST(read_shards(empty[0], asked, false).served() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
