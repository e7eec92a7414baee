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
constexpr std::size_t inner_batches = 10;

struct batch_fault_test : fault_test, qless_client
{
    batch_fault_test() : fault_test{{}, "managed:mail"}, qless_client{server} {}

    /// Opens an outer batch and those inside of it. The callback of each is a job with the next number behind the jobs'.
    void open_batches()
    {
        qless("batch_open", "outer", "success", callback(inner_batches));
        for (std::size_t i = 0; i != inner_batches; ++i)
            qless("batch_open", name_of(i), "parent", "outer", "success", callback(i));
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
        const auto script = server("SCRIPT", "LOAD", detail::find_script("managed/put").text).text;
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

    void wait_for_all()
    {
        wait_until("all jobs and callbacks are complete", [&] {
            return server("ZCARD", "ql:completed").integer ==
                   static_cast<std::int64_t>(jobs_in_batches + inner_batches + 1);
        });
    }

    void check_counts()
    {
        record.refresh();
        BOOST_TEST(record.missing(jobs_in_batches + inner_batches + 1) == 0u);
        const auto each = std::to_string(jobs_in_batches / inner_batches);
        for (std::size_t i = 0; i != inner_batches; ++i) {
            BOOST_TEST(field_of(name_of(i), "outcome") == "succeeded");
            BOOST_TEST(field_of(name_of(i), "total") == each);
            BOOST_TEST(field_of(name_of(i), "succeeded") == each);
            BOOST_TEST(field_of(name_of(i), "pending") == "0");
        }
        BOOST_TEST(field_of("outer", "outcome") == "succeeded");
        BOOST_TEST(field_of("outer", "succeeded") == std::to_string(inner_batches));
        BOOST_TEST(broken() == "");
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
    const auto survivors = kill_workers(6, jobs_in_batches / 12);
    wait_for_all();
    check_counts();
}

BOOST_FIXTURE_TEST_CASE(batches_end_after_all_workers_were_killed, batch_fault_test)
{
    open_batches();
    put_numbers();
    seal_batches();
    kill_all_workers(3, jobs_in_batches / 8);
    const auto survivor = start_worker();
    wait_for_all();
    check_counts();
}

BOOST_AUTO_TEST_SUITE_END()
