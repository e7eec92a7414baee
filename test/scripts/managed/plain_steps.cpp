// SPDX-License-Identifier: MIT
#include "managed_redis.hpp"
#include "table_run.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

// ack_and_fetch has a short way for a worker that completes one job at most and takes one at most. What it answers,
// tells and leaves behind has to be what the long way does.

BOOST_AUTO_TEST_SUITE(plain_steps)

using namespace coworker::test;

namespace {

using lines = std::vector<std::string>;

call_result result_of(const lines& given, const std::string& call, bool is_short_way_barred)
{
    std::vector<table_call> before;
    for (const auto& line : given)
        before.push_back(parse_call(line));
    table_run run{before};
    managed_redis::are_short_ways_barred = is_short_way_barred;
    auto result = run.make(parse_call(call));
    managed_redis::are_short_ways_barred = false;
    return result;
}

void check_both_ways(const lines& given, const std::string& call)
{
    const auto one = result_of(given, call, false), other = result_of(given, call, true);
    const auto told =
        [](const redis_value& reply) { // what Redis says goes on with the script's hash and line
            const auto text = shown(reply);
            return text.substr(0, text.find(" script: "));
        };
    BOOST_TEST(told(one.reply) == told(other.reply));
    BOOST_TEST(compare_messages(one.messages, other.messages) == "");
    BOOST_TEST(compare_databases(one.state, other.state, number_texts::exactly) == "");
}

/// A job that the worker has had since then.
const lines running{"put 100 w q a k {} 0", "ack_and_fetch 110 q w 1"};

lines with(lines given, const lines& more)
{
    given.insert(given.end(), more.begin(), more.end());
    return given;
}

} // namespace

BOOST_AUTO_TEST_CASE(complete_a_job_and_take_the_next)
{
    const auto did = result_of(with(running, {"put 111 w q b k '[1]' 0"}),
                               "ack_and_fetch 120 q w 5 4 since 110.00000000000000000000 done a", false);
    BOOST_TEST(shown(did.reply) ==
               R"([[],[],"60",0,["b","k","[1]","0","5","5","180","{}","",""],"120.00000000000000000000"])");
    BOOST_TEST(did.messages == lines{R"(ql:log {"jid":"a","event":"completed","queue":"q"})"},
               boost::test_tools::per_element());
    BOOST_TEST(did.state.at("ql:completed") == R"(zset [["a","120"]])");
    BOOST_TEST(did.state.at("ql:q:q-locks") == R"(zset [["b","180"]])");
    BOOST_TEST(did.state.at("ql:w:w:jobs") == R"(zset [["b","180"]])");
    BOOST_TEST(!did.state.contains("ql:q:q-work"));
}

BOOST_AUTO_TEST_CASE(lock_a_job_by_redis_clock_to_the_microsecond)
{
    for (const bool is_barred : {false, true}) {
        managed_redis redis;
        managed_redis::are_short_ways_barred = is_barred;
        redis.call("put", {"checked", "w", "q", "a", "k", "{}", "0"});
        const auto record = [&](const char* field) { return redis.raw()("HGET", "ql:j:a", field).text; };
        const auto put = record("time"), score = redis.raw()("ZSCORE", "ql:q:q-work", "a").text;
        BOOST_TEST(std::llround(std::stod(score) * -1e16) == std::llround(std::stod(put) * 1e6));
        const auto answer = redis.call("ack_and_fetch", {"server", "q", "w", "1"});
        managed_redis::are_short_ways_barred = false;
        const auto since = answer.elements.at(5).text, expires = record("expires");
        BOOST_TEST(since == record("time"));
        BOOST_TEST(expires == answer.elements.at(4).elements.at(6).text);
        BOOST_TEST(std::stoll(expires) == std::stoll(since) + 60);
        BOOST_TEST(expires.substr(expires.find('.')) == since.substr(since.find('.')));
        for (const char* key : {"ql:q:q-locks", "ql:w:w:jobs"})
            BOOST_TEST(std::stod(redis.raw()("ZSCORE", key, "a").text) == std::stod(expires));
    }
}

BOOST_AUTO_TEST_CASE(do_what_the_long_way_does)
{
    const lines calls{
        "ack_and_fetch 120 q w 1",
        "ack_and_fetch 120 q w 0",
        "ack_and_fetch 120 q other 500 most 8388608",
        "ack_and_fetch 120 q w 1 most 10",
        "ack_and_fetch 120 q w 1 most x",
        "ack_and_fetch 120 empty w 1",
        "ack_and_fetch 120 q w 1 4 since 110.00000000000000000000 done a",
        "ack_and_fetch 120 q w 1 most 8388608 4 since 110.00000000000000000000 done a",
        "ack_and_fetch 120 q w 0 4 since 110.00000000000000000000 done a",
        "ack_and_fetch 120 q other 1 4 since 110.00000000000000000000 done a",
        "ack_and_fetch 120 q w 1 4 since 111.00000000000000000000 done a",
        "ack_and_fetch 120 q w 1 4 since 110.00000000000000000000 done nobody",
        "ack_and_fetch 120 q w 1 4 since 110.00000000000000000000 finished a",
        "ack_and_fetch 120 q w 1 5 since 110.00000000000000000000 complete a {}",
        "ack_and_fetch 120 q w 1 2 done a",
        "ack_and_fetch 120 q w 1 3 since 110.00000000000000000000 done",
        "ack_and_fetch 120 q w 1 4 since 110.00000000000000000000 done",
        "ack_and_fetch 120 q w 1 4 since 110.00000000000000000000 done a 2 done b",
    };
    const std::vector<lines> waiting{
        {},
        {"put 111 w q b k '[1]' 0"},
        {"put 111 w q b k '[1]' 0 tags '[\"t\"]' priority 3 retries 0"},
        {"put 111 w q b k '[1]' 0", "put 112 w q c k '[1]' 0"},
        {"put 111 w q b k '[1]' 0", "HDEL ql:j:b state"},
        {"put 111 w q b k '[1]' 0", "HDEL ql:j:b queue"},
        {"put 111 w q b k '[1]' 0", "HDEL ql:j:b data"},
        {"put 111 w q b k '[1]' 0", "DEL ql:j:b"},
        {"put 111 w q b k '[1]' 0", "DEL ql:j:b-history"},
        {"put 111 w q b k '[1]' 0 options '{\"expiry\":1}'"},
        {"put 111 w q b k '[1]' 0 unique u until started"},
        {"put 111 w q b k '[1]' 0 limits '[\"gpu\"]'"},
        {"put 111 w q b k '[1]' 5"},
        {"recur 111 q b k {} interval 1 0"},
    };
    const std::vector<lines> besides{
        {},
        {"pause 112 q"},
        {"track 112 track a"},
        {"put 112 w q d k {} 0 depends '[\"a\"]'"},
        {"config_set 112 heartbeat 7"},
        {"config_set 112 max-job-history 1"},
        {"config_set 112 jobs-history 1"},
        {"config_set 112 jobs-history-count 0"},
        {"config_set 112 q-max-concurrency 1"},
        {"ZADD ql:q:q-locks 119 a"},
        {"ZADD ql:completed 1 z"},
        {"SET ql:completed x"},

        {"SET ql:workers x"},
        {"SET ql:s:run:0:q x"},
        {"HSET ql:s:wait:0:q total 2 mean 3 vk 1 s9 2"},
        {"DEL ql:j:a-history"},
        {"HDEL ql:j:a retries"},
        {"batch_open 112 B"},
    };
    const auto check = [&](const lines& next, const lines& situation) {
        for (const auto& call : calls)
            BOOST_TEST_CONTEXT((next.empty() ? "" : next.back()) + " | " +
                               (situation.empty() ? "" : situation.back()) + " | " + call)
            {
                check_both_ways(with(with(running, next), situation), call);
            }
    };
    for (const auto& next : waiting)
        check(next, {});
    for (const auto& situation : besides)
        for (const std::size_t some : {0u, 1u, 3u})
            check(waiting[some], situation);
}

BOOST_AUTO_TEST_CASE(forget_the_oldest_job_where_as_many_are_kept_as_may_be)
{
    std::string fill = "ZADD ql:completed";
    for (int i = 0; i != 50'000; ++i)
        fill += " 119 old" + std::to_string(i);
    const std::string call = "ack_and_fetch 120 q w 1 4 since 110.00000000000000000000 done a";
    check_both_ways(with(running, {fill}), call);
    const auto kept = result_of(with(running, {fill}), call, false).state.at("ql:completed");
    BOOST_TEST(kept.find(R"("a")") != kept.npos);
    BOOST_TEST(std::count(kept.begin(), kept.end(), '[') == 50'001); // with the list itself
}

BOOST_AUTO_TEST_SUITE_END()
