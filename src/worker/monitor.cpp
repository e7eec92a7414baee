// SPDX-License-Identifier: MIT
#include "coworker/monitor.hpp"

#include "tell.hpp"
#include "worker/longest_command.hpp"
#include "worker/monitor_loops.hpp"
#include "worker/same_executor.hpp"
#include "worker/task_group.hpp"

#include <boost/asio/dispatch.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include <atomic>
#include <utility>

namespace coworker {
namespace detail {

class monitor_state : public std::enable_shared_from_this<monitor_state>
{
public:
    monitor_state(asio::any_io_executor executor, monitor_options options)
        : executor_{std::move(executor)}, options_{std::move(options)}, changed_{executor_}
    {
        if (options_.lease < std::chrono::milliseconds{100})
            throw explained_error{errc::invalid_option, "a lease is at least 100 ms"};
        if (options_.worker_grace.count() < 0)
            throw explained_error{errc::invalid_option, "worker_grace is negative"};
    }

    const asio::any_io_executor& get_executor() const noexcept { return executor_; }

    /// Somebody is about to begin `run`, on whichever thread.
    void expect_run() noexcept { is_to_run_ = true; }
    /// Whether it runs, or may begin to. Otherwise no connection knows of it, and any thread may have it.
    bool may_run() const noexcept { return is_to_run_ && !has_left_; }

    void add(std::unique_ptr<job_source> source)
    {
        if (is_to_run_)
            throw system_error{errc::already_running};
        check_executor(*source, executor_, "monitor");
        sources_.push_back(std::move(source));
    }

    asio::awaitable<void> run()
    {
        if (std::exchange(has_run_, true))
            throw system_error{errc::already_running};
        if (sources_.empty())
            throw explained_error{errc::invalid_worker, "the monitor has no queue to watch"};
        const auto self = shared_from_this();
        const auto loops = std::make_shared<task_group>(executor_, [self](std::exception_ptr error) {
            self->failure_ = self->failure_ ? self->failure_ : error;
            self->changed_.notify();
        });
        const auto watch = [this, &loops](job_source& source) {
            loops->spawn(return_lost_jobs(source, options_.lease, options_.worker_grace,
                                          [this](const event& what) { emit(what); }));
        };
        const auto add_parts = [this, watch](std::vector<std::unique_ptr<job_source>> parts) {
            for (auto& part : parts)
                watch(*sources_.emplace_back(std::move(part)));
        };
        for (auto* source : all_sources()) {
            watch(*source);
            loops->spawn(add_new_parts(
                *source, [this](const event& what) { emit(what); }, add_parts));
        }
        for (auto* source : schedule_keepers(all_sources()))
            loops->spawn(carry_out_schedules(*source, [this](const event& what) { emit(what); }));
        co_await asio::this_coro::reset_cancellation_state(asio::enable_total_cancellation());
        bool is_cancelled = false;
        while (!stopping_ && !failure_ && !is_cancelled) {
            try {
                co_await changed_.wait();
            } catch (const system_error&) {
                is_cancelled = true;
            }
        }
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        loops->cancel();
        co_await loops->wait();
        co_await close();
        sources_.clear(); // connections forget them
        has_left_ = true;
        if (failure_)
            std::rethrow_exception(failure_);
        if (is_cancelled)
            throw system_error{asio::error::operation_aborted};
    }

    void stop()
    {
        stopping_ = true;
        changed_.notify();
    }

private:
    /// Makes room for another monitor, which comes all the same, a little later: so it waits for a source that does not
    /// answer only as long as any one call may take.
    asio::awaitable<void> close()
    {
        const auto self = shared_from_this();
        const auto closing = std::make_shared<task_group>(executor_, [self](std::exception_ptr error) {
            if (!is_system_error(error))
                self->failure_ = self->failure_ ? self->failure_ : error;
        });
        std::vector<std::shared_ptr<source_connection>> connections;
        for (const auto& source : sources_) {
            connections.push_back(source->connection());
            closing->spawn(source->close());
        }
        asio::steady_timer limit{executor_};
        if (const auto longest = longest_command(connections); longest.count() != 0) {
            limit.expires_after(longest);
            limit.async_wait([closing](error_code ec) {
                if (!ec)
                    closing->cancel();
            });
        }
        co_await closing->wait();
    }

    static bool is_system_error(const std::exception_ptr& error)
    {
        try {
            std::rethrow_exception(error);
        } catch (const system_error&) {
            return true;
        } catch (...) {
            return false;
        }
    }

    std::vector<job_source*> all_sources() const
    {
        std::vector<job_source*> all;
        for (const auto& source : sources_)
            all.push_back(source.get());
        return all;
    }

    void emit(const event& what) const
    {
        for (const auto& who : options_.observers)
            tell(who, what);
    }

    asio::any_io_executor executor_;
    monitor_options options_;
    std::vector<std::unique_ptr<job_source>> sources_;
    signal changed_;
    std::atomic<bool> is_to_run_ = false;
    std::atomic<bool> has_left_ = false; ///< it has run, and no connection knows of it any more
    bool has_run_ = false;
    bool stopping_ = false;
    std::exception_ptr failure_;
};

} // namespace detail

monitor::monitor(asio::any_io_executor executor, monitor_options options)
    : state_{std::make_shared<detail::monitor_state>(std::move(executor), std::move(options))}
{}

monitor::~monitor()
{
    if (!state_ || !state_->may_run())
        return;
    const auto executor = get_executor();
    asio::dispatch(executor, [state = std::move(state_)] { state->stop(); });
}

monitor::monitor(monitor&&) noexcept = default;

monitor& monitor::operator=(monitor&& other) noexcept
{
    monitor old{std::move(*this)};
    state_ = std::move(other.state_);
    return *this;
}

void monitor::watch_source(std::unique_ptr<job_source> source)
{
    state_->add(std::move(source));
}

asio::awaitable<void> monitor::run()
{
    state_->expect_run();
    // The coroutine keeps the state, in case the monitor is destroyed meanwhile.
    return [](std::shared_ptr<detail::monitor_state> state) -> asio::awaitable<void> {
        co_await state->run();
    }(state_);
}

void monitor::stop()
{
    asio::dispatch(get_executor(), [state = state_] { state->stop(); });
}

asio::any_io_executor monitor::get_executor() const
{
    return state_->get_executor();
}

} // namespace coworker
