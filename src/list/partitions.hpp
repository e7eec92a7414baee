// SPDX-License-Identifier: MIT
#pragma once

#include "redis/connection/connection.hpp"
#include "redis/key_watch.hpp"
#include "redis/poll_schedule.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

/// What the partitions of a list queue are called, and how many there are.
namespace coworker::detail {

constexpr unsigned most_partitions = 1024;

/// Whether a list queue with this name can be divided.
bool can_be_divided(std::string_view queue) noexcept;

std::string partition_name(const std::string& queue, unsigned index);

/// The partition of jobs with a key, of so many: the same in all programs.
unsigned partition_of(std::string_view key, unsigned partitions) noexcept;

/// The key of the number of partitions.
std::string partitions_key(const std::string& queue);

/// How many partitions a queue has; 0: it is not divided.
asio::awaitable<unsigned> count_partitions(connection& redis, const std::string& queue);

/// Makes the number of partitions at least `asked`, and returns it. New ones are paused if the queue is. Warns where
/// there are more than that.
asio::awaitable<unsigned> divide(connection& redis, const std::string& queue, unsigned asked);

/// Throws `errc::invalid_queue_name` for a queue that nobody has divided, in a cluster where it has to be.
[[noreturn]] void refuse_undivided(const std::string& queue);

/// Waits until there are more partitions than are known.
class partition_watch
{
public:
    /// @param redis  the client's connection, not that of a part of a cluster
    /// @param asked  how many there shall be at least
    /// @param known  how many are known
    partition_watch(std::shared_ptr<connection> redis, std::string queue, unsigned asked, unsigned known);

    connection& redis() const noexcept { return *redis_; }
    const std::string& queue() const noexcept { return queue_; }

    /// Returns the first and the one behind the last that are new. Throws `errc::unavailable`, once, if the node of a
    /// cluster that has their number does not answer: to be called again.
    asio::awaitable<std::pair<unsigned, unsigned>> wait();

private:
    asio::awaitable<void> look_for_its_node();
    asio::awaitable<unsigned> read();

    std::shared_ptr<connection> redis_;
    std::string queue_;
    unsigned asked_;
    unsigned known_;
    bool has_looked_ = false; ///< for that node
    bool is_divided_ = false; ///< Redis has the number that was asked for
    key_watch watch_;
    poll_schedule polls_;
};

} // namespace coworker::detail
