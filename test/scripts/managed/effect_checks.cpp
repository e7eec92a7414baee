// SPDX-License-Identifier: MIT
#include "managed_redis.hpp"

#include "redis/script.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <random>

using namespace coworker::test;

namespace {

using command_words = std::vector<std::string>;

const command_words effect_keys{"k1", "k2", "k3"};

/// Numbers and what looks like them, such as Redis or Lua read in one way or another.
const command_words odd_numbers{"0",
                                "1",
                                "-1",
                                "5",
                                "4611686018427387903",
                                "4611686018427387904",
                                "9223372036854775807",
                                "-9223372036854775808",
                                "01",
                                "+1",
                                " 1",
                                "1 ",
                                "abc",
                                "",
                                "1.5",
                                "1e5",
                                ".5",
                                "5.",
                                "1e-400",
                                "inf",
                                "nan",
                                "0x10",
                                "1e30",
                                "1e400",
                                "-0",
                                "3.0",
                                "0.0000000000000000001",
                                "12345678901234567890123456789"};

class effect_generator
{
public:
    explicit effect_generator(unsigned seed) : random_{seed} {}

    /// A command that leaves a key as it may be found.
    command_words found(const std::string& key)
    {
        const std::vector<command_words> kinds{
            {"DEL", key},
            {"DEL", key},
            {"SET", key, number()},
            {"SET", key, std::string(200, 'a')},
            {"HSET", key, "f", number(), "g", number()},
            {"RPUSH", key, "1"},
            {"SADD", key, "1"},
            {"ZADD", key, "inf", "f"},
            {"XADD", key, "*", "a", "b"},
            {"XADD", key, "18446744073709551615-18446744073709551615", "a", "b"}};
        return one_of(kinds);
    }

    command_words effect()
    {
        const auto key = below(2) == 0 ? effect_keys[0] : one_of(effect_keys); // so that they meet
        const std::vector<command_words> kinds{{"SET", key, number()},
                                               {"SET", key, number(), "EX", number()},
                                               {"SET", key, number(), "PX", "1000", "NX"},
                                               {"SET", key, number(), "XX"},
                                               {"SET", key, number(), "GET"},
                                               {"INCR", key},
                                               {"DECR", key},
                                               {"INCRBY", key, number()},
                                               {"DECRBY", key, number()},
                                               {"INCRBYFLOAT", key, number()},
                                               {"DEL", key, one_of(effect_keys)},
                                               {"UNLINK", key},
                                               {"EXPIRE", key, number()},
                                               {"PEXPIRE", key, number()},
                                               {"PERSIST", key},
                                               {"HSET", key, field(), number()},
                                               {"HSET", key, field(), number(), field()},
                                               {"HDEL", key, field()},
                                               {"HINCRBY", key, field(), number()},
                                               {"HINCRBYFLOAT", key, field(), number()},
                                               {"LPUSH", key, number()},
                                               {"RPUSH", key, number(), "x"},
                                               {"LTRIM", key, number(), number()},
                                               {"SADD", key, number()},
                                               {"SREM", key, number()},
                                               {"ZADD", key, number(), field()},
                                               {"ZADD", key, "GT", number(), field()},
                                               {"ZADD", key, "XX", "1", field(), number()},
                                               {"ZINCRBY", key, number(), field()},
                                               {"ZREM", key, field()},
                                               {"XADD", key, "*", "a", "b"},
                                               {"XADD", key, "MAXLEN", number(), "*", "a", "b"},
                                               {"XADD", key, "1-1", "a", "b"},
                                               {"PUBLISH", "channel", number()}};
        return one_of(kinds);
    }

    std::size_t below(std::size_t limit)
    {
        return std::uniform_int_distribution<std::size_t>{0, limit - 1}(random_);
    }

private:
    template<class T>
    const T& one_of(const std::vector<T>& list)
    {
        return list[below(list.size())];
    }
    std::string number() { return below(2) == 0 ? "1" : one_of(odd_numbers); }
    std::string field() { return below(4) != 0 ? "f" : "g"; }

    std::mt19937 random_;
};

/// A redis with a script that raises an error when an effect fails that was let pass; else it would only log that.
struct effect_check_test : managed_redis
{
    std::string sha;

    effect_check_test()
    {
        std::string text = coworker::detail::find_script("managed/ack_and_fetch").text();
        const std::string logs = "redis.log(redis.LOG_WARNING, ";
        const auto place = text.find(logs);
        BOOST_TEST_REQUIRE(place != std::string::npos);
        text.replace(place, logs.size(), "error(");
        sha = raw()("SCRIPT", "LOAD", text).text;
    }

    /// What the keys hold.
    command_words contents()
    {
        command_words all;
        for (const auto& key : effect_keys)
            all.push_back(raw()("DUMP", key).text);
        return all;
    }

    redis_value complete_with(const std::vector<command_words>& effects)
    {
        command_words group{"effects", "a", "k:effects", std::to_string(effects.size())};
        for (const auto& each : effects) {
            group.push_back(std::to_string(each.size()));
            group.insert(group.end(), each.begin(), each.end());
        }
        group.emplace_back("done");
        command_words call{"EVALSHA", sha, "1", "ql:", "120", "q", "w", "0", std::to_string(group.size())};
        call.insert(call.end(), group.begin(), group.end());
        return raw().try_command(call);
    }
};

std::string tell(const std::vector<command_words>& commands)
{
    std::string text;
    for (const auto& each : commands) {
        for (const auto& word : each)
            text += "'" + word + "' ";
        text += "; ";
    }
    return text;
}

} // namespace

/// Random effects: none fails that was let pass, and where one is not, nothing changes.
BOOST_FIXTURE_TEST_SUITE(effect_checks, effect_check_test)

BOOST_AUTO_TEST_CASE(let_nothing_pass_that_fails)
{
    const auto seed = std::random_device{}();
    effect_generator generate{seed};
    std::map<std::string, std::size_t> carried_out;
    for (int round = 0; round != 3000; ++round) {
        raw()("FLUSHALL");
        std::vector<command_words> before, effects;
        for (const auto& key : effect_keys) {
            before.push_back(generate.found(key));
            (void)raw().try_command(before.back());
        }
        call("put", {"100", "w", "q", "a", "k", "{}", "0"});
        call("pop", {"105", "q", "w", "1"});
        for (auto count = 1 + generate.below(4); count != 0; --count)
            effects.push_back(generate.effect());
        const auto kept = contents();
        const auto reply = complete_with(effects);
        const auto state = raw()("HGET", "ql:j:a", "state").text;
        BOOST_TEST_CONTEXT("seed " << seed << ": " << tell(before) << "then " << tell(effects))
        {
            BOOST_TEST_REQUIRE(!reply.is_error(), reply.text);
            BOOST_TEST_REQUIRE(reply.elements.at(0).elements.empty(), "an effect has failed");
            BOOST_TEST_REQUIRE((state == "complete" || state == "failed"));
            if (state == "failed")
                BOOST_TEST_REQUIRE((contents() == kept));
        }
        if (state == "complete")
            for (const auto& each : effects)
                ++carried_out[each.front()];
    }
    BOOST_TEST(carried_out.size() == 25U, "each command was carried out");
}

/// What removes the last of what is in a key removes the key: behind that nobody knows whether SET with NX or XX does
/// anything.
BOOST_AUTO_TEST_CASE(know_that_a_key_may_be_gone)
{
    struct row
    {
        command_words before, removal, next;
    };
    const std::vector<row> rows{{{"ZADD", "x", "1", "f"}, {"ZREM", "x", "f"}, {"ZADD", "x", "1", "g"}},
                                {{"SADD", "x", "f"}, {"SREM", "x", "f"}, {"SADD", "x", "g"}},
                                {{"HSET", "x", "f", "1"}, {"HDEL", "x", "f"}, {"HSET", "x", "g", "1"}},
                                {{"RPUSH", "x", "f"}, {"LTRIM", "x", "1", "1"}, {"RPUSH", "x", "g"}}};
    const auto state_after = [&](const command_words& before, const std::vector<command_words>& effects) {
        raw()("FLUSHALL");
        (void)raw().try_command(before);
        call("put", {"100", "w", "q", "a", "k", "{}", "0"});
        call("pop", {"105", "q", "w", "1"});
        const auto reply = complete_with(effects);
        BOOST_TEST_REQUIRE(!reply.is_error(), reply.text);
        BOOST_TEST(reply.elements.at(0).elements.empty(), "an effect has failed: " << tell(effects));
        return raw()("HGET", "ql:j:a", "state").text;
    };
    for (const auto& each : rows) {
        for (const char* only : {"NX", "XX"}) {
            const command_words set{"SET", "x", "7", only};
            BOOST_TEST(state_after(each.before, {each.removal, set, each.next}) == "failed");
            BOOST_TEST(state_after(each.before, {each.removal, set, {"INCR", "x"}}) == "failed");
            BOOST_TEST(state_after(each.before, {each.removal, set, {"DEL", "x"}, each.next}) == "complete");
            BOOST_TEST(state_after(each.before, {each.removal, set}) == "complete");
        }
        BOOST_TEST(state_after(each.before, {each.removal, each.next}) == "complete");
        BOOST_TEST(state_after(each.before, {each.removal, each.next, {"SET", "x", "7", "NX"}, each.next}) ==
                   "complete");
    }
}

BOOST_AUTO_TEST_SUITE_END()
