// SPDX-License-Identifier: MIT
#include "jumping_server.hpp"
#include "leftovers.hpp"

using namespace coworker::test;
using namespace std::chrono_literals;

/// What time removes of what a thousand uses leave: the table "What goes, and when" of docs/list-protocol.md.
BOOST_FIXTURE_TEST_SUITE(leftovers_by_time, queue_user, *boost::unit_test::enable_if<can_jump>())

BOOST_AUTO_TEST_CASE(of_ids_that_are_not_pushed_again)
{
    std::chrono::seconds ahead{};
    each([&](const std::string& i) {
        BOOST_TEST_REQUIRE(set_clock(ahead));
        call({"submit", {"10500000", "1", "id" + i, "j" + i}});
        take();
        end("j" + i, "success");
        ahead += 1000s;
    });
    check({{"ids", 11}, {"counters", 5}}); // of the last 10,500 s
    BOOST_TEST_REQUIRE(set_clock(ahead + 9600s));
    check({{"counters", 5}});
}

BOOST_AUTO_TEST_CASE(of_cancelled_runs)
{
    const auto cancel = [&](const std::string& name) {
        push(name);
        take();
        act({"cancel", "running", name});
        act({"delete", "failed", name});
    };
    each([&](const std::string& i) { cancel("j" + i); });
    BOOST_TEST_REQUIRE(set_clock(23h));
    cancel("k");
    check({{"cancelled", times + 1}, {"counters", 5}}); // failure, workers; and noted
    BOOST_TEST_REQUIRE(set_clock(25h));
    cancel("l");
    check({{"cancelled", 2}, {"counters", 5}});
    BOOST_TEST_REQUIRE(set_clock(51h));
    BOOST_TEST(same(sizes(), {{"counters", 5}}));
}

BOOST_AUTO_TEST_CASE(of_workers_over_http)
{
    each([&](const std::string& i) {
        push("j" + i);
        call({"note_remote", {"w" + i, "300000"}});
        take(1, "");
        end("j" + i, "success");
    });
    check({{"remote", times}, {"counters", 4}}); // success; and noted
    for (int i = times; i != 10'003; ++i)
        redis()("ZADD", "remote", "9000000000000", "invented" + std::to_string(i));
    BOOST_TEST_REQUIRE(set_clock(200s));
    call({"note_remote", {"late", "300000"}});
    check({{"remote", times + 1}, {"counters", 4}}); // what is ahead of the clock goes
    BOOST_TEST_REQUIRE(set_clock(400s));
    call({"note_remote", {"later", "300000"}});
    check({{"remote", 2}, {"counters", 4}});
    BOOST_TEST_REQUIRE(set_clock(800s));
    check({{"counters", 4}});
}

BOOST_AUTO_TEST_CASE(of_minutes)
{
    std::chrono::minutes ahead{};
    for (int i = 0; i != 1500; ++i, ahead += 1min) {
        BOOST_TEST_REQUIRE(set_clock(ahead));
        push("j");
        take();
        end("j", "success");
        call({"tidy", {}});
    }
    tidy();
    leave();
    BOOST_TEST(same(sizes(), {{"counters", 5}, {"history", 1441}}));
    BOOST_TEST_REQUIRE(set_clock(ahead + 26h));
    BOOST_TEST(same(sizes(), {{"counters", 5}}));
}

BOOST_AUTO_TEST_CASE(of_monitors)
{
    each([&](const std::string& i) { call({"redis/lead", {"w" + i, "1200"}}); });
    BOOST_TEST(same(sizes(), {{"monitor", 1}}));
    BOOST_TEST_REQUIRE(set_clock(60s));
    BOOST_TEST(same(sizes(), {}));
}

BOOST_AUTO_TEST_SUITE_END()
