// SPDX-License-Identifier: MIT
#pragma once

#include "redis/connection/connection.hpp"
#include "redis/key_watch.hpp"

#include <optional>
#include <string>

namespace coworker::detail {

/// Waits for changes of keys, in a cluster also for a sign that their slot moves to another node: the old one tells
/// nothing of what is written there.
///
/// The sign is a change of the mark: a key in the same slot that is there as long as somebody works, and seldom
/// changes. When a slot moves, it is deleted at the old node. Then the keys are to be read again, which finds the new
/// one.
class slot_watch
{
public:
    using clock = key_watch::clock;

    slot_watch(const connection& redis, std::string mark);

    /// The key to read beside those waited for; null: not in a cluster.
    const std::string* mark() const noexcept { return watch_ ? &mark_ : nullptr; }

    /// Forgets changes so far. Call before reading the mark.
    void arm();

    /// As `key_watch::wait_until`, but may end before the deadline without a change: then `is_doubtful`.
    asio::awaitable<bool> wait_until(key_watch& keys, clock::time_point deadline);

    /// Whether the mark has ended the last wait.
    bool is_doubtful() const noexcept { return is_doubtful_; }

private:
    asio::awaitable<void> wait_for_mark(clock::time_point deadline);

    asio::any_io_executor executor_;
    std::string mark_;
    std::optional<key_watch> watch_; ///< none: one server
    bool is_doubtful_ = false;
};

} // namespace coworker::detail
