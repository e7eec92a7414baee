#pragma once

#include "coworker/worker.hpp"
#include "signal.hpp"
#include "worker/dispatcher.hpp"
#include "worker/lease_table.hpp"
#include "worker/running_job.hpp"
#include "worker/task_group.hpp"

#include <algorithm>
#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace coworker::detail {

class worker_state;

/// Hears of the connection that some of a worker's queues share.
class watched_connection final : public connection_listener
{
public:
    watched_connection(worker_state& owner, std::shared_ptr<source_connection> which)
        : worker_{&owner}, connection_{std::move(which)}
    {
        connection_->attach(*this);
    }
    ~watched_connection() { connection_->detach(*this); }
    watched_connection(const watched_connection&) = delete;
    watched_connection& operator=(const watched_connection&) = delete;

    const std::shared_ptr<source_connection>& get() const noexcept { return connection_; }

    void connection_event(const event& what) override;
    void new_connection() override;

private:
    worker_state* worker_;
    std::shared_ptr<source_connection> connection_;
};

/// One queue of a worker.
struct queue_worker
{
    using clock = std::chrono::steady_clock;

    queue_worker(const asio::any_io_executor& executor, std::unique_ptr<job_source> from, job_handler with,
                 handle_options how)
        : source{std::move(from)}, connection{source->connection()}, handler{std::move(with)},
          options{std::move(how)}, leases{options.lease}, found_empty{executor},
          rest_timer{executor}, renewed{executor}, renew_timer{executor}, guard_timer{executor}
    {}

    /// Not earlier than what is answered now was carried out, if it was asked for then.
    clock::time_point begin_of_lease(clock::time_point asked) const noexcept
    {
        // The call may have had to wait for a connection.
        return connection ? std::max(asked, connection->connecting_since()) : asked;
    }

    std::size_t index = 0;
    std::unique_ptr<job_source> source;
    std::shared_ptr<source_connection> connection; ///< null: the source has none
    job_handler handler;
    handle_options options;
    lease_table leases; ///< of jobs whose handler runs, or that wait for a renewal's answer
    std::list<running_job> to_settle;
    std::unordered_map<std::string_view, running_job*> by_id; ///< those held, if the source's tokens stay
    signal found_empty;             ///< the dispatcher has just marked the queue as empty
    asio::steady_timer rest_timer;  ///< after a refusal, until Redis is asked again
    signal renewed;                 ///< a renewal has ended, well or not, or there is a lease less
    asio::steady_timer renew_timer; ///< until leases are looked at; cancelled when that is to be sooner
    asio::steady_timer guard_timer;
};

/// The inside of a worker: a few loops per queue, and the handlers. Everything runs on one executor.
///
///   pump    asks the dispatcher what to do, calls the source, starts what was taken   (pump.cpp)
///   wait    sleeps while the queue is empty                                            (pump.cpp)
///   renew   keeps leases up        guard   ends handlers whose lease is about to end  (leases.cpp)
///   losses  ends handlers whose job Redis says was taken away                         (leases.cpp)
///   monitor returns what others have lost                                              (watch_leases.cpp)
class worker_state : public std::enable_shared_from_this<worker_state>
{
public:
    using clock = std::chrono::steady_clock;

    worker_state(asio::any_io_executor executor, worker_options options);

    void add_queue(std::unique_ptr<job_source> source, job_handler handler, handle_options options);
    asio::awaitable<void> run();
    void stop();
    void abandon();
    std::size_t running() const noexcept { return dispatcher_ ? dispatcher_->running() : 0; }

    const asio::any_io_executor& get_executor() const noexcept { return executor_; }
    void emit(const event& what) const;

    // for watched_connection
    void connected_again(const source_connection& connection);

    // for job_context
    asio::awaitable<result<void>> extend(running_job& job);
    void limit_run(running_job& job, clock::time_point when, end_reason why);

private:
    asio::awaitable<void> supervise();
    asio::awaitable<void> open(queue_worker& queue);
    asio::awaitable<void> open_queues();
    void start_loops();
    asio::awaitable<void> drain();
    std::chrono::milliseconds time_to_flush() const;
    asio::awaitable<void> wait_until(clock::time_point deadline, auto condition);
    asio::awaitable<void> close_queues();
    void die(std::exception_ptr why);
    std::shared_ptr<task_group> make_group();

    // pump.cpp
    asio::awaitable<void> pump();
    static std::size_t outcomes_that_fit(const queue_worker& queue, std::size_t most, bool backwards);
    asio::awaitable<void> carry_out(dispatcher::step step);
    asio::awaitable<void> reconcile(dispatcher::step step);
    void settled(queue_worker& queue, std::list<running_job> batch, const std::vector<std::size_t>& lost);
    asio::awaitable<void> wait_loop(queue_worker& queue);
    void step_failed(const dispatcher::step& step, const std::exception_ptr& error);
    void let_rest(const dispatcher::step& step, clock::time_point until);
    void report(const system_error& error, queue_worker& queue, event_kind kind, std::size_t count);
    asio::awaitable<void> recover_from(const system_error& error, queue_worker& queue, event_kind kind,
                                       std::size_t count);

    // run_job.cpp
    void add_job(queue_worker& queue, taken_job&& job, clock::time_point leased);
    void index_by_id(queue_worker& queue, running_job& job);
    void start_handlers();
    asio::awaitable<void> run_handlers(handler_runner& runner);
    void runner_failed(const handler_runner& runner, std::exception_ptr error);
    void yield_turn();
    bool may_start(running_job& job, clock::time_point now);
    std::optional<asio::awaitable<outcome>> call_handler(running_job& job, clock::time_point now);
    void apply_limits(running_job& job);
    void handler_ended(running_job& job, handler_end end);
    void finish(running_job& job, outcome result);
    void emit_end(const running_job& job) const;
    void release(running_job& job);
    void let_go(std::list<running_job>& ended);
    void tell_to_end(running_job& job, end_reason why);

    // leases.cpp
    asio::awaitable<void> renew_loop(queue_worker& queue);
    asio::awaitable<void> renew(queue_worker& queue, std::vector<running_job*> jobs);
    asio::awaitable<std::exception_ptr> renew_batch(queue_worker& queue, std::span<running_job* const> jobs);
    void leases_renewed(queue_worker& queue, std::span<running_job* const> jobs,
                        const std::vector<std::size_t>& lost, clock::time_point asked);
    void renewal_ended(running_job& job);
    asio::awaitable<void> guard_loop(queue_worker& queue);
    asio::awaitable<void> losses_loop(queue_worker& queue);
    void give_up(running_job& job, std::string_view why);
    void lose(running_job& job, std::string_view why);
    void tell_of_loss(const running_job& job, std::string_view why) const;

    asio::any_io_executor executor_;
    worker_options options_;
    std::vector<std::unique_ptr<queue_worker>> queues_;
    std::list<watched_connection> connections_; ///< of the queues, each once
    std::optional<dispatcher> dispatcher_;
    std::list<running_job> jobs_;    ///< held: to be started, running, or waiting for a renewal's answer
    std::deque<running_job*> ready_; ///< of these, those to be started
    std::list<running_job> lost_;    ///< ended, and not to be settled; perhaps still looked at
    std::list<running_job> unused_;  ///< kept for the next jobs
    std::uint64_t jobs_taken_ = 0;
    int reconciling_ = 0;       ///< calls that are under way and look at jobs held
    bool turn_is_over_ = false; ///< of the handlers: others have theirs
    clock::time_point turn_ends_{};
    std::list<handler_runner> runners_;
    std::shared_ptr<task_group> idle_loops_; ///< ended when taking ends
    std::shared_ptr<task_group> work_loops_; ///< ended when everything is settled
    signal work_;                            ///< for the pumps: there may be a step to take
    signal changed_;                         ///< for supervise: stop, or a job or a settlement has ended
    bool has_run_ = false;
    bool works_ = false; ///< the loops have been started
    bool ended_ = false;
    bool stop_requested_ = false;
    bool stop_at_once_ = false;
    bool session_ended_ = false; ///< no outcome can be stored any more
    std::exception_ptr failure_;
};

} // namespace coworker::detail
