// SPDX-License-Identifier: MIT
#include "perform.hpp"
#include "recovery.hpp"

#include <atomic>
#include <random>
#include <thread>

/// How late jobs begin that are due, and what becomes of others when a million are due at once.
namespace bench {
namespace {

using namespace std::chrono_literals;

constexpr double late_goal_ms = 10, script_goal_us = 5'000;

std::vector<letter> letters_of(long count, long number)
{
    return std::vector<letter>(static_cast<std::size_t>(count), make_letter(number));
}

/// Jobs with times of their own, in an idle worker: how late they begin.
void measure_lateness(stage& on, const std::string& kind, figures& to)
{
    part worker{standing(kind, on.tcp_url(), "note")};
    worker.wait_until_ready();
    const auto span = on.brief() ? 300 : 10'000;
    run<bool>(on.tcp_url(), [&](coworker::client& redis) -> asio::awaitable<bool> {
        std::mt19937 random;
        std::uniform_int_distribution delay{span / 2, span};
        for (long i = on.some(2'000); i != 0; --i) {
            const std::chrono::milliseconds wait{delay(random)};
            const auto due = latencies::now() + std::chrono::nanoseconds{wait}.count();
            co_await push_letters(redis, kind, letters_of(1, due), wait);
        }
        co_return true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds{span + 500});
    worker.stop();
    const auto took = worker.result();
    to.push_back({"recovery.due." + kind + ".p50", "ms", took.p50 * 1e-3});
    to.push_back({"recovery.due." + kind + ".p99", "ms", took.p99 * 1e-3, late_goal_ms});
}

/// Schedules jobs that are all due at one moment.
void schedule_many(stage& on, const std::string& kind, long count, clock::time_point due)
{
    run<bool>(on.tcp_url(), [&](coworker::client& redis) -> asio::awaitable<bool> {
        for (long left = count; left > 0; left -= 10'000) {
            const auto wait = std::chrono::ceil<std::chrono::milliseconds>(due - clock::now());
            if (wait.count() <= 0)
                throw std::runtime_error{"recovery: they were due before all were pushed"};
            co_await push_letters(redis, kind, letters_of(std::min(left, 10'000L), 1), wait);
        }
        co_return true;
    });
}

/// Pushes a job now and then into a queue, until nothing is left of the many.
measured push_beside(const std::string& url, const std::string& kind, bool into_same,
                     const std::function<bool()>& goes_on)
{
    latencies beside;
    run<bool>(url, [&](coworker::client& redis) -> asio::awaitable<bool> {
        coworker::worker worker{redis};
        const coworker::list_queue<letter> list{redis, "others"};
        const coworker::managed_queue managed{redis, "others"};
        asio::steady_timer ended{redis.get_executor(), clock::time_point::max()};
        coworker::handlers_by_kind handlers;
        handlers.on<letter>("Letter", [&](letter job) { beside.note(job.number); });
        if (kind == "list")
            worker.handle(list, [&](letter job) { beside.note(job.number); });
        else
            worker.handle(managed, std::move(handlers));
        worker.async_run([&](boost::system::error_code) { ended.cancel(); });
        while (goes_on()) {
            co_await pause_until(clock::now() + 10ms);
            const auto job = make_letter(latencies::now());
            if (into_same)
                co_await push_letters(redis, kind, letters_of(1, job.number));
            if (kind == "list")
                co_await list.async_push(job);
            else
                co_await managed.async_push("Letter", job);
        }
        worker.stop();
        boost::system::error_code ignored;
        co_await ended.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        co_return true;
    });
    measured result;
    beside.tell(result);
    return result;
}

long number_scheduled(stage& on, const std::string& kind)
{
    return on.redis()("ZCARD", kind == "list" ? "hworker-scheduled-bench" : "ql:q:bench-scheduled").integer;
}

figures measure_many(stage& on, const std::string& kind)
{
    figures to;
    const auto count = on.some(1'000'000);
    const auto ahead = on.brief() ? 2s : kind == "list" ? 40s : 120s;
    const auto due = clock::now() + ahead;
    part worker{standing(kind, on.tcp_url(), "note")};
    worker.wait_until_ready();
    schedule_many(on, kind, count, due);
    std::this_thread::sleep_until(due - 1s);
    watch_commands(on.redis());
    std::atomic<bool> goes_on{true};
    double seconds = 0, cpu = -on.redis_cpu();
    std::thread waiting{[&] {
        std::this_thread::sleep_until(due);
        while (number_scheduled(on, kind) != 0)
            std::this_thread::sleep_for(20ms);
        seconds = seconds_since(due);
        goes_on = false;
    }};
    const auto others = push_beside(on.tcp_url(), kind, true, [&] { return goes_on.load(); });
    waiting.join();
    cpu += on.redis_cpu();
    worker.stop();
    const auto same = worker.result();
    const auto name = "recovery.due_at_once." + kind;
    to.push_back({name + ".rate", "jobs/s", static_cast<double>(count) / seconds});
    to.push_back({name + ".others.p50", "ms", others.p50 * 1e-3});
    to.push_back({name + ".others.p99", "ms", others.p99 * 1e-3, late_goal_ms});
    to.push_back({name + ".same.p99", "ms", same.p99 * 1e-3});
    to.push_back({name + ".cpu", "us/job", cpu * 1e6 / static_cast<double>(count)});
    const auto scripts = script_times(on.redis());
    to.push_back({name + ".script.p99", "us", at_share(scripts, 0.99), script_goal_us});
    to.push_back({name + ".script.longest", "us", at_share(scripts, 1), script_goal_us});
    on.empty();
    return to;
}

} // namespace

figures recovery_of_due(stage& on)
{
    figures found;
    for (const std::string kind : queue_kinds) {
        on.empty();
        measure_lateness(on, kind, found);
    }
    return found;
}

figures recovery_of_many_due_in_list(stage& on)
{
    return measure_many(on, "list");
}

figures recovery_of_many_due_in_managed(stage& on)
{
    return measure_many(on, "managed");
}

} // namespace bench
