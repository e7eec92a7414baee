// SPDX-License-Identifier: MIT
#include "benchmark.hpp"
#include "stage.hpp"

/// The gateway in a process of its own; wrk sends the requests, over 50 connections that are kept.
namespace bench {
namespace {

struct served
{
    double requests = 0; ///< per second
    double p99 = 0;      ///< microseconds
    double jobs = 0;     ///< that were queued
    double redis_us = 0; ///< of Redis' CPU, per job
};

served send(stage& on, const std::string& place, const std::string& path, int jobs)
{
    on.empty();
    const double before = on.redis_cpu();
    part wrk{{"wrk", "--threads", "1", "--connections", "50", "--duration", on.brief() ? "1s" : "5s",
              "--latency", "--script", BENCH_FOLDER "/http.lua", "http://127.0.0.1:" + place + path, "--",
              std::to_string(jobs)}};
    const auto took = wrk.result();
    served found;
    found.jobs = static_cast<double>(on.redis()("LLEN", "hworker-jobs-bench").integer);
    found.redis_us = jobs == 0 ? 0 : (on.redis_cpu() - before) * 1e6 / found.jobs;
    found.p99 = took.p99;
    found.requests = took.count / took.seconds;
    return found;
}

} // namespace

figures http_figures(stage& on)
{
    if (!is_installed("wrk")) {
        skip("http", "wrk is not installed: scripts/setup --benchmarks");
        return {};
    }
    task serve;
    serve.kind = "gateway";
    serve.url = on.tcp_url();
    part gateway{serve.words()};
    const auto port = gateway.wait_until_ready().substr(1);
    const auto alone = send(on, port, "/health", 0);
    const auto one = send(on, port, "/jobber/queue", 1);
    const auto batch = send(on, port, "/jobber/queue", 100);
    gateway.stop();

    // A batch can be no faster than the library without HTTP.
    const task bulk{
        .kind = "list", .url = on.tcp_url(), .what = "push", .count = on.some(400'000), .how = "bulk"};
    on.empty();
    const double limit = static_cast<double>(bulk.count) / on.apart(bulk).seconds;
    on.empty();
    return {{"http.one", "jobs/s", one.requests, alone.requests},
            {"http.one.p99", "us", one.p99, alone.p99},
            {"http.batch", "jobs/s", batch.requests * 100, limit},
            {"cpu.redis.http.one", "us/job", one.redis_us},
            {"cpu.redis.http.batch", "us/job", batch.redis_us}};
}

} // namespace bench
