// SPDX-License-Identifier: MIT
#include "benchmark.hpp"
#include "stage.hpp"

#include <exception>
#include <filesystem>

/// The gateway in a process of its own; wrk sends the requests, over 50 connections that are kept. Beside it, if it is
/// installed, a server in Go that queues jobs as asynq does.
namespace bench {
namespace {

struct served
{
    double requests = 0; ///< per second
    double p99 = 0;      ///< microseconds
    double jobs = 0;     ///< that were queued
    double redis_us = 0; ///< of Redis' CPU, per job
};

/// @param list  where Redis has the jobs then
served send(stage& on, const std::string& place, const std::string& path, int jobs,
            const std::string& list = "hworker-jobs-bench")
{
    on.empty();
    const double before = on.redis_cpu();
    part wrk{{"wrk", "--threads", "1", "--connections", "50", "--duration", on.brief() ? "1s" : "5s",
              "--latency", "--script", BENCH_FOLDER "/http.lua", "http://127.0.0.1:" + place + path, "--",
              std::to_string(jobs)}};
    const auto took = wrk.result();
    served found;
    found.jobs = static_cast<double>(on.redis()("LLEN", list).integer);
    found.redis_us = jobs == 0 ? 0 : (on.redis_cpu() - before) * 1e6 / found.jobs;
    found.p99 = took.p99;
    found.requests = took.count / took.seconds;
    return found;
}

/// The library's own pushes, without HTTP.
struct pushed
{
    double rate = 0;     ///< jobs per second
    double redis_us = 0; ///< of Redis' CPU, per job
};

pushed push_directly(stage& on, const std::string& how, long count)
{
    const task push{.kind = "list", .url = on.tcp_url(), .what = "push", .count = on.some(count), .how = how};
    on.empty();
    const double before = on.redis_cpu();
    const auto took = on.apart(push);
    const auto jobs = static_cast<double>(on.redis()("LLEN", "hworker-jobs-bench").integer);
    return {jobs / took.seconds, (on.redis_cpu() - before) * 1e6 / jobs};
}

/// The stand-in for asynq, under the names that the gateway's figures have.
figures asynq_figures(stage& on, const std::string& program)
{
    const auto url = on.tcp_url();
    part server{{program, url.substr(url.find("://") + 3)}};
    const auto port = server.wait_until_ready("ready ");
    const auto one = send(on, port, "/", 1, "asynq:{default}:pending");
    server.stop();
    return {{"peers.asynq.http.one", "jobs/s", one.requests},
            {"peers.asynq.http.one.p99", "us", one.p99},
            {"peers.asynq.cpu.redis.http.one", "us/job", one.redis_us}};
}

} // namespace

figures http_figures(stage& on)
{
    if (!is_installed("wrk") || !std::filesystem::exists(BENCH_PROGRAM)) {
        skip("http", "it needs wrk (scripts/setup --benchmarks), and the program with its gateway");
        return {};
    }
    part gateway{{BENCH_PROGRAM, "gateway", "--redis", on.tcp_url(), "--listen", "127.0.0.1:0"}};
    const auto port = gateway.wait_until_ready("Listening on http://127.0.0.1:");
    const auto alone = send(on, port, "/health", 0);
    const auto one = send(on, port, "/jobber/queue", 1);
    const auto batch = send(on, port, "/jobber/queue", 100);
    gateway.stop();

    // A batch can be no faster than the library without HTTP, and jobs no cheaper for Redis.
    const auto flight = push_directly(on, "flight", 200'000);
    const auto bulk = push_directly(on, "bulk", 400'000);
    figures found{{"http.one", "jobs/s", one.requests, alone.requests},
                  {"http.one.p99", "us", one.p99, alone.p99},
                  {"http.batch", "jobs/s", batch.requests * 100, bulk.rate},
                  {"cpu.redis.http.one", "us/job", one.redis_us, flight.redis_us},
                  {"cpu.redis.http.batch", "us/job", batch.redis_us, bulk.redis_us}};
    const std::string asynq = BENCH_FOLDER "/../build/peers/asynq";
    if (std::filesystem::exists(asynq)) {
        try {
            for (auto& figure : asynq_figures(on, asynq))
                found.push_back(std::move(figure));
        } catch (const std::exception& error) {
            skip("peers.asynq", error.what());
        }
    }
    on.empty();
    return found;
}

} // namespace bench
