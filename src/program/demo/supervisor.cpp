#include "program/demo/supervisor.hpp"

#include "program/demo/crash_test.hpp"
#include "program/demo/file_walk.hpp"
#include "program/demo/private_redis.hpp"
#include "program/demo/worker_process.hpp"

#include <boost/asio/this_coro.hpp>

#include <cstdio>
#include <ctime>
#include <optional>
#include <random>
#include <stdexcept>

namespace coworker::demo {
namespace {

/// Of its own on a server that others use too.
std::string random_queue_name()
{
    std::random_device random;
    char name[40];
    std::snprintf(name, sizeof name, "coworker-demo-%08x%08x", random(), random());
    return name;
}

/// Longer than a healthy server ever takes, short for somebody who waits for the message.
constexpr std::chrono::seconds patience{5};

class supervisor
{
public:
    supervisor(asio::any_io_executor executor, demo_settings settings)
        : executor_{std::move(executor)}, settings_{std::move(settings)}, queue_{random_queue_name()}
    {}

    asio::awaitable<bool> run();
    asio::awaitable<void> clean_up();

private:
    asio::awaitable<void> connect();
    asio::awaitable<void> destroy_queues();
    asio::awaitable<void> look_for_failures();
    void start_workers();
    void check_processes();

    asio::any_io_executor executor_;
    demo_settings settings_;
    std::string queue_;
    progress progress_;
    std::time_t began_ = std::time(nullptr);
    std::vector<std::string> paths_;

    std::optional<private_redis> server_;
    std::optional<session> redis_;
    std::optional<file_queue> jobs_;
    worker_pair workers_;
    findings found_;
};

asio::awaitable<bool> supervisor::run()
{
    paths_ = co_await find_files(settings_.folder, progress_);
    co_await connect();
    co_await queue_files(*jobs_, paths_, progress_);
    start_workers();
    crash_test test{*jobs_, workers_, progress_, found_, [this] { check_processes(); }};
    co_await test.run();
    progress_.clear();
    found_.survivor_ended_well = co_await workers_.stop();
    co_await look_for_failures();
    found_.sample = co_await verify_sample(paths_, found_.results, began_);
    co_return report(found_);
}

asio::awaitable<void> supervisor::connect()
{
    if (settings_.redis_url.empty()) {
        server_.emplace();
        settings_.redis_url = server_->url();
        progress_.say("private Redis in " + server_->folder());
    }
    redis_.emplace(executor_, session_options{.url = settings_.redis_url,
                                              .client_name = "coworker-demo",
                                              .command_timeout = patience});
    co_await redis_->connect();
    jobs_.emplace(*redis_, queue_);
}

void supervisor::start_workers()
{
    found_.results = tally{paths_.size()};
    found_.began = microseconds_now();
    workers_.start(settings_.redis_url, queue_);
    progress_.say("two workers: processes " + std::to_string(workers_.process(1)) + " and " +
                  std::to_string(workers_.process(2)));
}

void supervisor::check_processes()
{
    if (server_ && !server_->is_running())
        throw std::runtime_error{"the private Redis has ended unexpectedly"};
    workers_.check();
}

/// A job fails if its file cannot be read, which is no wonder if the file has changed or gone meanwhile.
asio::awaitable<void> supervisor::look_for_failures()
{
    const auto failed = co_await failed_files(*jobs_);
    for (const auto& [file, reason] : failed) {
        if (has_changed(paths_.at(file), began_))
            ++found_.vanished;
        else
            found_.failed.push_back(encode_path(paths_.at(file)) + ": " + reason);
    }
}

/// Nothing may stay: no process, no folder, no key on a server of the user's.
asio::awaitable<void> supervisor::clean_up()
{
    progress_.clear();
    workers_.kill_all();
    if (jobs_ && !server_)
        co_await destroy_queues();
    if (redis_)
        co_await redis_->stop();
    server_.reset();
}

asio::awaitable<void> supervisor::destroy_queues()
{
    list_queue<file_result> results{*redis_, results_queue(queue_)};
    try {
        co_await jobs_->destroy();
        co_await results.destroy();
    } catch (const system_error& error) {
        progress_.say("the queues " + jobs_->name() + " and " + results.name() +
                      " are still in Redis: " + error.what());
    }
}

} // namespace

asio::awaitable<bool> run_demo(demo_settings settings)
{
    const auto executor = co_await asio::this_coro::executor;
    supervisor all{executor, std::move(settings)};
    std::exception_ptr error;
    bool good = false;
    try {
        good = co_await all.run();
    } catch (...) {
        error = std::current_exception();
    }
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    co_await all.clean_up();
    if (error)
        std::rethrow_exception(error);
    co_return good;
}

} // namespace coworker::demo
