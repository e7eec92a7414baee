// SPDX-License-Identifier: MIT
#include "fault_test.hpp"
#include "support/qless_client.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Limits while workers are killed: none is exceeded, none stays taken, no job is lost.
BOOST_AUTO_TEST_SUITE(managed_limit_faults)

namespace {

constexpr std::size_t jobs = is_sanitized ? 300 : 1'000;
constexpr int tenants = 5, all_at_once = 6;

struct limit_fault_test : fault_test, qless_client
{
    limit_fault_test() : fault_test{{}, "managed:mail"}, qless_client{server}
    {
        qless("limit_set", "all", "max", all_at_once);
        qless("limit_set", "tenant:*", "max", 2);
    }

    /// Puts the numbers below `count`, each subject to two limits, one of `in_turn` of them in turn.
    void put_numbers(std::size_t count, std::size_t in_turn = 10)
    {
        const auto script = server("SCRIPT", "LOAD", detail::find_script("managed/put").text).text;
        std::vector<std::vector<std::string>> all;
        for (std::size_t i = 0; i != count; ++i) {
            const auto number = std::to_string(i), tenant = std::to_string(i % tenants);
            all.push_back({"EVALSHA", script, "1", "ql:", "server", "", "mail", "job-" + number, "Job",
                           number, "0", "retries", "1000", "limits",
                           R"(["tenant:)" + tenant + R"(","all"])"});
            if (i % in_turn == 0) {
                all.back().push_back("order");
                all.back().push_back("key " + tenant);
            }
        }
        for (const auto& put : server.raw().pipeline(all))
            BOOST_TEST_REQUIRE(!put.is_error(), put.text);
    }

    std::int64_t held(const std::string& limit)
    {
        return server("HLEN", "ql:coworker:held:" + limit).integer;
    }

    /// Looks at the limits until all is done.
    void wait_for_jobs(std::size_t count)
    {
        wait_until("all jobs are complete", [&] {
            BOOST_REQUIRE_LE(server("ZCARD", "ql:q:mail-locks").integer, all_at_once);
            BOOST_REQUIRE_LE(held("all"), all_at_once);
            for (int i = 0; i != tenants; ++i)
                BOOST_REQUIRE_LE(held("tenant:" + std::to_string(i)), 2);
            return server("ZCARD", "ql:completed").integer == static_cast<std::int64_t>(count);
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
    const auto survivors = kill_workers(6, jobs / 12);
    wait_for_jobs(jobs);
    check_all_done(jobs);
}

BOOST_FIXTURE_TEST_CASE(all_workers_killed_at_once_keep_no_slots, limit_fault_test)
{
    put_numbers(jobs);
    kill_all_workers(3, jobs / 8);
    const auto survivor = start_worker();
    wait_for_jobs(jobs);
    check_all_done(jobs);
}

BOOST_FIXTURE_TEST_CASE(jobs_of_an_order_key_run_in_turn_whoever_is_killed, limit_fault_test)
{
    put_numbers(jobs, 1);
    const auto survivors = kill_workers(6, jobs / 12);
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

BOOST_AUTO_TEST_SUITE_END()
