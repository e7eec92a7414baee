// SPDX-License-Identifier: MIT

// coworker's part in scripts/chaos: a worker with default options for a list queue or a managed one, and what pushes.
// Understands what chaos.py says about the workers of all systems.
//
//   coworker-chaos-worker list|managed work URL RECORD CONCURRENCY
//   coworker-chaos-worker list|managed push URL

#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/describe/class.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace asio = boost::asio;
using std::chrono::milliseconds;

struct chaos_job
{
    long id = 0;
    long ms = 0;    ///< how long its handler waits
    long block = 0; ///< how long it blocks the loop, in ms
};
BOOST_DESCRIBE_STRUCT(chaos_job, (), (id, ms, block))

namespace {

constexpr const char* queue_name = "chaos";
constexpr const char* kind = "Chaos";

/// Leaves a line in a file, in one piece.
class record
{
public:
    explicit record(std::string path)
        : path_{std::move(path)}, file_{::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT, 0644)}
    {}

    void write(std::string_view what, const std::string& job) const
    {
        const auto now = std::chrono::steady_clock::now().time_since_epoch();
        const auto line = std::to_string(std::chrono::nanoseconds{now}.count()) + ' ' +
                          std::to_string(::getpid()) + ' ' + std::string{what} + ' ' + job + '\n';
        if (::write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
            std::abort();
    }

    /// Whether this is the first run that asks: only that one blocks.
    bool is_first() const
    {
        const int made = ::open((path_ + ".blocked").c_str(), O_WRONLY | O_CREAT | O_EXCL, 0644);
        return made >= 0 && ::close(made) == 0;
    }

private:
    std::string path_;
    int file_;
};

asio::awaitable<void> work(bool managed, std::string url, record lines, std::size_t concurrency)
{
    const auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::worker worker{redis, {.concurrency = concurrency}};
    const auto handle = [&](chaos_job job) -> asio::awaitable<void> {
        lines.write("began", std::to_string(job.id));
        if (job.block != 0 && lines.is_first())
            std::this_thread::sleep_for(milliseconds{job.block});
        asio::steady_timer timer{co_await asio::this_coro::executor, milliseconds{job.ms}};
        co_await timer.async_wait(asio::use_awaitable);
        lines.write("ended", std::to_string(job.id));
    };
    coworker::list_queue<chaos_job> list{redis, queue_name};
    coworker::managed_queue queue{redis, queue_name};
    if (managed) {
        coworker::handlers_by_kind handlers;
        handlers.on<chaos_job>(kind, handle);
        worker.handle(queue, std::move(handlers), {.max_crashes = 0}); // workers die of something else
    } else {
        worker.handle(list, handle);
    }
    asio::signal_set signals{executor, SIGTERM};
    signals.async_wait([&](const boost::system::error_code& ec, int) {
        if (!ec)
            worker.stop();
    });
    lines.write("ready", "-");
    co_await worker.async_run();
    signals.cancel();
    co_await redis.async_stop();
}

/// Each line of standard input is a job.
asio::awaitable<void> push(bool managed, std::string url)
{
    coworker::client redis{co_await asio::this_coro::executor, {.url = url}};
    const coworker::list_queue<chaos_job> list{redis, queue_name};
    const coworker::managed_queue queue{redis, queue_name};
    for (std::string line; std::getline(std::cin, line);) {
        const auto job = coworker::decode<chaos_job>(line).value();
        const auto id = std::to_string(job.id);
        if (managed) {
            coworker::managed_push_options how;
            how.jid = id;
            co_await queue.async_push(kind, job, how);
        } else {
            coworker::push_options how;
            how.id = id;
            co_await list.async_push(job, how);
        }
    }
    co_await redis.async_stop();
}

} // namespace

int main(int count, char** words)
{
    const std::string_view what = count > 2 ? words[2] : "";
    if ((what != "work" || count != 6) && (what != "push" || count != 4)) {
        std::cerr << "usage: coworker-chaos-worker list|managed work URL RECORD CONCURRENCY\n"
                     "       coworker-chaos-worker list|managed push URL\n";
        return 2;
    }
    const bool managed = words[1] == std::string_view{"managed"};
    asio::io_context io{1};
    int code = 0;
    auto body = what == "push" ? push(managed, words[3])
                               : work(managed, words[3], record{words[4]}, std::stoul(words[5]));
    asio::co_spawn(io, std::move(body), [&](std::exception_ptr error) {
        try {
            if (error)
                std::rethrow_exception(error);
        } catch (const std::exception& failure) {
            std::cerr << "coworker-chaos-worker: " << failure.what() << '\n';
            code = 1;
        }
    });
    io.run();
    return code;
}
