// SPDX-License-Identifier: MIT
#include "managed_redis.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <string>
#include <vector>

/// Bytes that a connection has carried may reach Redis long after it was given up. Worker A has taken a job, and a call of A's
/// is under way for so long that the job has been given on to B.
BOOST_AUTO_TEST_SUITE(late_calls)

using namespace coworker::test;

namespace {

using words = std::vector<std::string>;
using dump = std::map<std::string, std::string>;

struct call_of_a
{
    std::string script;
    words arguments;
};

/// When A took the job.
const std::string since = "110.00000000000000000000";

/// What a worker of coworker's sends: outcomes, renewals and notes, with the time at which it took the job.
std::vector<call_of_a> calls_of_runs()
{
    const auto outcome = [](words said) {
        words arguments{"300", "q", "A", "0", std::to_string(said.size() + 2), "since", since};
        arguments.insert(arguments.end(), said.begin(), said.end());
        return call_of_a{"ack_and_fetch", arguments};
    };
    return {outcome({"complete", "a", "{}"}),
            outcome({"complete", "a", "{}", "next", "other"}),
            outcome({"done", "a", "result", "7", "keep", "60000", "checkpoint", "drop"}),
            outcome({"finished", "a"}),
            outcome({"fail", "a", "g", "m"}),
            outcome({"retry", "a", "0"}),
            outcome({"retry", "a", "60", "g", "m"}),
            outcome({"release", "a"}),
            outcome({"effects", "a", "g", "2", "3", "SET", "effect", "1", "7", "put", "w", "q", "child", "k",
                     "{}", "0", "done"}),
            outcome({"effects", "a", "g", "1", "3", "SET", "effect", "1", "done", "next", "other"}),
            {"renew_runs", {"300", "q", "A", "a", since}},
            {"note", {"300", "q", "A", "6", "a", since, "progress", R"({"fraction":1})", "checkpoint", "7"}},
            {"step_set", {"300", "q", "A", "4", "a", since, "s", "7"}}};
}

/// The others do not say when: they are qless', and of who has the job under another name.
std::vector<call_of_a> calls_of_workers()
{
    return {{"complete", {"300", "a", "A", "q", "{}"}},
            {"complete", {"300", "a", "A", "q", "{}", "next", "other"}},
            {"complete_many", {"300", "4", "a", "A", "q", "{}"}},
            {"fail", {"300", "a", "A", "g", "m"}},
            {"fail_many", {"300", "4", "a", "A", "g", "m"}},
            {"retry", {"300", "a", "q", "A", "0"}},
            {"retry_many", {"300", "4", "a", "q", "A", "0"}},
            {"heartbeat", {"300", "a", "A"}},
            {"heartbeat_many", {"300", "2", "a", "A"}},
            {"renew", {"300", "q", "A", "a"}}};
}

std::string shown(const words& all)
{
    std::string text;
    for (const auto& word : all)
        text += word + ' ';
    return text;
}

class late_calls_test
{
public:
    /// Each call arrives while `next` runs the job, and when it has ended the job in each way: nothing changes.
    void check(const std::vector<call_of_a>& calls, const std::string& next)
    {
        const std::vector<words> ends{{},
                                      {"complete", "a", "{}"},
                                      {"complete", "a", "{}", "next", "q"},
                                      {"fail", "a", "g", "why"},
                                      {"retry", "a", "0"},
                                      {"release", "a"}};
        for (const auto& end : ends)
            for (const auto& [script, arguments] : calls) {
                give_on(next);
                if (!end.empty())
                    end_it(next, end);
                const auto before = dump_all();
                redis_.try_call(script, {}, arguments);
                BOOST_TEST((dump_all() == before),
                           script << " with " << shown(arguments) << ", behind " << shown(end));
            }
    }

    void give_on(const std::string& next)
    {
        redis_.raw()("FLUSHALL");
        redis_.call("put", {"100", "w", "q", "a", "k", "{}", "0"});
        redis_.call("ack_and_fetch", {"110", "q", "A", "1"});
        redis_.call("timeout", {"180", "a"});
        redis_.call("ack_and_fetch", {"200", "q", next, "1"});
        BOOST_TEST_REQUIRE(redis_.raw()("HGET", "ql:j:a", "worker").text == next);
    }

    void end_it(const std::string& worker, const words& end)
    {
        words arguments{"210", "q", worker, "0", std::to_string(end.size())};
        arguments.insert(arguments.end(), end.begin(), end.end());
        BOOST_TEST_REQUIRE(redis_.call("ack_and_fetch", arguments).elements.at(0).elements.empty());
    }

    dump dump_all()
    {
        dump found;
        for (const auto& key : redis_.raw()("KEYS", "*").texts())
            found[key] = redis_.raw()("DUMP", key).text;
        return found;
    }

protected:
    managed_redis redis_;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(change_nothing_of_another_worker_s_run, late_calls_test)
{
    check(calls_of_runs(), "B");
    check(calls_of_workers(), "B");
}

BOOST_FIXTURE_TEST_CASE(change_nothing_of_a_later_run_of_the_same_worker, late_calls_test)
{
    check(calls_of_runs(), "A");
}

/// They change what the calls say they do, as long as A holds the job.
BOOST_FIXTURE_TEST_CASE(would_have_changed_something_in_time, late_calls_test)
{
    auto calls = calls_of_runs();
    const auto others = calls_of_workers();
    calls.insert(calls.end(), others.begin(), others.end());
    for (const auto& [script, arguments] : calls) {
        redis_.raw()("FLUSHALL");
        redis_.call("put", {"100", "w", "q", "a", "k", "{}", "0"});
        redis_.call("ack_and_fetch", {"110", "q", "A", "1"});
        const auto before = dump_all();
        redis_.try_call(script, {}, arguments);
        BOOST_TEST((dump_all() != before), script);
    }
}

/// A worker that fetches has been seen.
BOOST_FIXTURE_TEST_CASE(take_nothing_that_another_holds, late_calls_test)
{
    for (const words& end : {words{}, words{"complete", "a", "{}"}, words{"fail", "a", "g", "why"}}) {
        give_on("B");
        if (!end.empty())
            end_it("B", end);
        auto before = dump_all();
        redis_.call("ack_and_fetch", {"211", "q", "A", "5"});
        auto after = dump_all();
        BOOST_TEST(before.erase("ql:workers") + after.erase("ql:workers") == 2u);
        BOOST_TEST((after == before));
    }
}

BOOST_AUTO_TEST_SUITE_END()
