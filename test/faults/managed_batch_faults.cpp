// SPDX-License-Identifier: MIT
#include "fault_test.hpp"
#include "support/qless_client.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Batches while workers are killed: each job counts once, each batch ends, and its callback runs.
BOOST_AUTO_TEST_SUITE(managed_batch_faults)

namespace {

constexpr std::size_t jobs_in_batches = is_sanitized ? 300 : 1'000;
constexpr std::size_t inner_batches = 10, jobs_in_each = jobs_in_batches / inner_batches;

struct batch_fault_test : fault_test, qless_client
{
    batch_fault_test() : fault_test{{}, "managed:mail"}, qless_client{server} {}

    /// Opens an outer batch and those inside of it. The callback of each is a job with the next number behind the
    /// jobs'; with two callbacks the second has a number a hundred later.
    void open_batches(const std::string& callbacks = "success", const std::string& others = "failure")
    {
        qless("batch_open", "outer", callbacks, callback(inner_batches), others,
              callback(inner_batches + 100));
        for (std::size_t i = 0; i != inner_batches; ++i)
            qless("batch_open", name_of(i), "parent", "outer", callbacks, callback(i), others,
                  callback(i + 100));
    }

    void seal_batches()
    {
        qless("batch_seal", "outer");
        for (std::size_t i = 0; i != inner_batches; ++i)
            qless("batch_seal", name_of(i));
    }

    /// Puts the jobs, in turn into each of the inner batches.
    void put_numbers()
    {
        const auto script = server("SCRIPT", "LOAD", detail::find_script("managed/put").text()).text;
        std::vector<std::vector<std::string>> all;
        for (std::size_t i = 0; i != jobs_in_batches; ++i) {
            const auto number = std::to_string(i);
            all.push_back({"EVALSHA", script, "1", "ql:", "server", "", "mail", "job-" + number, "Job",
                           number, "0", "retries", "1000", "options",
                           R"({"batch":")" + name_of(i % inner_batches) + R"("})"});
        }
        for (const auto& put : server.raw().pipeline(all))
            BOOST_TEST_REQUIRE(!put.is_error(), put.text);
    }

    std::string field_of(const std::string& batch, const std::string& field)
    {
        return server("HGET", "ql:coworker:batch:" + batch, field).text;
    }

    void wait_for_all(std::size_t complete = jobs_in_batches + inner_batches + 1)
    {
        wait_until("all jobs and callbacks are complete", [&] {
            return server("ZCARD", "ql:completed").integer == static_cast<std::int64_t>(complete);
        });
    }

    void check_counts()
    {
        record.refresh();
        BOOST_TEST(record.missing(jobs_in_batches + inner_batches + 1) == 0u);
        for (std::size_t i = 0; i != inner_batches; ++i)
            check_batch(name_of(i), "succeeded", jobs_in_each, 0);
        check_batch("outer", "succeeded", inner_batches, 0);
        BOOST_TEST(broken() == "");
    }

    /// A tenth of the jobs failed, and another one added a job each.
    void check_mixed_counts()
    {
        record.refresh();
        BOOST_TEST(record.missing(jobs_in_batches + inner_batches + 1) == 0u);
        for (std::size_t i = 0; i <= inner_batches; ++i)
            BOOST_TEST(record.runs_of(std::to_string(jobs_in_batches + 100 + i)) > 0u);
        for (std::size_t i = 0; i != inner_batches; ++i)
            check_batch(name_of(i), "failed", jobs_in_each, jobs_in_each / 10);
        check_batch("outer", "failed", 0, inner_batches);
        BOOST_TEST(broken() == "");
    }

    void check_batch(const std::string& id, const std::string& outcome, std::size_t succeeded,
                     std::size_t failed)
    {
        BOOST_TEST_CONTEXT("batch " << id)
        {
            BOOST_TEST(field_of(id, "outcome") == outcome);
            BOOST_TEST(field_of(id, "pending") == "0");
            BOOST_TEST(field_of(id, "total") == std::to_string(succeeded + failed));
            BOOST_TEST(field_of(id, "succeeded") == (succeeded == 0 ? "" : std::to_string(succeeded)));
            BOOST_TEST(field_of(id, "failed") == (failed == 0 ? "" : std::to_string(failed)));
        }
    }

private:
    static std::string name_of(std::size_t i) { return "inner-" + std::to_string(i); }
    static std::string callback(std::size_t i)
    {
        return R"(["mail","Job",")" + std::to_string(jobs_in_batches + i) + R"("])";
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(jobs_of_killed_workers_count_once, batch_fault_test)
{
    open_batches();
    put_numbers();
    seal_batches();
    const auto survivors = kill_workers(6, jobs_in_batches);
    wait_for_all();
    check_counts();
}

BOOST_FIXTURE_TEST_CASE(batches_end_after_all_workers_were_killed, batch_fault_test)
{
    open_batches();
    put_numbers();
    seal_batches();
    kill_all_workers(3, jobs_in_batches);
    const auto survivor = start_worker();
    wait_for_all();
    check_counts();
}

BOOST_FIXTURE_TEST_CASE(jobs_that_fail_or_add_others_count_once_whoever_is_killed, batch_fault_test)
{
    open_batches("done", "failure");
    put_numbers();
    seal_batches();
    fault_worker_options how;
    how.batches = true;
    const auto survivors = kill_workers(6, jobs_in_batches, how);
    // as many were added as have failed; each batch has two callbacks
    wait_for_all(jobs_in_batches + 2 * (inner_batches + 1));
    check_mixed_counts();
}

BOOST_FIXTURE_TEST_CASE(batches_with_such_jobs_end_after_all_workers_were_killed, batch_fault_test)
{
    open_batches("done", "failure");
    put_numbers();
    seal_batches();
    fault_worker_options how;
    how.batches = true;
    kill_all_workers(3, jobs_in_batches, how);
    const auto survivor = start_worker(how);
    wait_for_all(jobs_in_batches + 2 * (inner_batches + 1));
    check_mixed_counts();
}

BOOST_AUTO_TEST_SUITE_END()
