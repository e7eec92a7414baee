// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/worker.hpp"
#include "worker/dispatcher/dispatcher.hpp"
#include "worker/lease_keeper.hpp"
#include "worker/note_keeper.hpp"
#include "worker/outbox.hpp"

#include <list>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>

namespace coworker::detail {

/// One queue of a worker: takes jobs from its source, acknowledges those that have ended, and waits while there are
/// none.
class queue_runner
{
public:
    using clock = running_job::clock;

    /// @param index  the queue's place among the worker's, as the dispatcher counts
    /// @param handler_executor  null: the worker's
    queue_runner(worker_life& life, dispatcher& dispatch, handler_pool& handlers, std::size_t index,
                 std::unique_ptr<job_source> source, job_handler handler,
                 asio::any_io_executor handler_executor, handle_options options);

    const std::string& name() const noexcept { return source_->name(); }
    std::size_t index() const noexcept { return index_; }
    job_source& source() const noexcept { return *source_; }
    /// Null: the source has none.
    const std::shared_ptr<source_connection>& connection() const noexcept { return connection_; }
    const job_handler& handler() const noexcept { return handler_; }
    /// Where it runs; null: on the worker's executor, as part of what the worker does.
    const asio::any_io_executor& handler_executor() const noexcept { return handler_executor_; }
    const handle_options& options() const noexcept { return options_; }
    lease_keeper& leases() noexcept { return leases_; }
    note_keeper& notes() noexcept { return notes_; }
    handler_pool& handlers() const noexcept { return handlers_; }
    const asio::any_io_executor& get_executor() const noexcept { return life_.get_executor(); }

    // --- for the supervisor ---

    /// Opens the source, again if the connection is lost meanwhile.
    asio::awaitable<void> open();
    bool is_open() const noexcept { return is_open_; }
    bool is_closed() const noexcept { return is_closed_; }
    /// The connection is a new one.
    void connected_again();
    /// Sleeps while the queue is empty.
    asio::awaitable<void> wait_loop();
    /// After the last step.
    void end_rest() { rest_timer_.cancel(); }
    asio::awaitable<void> close();
    /// The connection forgets the source, which is not needed any more.
    void leave()
    {
        source_.reset();
        handlers_work_ = {};
    }

    // --- for the pumps ---

    asio::awaitable<void> carry_out(dispatcher::step step);

    // --- for handlers and leases ---

    /// The job has its outcome: it is stored with the next batch, or dropped when the lease is gone.
    void job_ended(running_job& job);
    /// It had ended before, and only now it is known whether the lease is held and with which token.
    void lease_known(running_job& job);
    /// The last lines of a job that has ended are stored, or cannot be.
    void noted(running_job& job);
    /// When a lease began that was given by a call made at `asked`: not earlier than it was carried out.
    clock::time_point begin_of_lease(clock::time_point asked) const noexcept;
    /// Tells of a call that has failed, unless only the connection was lost. Throws what ends the caller.
    ///
    /// @param cancelled  how the caller was
    void report(const system_error& error, asio::cancellation_type cancelled, event_kind kind,
                std::size_t count);
    /// The same for a loop that works for one queue only: waits a little before it goes on.
    asio::awaitable<void> recover_from(const system_error& error, event_kind kind, std::size_t count);

private:
    asio::awaitable<void> ack_and_fetch(dispatcher::step step);
    asio::awaitable<void> reconcile(dispatcher::step step);
    void acknowledged(std::list<running_job> batch, const job_source::fetch_result& result);
    void tell_of_unhandled(const std::vector<std::string>& kinds);
    void add_job(fetched_job&& taken, clock::time_point leased, clock::time_point now);
    void index_by_id(running_job& job);
    void release(running_job& job);
    asio::awaitable<void> step_failed(const dispatcher::step& step, std::exception_ptr error);
    asio::awaitable<void> pause_after(const error_code& code) const;
    void let_rest(const dispatcher::step& step, clock::time_point until);

    worker_life& life_;
    dispatcher& dispatcher_;
    handler_pool& handlers_;
    std::size_t index_;
    std::unique_ptr<job_source> source_;
    bool is_open_ = false;
    bool is_closed_ = false;
    std::shared_ptr<source_connection> connection_;
    job_handler handler_;
    asio::any_io_executor handler_executor_;
    asio::any_io_executor handlers_work_; ///< keeps its context from running out of work
    handle_options options_;
    lease_keeper leases_;
    note_keeper notes_;
    outbox outbox_;
    std::unordered_map<std::string_view, running_job*> by_id_; ///< those held, if the source's tokens stay
    /// Jobs of a kind that were left waiting, and have not been told of.
    struct unhandled_jobs
    {
        std::size_t count = 0;
        clock::time_point next{}; ///< when they are told of: not more often than once in a while
    };
    std::map<std::string, unhandled_jobs> unhandled_;
    signal found_empty_;            ///< the dispatcher has just marked the queue as empty
    asio::steady_timer rest_timer_; ///< after a refusal, until the source is asked again
};

} // namespace coworker::detail
