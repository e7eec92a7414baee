// SPDX-License-Identifier: MIT
#pragma once

#include "worker/handler_pool/handler_pool.hpp"
#include "worker/lease_table.hpp"

#include "coworker/job_source.hpp"

#include <boost/asio/steady_timer.hpp>

#include <span>
#include <vector>

namespace coworker::detail {

/// Keeps up the leases of one queue's jobs, and ends handlers whose lease is lost or about to end.
class lease_keeper
{
public:
    using clock = running_job::clock;

    lease_keeper(worker_life& life, handler_pool& handlers, queue_runner& queue);

    /// How long leases last. Called before there are any.
    void lease_time(std::chrono::milliseconds lease) { table_ = lease_table{lease}; }

    // --- loops ---

    /// Renews leases of which a third has passed, and those that must be renewed at once.
    asio::awaitable<void> renew_loop();
    /// Ends handlers before their lease can have ended at the server, whether or not it can be reached.
    asio::awaitable<void> guard_loop();
    /// Asks for jobs of which the source says that they were taken away.
    asio::awaitable<void> losses_loop();

    // --- for the queue and the handlers ---

    void add(running_job& job);
    void remove(running_job& job);
    bool is_ending(const running_job& job, clock::time_point now) const { return table_.is_ending(job, now); }
    /// Whether it is still held is found out at once.
    void renew_now(running_job& job);
    /// A call of the handler was told that the lease is lost: the same, unless the handler has ended meanwhile.
    void told_lost(running_job& job);
    void renew_all_now();
    /// Waits until it is known of all leases whether they are held, and with which token.
    asio::awaitable<void> be_certain();
    asio::awaitable<result<void>> extend(running_job& job);
    void give_up(running_job& job, std::string_view why);
    void lose(running_job& job, std::string_view why);

private:
    asio::awaitable<void> renew(std::vector<running_job*> jobs);
    asio::awaitable<std::exception_ptr> renew_batch(std::span<running_job* const> jobs);
    asio::awaitable<void> renew_what_ends();
    void renewed(std::span<running_job* const> jobs, const std::vector<std::size_t>& lost,
                 clock::time_point asked);
    void renewal_ended(running_job& job);
    void look_again();

    worker_life& life_;
    handler_pool& handlers_;
    queue_runner& queue_;
    lease_table table_;              ///< of jobs whose handler runs, or that wait for a renewal's answer
    signal has_renewed_;             ///< a renewal has ended, well or not, or there is a lease less
    asio::steady_timer renew_timer_; ///< until leases are looked at; cancelled when that is to be sooner
    asio::steady_timer guard_timer_;
};

} // namespace coworker::detail
