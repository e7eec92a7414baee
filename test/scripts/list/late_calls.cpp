// SPDX-License-Identifier: MIT
#include "script_test.hpp"

#include <functional>

using namespace coworker::test;

namespace {

/// Worker A has taken a job, and a call of A's is under way for so long that the job has been given on to B.
struct late_calls_test : script_test
{
    using dump = std::map<std::string, std::string>;

    static dump dump_all()
    {
        dump found;
        for (const auto& key : redis()("KEYS", "*").texts())
            found[key] = redis()("DUMP", key).text;
        return found;
    }

    static std::string start() { return redis()("HGET", "progress", "a").text; }

    /// A's connection is gone, and the monitor has returned its jobs.
    void a_dies()
    {
        redis()("FLUSHALL");
        redis()("LPUSH", "jobs", "a");
        call(ack_and_fetch{.count = 1, .name = "A"});
        number_ = redis()("HKEYS", "workers").texts().at(0);
        start_ = start();
        redis()("SET", "monitor", "M");
        call({"strike_off", {"M", "1", number_, "A"}});
        call(recovery{.threshold = token(0), .dead = {number_}});
    }

    /// A is there and registered, but its lease has ended.
    void lease_of_a_ends()
    {
        redis()("FLUSHALL");
        number_ = "7";
        start_ = token(7);
        set({{"progress", hash({"a", start_})}, {"workers", hash({number_, "A"})}});
        call(recovery{.threshold = token(0, 1)});
    }

    /// The number that A has by now.
    static unsigned number_of_a()
    {
        for (const auto& [number, name] : redis()("HGETALL", "workers").pairs())
            if (name == "A")
                return unsigned(std::stoul(number));
        return 0;
    }

    void b_takes_it() { call(ack_and_fetch{.count = 1, .name = "B"}); }

    void b_ends_it(const std::string& kind)
    {
        ack_and_fetch step{.name = "B"};
        if (kind == "success")
            step.succeeded = {{start(), {"a"}}};
        else
            step.others = {{"a", start(), kind, 2, kind == "retry" ? 60'000 : 0, "why"}};
        BOOST_TEST(same(call(step), settled()));
    }

    script_call a_ends_it(const std::string& kind) const
    {
        ack_and_fetch step{.name = "A"};
        if (kind == "success")
            step.succeeded = {{start_, {"a"}}};
        else
            step.others = {{"a", start_, kind, 1, 0, "late", {}}};
        if (kind == "effects")
            step.others[0].effects = {"1", "3", "SET", "effect", "1"};
        return step;
    }

    /// The call arrives when B runs the job, and when B has ended it: nothing changes but, perhaps, these keys.
    void check_late(const std::function<script_call()>& late, const std::function<strings()>& reply,
                    const strings& may_change = {})
    {
        for (const auto is_dead : {true, false})
            for (const std::string then : {"runs", "success", "failure", "broken", "retry"}) {
                is_dead ? a_dies() : lease_of_a_ends();
                b_takes_it();
                if (then != "runs")
                    b_ends_it(then);
                auto before = dump_all();
                const auto answer = call(late());
                BOOST_TEST(same(answer, reply()), "B: " << then);
                auto after = dump_all();
                for (const auto& key : may_change) {
                    before.erase(key);
                    after.erase(key);
                }
                BOOST_TEST((after == before), "B: " << then << ", A is " << (is_dead ? "dead" : "late"));
            }
    }

    std::string number_, start_;
};

} // namespace

/// Bytes that a connection has carried may reach Redis long after it was given up.
BOOST_FIXTURE_TEST_SUITE(late_calls, late_calls_test)

BOOST_AUTO_TEST_CASE(acknowledge_nothing)
{
    for (const std::string kind : {"success", "effects", "retry", "failure", "broken", "release"})
        BOOST_TEST_CONTEXT(kind)
        {
            check_late([&] { return a_ends_it(kind); }, [] { return settled({"1"}); });
        }
}

BOOST_AUTO_TEST_CASE(renew_nothing)
{
    for (const std::string in_doubt : {"0", "1"})
        check_late(
            [&] {
                return script_call{"renew", {number_, "A", "120000", "a", start_, in_doubt}};
            },
            [&]() -> strings {
                return {now(unsigned(std::stoul(number_))), "1"};
            });
}

BOOST_AUTO_TEST_CASE(return_nothing)
{
    check_late([&] { return script_call{"release", {"a", start_}}; }, [] { return strings{"0"}; });
    // Of a monitor that has stood still: A's lease had ended, or A was dead, and it knows of no later time.
    check_late(
        [&]() -> script_call {
            const auto looked = start_.substr(0, 28) + "999999Z\"";
            return recovery{.threshold = looked, .dead = {number_}, .looked = looked, .latest = looked};
        },
        [] {
            return strings{"0", "0"};
        });
}

BOOST_AUTO_TEST_CASE(count_nothing_twice)
{
    check_late([&] { return script_call{"count_lost", {"a", start_, "1"}}; }, [] { return strings{"0"}; });
}

/// A worker that fetches is in the registry from then on.
BOOST_AUTO_TEST_CASE(take_nothing_that_another_holds)
{
    check_late([]() -> script_call { return ack_and_fetch{.count = 10, .name = "A"}; },
               [&] { return took(number_of_a(), {}); }, {"workers", "counters"});
}

BOOST_AUTO_TEST_SUITE_END()
