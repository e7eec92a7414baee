// SPDX-License-Identifier: MIT
#include "coworker/metrics.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <string>

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(worker_metrics)

using coworker::event_kind;

namespace {

bool has_line(const std::string& page, const std::string& line)
{
    return ("\n" + page).find("\n" + line + "\n") != std::string::npos;
}

/// The id of a job that was pushed so long ago.
std::string id_of_age(std::chrono::milliseconds age)
{
    const auto then = std::chrono::system_clock::now() - age;
    const auto ms = static_cast<unsigned long long>(
        std::chrono::duration_cast<std::chrono::milliseconds>(then.time_since_epoch()).count());
    char id[64];
    std::snprintf(id, sizeof id, "%08llx-%04llx-7000-8000-000000000000", ms >> 16, ms & 0xffff);
    return id;
}

} // namespace

BOOST_AUTO_TEST_CASE(puts_durations_into_buckets)
{
    coworker::duration_histogram times;
    BOOST_TEST(times.count() == 0u);
    times.add(1ms); // a bound belongs to the bucket below it
    times.add(1001us);
    times.add(-5s);
    times.add(3h);
    BOOST_TEST(times.counts.front() == 2u);
    BOOST_TEST(times.counts[1] == 1u);
    BOOST_TEST(times.counts.back() == 1u);
    BOOST_TEST(times.count() == 4u);
    BOOST_TEST((times.sum == 3h + 1ms + 1001us));
}

BOOST_AUTO_TEST_CASE(counts_what_becomes_of_the_jobs_of_each_queue)
{
    const coworker::worker_metrics metrics;
    const auto observe = metrics.observe();
    observe({.kind = event_kind::fetched, .queue = "mail", .count = 3});
    for (int i = 0; i != 3; ++i)
        observe({.kind = event_kind::started, .queue = "mail", .job_id = "x", .attempt = 1});
    observe({.kind = event_kind::succeeded, .queue = "mail", .duration = 20ms});
    observe({.kind = event_kind::retried, .queue = "mail", .duration = 2s});
    observe({.kind = event_kind::failed, .queue = "report", .duration = 1ms});
    observe({.kind = event_kind::recovered, .queue = "report", .count = 5});
    const auto page = metrics.prometheus();
    for (const auto* line : {R"(coworker_worker_jobs_total{queue="mail",outcome="succeeded"} 1)",
                             R"(coworker_worker_jobs_total{queue="mail",outcome="retried"} 1)",
                             R"(coworker_worker_jobs_total{queue="mail",outcome="failed"} 0)",
                             R"(coworker_worker_jobs_total{queue="report",outcome="failed"} 1)",
                             R"(coworker_worker_fetched_jobs_total{queue="mail"} 3)",
                             R"(coworker_worker_recovered_jobs_total{queue="report"} 5)",
                             R"(coworker_worker_running_jobs{queue="mail"} 1)",
                             R"(coworker_worker_run_seconds_bucket{queue="mail",le="0.01"} 0)",
                             R"(coworker_worker_run_seconds_bucket{queue="mail",le="0.025"} 1)",
                             R"(coworker_worker_run_seconds_bucket{queue="mail",le="+Inf"} 2)",
                             R"(coworker_worker_run_seconds_sum{queue="mail"} 2.02)",
                             R"(coworker_worker_run_seconds_count{queue="mail"} 2)"})
        BOOST_TEST(has_line(page, line), line << '\n' << page);
    BOOST_TEST(metrics.run_times("mail").count() == 2u);
    BOOST_TEST(metrics.run_times("nothing").count() == 0u);
}

BOOST_AUTO_TEST_CASE(tells_how_long_jobs_waited_for_their_first_run)
{
    const coworker::worker_metrics metrics;
    const auto observe = metrics.observe();
    const auto id = id_of_age(1h);
    observe({.kind = event_kind::started, .queue = "mail", .job_id = id, .attempt = 1});
    observe({.kind = event_kind::started, .queue = "mail", .job_id = id, .attempt = 2});
    observe({.kind = event_kind::started, .queue = "mail", .job_id = "no time", .attempt = 1});
    const auto waits = metrics.wait_times("mail");
    BOOST_TEST(waits.count() == 1u);
    BOOST_TEST((waits.sum >= 1h));
}

BOOST_AUTO_TEST_CASE(tells_of_the_connection_and_of_problems)
{
    const coworker::worker_metrics metrics;
    const auto observe = metrics.observe();
    BOOST_TEST(has_line(metrics.prometheus(), "coworker_worker_connected 1"));
    observe({.kind = event_kind::disconnected});
    BOOST_TEST(has_line(metrics.prometheus(), "coworker_worker_connected 0"));
    observe({.kind = event_kind::reconnected});
    observe({.kind = event_kind::fallback_poll_found_work, .queue = "mail"});
    const auto page = metrics.prometheus();
    BOOST_TEST(has_line(page, "coworker_worker_connected 1"));
    BOOST_TEST(has_line(page, R"(coworker_worker_problems_total{problem="disconnected"} 1)"), page);
    BOOST_TEST(has_line(page, R"(coworker_worker_problems_total{problem="fallback_poll_found_work"} 1)"),
               page);
}

BOOST_AUTO_TEST_CASE(knows_figures_of_the_process)
{
    const auto page = coworker::metrics_of_process();
    for (const auto* name :
         {"coworker_build_info{version=\"", "process_cpu_seconds_total ", "process_resident_memory_bytes ",
          "process_open_fds ", "process_max_fds ", "process_start_time_seconds "})
        BOOST_TEST(page.find('\n' + std::string{name}) != std::string::npos, page);
}

BOOST_AUTO_TEST_SUITE_END()
