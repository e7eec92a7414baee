// SPDX-License-Identifier: MIT
#include "comparison.hpp"
#include "managed_redis.hpp"

#include <boost/algorithm/string/join.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <map>
#include <regex>
#include <string>
#include <vector>

// put_many has a shorter way for jobs of which nothing is asked but to be put, with the time of Redis' clock. What it
// leaves behind has to be what the long way leaves.

BOOST_AUTO_TEST_SUITE(plain_puts)

using namespace coworker::test;

namespace {

struct new_job
{
    std::string jid, queue = "q", data = "{}";
    bool is_plain = true;
};

redis_value put(managed_redis& redis, const std::vector<new_job>& jobs)
{
    std::vector<std::string> words{"server"};
    for (const auto& job : jobs) {
        words.insert(words.end(), {job.is_plain ? "6" : "8", "w", job.queue, job.jid, "k", job.data, "0"});
        if (!job.is_plain)
            words.insert(words.end(), {"priority", "0"});
    }
    return redis.try_call("put_many", {}, words);
}

std::vector<new_job> many(int count, bool is_plain)
{
    std::vector<new_job> jobs;
    for (int i = 0; i != count; ++i)
        jobs.push_back(
            {'j' + std::to_string(i), i % 3 == 0 ? "other" : "q", "[" + std::to_string(i) + "]", is_plain});
    return jobs;
}

std::map<std::string, std::string> record(managed_redis& redis, const std::string& jid)
{
    std::map<std::string, std::string> fields;
    for (const auto& [name, value] : redis.raw()("HGETALL", "ql:j:" + jid).pairs())
        fields[name] = value;
    return fields;
}

long long micros_of(const std::string& time)
{
    return std::llround(std::stod(time) * 1e6);
}

/// What is left of jobs but for when they were put, and by it: each a microsecond after the one before.
std::vector<std::string> look_at(managed_redis& redis, const std::vector<new_job>& jobs)
{
    std::vector<std::string> seen;
    long long before = 0;
    for (const auto& job : jobs) {
        auto fields = record(redis, job.jid);
        const auto time = fields["time"];
        fields.erase("time");
        for (const auto& [name, value] : fields)
            seen.push_back(name + '=' + value);
        const auto history = redis.raw()("LRANGE", "ql:j:" + job.jid + "-history", 0, -1).texts();
        BOOST_TEST(history == std::vector{"[" + time.substr(0, time.find('.')) + ",\"put\",{\"q\":\"" +
                                          job.queue + "\"}]"});
        BOOST_TEST(time.size() - time.find('.') == 7);
        const auto micros = micros_of(time);
        BOOST_TEST((before == 0 || micros == before + 1));
        before = micros;
        const auto score = redis.raw()("ZSCORE", "ql:q:" + job.queue + "-work", job.jid).text;
        BOOST_TEST(std::llround(std::stod(score) * -1e16) == micros);
    }
    for (const auto& queue : redis.raw()("ZRANGE", "ql:queues", 0, -1).texts())
        seen.push_back(queue + '=' + std::to_string(redis.raw()("ZCARD", "ql:q:" + queue + "-work").integer));
    seen.push_back(std::to_string(redis.raw()("DBSIZE").integer));
    return seen;
}

} // namespace

BOOST_AUTO_TEST_CASE(leave_what_other_puts_leave)
{
    managed_redis redis;
    const auto plain = put(redis, many(125, true)).texts();
    const auto left = look_at(redis, many(125, true));
    redis.raw()("FLUSHALL");
    BOOST_TEST(plain == put(redis, many(125, false)).texts());
    BOOST_TEST(left == look_at(redis, many(125, false)));
}

BOOST_AUTO_TEST_CASE(leave_the_same_by_the_short_way_and_the_long_one)
{
    const std::vector<std::string> situations[] = {
        {},
        {"HSET", "ql:j:a", "state", "waiting", "queue", "q"},
        {"HSET", "ql:j:a", "tags", "[]"},
        {"SET", "ql:j:a", "x"},
        {"RPUSH", "ql:j:a-history", "[1,\"put\",{}]"},
        {"SET", "ql:j:a-history", "x"},
        {"ZADD", "ql:tracked", "1", "a"},
        {"SET", "ql:q:q-work", "x"},
        {"SET", "ql:queues", "x"},
        {"HSET", "ql:coworker:uses:q", "limits", "[\"gpu\"]"},
    };
    for (const auto& situation : situations)
        BOOST_TEST_CONTEXT(boost::algorithm::join(situation, " "))
        {
            std::map<std::string, std::string> seen[2];
            for (const bool is_barred : {false, true}) {
                managed_redis redis;
                if (!situation.empty())
                    redis.raw().command(situation);
                managed_redis::are_short_ways_barred = is_barred;
                const auto answer = redis.try_call("put", {}, {"checked", "w", "q", "a", "k", "[1]", "0"});
                managed_redis::are_short_ways_barred = false;
                auto left = dump(redis.raw());
                for (auto& [key, content] : left)
                    content = std::regex_replace(content, std::regex{R"(\d{10}(\.\d+)?|-0\.\d+)"}, "now");
                left["answer"] = answer.text.substr(0, answer.text.find(" script:"));
                seen[is_barred] = left;
            }
            BOOST_TEST((seen[0] == seen[1]));
        }
}

BOOST_AUTO_TEST_CASE(are_told_of_on_the_channel)
{
    managed_redis redis;
    raw_redis listener{redis.socket_path()};
    listener("SUBSCRIBE", "ql:log");
    put(redis, many(9, true));
    for (const auto& job : many(9, true))
        BOOST_TEST(listener.receive().elements.at(2).text ==
                   "{\"jid\":\"" + job.jid + "\",\"event\":\"put\",\"queue\":\"" + job.queue + "\"}");
}

BOOST_AUTO_TEST_CASE(are_told_of_if_they_are_tracked)
{
    managed_redis redis;
    redis.raw()("ZADD", "ql:tracked", "1", "b");
    raw_redis listener{redis.socket_path()};
    listener("SUBSCRIBE", "ql:put");
    put(redis, {{"a"}, {"b"}});
    BOOST_TEST(listener.receive().elements.at(2).text == "b");
}

BOOST_AUTO_TEST_CASE(move_jobs_that_are_there)
{
    managed_redis redis;
    put(redis, {{"a"}, {"b"}});
    put(redis, {{"b", "other"}, {"c"}});
    BOOST_TEST((redis.raw()("ZRANGE", "ql:q:q-work", 0, -1).texts() == std::vector<std::string>{"c", "a"}));
    BOOST_TEST((redis.raw()("ZRANGE", "ql:q:other-work", 0, -1).texts() == std::vector<std::string>{"b"}));
    BOOST_TEST(redis.raw()("LLEN", "ql:j:b-history").integer == 2);
}

BOOST_AUTO_TEST_CASE(move_a_job_that_comes_twice)
{
    managed_redis redis;
    put(redis, {{"a"}, {"b"}, {"a", "other", "[2]"}});
    BOOST_TEST((redis.raw()("ZRANGE", "ql:q:q-work", 0, -1).texts() == std::vector<std::string>{"b"}));
    BOOST_TEST((redis.raw()("ZRANGE", "ql:q:other-work", 0, -1).texts() == std::vector<std::string>{"a"}));
    BOOST_TEST(record(redis, "a")["data"] == "[2]");
    BOOST_TEST(redis.raw()("LLEN", "ql:j:a-history").integer == 2);
}

BOOST_AUTO_TEST_CASE(go_on_behind_one_that_is_refused)
{
    managed_redis redis;
    redis.raw()("SET", "ql:j:b-history", "x");
    // the history of `c` stands where the record of `c-history` would
    const auto answer = put(redis, {{"a"}, {"b"}, {"c"}, {"c-history"}, {"d"}});
    BOOST_TEST(answer.elements.at(0).text == "a");
    BOOST_TEST(answer.elements.at(1).elements.at(0).text ==
               "Put(): Job b cannot be put: ql:j:b-history is something else");
    BOOST_TEST(answer.elements.at(2).text == "c");
    BOOST_TEST(answer.elements.at(3).elements.at(0).text.find("WRONGTYPE") != std::string::npos);
    BOOST_TEST(answer.elements.at(4).text == "d");
    BOOST_TEST(record(redis, "d")["state"] == "waiting");
    BOOST_TEST(redis.raw()("EXISTS", "ql:j:b").integer == 0);
    BOOST_TEST((redis.raw()("ZSCORE", "ql:q:q-work", "b").type == redis_value::kind::nil));
    BOOST_TEST((redis.raw()("ZSCORE", "ql:q:q-work", "d").type != redis_value::kind::nil));
}

BOOST_AUTO_TEST_CASE(are_counted_exactly)
{
    managed_redis redis;
    const auto answer =
        redis.try_call("put_many", {}, {"server", "6", "w", "q", "a", "k", "{}", "0", "6", "w"});
    BOOST_TEST(answer.text == "ERR Batch(): the counts do not fit the arguments");
    BOOST_TEST(redis.raw()("DBSIZE").integer == 0);
}

BOOST_AUTO_TEST_SUITE_END()
