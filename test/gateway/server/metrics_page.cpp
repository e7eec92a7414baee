// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

#include "coworker/job_source.hpp"
#include "coworker/managed_client.hpp"
#include "coworker/schedules.hpp"

#include <regex>
#include <set>
#include <sstream>

BOOST_AUTO_TEST_SUITE(metrics_page)

using namespace coworker::test;

namespace {

bool has_line(const http_reply& page, const std::string& line)
{
    return ("\n" + page.body).find("\n" + line + "\n") != std::string::npos;
}

/// Checks the form of every line, and that each metric has HELP and TYPE once, before its samples.
void check_format(const std::string& text)
{
    const std::regex help{"# HELP ([a-z_]+) [^ ].*"}, type{"# TYPE ([a-z_]+) (counter|gauge)"},
        sample{R"re(([a-z_]+)(\{[a-z_]+="([^"\\]|\\.)*"(,[a-z_]+="([^"\\]|\\.)*")*\})? [0-9.e+-]+)re"};
    std::set<std::string> seen, series;
    std::string helped, typed;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
        std::smatch found;
        if (std::regex_match(line, found, help)) {
            helped = found[1];
            BOOST_TEST(seen.insert(helped).second, line);
        } else if (std::regex_match(line, found, type)) {
            typed = found[1];
            BOOST_TEST(typed == helped);
            BOOST_TEST((found[2] == "counter") == typed.ends_with("_total"), line);
        } else {
            BOOST_TEST_REQUIRE(std::regex_match(line, found, sample), line);
            BOOST_TEST(found[1] == typed);
            BOOST_TEST(series.insert(line.substr(0, line.rfind(' '))).second, line);
        }
    }
    BOOST_TEST(text.ends_with('\n'));
}

} // namespace

BOOST_FIXTURE_TEST_CASE(tells_what_queues_and_the_gateway_do, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        // Queued a minute ago, as its id says.
        const auto then = std::chrono::duration_cast<std::chrono::milliseconds>(
            (std::chrono::system_clock::now() - 60s).time_since_epoch());
        char id[64];
        const auto ms = static_cast<unsigned long long>(then.count());
        std::snprintf(id, sizeof id, "%08llx-%04llx-7000-8000-000000000000", ms >> 16, ms & 0xffff);
        store()("LPUSH", "hworker-jobs-mail", "[\"" + std::string{id} + "\",1]");
        co_await client.post("/jobber/queue", R"({"type":"mail","payload":1})");
        co_await client.post("/jobber/queue", "{");
        store()("HSET", "hworker-counters-mail", "success", 7);
        const auto page = co_await client.get("/metrics");
        BOOST_TEST(page.status == 200u);
        BOOST_TEST(page.field("content-type") == "text/plain; version=0.0.4; charset=utf-8");
        check_format(page.body);
        BOOST_TEST(has_line(page, "coworker_redis_up 1"));
        BOOST_TEST(has_line(page, R"(coworker_queue_jobs{queue="mail",state="waiting"} 2)"), page.body);
        BOOST_TEST(has_line(page, R"(coworker_jobs_total{queue="mail",outcome="succeeded"} 7)"));
        BOOST_TEST(has_line(page, R"(coworker_queue_paused{queue="mail"} 0)"));
        BOOST_TEST(has_line(page, R"(coworker_gateway_answers_total{status="201"} 1)"));
        BOOST_TEST(has_line(page, R"(coworker_gateway_answers_total{status="400"} 1)"));
        BOOST_TEST(has_line(page, "coworker_gateway_connections 1"));
        const std::string latency = R"(coworker_queue_latency_seconds{queue="mail"} )";
        const auto at = page.body.find(latency);
        BOOST_TEST_REQUIRE(at != page.body.npos);
        const double seconds = std::stod(page.body.substr(at + latency.size()));
        BOOST_TEST(seconds >= 60);
        BOOST_TEST(seconds < 90);
    });
}

BOOST_FIXTURE_TEST_CASE(tells_of_jobs_that_no_worker_takes, gateway_test)
{
    store()("LPUSH", "hworker-jobs-forgotten",
            R"(["0d6bfb2f-6d5c-4b0e-8f3a-5a6b7c8d9e0f",1])"); // tells no time
    store()("ZADD", "hworker-scheduled-late", 1000, R"(x:["1",1])");
    store()("HSET", "hworker-workers-late", 1,
            "coworker:00000000000000aa00000000000000aa"); // killed while the queue was idle
    store()("HSET", "hworker-counters-late", "dropped", 3, "dropped_broken", 4);
    serve([&]() -> asio::awaitable<void> {
        coworker::client other{io.get_executor(), options()};
        coworker::raw_list_queue busy{other, "busy"};
        const auto source = busy.make_source();
        co_await source->open();
        co_await source->ack_and_fetch({}, 1);
        auto client = connect();
        const auto page = co_await client.get("/metrics");
        check_format(page.body);
        for (const auto* line :
             {R"(coworker_queue_jobs{queue="forgotten",state="waiting"} 1)",
              R"(coworker_queue_jobs{queue="late",state="waiting"} 1)",
              R"(coworker_queue_jobs{queue="late",state="scheduled"} 0)",
              R"(coworker_queue_overdue_jobs{queue="late"} 1)",
              R"(coworker_queue_overdue_jobs{queue="forgotten"} 0)", R"(coworker_workers{queue="late"} 0)",
              R"(coworker_workers{queue="forgotten"} 0)", R"(coworker_workers{queue="busy"} 1)",
              R"(coworker_dropped_jobs_total{queue="late",state="failed"} 3)",
              R"(coworker_dropped_jobs_total{queue="late",state="broken"} 4)"})
            BOOST_TEST(has_line(page, line), line << " is not in\n" << page.body);
        co_await other.async_stop();
        // As if the job had been seen first a minute ago, by the first scrape.
        const auto noted = store()("ZRANGE", "hworker-ready-forgotten", 0, -1).texts();
        BOOST_TEST_REQUIRE(noted.size() == 1u);
        store()("ZINCRBY", "hworker-ready-forgotten", -60'000, noted.front());
        const auto later = co_await client.get("/metrics");
        const std::string latency = R"(coworker_queue_latency_seconds{queue="forgotten"} )";
        const auto at = later.body.find(latency);
        BOOST_TEST_REQUIRE(at != later.body.npos);
        BOOST_TEST(std::stod(later.body.substr(at + latency.size())) >= 60);
    });
}

BOOST_FIXTURE_TEST_CASE(tells_that_redis_is_away, impatient_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        co_await client.get("/ready");
        store().kill();
        const auto page = co_await client.get("/metrics");
        BOOST_TEST(page.status == 200u);
        check_format(page.body);
        BOOST_TEST(has_line(page, "coworker_redis_up 0"));
        store().restart();
    });
}

BOOST_FIXTURE_TEST_CASE(tells_of_managed_queues, managed_gateway_test)
{
    put_and_pop("done", "runs");
    qless("complete", "done", "w-1", "mail", "{}");
    let_fail("no \"disk\"", "failed");
    for (const auto* jid : {"w1", "w2"})
        put(jid, "K", "{}", "priority", "5");
    // As if w1 had been put a minute ago.
    store()("ZINCRBY", "ql:q:mail-work", "6e-9", "w1");
    store()("HSET", "ql:j:w1", "time", "1");
    qless("put", "", "a \"b\"\\\nc", "other", "K", "{}", "3600");
    qless("pause", "a \"b\"\\\nc");
    qless("put", "", "\xff", "bytes", "K", "{}", "0");
    qless("put", "", std::string{"a\0b", 3}, "zero", "K", "{}", "0");
    store()("ZADD", "ql:q:front-work", "inf", "stalled");
    qless("put", "", "front", "behind", "K", "{}", "0");
    // Given back a minute ago, having been taken an hour before.
    qless("put", "", "returned", "back", "K", "{}", "0");
    qless("pop", "returned", "w-1", "1");
    qless("retry", "back", "returned", "w-1");
    qless("pop", "returned", "w-1", "1");
    qless("timeout", "back");
    const auto seconds_now = std::stoll(store()("TIME").texts().at(0));
    store()("HINCRBY", "ql:s:stats:" + std::to_string(seconds_now / 86400 * 86400) + ":front", "retries", 2);
    store()("HSET", "ql:j:back", "time", seconds_now - 3660);
    store()("RPUSH", "ql:j:back-history", "[" + std::to_string(seconds_now - 60) + ",\"timed-out\"]");
    store()("ZADD", "ql:workers", seconds_now,
            "coworker:00000000000000aa00000000000000aa"); // killed while it was idle
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto page = co_await client.get("/metrics");
        check_format(page.body);
        BOOST_TEST(page.body.find('\0') == page.body.npos); // Prometheus would not read the page
        BOOST_TEST(has_line(page, "coworker_redis_up 1"));
        for (const auto* line :
             {R"(coworker_managed_queue_jobs{queue="mail",state="waiting"} 2)",
              R"(coworker_managed_queue_jobs{queue="mail",state="running"} 1)",
              R"(coworker_managed_queue_jobs{queue="a \"b\"\\\nc",state="scheduled"} 1)",
              R"(coworker_managed_queue_paused{queue="a \"b\"\\\nc"} 1)",
              R"(coworker_managed_queue_paused{queue="mail"} 0)",
              R"(coworker_managed_queue_latency_seconds{queue="a \"b\"\\\nc"} 0)",
              R"(coworker_managed_queue_latency_seconds{queue="front"} 0)",
              R"(coworker_managed_jobs_total{queue="mail",outcome="succeeded"} 1)",
              R"(coworker_managed_jobs_total{queue="mail",outcome="failed"} 1)",
              R"(coworker_managed_jobs_total{queue="returned",outcome="retried"} 1)",
              R"(coworker_managed_jobs_total{queue="returned",outcome="lost_lock"} 0)",
              R"(coworker_managed_jobs_total{queue="front",outcome="retried"} 0)",
              R"(coworker_managed_jobs_total{queue="front",outcome="lost_lock"} 2)",
              R"(coworker_managed_failed_jobs{group="no \"disk\""} 1)", "coworker_managed_workers 1"})
            BOOST_TEST(has_line(page, line), line);
        for (const std::string queue : {"mail", "returned"}) {
            const auto latency = "coworker_managed_queue_latency_seconds{queue=\"" + queue + "\"} ";
            const auto at = page.body.find(latency);
            BOOST_TEST_REQUIRE(at != page.body.npos);
            const double seconds = std::stod(page.body.substr(at + latency.size()));
            BOOST_TEST(seconds >= 59, queue);
            BOOST_TEST(seconds < 90, queue);
        }
        const auto workers = co_await client.get("/v1/workers");
        BOOST_TEST(workers.json().at("workers").as_array().size() == 1u);
        const auto returned = co_await client.get("/v1/queues/managed:returned");
        BOOST_TEST(returned.json().at("latency_seconds").to_number<double>() >= 59);
    });
}

BOOST_FIXTURE_TEST_CASE(tells_of_limits_and_schedules, managed_gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        const coworker::managed_client jobs{redis};
        coworker::limit_settings few, slow;
        few.max_running = 1;
        slow.rate = 5;
        co_await jobs.async_set_limit("gpu", few);
        co_await jobs.async_set_limit("api", slow);
        coworker::managed_queue queue{redis, "mail"};
        coworker::managed_push_options how;
        how.limits = "gpu";
        for (int i = 0; i != 3; ++i)
            co_await queue.async_push("Letter", i, how);
        qless("pop", "mail", "w-1", "5");
        coworker::schedules kept{redis};
        coworker::schedule hourly;
        hourly.cron = "@hourly";
        co_await kept.async_set("report", hourly, "mail", "Report", 1);
        co_await kept.async_set("late", hourly, "mail", "Report", 1);
        // As if nobody had carried it out for a minute.
        const auto now = std::stoll(store()("TIME").texts().at(0));
        store()("ZADD", "ql:coworker:schedules", "XX", now - 60, "late");
        co_await kept.async_pause("report");
        auto client = connect();
        const auto page = co_await client.get("/metrics");
        check_format(page.body);
        for (const auto* line :
             {R"(coworker_managed_queue_held_back_jobs{queue="mail"} 2)",
              R"(coworker_managed_queue_unhandled_jobs{queue="mail"} 0)",
              R"(coworker_limit_used{limit="gpu"} 1)", R"(coworker_limit_waiting_jobs{limit="gpu"} 2)",
              R"(coworker_limit_max_running{limit="gpu"} 1)", R"(coworker_limit_used{limit="api"} 0)",
              R"(coworker_schedule_paused{schedule="report"} 1)",
              R"(coworker_schedule_late_seconds{schedule="report"} 0)",
              R"(coworker_schedule_problem{schedule="late"} 0)",
              R"(coworker_schedule_runs_total{schedule="late"} 0)"})
            BOOST_TEST(has_line(page, line), line << " is not in\n" << page.body);
        const std::string lateness = R"(coworker_schedule_late_seconds{schedule="late"} )";
        const auto at = page.body.find(lateness);
        BOOST_TEST_REQUIRE(at != page.body.npos);
        BOOST_TEST(std::stod(page.body.substr(at + lateness.size())) >= 60);
    });
}

BOOST_FIXTURE_TEST_CASE(tells_of_batches, managed_gateway_test)
{
    qless("batch_open", "done");
    qless("batch_seal", "done");
    qless("batch_open", "open");
    put("j", "Letter", "{}", "options", R"({"batch":"open"})");
    qless("pop", "mail", "w-1", "1");
    qless("fail", "j", "w-1", "io", "no luck", "{}");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto page = co_await client.get("/metrics");
        check_format(page.body);
        for (const auto* line :
             {R"(coworker_batches{state="open"} 1)", R"(coworker_batches{state="succeeded"} 1)",
              R"(coworker_batches{state="failed"} 0)", "coworker_batches_failing 1",
              "coworker_batches_problem 0"})
            BOOST_TEST(has_line(page, line), line << " is not in\n" << page.body);
        BOOST_TEST(page.body.find("\ncoworker_batch_oldest_seconds 0.") != page.body.npos, page.body);
    });
}

BOOST_FIXTURE_TEST_CASE(tells_of_list_queues_while_managed_ones_cannot_be_read, managed_gateway_test)
{
    store()("SET", "ql:queues", "x");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        co_await client.post("/jobber/queue", R"({"type":"mail","payload":1})");
        const auto page = co_await client.get("/metrics");
        check_format(page.body);
        BOOST_TEST(has_line(page, "coworker_redis_up 0"));
        BOOST_TEST(has_line(page, R"(coworker_queue_jobs{queue="mail",state="waiting"} 1)"));
    });
}

BOOST_AUTO_TEST_SUITE_END()
