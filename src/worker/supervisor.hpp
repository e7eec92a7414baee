// SPDX-License-Identifier: MIT
#pragma once

#include "worker/late_calls.hpp"
#include "worker/queue_runner.hpp"
#include "worker/task_group.hpp"

#include <atomic>
#include <list>
#include <memory>
#include <optional>
#include <vector>

namespace coworker::detail {

/// The inside of a worker: starts its parts, and ends them in the right order. Everything from `run` on is done on one
/// executor. Until then, and once `may_run` is false again, connections do not know of it, and any thread may have it.
class supervisor : public std::enable_shared_from_this<supervisor>
{
public:
    using clock = std::chrono::steady_clock;

    supervisor(asio::any_io_executor executor, worker_options options);

    void add_queue(std::unique_ptr<job_source> source, job_handler handler, handle_options options);
    /// Somebody is about to begin `run`, on whichever thread.
    void expect_run() noexcept { is_to_run_ = true; }
    /// Whether it runs, or may begin to. Otherwise nothing else knows of it. May be called on any thread.
    bool may_run() const noexcept { return is_to_run_ && !has_left_; }
    asio::awaitable<void> run();
    void stop() { life_.stop(); }
    void stop_fetching() noexcept { dispatcher_.stop_taking(); }
    /// The worker object is gone: end as soon as possible, without anybody waiting for it.
    void abandon() { life_.stop_at_once(); }

    std::size_t concurrency() const noexcept { return options_.concurrency; }
    std::size_t running() const noexcept { return dispatcher_.running(); }
    const asio::any_io_executor& get_executor() const noexcept { return life_.get_executor(); }

private:
    /// Hears of the connection that some of the queues share.
    class watched_connection final : public connection_listener
    {
    public:
        watched_connection(supervisor& owner, std::shared_ptr<source_connection> which);
        ~watched_connection() { connection_->detach(*this); }
        watched_connection(const watched_connection&) = delete;
        watched_connection& operator=(const watched_connection&) = delete;

        const std::shared_ptr<source_connection>& get() const noexcept { return connection_; }

        void connection_event(const event& what) override { owner_.life_.emit(what); }
        void new_connection() override { owner_.connected_again(*connection_); }

    private:
        supervisor& owner_;
        std::shared_ptr<source_connection> connection_;
    };

    asio::awaitable<void> supervise();
    asio::awaitable<void> work();
    void leave();
    asio::awaitable<void> begin_queues();
    asio::awaitable<void> begin(queue_runner& queue);
    void start_loops(queue_runner& queue);
    bool handles(const job_source& source) const;
    void watch_connection(const queue_runner& queue);
    void add_parts(const queue_runner& whole, std::vector<std::unique_ptr<job_source>> parts);
    void look_at_executors();
    asio::awaitable<void> drain();
    asio::awaitable<void> close_queues();
    std::chrono::milliseconds time_to_flush() const;
    asio::awaitable<void> wait_until(clock::time_point deadline, auto condition);
    asio::awaitable<void> wait_for_sources(clock::time_point deadline, auto condition);
    void connected_again(const source_connection& connection);
    std::shared_ptr<task_group> make_group();

    worker_options options_;
    worker_life life_;
    dispatcher dispatcher_;
    handler_pool handlers_;
    late_calls late_calls_;
    std::vector<std::unique_ptr<queue_runner>> queues_; ///< in the order in which the dispatcher counts them
    std::list<watched_connection> connections_;         ///< of the queues, each once
    std::shared_ptr<task_group> idle_loops_;            ///< ended when taking ends
    std::shared_ptr<task_group> work_loops_;            ///< ended when everything is acknowledged
    std::atomic<bool> is_to_run_ = false;
    std::atomic<bool> has_left_ = false; ///< it has run, and nothing else knows of it any more
    bool has_run_ = false;
    clock::time_point give_up_at_ = clock::time_point::max(); ///< then sources are not waited for any more
    bool have_begun_ = false; ///< the queues: one that is opened later begins at once
    bool ended_ = false;
};

} // namespace coworker::detail
