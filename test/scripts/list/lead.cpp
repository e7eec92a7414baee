// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

BOOST_FIXTURE_TEST_SUITE(lead, script_test)

const script_call by_w{"redis/lead", {"w", "60000"}};

void check_term(script_test& test)
{
    const auto left = test.redis().integer({"PTTL", "monitor"});
    BOOST_TEST((left > 30'000 && left <= 60'000), left);
}

BOOST_AUTO_TEST_CASE(makes_the_caller_the_monitor_for_a_while)
{
    check({.before = {}, .call = by_w, .reply = {"0"}, .after = {{"monitor", text("w")}}});
    check_term(*this);
}

BOOST_AUTO_TEST_CASE(prolongs_the_term_of_the_monitor)
{
    redis()("SET", "monitor", "w", "PX", 1000);
    check({.before = {}, .call = by_w, .reply = {"0"}, .after = {{"monitor", text("w")}}});
    check_term(*this);
}

BOOST_AUTO_TEST_CASE(tells_others_when_to_ask_again)
{
    redis()("SET", "monitor", "other", "PX", 50'000);
    const auto reply = call(by_w);
    const auto ms = std::stoll(reply.at(0));
    BOOST_TEST((ms > 20'000 && ms <= 50'000), ms);
    BOOST_TEST(same(get(), {{"monitor", text("other")}}));
}

BOOST_AUTO_TEST_CASE(takes_the_place_of_one_that_led_when_the_clock_was_ahead)
{
    redis()("SET", "monitor", "other", "PX", 3'600'000);
    BOOST_TEST(call({"redis/leader", {}}).at(0) == "-2");
    BOOST_TEST(same(call(by_w), {"0"}));
    BOOST_TEST(same(get(), {{"monitor", text("w")}}));
    check_term(*this);
}

BOOST_AUTO_TEST_CASE(a_monitor_that_ends_makes_room_for_another)
{
    check({.before = {{"monitor", text("w")}},
           .call = {"redis/lead", {"w", "0"}},
           .reply = {"0"},
           .after = {}});
}

BOOST_AUTO_TEST_CASE(nobody_ends_the_term_of_another)
{
    redis()("SET", "monitor", "other", "PX", 50'000);
    BOOST_TEST(std::stoll(call({"redis/lead", {"w", "0"}}).at(0)) > 20'000);
    BOOST_TEST(same(get(), {{"monitor", text("other")}}));
}

BOOST_AUTO_TEST_CASE(tells_how_long_a_term_lasts_still)
{
    BOOST_TEST(call({"redis/leader", {}}).at(0) == "-2");
    redis()("SET", "monitor", "other", "PX", 50'000);
    const auto left = std::stoll(call({"redis/leader", {}}).at(0));
    BOOST_TEST((left > 20'000 && left <= 50'000), left);
}

/// As each client does, on a channel of its own.
raw_redis listen(const std::string& name)
{
    raw_redis connection{script_test::redis()("CONFIG", "GET", "unixsocket").elements.at(1).text};
    connection("SUBSCRIBE", "coworker:control:" + name);
    return connection;
}

BOOST_AUTO_TEST_CASE(takes_the_place_of_one_whose_connection_is_gone)
{
    const auto caller = listen("w");
    for (const auto* gone : {"other", "other queue"}) {
        redis()("SET", "monitor", gone, "PX", 50'000);
        BOOST_TEST(same(call(by_w), {"0"}));
        BOOST_TEST(same(get(), {{"monitor", text("w")}}));
    }
}

BOOST_AUTO_TEST_CASE(takes_the_place_of_nobody_who_is_connected)
{
    const auto caller = listen("w"), other = listen("other");
    redis()("SET", "monitor", "other queue", "PX", 50'000);
    BOOST_TEST(std::stoll(call(by_w).at(0)) > 20'000);
    BOOST_TEST(same(get(), {{"monitor", text("other queue")}}));
}

BOOST_AUTO_TEST_CASE(takes_nobody_for_gone_where_the_caller_is_not_to_be_seen_either)
{
    redis()("SET", "monitor", "other", "PX", 50'000);
    BOOST_TEST(std::stoll(call(by_w).at(0)) > 20'000);
    BOOST_TEST(same(get(), {{"monitor", text("other")}}));
}

/// When to look again whether the monitor is there, of so many workers.
std::string soon_among(script_test& test, std::size_t workers, const script_call& how = by_w)
{
    content all = hash({});
    for (std::size_t i = 0; i != workers; ++i)
        all.items.insert(all.items.end(), {std::to_string(i + 10), "name"});
    test.set({{"workers", all}});
    test.redis()("SET", "monitor", "other", "PX", 1'200);
    return test.call(how).at(1);
}

BOOST_AUTO_TEST_CASE(of_few_workers_each_looks_soon_whether_the_monitor_is_there)
{
    BOOST_TEST(soon_among(*this, 1) == "350");
    BOOST_TEST(soon_among(*this, 3) == "350");
    BOOST_TEST(soon_among(*this, 5) == "500");
    BOOST_TEST(std::stoi(soon_among(*this, 20)) > 500); // when the term is over
    redis()("DEL", "workers");
    redis()("ZADD", "workers", 1, "a", 1, "b", 1, "c", 1, "d");
    redis()("SET", "monitor", "other", "PX", 1'200);
    BOOST_TEST(call(by_w).at(1) == "400");
}

BOOST_AUTO_TEST_CASE(of_one_client_nobody_looks_soon_whether_another_of_its_own_is_there)
{
    redis()("SET", "monitor", "w first", "PX", 1'200);
    BOOST_TEST(std::stoi(call({"redis/lead", {"w second", "1200"}}).at(1)) > 500);
}

BOOST_AUTO_TEST_CASE(tells_to_ask_again_soon_when_the_term_has_no_end)
{
    // Not written by coworker; a monitor that never leaves would be noticed only by nothing happening.
    check({.before = {{"monitor", text("other")}},
           .call = by_w,
           .reply = {"1", "1"},
           .after = {{"monitor", text("other")}}});
}

BOOST_AUTO_TEST_SUITE_END()
