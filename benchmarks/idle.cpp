// SPDX-License-Identifier: MIT
#include "benchmark.hpp"
#include "redis/connection/connection.hpp"
#include "stage.hpp"
#include "workload.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/redis/request.hpp>

#include <algorithm>
#include <deque>
#include <string>

namespace bench {
namespace {

constexpr int latency_samples = 2'000;
constexpr auto idle_time = std::chrono::seconds{5};
constexpr long memory_jobs = 100'000;

/// A worker that runs beside the measurement until it is told to stop.
class running_worker
{
public:
    running_worker(coworker::client& redis, asio::any_io_executor executor)
        : worker{redis}, ended_{executor, clock::time_point::max()}, executor_{std::move(executor)}
    {}

    void start()
    {
        worker.async_run([this](boost::system::error_code) { ended_.cancel(); });
    }

    asio::awaitable<void> stop()
    {
        worker.stop();
        boost::system::error_code ignored;
        co_await ended_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }

    coworker::worker worker;

private:
    asio::steady_timer ended_;
    asio::any_io_executor executor_;
};

/// From the push to the start of the handler, one job at a time, microseconds, the median of many.
asio::awaitable<double> wake_up_time(coworker::client& redis)
{
    const auto executor = co_await asio::this_coro::executor;
    coworker::client producer{executor, {.url = coworker::detail::connection_of(redis).options().url}};
    coworker::list_queue<letter> queue{producer, "bench"};
    coworker::list_queue<letter> worked{redis, "bench"};
    running_worker beside{redis, executor};
    asio::steady_timer handled{executor};
    clock::time_point started;
    beside.worker.handle(worked, [&](letter) {
        started = clock::now();
        handled.cancel();
    });
    beside.start();

    std::vector<double> samples;
    for (int i = 0; i != latency_samples; ++i) {
        // Until the worker has acknowledged, found nothing and waits.
        co_await pause_until(clock::now() + std::chrono::milliseconds{1});
        handled.expires_at(clock::time_point::max());
        const auto pushed = clock::now();
        started = {};
        const auto job = make_letter(i);
        co_await queue.async_push(job);
        if (started == clock::time_point{}) {
            boost::system::error_code ignored;
            co_await handled.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        }
        samples.push_back(std::chrono::duration<double, std::micro>(started - pushed).count());
    }
    co_await beside.stop();
    co_await queue.async_destroy();
    co_await producer.async_stop();
    std::nth_element(samples.begin(), samples.begin() + latency_samples / 2, samples.end());
    co_return samples[latency_samples / 2];
}

/// All commands the server has carried out, but for the health check's PING and this question itself.
asio::awaitable<double> commands_so_far(coworker::client& redis)
{
    boost::redis::request question;
    question.push("INFO", "commandstats");
    coworker::detail::reply answer;
    co_await coworker::detail::connection_of(redis).exec(question, answer);
    double calls = 0;
    std::string_view text = answer[0].text();
    constexpr std::string_view field = "calls=";
    for (auto line = text.find("cmdstat_"); line != text.npos; line = text.find("cmdstat_", line + 1)) {
        const auto name = text.substr(line + 8, text.find(':', line) - line - 8);
        if (name != "ping" && name != "info")
            calls += static_cast<double>(
                coworker::detail::to_integer(text.substr(text.find(field, line) + field.size())));
    }
    co_return calls;
}

/// Commands that a client sends per minute when nothing begins or ends.
asio::awaitable<double> quiet_traffic(coworker::client& redis)
{
    const auto executor = co_await asio::this_coro::executor;
    coworker::client looker{executor, {.url = coworker::detail::connection_of(redis).options().url}};
    co_await looker.async_connect();
    co_await pause_until(clock::now() + std::chrono::seconds{2}); // everything has been taken
    const double before = co_await commands_so_far(looker);
    co_await pause_until(clock::now() + idle_time);
    const double after = co_await commands_so_far(looker);
    co_await looker.async_stop();
    co_return (after - before) * 60.0 / std::chrono::duration<double>(idle_time).count();
}

/// Of an idle worker.
asio::awaitable<double> idle_traffic(coworker::client& redis)
{
    coworker::list_queue<letter> queue{redis, "bench"};
    running_worker beside{redis, co_await asio::this_coro::executor};
    beside.worker.handle(queue, [](letter) {});
    beside.start();
    const auto job = make_letter(1);
    co_await queue.async_push(job);
    const auto commands = co_await quiet_traffic(redis);
    co_await beside.stop();
    co_await queue.async_destroy();
    co_return commands;
}

/// Of a worker with many queues, and a job of each that runs for long: renewals, and looking for dead workers.
asio::awaitable<double> watching_traffic(coworker::client& redis)
{
    constexpr int queues = 100;
    std::deque<coworker::list_queue<letter>> worked;
    running_worker beside{redis, co_await asio::this_coro::executor};
    asio::steady_timer over{co_await asio::this_coro::executor, clock::time_point::max()};
    for (int i = 0; i != queues; ++i) {
        auto& queue = worked.emplace_back(redis, "bench" + std::to_string(i));
        beside.worker.handle(queue, [&over](letter) -> asio::awaitable<void> {
            boost::system::error_code ignored;
            co_await over.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        });
        const auto job = make_letter(i);
        co_await queue.async_push(job);
    }
    beside.start();
    const auto commands = co_await quiet_traffic(redis);
    over.cancel();
    co_await beside.stop();
    for (auto& queue : worked)
        co_await queue.async_destroy();
    co_return commands;
}

asio::awaitable<double> used_memory(coworker::client& redis)
{
    boost::redis::request question;
    question.push("INFO", "memory");
    coworker::detail::reply answer;
    co_await coworker::detail::connection_of(redis).exec(question, answer);
    const auto text = answer[0].text();
    constexpr std::string_view field = "used_memory_dataset:";
    co_return static_cast<double>(coworker::detail::to_integer(text.substr(text.find(field) + field.size())));
}

/// Bytes of Redis memory per waiting job whose payload has 200 bytes.
asio::awaitable<double> bytes_per_job(coworker::client& redis)
{
    coworker::list_queue<std::string> queue{redis, "bench"};
    constexpr std::size_t envelope = 36 + 5 + 2; // the id, brackets, comma and quotes; the job's own quotes
    const double before = co_await used_memory(redis);
    co_await queue.async_push_many(std::vector<std::string>(memory_jobs, std::string(200 - envelope, 'x')));
    const double after = co_await used_memory(redis);
    co_await queue.async_destroy();
    co_return (after - before) / static_cast<double>(memory_jobs);
}

} // namespace

figures latency_here(stage& on)
{
    return {{"latency.idle", "us", run<double>(on.socket_url(), &wake_up_time)}};
}

figures idle_commands(stage& on)
{
    return {{"idle.commands", "commands/min", run<double>(on.socket_url(), &idle_traffic)}};
}

figures watching_commands(stage& on)
{
    return {{"watching.commands", "commands/min", run<double>(on.socket_url(), &watching_traffic)}};
}

figures memory_list(stage& on)
{
    return {{"memory.list", "bytes/job", run<double>(on.socket_url(), &bytes_per_job)}};
}

} // namespace bench
