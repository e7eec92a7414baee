// SPDX-License-Identifier: MIT
#include "support/coroutine.hpp"
#include "support/temporary_folder.hpp"
#include "work_test.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

/// Workers with processes that get many jobs are killed, with these processes: no job is lost, and what an answer
/// hands over is carried out once.
BOOST_AUTO_TEST_SUITE(killed_workers)

using namespace coworker::test;
namespace asio = boost::asio;

namespace {

constexpr int jobs = 150, kills = 6;

struct killing_work : work_test
{
    asio::io_context io;
    temporary_folder notes;

    std::string runs_file() const { return notes.file("runs"); }

    std::int64_t runs() const
    {
        std::ifstream file{runs_file()};
        return std::count(std::istreambuf_iterator<char>{file}, {}, '\n');
    }

    /// A job notes that it runs. Its answer increments a field of `by-job` and pushes a job to `children`.
    running_program start(const std::string& queue, const std::string& child)
    {
        const auto script =
            reads + "echo \"$id\" >>" + runs_file() + "; sleep 0.01; " +
            says(R"("outcome":"success","effects":[{"command":["HINCRBY","by-job","$id","1"]},)" + child +
                 "]") +
            "done";
        return running_program{{"work", queue, "--redis", server.url(), "--sandbox", sandboxes.path(),
                                "--concurrency", "8", "--lines", "--", "sh", "-c", script}};
    }

    /// Kills workers of this queue until all jobs have run and have been acknowledged.
    void work_and_kill(const std::string& queue, const std::string& child, std::function<bool()> is_done)
    {
        for (int i = 1; i <= kills; ++i) {
            running_program victim = start(queue, child);
            run_coroutine(io,
                          eventually("some jobs have run", [&] { return runs() >= i * jobs / (kills + 1); }));
            victim.signal(SIGKILL);
            victim.read_to_end();
        }
        running_program last = start(queue, child);
        run_coroutine(io, eventually("all jobs are done", is_done));
        BOOST_TEST(ends_well(last));
        BOOST_TEST_MESSAGE(runs() << " runs of " << jobs << " jobs");
        BOOST_TEST(runs() > jobs);
        BOOST_TEST(server("HLEN", "by-job").integer == jobs);
        for (const auto& times : server("HVALS", "by-job").texts())
            BOOST_TEST(times == "1");
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(lose_no_job_of_a_list_queue, killing_work)
{
    std::string lines;
    for (int i = 0; i != jobs; ++i)
        lines += "{\"id\":\"job-" + std::to_string(i) + "\"}\n";
    push({"mail", "--id-field", "id"}, lines);
    work_and_kill("mail", R"({"queue":"children","job":{"payload":1}})", [&] {
        return server.has_none("hworker-jobs-mail", "hworker-progress-mail", "hworker-scheduled-mail");
    });
    BOOST_TEST(server("EXISTS", "hworker-failed-mail").integer == 0);
    BOOST_TEST(waiting("children").size() == static_cast<std::size_t>(jobs));
}

BOOST_FIXTURE_TEST_CASE(lose_no_job_of_a_managed_queue, killing_work)
{
    set_option("grace-period", "0");
    for (int i = 0; i != jobs; ++i)
        put("job-" + std::to_string(i), "Letter", "{}", "retries", 1000);
    work_and_kill("managed:mail", R"({"queue":"managed:children","job":{"kind":"Child","payload":1}})", [&] {
        return server.has_none("ql:q:mail-work", "ql:q:mail-locks", "ql:q:mail-scheduled");
    });
    BOOST_TEST(server("ZCARD", "ql:completed").integer == jobs);
    BOOST_TEST(server("ZCARD", "ql:q:children-work").integer == jobs);
    BOOST_TEST(broken() == "");
}

/// A job that is killed with its worker three times is set aside. One that ran beside it twice is not, nor are others.
BOOST_FIXTURE_TEST_CASE(a_job_that_takes_three_workers_with_it_is_quarantined, killing_work)
{
    set_option("grace-period", "0");
    put("killer", "Letter", "{}", "retries", 10, "priority", 2);
    put("beside", "Letter", "{}", "retries", 10, "priority", 1);
    put("other", "Letter", "{}", "retries", 10);
    const auto note = "echo >>" + notes.path().string() + "/$COWORKER_JOB_ID; ";
    const auto count = [&](const std::string& jid) {
        std::ifstream file{notes.file(jid)};
        return std::count(std::istreambuf_iterator<char>{file}, {}, '\n');
    };
    const auto script = note +
                        "[ $COWORKER_JOB_ID = other ] && exit; [ $COWORKER_JOB_ID = beside ] && [ $(wc -l <" +
                        notes.path().string() + "/beside) = 3 ] && exit; sleep 60";
    const auto start = [&] {
        return running_program{{"work", "managed:mail", "--redis", server.url(), "--sandbox",
                                sandboxes.path(), "--worker-grace", "300ms", "--concurrency", "2", "--", "sh",
                                "-c", script}};
    };
    for (int turn = 1; turn <= 3; ++turn) {
        running_program victim = start();
        run_coroutine(io, eventually("both run", [&] {
                          return count("killer") == turn &&
                                 (turn < 3 ? count("beside") == turn : state("beside") == "complete");
                      }));
        victim.signal(SIGKILL);
        victim.read_to_end();
        BOOST_TEST(state("killer") == "running");
    }
    running_program last = start();
    run_coroutine(io, eventually("it has failed", [&] { return state("killer") == "failed"; }));
    run_coroutine(
        io, eventually("the others are done", [&] { return server("ZCARD", "ql:completed").integer == 2; }));
    BOOST_TEST(ends_well(last));
    BOOST_TEST(count("killer") == 3);
    BOOST_TEST(count("beside") == 3);
    BOOST_TEST(state("beside") == "complete");
    BOOST_TEST(state("other") == "complete");
    BOOST_TEST(server("LRANGE", "ql:f:Letter:quarantined", 0, -1).texts() ==
                   std::vector<std::string>{"killer"},
               boost::test_tools::per_element());
    BOOST_TEST(broken() == "");
}

BOOST_AUTO_TEST_SUITE_END()
