// SPDX-License-Identifier: MIT
#include "managed_redis.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

// Jobs that have failed stand in lists, one for each group, and Redis passes over all that stand before one that it looks
// for.

BOOST_AUTO_TEST_SUITE(large_groups)

using namespace coworker::test;

namespace {

/// So many jobs of the group `g`, each hundredth of them of another kind.
void fail_jobs(managed_redis& redis, int count)
{
    for (int i = 0; i != count; ++i) {
        const auto jid = 'j' + std::to_string(i);
        redis.call("put", {"100", "w", "q", jid, i % 100 == 0 ? "odd" : "k", "{}", "0"});
        redis.call("pop", {"105", "q", "w", "1"});
        redis.call("fail", {"106", jid, "w", "g", "m"});
    }
    BOOST_REQUIRE(redis.raw()("LLEN", "ql:f:g").integer == count);
}

/// Does something to the failed jobs of a kind, or to all. At most a thousand are looked at.
redis_value act_on_kind(managed_redis& redis, const std::string& action, const std::string& kind)
{
    std::vector<std::string> words{"120", "w", action, "failed", "", "1000", "128"};
    if (!kind.empty())
        words.insert(words.end(), {"klass", kind});
    return redis.call("search", words);
}

std::vector<long long> act_on(managed_redis& redis, std::vector<std::string> words)
{
    words.insert(words.begin(), {"120", "w"});
    std::vector<long long> results;
    for (const auto& each : redis.call("act", words).elements)
        results.push_back(each.integer);
    return results;
}

/// Whether `check` finds nothing wrong.
bool is_sound(managed_redis& redis)
{
    std::string cursor = "0";
    do {
        const auto answer = redis.call("check", {"130", cursor, "1000"});
        if (answer.elements.size() != 1)
            return false;
        cursor = answer.elements.at(0).text;
    } while (cursor != "0");
    return true;
}

using numbers = std::vector<long long>;

} // namespace

BOOST_AUTO_TEST_CASE(lose_many_jobs_in_one_pass)
{
    for (const auto* action : {"delete", "retry"}) {
        managed_redis redis;
        fail_jobs(redis, 1500);
        redis.raw()("CONFIG", "RESETSTAT");
        const auto answer = act_on_kind(redis, action, "odd");
        BOOST_TEST(answer.elements.at(0).text == "990:500:g");
        BOOST_TEST(answer.elements.size() == 12u);
        const auto passes = redis.raw().info("commandstats", "cmdstat_lrem");
        BOOST_TEST(passes.find("calls=1,") != std::string::npos, passes);
        const auto left = redis.raw()("LRANGE", "ql:f:g", "0", "-1").texts();
        BOOST_REQUIRE(left.size() == 1490u);
        int wrong = 0, expected = 1499;
        for (const auto& jid : left) {
            wrong += jid != 'j' + std::to_string(expected--);
            if (expected % 100 == 0 && expected < 1000)
                --expected;
        }
        BOOST_TEST(wrong == 0);
        BOOST_TEST(is_sound(redis));
    }
}

BOOST_AUTO_TEST_CASE(are_gone_when_they_have_lost_all_jobs)
{
    managed_redis redis;
    fail_jobs(redis, 110);
    BOOST_TEST(act_on_kind(redis, "delete", "").elements.size() == 112u);
    BOOST_TEST(redis.raw()("EXISTS", "ql:f:g", "ql:failures").integer == 0);
    BOOST_TEST(is_sound(redis));
}

/// The second one, and the hash of the job, are somebody else's doing.
BOOST_AUTO_TEST_CASE(lose_the_one_of_two_entries_that_a_walk_has_come_to)
{
    managed_redis redis;
    fail_jobs(redis, 3);
    redis.raw()("LPUSH", "ql:f:g", "j1");
    redis.raw()("DEL", "ql:j:j2");
    redis.raw()("SET", "ql:j:j2", "something else");
    act_on_kind(redis, "retry", "");
    BOOST_TEST(redis.raw()("LRANGE", "ql:f:g", "0", "-1").texts() == (std::vector<std::string>{"j1", "j2"}),
               boost::test_tools::per_element());
}

/// The caller names the others once more.
BOOST_AUTO_TEST_CASE(leave_the_rest_of_those_that_are_named_to_the_next_call)
{
    managed_redis redis;
    fail_jobs(redis, 3);
    redis.raw()("EVAL", "for i = 1, 60000 do redis.call('LPUSH', KEYS[1], i) end", "1", "ql:f:g");
    redis.call("put", {"110", "w", "q", "waits", "k", "{}", "0"});
    BOOST_TEST(act_on(redis, {"delete", "waits", "j0", "j1", "j2"}) == (numbers{1, 1}),
               boost::test_tools::per_element());
    BOOST_TEST(act_on(redis, {"retry", "j1", "none", "j2"}) == (numbers{1, -1}),
               boost::test_tools::per_element());
    BOOST_TEST(redis.raw()("LLEN", "ql:f:g").integer == 60001);
}

/// One that has failed lately is looked for from the other end.
BOOST_AUTO_TEST_CASE(are_searched_from_the_end_that_is_nearer)
{
    managed_redis redis;
    fail_jobs(redis, 1200);
    redis.call("put", {"200", "w", "q", "new", "k", "{}", "0"});
    redis.call("pop", {"205", "q", "w", "1"});
    redis.call("fail", {"206", "new", "w", "g", "m"});
    for (const auto* jid : {"new", "j5"}) { // once more at the wrong end
        redis.raw()("LPUSH", "ql:f:g", jid);
        redis.raw()("RPUSH", "ql:f:g", jid);
    }
    redis.raw()("LREM", "ql:f:g", "1", "new");
    redis.raw()("LREM", "ql:f:g", "-1", "j5");
    BOOST_TEST(act_on(redis, {"delete", "new", "j5"}) == (numbers{1, 1}), boost::test_tools::per_element());
    BOOST_TEST(redis.raw()("LINDEX", "ql:f:g", "-1").text == "new");
    BOOST_TEST(redis.raw()("LINDEX", "ql:f:g", "0").text == "j5");
    BOOST_TEST(redis.raw()("LLEN", "ql:f:g").integer == 1201);
}

BOOST_AUTO_TEST_CASE(lose_few_jobs_a_call_whose_retention_is_over)
{
    managed_redis redis;
    for (const auto* jid : {"a", "b", "c"}) {
        redis.call("put", {"100", "w", "q", jid, "k", "{}", "0", "options", R"({"retention":10})"});
        redis.call("pop", {"105", "q", "w", "1"});
        redis.call("fail", {"106", jid, "w", "g", "m"});
    }
    redis.raw()("EVAL", "for i = 1, 60000 do redis.call('LPUSH', KEYS[1], i) end", "1", "ql:f:g");
    for (const auto& [more, left] : std::vector<std::pair<int, int>>{{1, 60001}, {0, 60000}}) {
        BOOST_TEST(redis.call("note_minute", {"180", "0", "0"}).elements.at(2).integer == more);
        BOOST_TEST(redis.raw()("LLEN", "ql:f:g").integer == left);
    }
}

BOOST_AUTO_TEST_SUITE_END()
