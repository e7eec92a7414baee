// SPDX-License-Identifier: MIT
#pragma once

#include "script_test.hpp"
#include "support/kept_scripts.hpp"

#include <functional>
#include <map>
#include <string>

namespace coworker::test {

/// Keys, and how many members each has.
using leftover = std::map<std::string, long long>;

/// Says what is left.
inline boost::test_tools::assertion_result same(const leftover& found, const leftover& expected)
{
    boost::test_tools::assertion_result result{found == expected};
    for (const auto& [key, size] : found)
        result.message() << '\n' << key << " has " << size;
    return result;
}

/// A worker and its monitor, who use each feature of a list queue many times, and look at what is left.
struct queue_user : script_test
{
    static constexpr int times = 1000;
    static constexpr int limit = 20; ///< how many failed and how many broken jobs are kept

    queue_user() { set_clock({}); }
    ~queue_user() { set_clock({}); }

    /// The same as in a table, as fast as a worker: the answer is as Redis gave it.
    static redis_value call(const script_call& what)
    {
        static std::map<std::pair<std::string, release>, strings> loaded; // into this program's server
        static std::size_t calls = 0;
        const auto by = are_releases_mixed() && ++calls % 2 == 0 ? release::last : release::present;
        auto& words = loaded[{what.script, by}];
        if (words.empty())
            words = load(what.script, by);
        auto command = words;
        command.insert(command.end(), what.arguments.begin(), what.arguments.end());
        return redis().command(command);
    }

    static void each(const std::function<void(const std::string&)>& use)
    {
        for (int i = 0; i != times; ++i)
            use(std::to_string(i));
    }

    void push(const std::string& payload) { redis()("LPUSH", "jobs", payload); }

    void take(unsigned count = 1, const std::string& worker = "w")
    {
        name_ = worker;
        call(ack_and_fetch{.count = count, .name = name_});
    }

    /// Ends a run with an outcome; its message says why.
    void end(const std::string& payload, const std::string& kind, std::int64_t delay = 0,
             std::string started = {})
    {
        if (started.empty())
            started = redis()("HGET", "progress", payload).text;
        ack_and_fetch step{.name = name_, .failed_limit = limit, .broken_limit = limit};
        if (kind == "success")
            step.succeeded = {{started, {payload}}};
        else
            step.others = {{payload, started, kind, 1, delay, "why"}};
        BOOST_TEST_REQUIRE(call(step).elements.at(3).elements.empty(), payload << " was lost: " << kind);
    }

    void act(const strings& arguments)
    {
        for (const auto& done : call({"act", arguments}).elements)
            BOOST_TEST_REQUIRE(done.integer == 1);
    }

    static void set_schedule(const std::string& name, const std::string& jitter = "")
    {
        call({"schedule_set",
              {"server", name, "60", "* * * * *", "UTC", "0", "0", "all", "q", "", "1", "", "", "", "",
               jitter}});
    }

    /// All that is scheduled may run now.
    static void make_due()
    {
        for (const auto& member : redis()("ZRANGE", "scheduled", 0, -1).texts())
            redis()("ZADD", "scheduled", "XX", 1, member);
    }

    /// The next one to be due.
    static std::string first_scheduled() { return redis()("ZRANGE", "scheduled", 0, 0).texts().at(0); }

    /// The number of the worker that took last.
    std::string number() const
    {
        for (const auto& [number, name] : redis()("HGETALL", "workers").pairs())
            if (name == name_)
                return number;
        return "0";
    }

    /// As list_source does when a worker stops.
    void leave()
    {
        const auto left = number();
        for (const auto* key : {"workers", "gone"})
            redis()("HDEL", key, left);
    }

    /// The worker that took last is dead, and the monitor returns what it held.
    void die()
    {
        const auto dead = number();
        call({"note_absence", {"1", "1", dead}});
        const auto struck = call({"strike_off", {"monitor", "1", dead, name_}}).integer;
        BOOST_TEST_REQUIRE(struck == 1);
        call(recovery{.threshold = token(0), .dead = {dead}});
        for (const auto* key : {"workers", "gone"})
            redis()("HDEL", key, dead);
    }

    /// The monitor's part, for as long as it finds something.
    void tidy()
    {
        ++minutes_;
        int calls = 0;
        while (call({"tidy", {}}).integer != 0)
            BOOST_TEST_REQUIRE(++calls < 10 * times);
    }

    static leftover sizes()
    {
        const std::map<std::string, std::string> commands{
            {"hash", "HLEN"}, {"zset", "ZCARD"}, {"list", "LLEN"}, {"string", "EXISTS"}};
        leftover found;
        for (const auto& key : redis()("KEYS", "*").texts())
            found[key] = redis()(commands.at(redis()("TYPE", key).text), key).integer;
        return found;
    }

    /// All is over: the monitor finds nothing to clean up, the worker stops, and exactly this is left. Beside it is the history:
    /// a minute for each call of the monitor, or fewer if no minute has begun between two of them.
    void check(leftover expected)
    {
        BOOST_TEST(redis()("EXISTS", "ready").integer == 0);
        BOOST_TEST(call({"tidy", {}}).integer == 0);
        leave();
        const auto found = sizes();
        const auto minutes = found.find("history");
        BOOST_TEST_REQUIRE((minutes != found.end() && minutes->second <= ++minutes_));
        expected.insert(*minutes);
        BOOST_TEST(same(found, expected));
    }

private:
    std::string name_;
    int minutes_ = 0; ///< that the history may have at most
};

} // namespace coworker::test
