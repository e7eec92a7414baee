// SPDX-License-Identifier: MIT
#pragma once

#include "managed_redis.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

/// What is left when each feature has been used a thousand times, with names of its own each time, and all is over: the table
/// "What goes, and when" of docs/managed-protocol.md.
namespace coworker::test::leftovers_of_managed {

using words = std::vector<std::string>;

/// Keys, and how many members each may have at most.
using leftover = std::map<std::string, long long>;

inline constexpr int times = 1000;

/// What use of any kind leaves, whatever the number of jobs: a few keys for each queue and day.
inline const leftover always{{"ql:queues", 2},
                             {"ql:workers", 1},
                             {"ql:config", 2},
                             {"ql:s:wait:0:q", 152},
                             {"ql:s:run:0:q", 152},
                             {"ql:s:wait:0:other", 152},
                             {"ql:s:run:0:other", 152},
                             {"ql:s:stats:0:q", 3},
                             {"ql:s:stats:0:other", 3},
                             {"ql:coworker:own", 1},
                             {"ql:coworker:noted:0", 2},
                             {"ql:coworker:history:q", 1441},
                             {"ql:coworker:history:other", 1441},
                             {"ql:coworker:retries:0", 2},
                             {"ql:coworker:uses:q", 2}};

inline long long size_of(managed_redis& redis, const std::string& key)
{
    const std::map<std::string, std::string> commands{
        {"hash", "HLEN"}, {"zset", "ZCARD"}, {"set", "SCARD"}, {"list", "LLEN"}, {"string", "EXISTS"}};
    return redis.raw()(commands.at(redis.raw()("TYPE", key).text), key).integer;
}

/// A producer, a worker and a monitor, who use each feature many times.
class user
{
public:
    user() { redis.call("config_set", {"90", "jobs-history-count", "0"}); }

    void put(const std::string& jid, words options = {}, const std::string& queue = "q")
    {
        words arguments{"100", "w", queue, jid, "k", "{}", "0"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        redis.call("put", arguments);
    }

    void take() { redis.call("ack_and_fetch", {"101", "q", "w", "5"}); }

    void complete(const std::string& jid, words options = {})
    {
        words arguments{"102", jid, "w", "q", "{}"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        redis.call("complete", arguments);
    }

    void fail(const std::string& jid, const std::string& group)
    {
        redis.call("fail", {"103", jid, "w", group, "m"});
    }

    void run(const std::string& jid, const words& options)
    {
        put(jid, options);
        take();
        complete(jid);
    }

    /// Uses a feature many times, lets the monitor do its part later, and compares what is left.
    void check(const std::function<void(const std::string&)>& use, const leftover& more = {})
    {
        for (int i = 0; i != times; ++i)
            use(std::to_string(i));
        while (redis.call("note_minute", {"20000", "0", "0"}).elements.at(2).integer != 0) {
        }
        auto permitted = always;
        permitted.insert(more.begin(), more.end());
        for (const auto& key : redis.raw()("KEYS", "*").elements) {
            const auto known = permitted.find(key.text);
            BOOST_TEST((known != permitted.end()), key.text << " is left");
            if (known != permitted.end())
                BOOST_TEST(size_of(redis, key.text) <= known->second, key.text);
        }
    }

    /// Of the keys that begin so, exactly these are left.
    void check_exactly(const std::string& beginning, const std::map<std::string, long long>& expected)
    {
        leftover found;
        for (const auto& key : redis.raw()("KEYS", beginning + '*').elements)
            found[key.text] = size_of(redis, key.text);
        BOOST_TEST((found == expected), found.size() << " keys " << beginning << " are left");
    }

    /// Where the server's clock is the test's own: what is left after so many seconds.
    static bool is_later(std::chrono::seconds ahead) { return managed_redis::set_clock(ahead); }

    ~user() { managed_redis::set_clock({}); }

    managed_redis redis;
};

} // namespace coworker::test::leftovers_of_managed
