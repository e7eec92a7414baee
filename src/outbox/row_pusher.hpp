// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "coworker/outbox_relay.hpp"
#include "json/known_list_queues.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace coworker::detail {

/// What became of a batch of rows.
struct pushed_rows
{
    outbox_outcome outcome{};   ///< rows that are done with
    std::uint64_t repeated = 0; ///< rows of `outcome.pushed` that Redis had taken before
    std::string failed{};       ///< why Redis has not taken all that it could have; empty: it has
    std::string failed_queue{}; ///< the queue whose jobs Redis refused; empty: it is not about one queue
};

/// Pushes rows to their queues.
class row_pusher
{
public:
    row_pusher(const client& redis, const outbox_options& options);

    /// Pushes the rows, queue by queue, each queue's in their order. After an error, nothing more is pushed: so no row
    /// gets in front of another one that has the same order key.
    asio::awaitable<pushed_rows> push(std::vector<outbox_row> rows);

private:
    using queue_rows = std::vector<const outbox_row*>;

    asio::awaitable<void> push_to_queue(std::string name, queue_rows rows, pushed_rows& done);
    asio::awaitable<void> push_to_list(std::string name, queue_rows rows, pushed_rows& done);
    asio::awaitable<void> push_to_managed(std::string name, queue_rows rows, pushed_rows& done);

    client redis_;
    outbox_options options_;
    known_list_queues lists_;
};

} // namespace coworker::detail
