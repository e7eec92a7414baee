// SPDX-License-Identifier: MIT
#include "perform.hpp"
#include "recovery.hpp"

#include <random>
#include <thread>

/// Redis goes away: how soon work goes on when it is back, and how long workers take to stop without it.
namespace bench {
namespace {

using namespace std::chrono_literals;

constexpr double back_goal_ms = 1'000;
constexpr double command_timeout_ms = 10'000; // by default

/// For each kind a worker that is idle and knows its queue.
std::map<std::string, std::unique_ptr<part>> start_workers(redis_server& server, const std::string& how)
{
    std::map<std::string, std::unique_ptr<part>> workers;
    for (const std::string kind : queue_kinds) {
        auto& each = workers[kind] = std::make_unique<part>(standing(kind, server.tcp_url(), how));
        each->wait_until_ready();
    }
    return workers;
}

/// Redis is away for a while, in which a job becomes due. Adds how long after its return the job begins, by kind.
void go_and_come_back(redis_server& server, std::map<std::string, std::unique_ptr<part>>& workers,
                      long number, std::chrono::milliseconds away,
                      std::map<std::string, std::vector<double>>& samples)
{
    for (const auto& [kind, worker] : workers)
        push_letters(server.tcp_url(), kind, {make_letter(number)}, away / 2);
    server.end();
    std::this_thread::sleep_for(away);
    server.restart();
    const auto back = latencies::now();
    for (const auto& [kind, worker] : workers) {
        wait_until("the next job runs",
                   [&, &each = *worker] { return told_times(each.output(), "began").contains(number); });
        const auto began = told_times(worker->output(), "began").at(number);
        samples[kind].push_back(static_cast<double>(std::max(began - back, 0L)) * 1e-6);
    }
}

/// Asks workers to stop that hold jobs and have to tell how these end. Adds how long that took.
void stop_workers(stage& on, bool hangs, figures& to)
{
    redis_server server{{.tcp = true}};
    auto workers = start_workers(server, "hold");
    for (const auto& [kind, worker] : workers) {
        push_letters(server.tcp_url(), kind, {make_letter(1), make_letter(2), make_letter(3)});
        wait_until("the jobs run",
                   [&, &each = *worker] { return told_times(each.output(), "began").size() == 3; });
    }
    hangs ? server.freeze() : server.end();
    std::this_thread::sleep_for(on.brief() ? 10ms : 500ms);
    std::map<std::string, clock::time_point> asked;
    std::vector<std::thread> waiting;
    for (const auto& [kind, worker] : workers)
        waiting.emplace_back([&, kind = kind, &each = *worker] {
            each.stop();
            const auto name = std::string{"recovery.stop."} + (hangs ? "hung." : "away.") + kind;
            static std::mutex adding;
            const std::lock_guard one{adding};
            to.push_back({name, "ms", each.result().seconds * 1000, command_timeout_ms});
        });
    for (auto& each : waiting)
        each.join();
    if (hangs)
        server.thaw();
}

} // namespace

figures recovery_of_redis(stage& on)
{
    redis_server server{{.append_only = true, .tcp = true}};
    auto workers = start_workers(server, "hold");
    std::mt19937 random{std::random_device{}()};
    std::uniform_int_distribution away{200, on.brief() ? 300 : 6'000};
    std::map<std::string, std::vector<double>> samples;
    for (long number = 1; number <= (on.brief() ? 1 : 50); ++number)
        go_and_come_back(server, workers, number, std::chrono::milliseconds{away(random)}, samples);
    figures found;
    for (const auto& [kind, each] : samples)
        add_percentiles(found, "recovery.redis_back." + kind, each, back_goal_ms);
    return found;
}

figures recovery_of_stops(stage& on)
{
    figures found;
    for (const bool hangs : {false, true})
        stop_workers(on, hangs, found);
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return found;
}

} // namespace bench
