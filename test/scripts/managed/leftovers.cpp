// SPDX-License-Identifier: MIT
#include "managed_redis.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

/// What is left when each feature has been used a thousand times, with names of its own each time, and all is over: the table
/// "What goes, and when" of docs/managed-protocol.md.
BOOST_AUTO_TEST_SUITE(leftovers)

using namespace coworker::test;

namespace {

using words = std::vector<std::string>;

/// Keys, and how many members each may have at most.
using leftover = std::map<std::string, long long>;

constexpr int times = 1000;

/// What use of any kind leaves, whatever the number of jobs: a few keys for each queue and day.
const leftover always{{"ql:queues", 2},
                      {"ql:workers", 1},
                      {"ql:config", 2},
                      {"ql:s:wait:0:q", 152},
                      {"ql:s:run:0:q", 152},
                      {"ql:s:stats:0:q", 3},
                      {"ql:s:stats:0:other", 3},
                      {"ql:coworker:own", 1},
                      {"ql:coworker:noted:0", 2},
                      {"ql:coworker:history:q", 1441},
                      {"ql:coworker:history:other", 1441},
                      {"ql:coworker:retries:0", 2},
                      {"ql:coworker:uses:q", 2}};

long long size_of(managed_redis& redis, const std::string& key)
{
    const std::map<std::string, std::string> commands{
        {"hash", "HLEN"}, {"zset", "ZCARD"}, {"set", "SCARD"}, {"list", "LLEN"}, {"string", "EXISTS"}};
    return redis.raw()(commands.at(redis.raw()("TYPE", key).text), key).integer;
}

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

    managed_redis redis;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(of_jobs_with_tags, user)
{
    check([&](const std::string& i) {
        run("done" + i, {"tags", "[\"a" + i + "\",\"both\"]"});
        put("gone" + i, {"tags", "[\"b" + i + "\"]"});
        redis.call("tag", {"100", "add", "gone" + i, "c" + i});
        redis.call("tag", {"100", "remove", "gone" + i, "c" + i, "never" + i});
        redis.call("cancel", {"102", "gone" + i});
    });
}

BOOST_FIXTURE_TEST_CASE(of_failed_jobs_with_a_retention, user)
{
    check([&](const std::string& i) {
        put("j" + i, {"options", R"({"retention":10})"});
        take();
        fail("j" + i, "g" + i);
    });
}

BOOST_FIXTURE_TEST_CASE(of_unique_jobs, user)
{
    check([&](const std::string& i) {
        run("done" + i, {"unique", "a" + i});
        run("timed" + i, {"unique", "b" + i, "until", "50"});
        put("gone" + i, {"unique", "c" + i});
        redis.call("cancel", {"102", "gone" + i});
    });
}

BOOST_FIXTURE_TEST_CASE(of_batches, user)
{
    check(
        [&](const std::string& i) {
            redis.call("batch_open", {"100", "B" + i, "retention", "0", "done", R"(["q","d","{}"])"});
            put("j" + i, {"options", "{\"batch\":\"B" + i + "\"}"});
            redis.call("batch_seal", {"101", "B" + i});
            take();
            complete("j" + i);
            take();
            complete("B" + i + "@done");
        },
        // each that ends forgets some of those before it
        {{"ql:coworker:batches", 3},
         {"ql:coworker:ended", 3},
         {"ql:coworker:batch:B999", 20},
         {"ql:coworker:batch:B998", 20},
         {"ql:coworker:batch:B997", 20}});
}

BOOST_FIXTURE_TEST_CASE(of_jobs_that_wait_for_others, user)
{
    check([&](const std::string& i) {
        put("p" + i);
        put("c" + i, {"depends", "[\"p" + i + "\"]", "options", R"({"on_parent_failure":"go_on"})"});
        put("s" + i, {"depends", "[\"c" + i + "\"]", "options", R"({"on_parent_failure":"skip"})"});
        take();
        complete("p" + i);
        take();
        redis.call("cancel", {"103", "c" + i});
    });
}

BOOST_FIXTURE_TEST_CASE(of_limits_groups_and_order_keys, user)
{
    redis.call("limit_set", {"90", "tenant:*", "max", "1"});
    check(
        [&](const std::string& i) {
            for (const auto* name : {"a", "b"})
                put(name + i, {"limits", "[\"tenant:" + i + "\"]"});
            put("c" + i, {"group", "g" + i});
            for (const auto* name : {"d", "e"})
                put(name + i, {"order", "o" + i});
            for (int turn = 0; turn != 3; ++turn) {
                take();
                for (const auto& jid : redis.raw()("ZRANGE", "ql:w:w:jobs", "0", "-1").elements)
                    complete(jid.text);
            }
        },
        {{"ql:coworker:limits", 1}});
}

BOOST_FIXTURE_TEST_CASE(of_schedules_and_recurring_jobs, user)
{
    check([&](const std::string& i) {
        redis.call("schedule_set",
                   {"100", "s" + i, "160", "* * * * *", "UTC", "0", "0", "once", "q", "k", "{}", "[]"});
        redis.call("schedule_act", {"100", "pause", "s" + i});
        const auto jid = redis.call("schedule_run", {"100", "s" + i}).text;
        redis.call("schedule_act", {"100", "remove", "s" + i});
        redis.call("recur", {"100", "q", "r" + i, "k", "{}", "interval", "60", "0"});
        take();
        redis.call("unrecur", {"101", "r" + i});
        complete(jid);
        complete("r" + i + "-1");
    });
}

BOOST_FIXTURE_TEST_CASE(of_tracked_jobs_that_move_and_retry, user)
{
    check([&](const std::string& i) {
        put("j" + i, {}, "other");
        redis.call("track", {"100", "track", "j" + i});
        put("j" + i);
        take();
        redis.call("note", {"101", "q", "w", "3", "j" + i, "", R"({"percent":50})"});
        redis.call("retry", {"101", "j" + i, "q", "w", "0"});
        take();
        complete("j" + i);
        redis.raw()("ZREM", "ql:tracked", "j" + i); // qless' `untrack` asks for the job, which is gone
    });
}

BOOST_FIXTURE_TEST_CASE(of_workers, user)
{
    redis.call("config_set", {"90", "max-worker-age", "3600"});
    check([&](const std::string& i) {
        redis.call("sign_in", {"100", "w" + i});
        put("j" + i);
        redis.call("pop", {"101", "q", "w" + i, "1"});
        redis.call("complete", {"102", "j" + i, "w" + i, "q", "{}"});
    });
}

BOOST_AUTO_TEST_SUITE_END()
