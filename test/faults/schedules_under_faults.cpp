// SPDX-License-Identifier: MIT
#include "fault_test.hpp"
#include "redis/script.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

using namespace coworker::test;
using namespace std::chrono_literals;

/// Schedules that are carried out by processes which are killed.
BOOST_AUTO_TEST_SUITE(schedules_under_faults)

namespace {

constexpr std::int64_t missed = is_sanitized ? 600 : 3'000;

struct schedule_fault_test : fault_test
{
    schedule_fault_test() : fault_test{{}, "managed:mail"} {}

    redis_value call(const std::string& script, std::vector<std::string> arguments)
    {
        std::vector<std::string> words{"EVAL", coworker::detail::find_script("managed/" + script).text(), "1",
                                       "ql:", "server"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        return server.raw().command(words);
    }

    std::int64_t completed() { return server("ZCARD", "ql:completed").integer; }
    std::int64_t runs()
    {
        return server("HGET", "ql:coworker:schedule:s", "runs").text == ""
                   ? 0
                   : std::stoll(server("HGET", "ql:coworker:schedule:s", "runs").text);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(each_run_takes_place_once_whoever_is_killed, schedule_fault_test)
{
    // One run a second, and all of the last while are owed.
    const auto begin = std::stoll(server("TIME").texts()[0]) - missed;
    call("schedule_set", {"s", std::to_string(begin), "", "UTC", "1", "0", "all", "mail", "Job", "1",
                          R"(["retries","1000"])"});
    const auto survivors = kill_workers(8, static_cast<std::size_t>(missed));
    wait_until("what was owed is done", [&] { return runs() >= missed; });
    call("schedule_act", {"pause", "s"});
    wait_until("all jobs are complete", [&] { return completed() >= runs(); });

    std::set<std::int64_t> times;
    for (const auto& jid : server("ZRANGE", "ql:completed", 0, -1).texts())
        times.insert(std::stoll(jid.substr(jid.find('@') + 1)));
    BOOST_TEST(static_cast<std::int64_t>(times.size()) == runs());
    BOOST_TEST(*times.begin() == begin);
    BOOST_TEST(*times.rbegin() == begin + runs() - 1); // none is missing, none came twice
}

BOOST_AUTO_TEST_SUITE_END()
