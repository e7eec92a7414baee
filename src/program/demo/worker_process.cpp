#include "program/demo/worker_process.hpp"

#include "program/demo/file_job.hpp"
#include "program/demo/sha256.hpp"

#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/thread_pool.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <thread>

namespace coworker::demo {
namespace {

/// Enough that the threads below never wait for Redis, few enough that a crash repeats little.
constexpr std::size_t jobs_at_a_time = 32;

/// Two worker processes share the machine.
std::size_t hashing_threads()
{
    return std::max(1U, std::thread::hardware_concurrency() / 2);
}

asio::awaitable<void> hash_files(worker_settings settings, asio::signal_set& stop_signal)
{
    asio::thread_pool pool{hashing_threads()};
    const auto executor = co_await asio::this_coro::executor;
    session redis{executor, {.url = settings.redis_url, .client_name = worker_name(settings.number)}};
    list_queue<file_job> files{redis, settings.queue};
    list_queue<file_result> results{redis, results_queue(settings.queue)};
    worker hasher{redis, {.concurrency = jobs_at_a_time}};

    const auto hash = [&](file_job job, job_context& context) -> asio::awaitable<outcome> {
        const auto started = microseconds_now();
        auto hashed = co_await run_blocking(pool.get_executor(), hash_file, decode_path(job.path));
        if (!hashed)
            co_return failure(hashed.error().message());
        // The result is safe in Redis before the job is acknowledged: a crash in between repeats the job.
        const file_result result{job.file,        std::move(hashed->digest), hashed->bytes,
                                 settings.number, context.attempt(),         started};
        co_await results.push(result);
        co_return success();
    };
    hasher.handle(files, hash);

    stop_signal.async_wait([&hasher](error_code ec, int) {
        if (!ec)
            hasher.stop();
    });
    co_await hasher.async_run();
    co_await redis.stop();
}

} // namespace

std::string results_queue(const std::string& queue)
{
    return queue + "-results";
}

std::string worker_name(unsigned number)
{
    return "coworker-demo-" + std::to_string(number);
}

int run_worker(const std::vector<std::string>& words)
{
    if (words.size() != 3) {
        std::cerr << "coworker: 'coworker demo' starts this by itself\n";
        return 2;
    }
    const worker_settings settings{words[0], words[1], static_cast<unsigned>(std::atoi(words[2].c_str()))};
    asio::io_context io{1};
    asio::signal_set stop_signal{io, SIGTERM};
    std::exception_ptr error;
    asio::co_spawn(io, hash_files(settings, stop_signal), [&](std::exception_ptr failed) {
        error = failed;
        stop_signal.cancel();
    });
    io.run();
    try {
        if (error)
            std::rethrow_exception(error);
    } catch (const std::exception& why) {
        std::cerr << "coworker: " << why.what() << '\n';
        return 1;
    }
    return 0;
}

} // namespace coworker::demo
