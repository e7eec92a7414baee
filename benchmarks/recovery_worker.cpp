// SPDX-License-Identifier: MIT
#include "perform.hpp"

#include <boost/asio/detached.hpp>
#include <boost/asio/signal_set.hpp>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <optional>
#include <thread>

/// A worker with default options that stays until SIGTERM, and says what becomes of its jobs.
namespace bench {
namespace {

template<class... Values>
void say(const char* form, Values... values)
{
    std::printf(form, values...);
    std::fflush(stdout);
}

/// `task::how`: hold, jobs go on until SIGTERM, and those that are urgent keep the loop busy for `handler_ms`; or note,
/// they end at once, and the time is noted since the one in their number, if that is one.
class standing_worker
{
public:
    standing_worker(const task& what, const announce& ready)
        : what_{what}, ready_{ready}, redis_{io_, coworker::client_options{.url = what.url}},
          worker_{redis_, observed()}, signals_{io_, SIGTERM}
    {
        if (what.kind == "list")
            serve_list();
        else
            serve_managed();
    }

    measured run()
    {
        signals_.async_wait([this](boost::system::error_code error, int) {
            if (error)
                return;
            stopping_.emplace();
            stopped_.cancel();
            worker_.stop();
        });
        redis_.async_connect([this](boost::system::error_code error) {
            if (!error)
                ready_("");
        });
        worker_.async_run([this](boost::system::error_code error) {
            if (error)
                say("the worker ended: %s\n", error.message().c_str());
            signals_.cancel();
            redis_.async_stop(asio::detached);
        });
        io_.run();
        auto result = stopping_ ? stopping_->stop() : measured{};
        times_.tell(result);
        return result;
    }

private:
    static coworker::worker_options observed()
    {
        coworker::worker_options options;
        options.observers = [](const coworker::event& what) {
            if (what.kind == coworker::event_kind::recovered || what.kind == coworker::event_kind::lease_lost)
                say("%s %ld\n", std::string{coworker::to_string(what.kind)}.c_str(),
                    std::max(static_cast<long>(what.count), 1L));
        };
        return options;
    }

    coworker::handle_options limited() const
    {
        coworker::handle_options options;
        options.concurrency = static_cast<std::size_t>(what_.count);
        options.max_attempts = 0;
        options.max_crashes = 0;
        return options;
    }

    void serve_list()
    {
        coworker::list_queue<letter> queue{redis_, queue_name(0)};
        worker_.handle(
            queue, [this](letter job) { return handle(std::move(job)); }, limited());
    }

    void serve_managed()
    {
        coworker::managed_queue queue{redis_, queue_name(0)};
        coworker::handlers_by_kind handlers;
        handlers.on<letter>("Letter", [this](letter job) { return handle(std::move(job)); });
        worker_.handle(queue, std::move(handlers), limited());
    }

    asio::awaitable<void> handle(letter job)
    {
        if (what_.how == "hold")
            co_await hold(job);
        else if (job.number > earliest)
            times_.note(job.number);
    }

    asio::awaitable<void> hold(letter job)
    {
        say("began %ld %ld\n", job.number, latencies::now());
        if (job.urgent && what_.handler_ms != 0) {
            std::this_thread::sleep_for(std::chrono::duration<double, std::milli>{what_.handler_ms});
        } else {
            boost::system::error_code ignored;
            if (!stopping_)
                co_await stopped_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        }
        say("ended %ld %ld\n", job.number, latencies::now());
    }

    static constexpr long earliest = 1'000'000'000; // of times; what is less is the number of a job

    const task& what_;
    const announce& ready_;
    asio::io_context io_{1};
    coworker::client redis_;
    coworker::worker worker_;
    asio::signal_set signals_;
    asio::steady_timer stopped_{io_, clock::time_point::max()};
    std::optional<meter> stopping_;
    latencies times_;
};

} // namespace

measured stand(const task& what, const announce& ready)
{
    return standing_worker{what, ready}.run();
}

} // namespace bench
