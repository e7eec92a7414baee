// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/outbox_relay.hpp"
#include "outbox/row_pusher.hpp"
#include "signal.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::detail {

/// What an `outbox_relay` is made of.
class relay_state : public std::enable_shared_from_this<relay_state>
{
public:
    relay_state(const client& redis, std::unique_ptr<outbox_store> database, outbox_options options);

    const asio::any_io_executor& get_executor() const noexcept { return executor_; }
    const outbox_counts& counts() const noexcept { return counts_; }

    /// Somebody is about to begin `run`, on whichever thread.
    void expect_run() noexcept { is_to_run_ = true; }
    /// Whether it runs, or may begin to.
    bool may_run() const noexcept { return is_to_run_ && !has_left_; }

    asio::awaitable<void> run();
    void stop();

private:
    using clock = std::chrono::steady_clock;

    /// What one side could not do.
    struct trouble
    {
        std::string why;
        bool is_of_database = false;
    };

    asio::awaitable<void> relay();
    /// Throws as well what Redis or the database could not do.
    asio::awaitable<void> relay_until_trouble(trouble& found);
    /// Returns whether there may be more rows.
    asio::awaitable<bool> push_batch(trouble& found);
    asio::awaitable<void> wait_for_rows();
    asio::awaitable<void> look();

    /// Does a step of the database, for as long as it may take.
    /// @throws outbox_database_error
    template<class T>
    asio::awaitable<T> within_limit(asio::awaitable<T> step);

    void note(const trouble& what);
    void note(const pushed_rows& done);
    void warn(std::string_view queue, const std::string& text) const;
    std::vector<std::string> held_queues();
    std::chrono::milliseconds next_pause() const;

    asio::any_io_executor executor_;
    client redis_;
    std::unique_ptr<outbox_store> database_;
    outbox_options options_;
    row_pusher pusher_;
    signal changed_;
    outbox_counts counts_;
    std::map<std::string, clock::time_point> held_; ///< queues that Redis refuses jobs of, and until when
    clock::time_point looked_{};                    ///< when the table was looked at last
    int failures_ = 0;                              ///< one after the other
    bool is_redis_up_ = false;
    std::string told_; ///< the warning that was given last, and holds
    std::atomic<bool> is_to_run_ = false;
    std::atomic<bool> has_left_ = false;
    bool has_run_ = false;
    bool stopping_ = false;
};

} // namespace coworker::detail
