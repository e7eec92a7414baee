// SPDX-License-Identifier: MIT
#pragma once

#include "conformance/conformance_test.hpp"
#include "support/event_log.hpp"

#include "coworker/worker.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <optional>

namespace coworker::test {

/// A worker on a kind's queue; its events are noted, and its handlers wait where a test wants that.
class test_worker
{
public:
    explicit test_worker(source_kind& kind, worker_options options = {})
        : events{kind.io.get_executor()}, subject{kind.io, observed(std::move(options))}, kind_{kind},
          gate_{kind.io, asio::steady_timer::time_point::max()}
    {}

    event_log events;
    worker subject;
    std::size_t cancelled = 0; ///< handlers of `hold` that were
    std::size_t number = 0;    ///< of its source

    /// A handler that goes on until the gate is open, or until it is cancelled; a success in either case.
    auto hold()
    {
        return [this](std::string) -> asio::awaitable<void> {
            error_code ignored;
            if (!is_open_)
                co_await gate_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
            const auto state = co_await asio::this_coro::cancellation_state;
            if (state.cancelled() != asio::cancellation_type::none)
                ++cancelled;
        };
    }
    void open_gate()
    {
        is_open_ = true;
        gate_.cancel();
    }

    /// A handler that only its cancellation ends.
    static asio::awaitable<void> run_for_ever(std::string) { co_await let_pass(std::chrono::hours{1}); }

    template<class Job = std::string, class Handler>
    void start(Handler handler, handle_options how = {})
    {
        subject.handle_source<Job>(kind_.make_source(), std::move(handler), std::move(how));
        number = kind_.sources();
        running_.emplace(kind_.io.get_executor(), subject.async_run(asio::use_awaitable));
    }

    background& running() { return *running_; }

    asio::awaitable<void> stop()
    {
        subject.stop();
        co_await running_->join();
    }

    /// The attempts of all runs, in the order in which they were started.
    std::vector<unsigned> attempts() const
    {
        std::vector<unsigned> all;
        for (const auto& each : events.of(event_kind::started))
            all.push_back(each.attempt);
        return all;
    }

private:
    worker_options observed(worker_options options) const
    {
        options.observers.push_back(events.observe());
        return options;
    }

    source_kind& kind_;
    asio::steady_timer gate_;
    bool is_open_ = false;
    std::optional<background> running_;
};

inline asio::awaitable<void> fall_asleep(source_kind& kind, std::size_t workers, std::size_t monitors)
{
    co_await eventually("they are asleep", [&] { return kind.are_asleep(workers, monitors); });
}

/// Options of a worker that has so many places, and cancels its handlers as soon as it is to stop.
inline worker_options in_a_hurry(std::size_t places = 100)
{
    worker_options options;
    options.concurrency = places;
    options.shutdown_timeout = std::chrono::milliseconds{0};
    return options;
}

/// "job0", "job1" and so on.
inline std::vector<std::string> numbered(std::size_t count)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i != count; ++i)
        names.push_back("job" + std::to_string(i));
    return names;
}

inline void push_all(source_kind& kind, const std::vector<std::string>& names)
{
    for (const auto& each : names)
        kind.push(each);
}

} // namespace coworker::test
