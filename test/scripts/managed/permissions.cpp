// SPDX-License-Identifier: MIT
#include "managed_redis.hpp"

#include "redis/script.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker::test;

namespace {

/// A user that may do everything but one command.
raw_redis without(managed_redis& redis, const std::string& command)
{
    redis.raw()("ACL", "SETUSER", "limited", "reset", "on", "nopass", "~*", "&*", "+@all", "-" + command);
    raw_redis limited{redis.socket_path()};
    limited("AUTH", "limited", "any");
    return limited;
}

redis_value call(raw_redis& user, const std::string& name, const std::vector<std::string>& arguments)
{
    const auto text = coworker::detail::find_script("managed/" + name).text();
    std::vector<std::string> words{"EVAL", std::string{text}, "1", "ql:"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return user.try_command(words);
}

bool is_in(managed_redis& redis, const std::string& place)
{
    return redis.raw()("ZSCORE", "ql:q:q" + place, "a").type == redis_value::kind::text;
}

} // namespace

/// Whatever command a user may not use, each job stays in a set.
BOOST_AUTO_TEST_SUITE(permissions)

BOOST_AUTO_TEST_CASE(a_job_that_cannot_be_taken_stays_where_it_can_be_taken)
{
    for (const auto* command :
         {"zadd", "zrem", "zremrangebyrank", "hset", "hmget", "rpush", "zrevrange", "exists"}) {
        managed_redis redis;
        redis.call("config_set", {"90", "grace-period", "0"});
        redis.call("put", {"100", "w", "q", "a", "k", "{}", "0"});
        auto limited = without(redis, command);
        (void)call(limited, "pop", {"110", "q", "w", "1"});
        BOOST_TEST((is_in(redis, "-work") || is_in(redis, "-locks")), command);
        const auto taken = redis.call("pop", {"500", "q", "v", "1"}).text;
        BOOST_TEST(taken.find(R"("jid":"a")") != std::string::npos, command << ": " << taken);
    }
}

BOOST_AUTO_TEST_CASE(a_job_that_cannot_be_settled_stays_locked)
{
    const std::vector<std::vector<std::string>> acknowledgements = {
        {"2", "done", "a"}, {"4", "fail", "a", "g", "m"}, {"3", "retry", "a", "0"}, {"2", "release", "a"}};
    for (const auto& group : acknowledgements)
        for (const auto* command : {"zadd", "hset", "hmget", "sadd", "lpush"}) {
            managed_redis redis;
            redis.call("put", {"100", "w", "q", "a", "k", "{}", "0"});
            redis.call("pop", {"105", "q", "w", "1"});
            auto limited = without(redis, command);
            std::vector<std::string> arguments{"110", "q", "w", "0"};
            arguments.insert(arguments.end(), group.begin(), group.end());
            const auto refused = call(limited, "ack_and_fetch", arguments).is_error();
            // Refused as a whole: the outcome is sent again, and not lost.
            BOOST_TEST((!refused || is_in(redis, "-locks") || is_in(redis, "-work")),
                       group[1] << ' ' << command);
        }
}

BOOST_AUTO_TEST_SUITE_END()
