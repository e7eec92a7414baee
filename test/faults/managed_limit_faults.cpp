// SPDX-License-Identifier: MIT
#include "fault_test.hpp"
#include "support/qless_client.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <deque>
#include <functional>
#include <set>
#include <vector>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Limits while workers are killed: none is exceeded, none stays taken, no job is lost.
BOOST_AUTO_TEST_SUITE(managed_limit_faults)

namespace {

constexpr std::size_t jobs = is_sanitized ? 300 : 1'000;
constexpr int tenants = 5, all_at_once = 6;

using words = std::vector<std::string>;

struct limit_fault_test : fault_test, qless_client
{
    limit_fault_test() : fault_test{{}, "managed:mail"}, qless_client{server}
    {
        qless("limit_set", "all", "max", all_at_once);
        qless("limit_set", "tenant:*", "max", 2);
    }

    /// Puts the numbers below `count`, each with the options that `options_of` names for it.
    void put_each(std::size_t count, const std::function<words(std::size_t)>& options_of)
    {
        const auto script = server("SCRIPT", "LOAD", detail::find_script("managed/put").text()).text;
        std::vector<words> all;
        for (std::size_t i = 0; i != count; ++i) {
            const auto number = std::to_string(i);
            all.push_back({"EVALSHA", script, "1", "ql:", "server", "", "mail", "job-" + number, "Job",
                           number, "0", "retries", "1000"});
            for (auto& word : options_of(i))
                all.back().push_back(std::move(word));
        }
        for (const auto& put : server.raw().pipeline(all))
            BOOST_TEST_REQUIRE(!put.is_error(), put.text);
    }

    /// Each is subject to two limits, and one of `in_turn` of them runs in turn.
    void put_numbers(std::size_t count, std::size_t in_turn = 10)
    {
        put_each(count, [in_turn](std::size_t i) {
            const auto tenant = std::to_string(i % tenants);
            words options{"limits", R"(["tenant:)" + tenant + R"(","all"])"};
            if (i % in_turn == 0)
                options.insert(options.end(), {"order", "key " + tenant});
            return options;
        });
    }

    std::int64_t held(const std::string& limit)
    {
        return server("HLEN", "ql:coworker:held:" + limit).integer;
    }

    /// The units of a limit that running jobs hold.
    std::int64_t units_held(const std::string& limit)
    {
        std::int64_t sum = 0;
        for (const auto& units : server("HVALS", "ql:coworker:held:" + limit).texts())
            sum += std::stoll(units);
        return sum;
    }

    /// How many jobs of the queue have been taken, each attempt counted; and the time in microseconds.
    std::pair<std::int64_t, std::int64_t> taken_and_time()
    {
        const auto both = server("EVAL",
                                 "local taken, time = 0, redis.call('TIME') "
                                 "for _, key in ipairs(redis.call('KEYS', 'ql:s:wait:*:mail')) do "
                                 "taken = taken + (tonumber(redis.call('HGET', key, 'total')) or 0) end "
                                 "return { taken, time[1] * 1000000 + time[2] }",
                                 0);
        return {both.elements.at(0).integer, both.elements.at(1).integer};
    }

    bool are_complete(std::size_t count)
    {
        return server("ZCARD", "ql:completed").integer == static_cast<std::int64_t>(count);
    }

    /// Looks at the limits until all is done.
    void wait_for_jobs(std::size_t count)
    {
        wait_until("all jobs are complete", [&] {
            BOOST_REQUIRE_LE(server("ZCARD", "ql:q:mail-locks").integer, all_at_once);
            BOOST_REQUIRE_LE(held("all"), all_at_once);
            for (int i = 0; i != tenants; ++i)
                BOOST_REQUIRE_LE(held("tenant:" + std::to_string(i)), 2);
            return are_complete(count);
        });
    }

    /// The same with what `look` looks at, while as many workers are killed, each after at most so many runs.
    void run_and_look(std::size_t count, int times, std::size_t most, const std::function<void()>& look)
    {
        auto workers = start_workers(3, {});
        for (int kills = 0; kills != times; ++kills) {
            const auto until = std::min(record.refresh().runs() + random_between(1, most), count);
            wait_until("more has run", [&] {
                look();
                return record.refresh().runs() >= until;
            });
            auto& victim = workers[random_between(0, workers.size() - 1)];
            victim.kill();
            victim = start_worker();
        }
        wait_until("all jobs are complete", [&] {
            look();
            return are_complete(count);
        });
    }

    void check_all_done(std::size_t count)
    {
        record.refresh();
        BOOST_TEST(record.missing(count) == 0u);
        for (const auto* kind : {"held", "used", "holders", "lane", "parked", "later", "waiters"})
            BOOST_TEST(server("KEYS", "ql:coworker:" + std::string{kind} + ":*").texts().empty(), kind);
        BOOST_TEST(server("SCARD", "ql:failures").integer == 0);
        BOOST_TEST(broken() == "");
        BOOST_TEST(worker_log().find("fallback_poll") == std::string::npos);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(killed_workers_keep_no_slots, limit_fault_test)
{
    put_numbers(jobs);
    const auto survivors = kill_workers(6, jobs);
    wait_for_jobs(jobs);
    check_all_done(jobs);
}

BOOST_FIXTURE_TEST_CASE(all_workers_killed_at_once_keep_no_slots, limit_fault_test)
{
    put_numbers(jobs);
    kill_all_workers(3, jobs);
    const auto survivor = start_worker();
    wait_for_jobs(jobs);
    check_all_done(jobs);
}

BOOST_FIXTURE_TEST_CASE(jobs_of_an_order_key_run_in_turn_whoever_is_killed, limit_fault_test)
{
    put_numbers(jobs, 1);
    const auto survivors = kill_workers(6, jobs);
    wait_for_jobs(jobs);
    check_all_done(jobs);
    std::vector<int> last(tenants,
                          -1); // a job whose worker was killed after its end runs again, before the next
    for (const auto& job : record.in_order()) {
        const int number = std::stoi(job), tenant = number % tenants;
        BOOST_TEST(number >= last[static_cast<std::size_t>(tenant)]);
        last[static_cast<std::size_t>(tenant)] = number;
    }
}

BOOST_FIXTURE_TEST_CASE(units_are_not_exceeded_and_all_come_back, limit_fault_test)
{
    constexpr int units = 6;
    qless("limit_set", "gpu", "max", units);
    put_each(jobs, [](std::size_t i) {
        return words{"limits", R"([["gpu",)" + std::to_string(1 + i % 4) + "]]"};
    });
    std::int64_t most = 0;
    const auto look = [&] {
        most = std::max(most, units_held("gpu"));
        BOOST_REQUIRE_LE(most, units);
    };
    run_and_look(jobs, 6, jobs / 12, look);
    BOOST_TEST(most > units - 4);
    check_all_done(jobs);
}

BOOST_FIXTURE_TEST_CASE(no_more_begin_in_a_period_than_may_whoever_is_killed, limit_fault_test)
{
    constexpr int rate = 60, burst = 5;
    constexpr std::int64_t period = 1'000'000;
    constexpr std::size_t count = 240;
    qless("limit_set", "api", "rate", rate, "burst", burst);
    put_each(count, [](std::size_t) { return words{"limits", R"(["api"])"}; });
    std::deque<std::pair<std::int64_t, std::int64_t>> seen{taken_and_time()}; // of the last period
    std::int64_t most = 0;
    const auto look = [&] {
        const auto now = taken_and_time();
        while (now.second - seen.front().second > period)
            seen.pop_front();
        if (!seen.empty())
            most = std::max(most, now.first - seen.front().first);
        seen.push_back(now);
        BOOST_REQUIRE_LE(most, rate + burst - 1);
    };
    run_and_look(count, 5, count / 8, look);
    BOOST_TEST_MESSAGE("at most " << most << " began in a second");
    BOOST_TEST(most > burst);
    check_all_done(count);
}

BOOST_FIXTURE_TEST_CASE(a_large_group_delays_no_other_whoever_is_killed, limit_fault_test)
{
    constexpr std::size_t in_a_small_group = jobs / 25, small_groups = 4,
                          first_small = jobs - small_groups * in_a_small_group; // pushed behind the large one
    put_each(jobs, [](std::size_t i) {
        const auto group = i < first_small ? "large" : "small " + std::to_string(i % small_groups);
        return words{"group", group};
    });
    const auto survivors = kill_workers(1, in_a_small_group);
    wait_until("all jobs are complete", [&] { return are_complete(jobs); });
    check_all_done(jobs);
    // Those that a killed worker had taken come later.
    std::set<std::string> small;
    for (auto i = first_small; i != jobs; ++i)
        if (history("job-" + std::to_string(i)).find("timed-out") == std::string::npos)
            small.insert(std::to_string(i));
    BOOST_TEST(small.size() >= small_groups * in_a_small_group / 4);
    std::size_t runs_before = 0; // of the large group, until the last of these has run
    for (const auto& job : record.in_order()) {
        if (small.empty())
            break;
        small.erase(job);
        runs_before += std::stoul(job) < first_small ? 1 : 0;
    }
    BOOST_TEST_MESSAGE(runs_before << " jobs of the large group ran before all of the small ones");
    BOOST_TEST(runs_before < first_small / 2);
}

BOOST_AUTO_TEST_SUITE_END()
