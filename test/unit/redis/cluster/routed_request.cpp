// SPDX-License-Identifier: MIT
#include "redis/cluster/routed_request.hpp"

#include "support/crafted_reply.hpp"

#include <boost/redis/request.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(routed_request)

using boost::redis::request;
using coworker::detail::node_address;
using coworker::detail::routed_part;
using coworker::detail::slot_of;
using coworker::test::crafted_reply;
using routed = coworker::detail::routed_request;

const node_address here{"a", "7001"};
const node_address there{"b", "7002"};

const auto to_all = [](const routed_part&) { return true; };

BOOST_AUTO_TEST_CASE(goes_to_one_node_as_it_is)
{
    request all;
    all.push("GET", "{a}1");
    all.push("GET", "{a}2");
    routed route{all};
    BOOST_TEST(route.begin(to_all).payload() == all.payload());
    const auto found = route.end(crafted_reply("$1\r\n1\r\n*2\r\n:2\r\n:3\r\n"), here);
    BOOST_TEST(!found.is_to_wait);
    BOOST_TEST(route.next() == nullptr);
    coworker::detail::reply answers;
    route.take_answers(answers);
    BOOST_TEST(answers[0].text() == "1");
    BOOST_TEST(answers[1].integer(1) == 3);
}

BOOST_AUTO_TEST_CASE(is_put_together_in_its_order_from_two_nodes)
{
    request all;
    all.push("GET", "a");
    all.push("GET", "b");
    all.push("GET", "a");
    routed route{all};
    const auto& first = route.begin([](const routed_part& part) { return part.what.slot == slot_of("a"); });
    BOOST_TEST(first.get_commands() == 2u);
    route.end(crafted_reply("*1\r\n:1\r\n:3\r\n"), here);
    BOOST_REQUIRE(route.next() != nullptr);
    BOOST_TEST((route.next()->what.slot == slot_of("b")));
    BOOST_TEST(route.begin(to_all).get_commands() == 1u);
    route.end(crafted_reply("$1\r\n2\r\n"), there);
    BOOST_TEST(route.next() == nullptr);
    coworker::detail::reply answers;
    route.take_answers(answers);
    BOOST_TEST(answers.tree.get_total_msgs() == 3u);
    BOOST_TEST(answers[0].integer(0) == 1);
    BOOST_TEST(answers[1].text() == "2");
    BOOST_TEST(answers[2].integer() == 3);
}

BOOST_AUTO_TEST_CASE(repeats_what_was_refused_and_nothing_else)
{
    request all;
    all.push("LPUSH", "a", "1");
    all.push("LPUSH", "b", "2");
    routed route{all};
    route.begin(to_all);
    const auto found = route.end(crafted_reply(":1\r\n-MOVED 3300 b:7002\r\n"), here);
    BOOST_REQUIRE(found.moved.size() == 1u);
    BOOST_TEST((found.moved[0].where == there));
    BOOST_TEST(!found.is_to_wait);
    request rest;
    rest.push("LPUSH", "b", "2");
    BOOST_TEST(route.begin(to_all).payload() == rest.payload());
}

BOOST_AUTO_TEST_CASE(asks_the_node_to_which_a_slot_is_on_its_way)
{
    request all;
    all.push("GET", "a");
    routed route{all};
    route.begin(to_all);
    route.end(crafted_reply("-ASK 15495 b:7002\r\n"), here);
    BOOST_REQUIRE(route.next() != nullptr);
    BOOST_TEST((route.next()->ask == there));
    request asking;
    asking.push("ASKING");
    asking.push("GET", "a");
    BOOST_TEST(route.begin(to_all).payload() == asking.payload());
    route.end(crafted_reply("+OK\r\n$1\r\nx\r\n"), there);
    BOOST_TEST(route.next() == nullptr);
    coworker::detail::reply answers;
    route.take_answers(answers);
    BOOST_TEST(answers.tree.get_total_msgs() == 1u);
    BOOST_TEST(answers[0].text() == "x");
}

BOOST_AUTO_TEST_CASE(lets_scripts_wait_until_a_slot_has_arrived)
{
    request all;
    all.push("CLIENT", "CACHING", "YES");
    all.push("EVALSHA", "1234", "1", "a");
    routed route{all};
    const char* written = nullptr;
    for (const auto* refusal : {"+OK\r\n-ASK 15495 b:7002\r\n", "+OK\r\n-TRYAGAIN Multiple keys\r\n",
                                "+OK\r\n-CLUSTERDOWN The cluster is down\r\n"}) {
        const auto text = route.begin(to_all).payload();
        BOOST_TEST(text == all.payload());
        BOOST_TEST(
            (written == nullptr || text.data() == written)); // large ones are not written again and again
        written = text.data();
        const auto found = route.end(crafted_reply(refusal), here);
        BOOST_TEST(found.is_to_wait);
        BOOST_REQUIRE(route.next() != nullptr);
        BOOST_TEST(!route.next()->ask.has_value());
    }
    route.begin(to_all);
    route.end(crafted_reply("+OK\r\n:7\r\n"), here);
    coworker::detail::reply answers;
    route.take_answers(answers);
    BOOST_TEST(answers.tree.get_total_msgs() == 2u);
    BOOST_TEST(answers.back().integer() == 7);
}

/// It names one key, and may touch others that have not arrived.
BOOST_AUTO_TEST_CASE(lets_a_script_wait_that_nothing_prepares)
{
    request all;
    all.push("EVALSHA", "1234", "1", "a");
    routed route{all};
    route.begin(to_all);
    const auto found = route.end(crafted_reply("-ASK 15495 b:7002\r\n"), here);
    BOOST_TEST(found.is_to_wait);
    BOOST_REQUIRE(route.next() != nullptr);
    BOOST_TEST(!route.next()->ask.has_value());
}

BOOST_AUTO_TEST_CASE(leaves_other_errors_to_the_caller)
{
    request all;
    all.push("GET", "a");
    routed route{all};
    route.begin(to_all);
    route.end(crafted_reply("-WRONGTYPE Operation against a key\r\n"), here);
    BOOST_TEST(route.next() == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
