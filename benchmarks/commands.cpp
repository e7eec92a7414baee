// SPDX-License-Identifier: MIT
#include "benchmark.hpp"
#include "stage.hpp"

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <thread>

/// `coworker work`: a process for each job, and processes that get many, a line each.
namespace bench {
namespace {

using std::chrono::steady_clock;

void wait_until_all_has_run(stage& on, const part& worker)
{
    const auto give_up = steady_clock::now() + std::chrono::minutes{2};
    while (on.redis()("LLEN", "hworker-jobs-bench").integer != 0 ||
           on.redis()("HLEN", "hworker-progress-bench").integer != 0) {
        if (steady_clock::now() > give_up)
            throw std::runtime_error{"work: not every job has run: " + worker.output()};
        std::this_thread::sleep_for(std::chrono::milliseconds{2});
    }
}

/// Jobs per second, once everything has been started.
double rate_of(stage& on, std::vector<std::string> command_line, long count)
{
    on.empty();
    const auto push = [&](long jobs) {
        return on.apart({.kind = "list", .url = on.tcp_url(), .what = "push", .count = jobs, .how = "bulk"});
    };
    command_line.insert(command_line.begin(), {BENCH_PROGRAM, "work", "bench", "--redis", on.tcp_url()});
    part worker{command_line};
    push(10);
    wait_until_all_has_run(on, worker);
    const auto begin = steady_clock::now();
    push(count);
    wait_until_all_has_run(on, worker);
    const std::chrono::duration<double> took = steady_clock::now() - begin;
    worker.stop();
    return static_cast<double>(count) / took.count();
}

} // namespace

figures command_figures(stage& on)
{
    if (!std::filesystem::exists(BENCH_PROGRAM) || !is_installed("python3")) {
        skip("work", "it needs the program (COWORKER_BUILD_PROGRAMS) and python3");
        return {};
    }
    const auto lines = rate_of(
        on, {"--lines", "--", "python3", BENCH_FOLDER "/../example/languages/lines.py"}, on.some(20'000));
    const auto commands = rate_of(on, {"--", "true"}, on.some(2'000));
    return {{"work.lines", "jobs/s", lines}, {"work.commands", "jobs/s", commands}};
}

} // namespace bench
