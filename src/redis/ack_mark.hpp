// SPDX-License-Identifier: MIT
#pragma once

#include "redis/connection/connection.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <set>
#include <string>

namespace coworker::detail {

/// Confirms what a worker's source has acknowledged.
///
/// Redis' replication and its append-only file are one stream: a write that replicas have, or the disk, comes behind all
/// that were carried out earlier on the same server. So a later write on another connection, with a WAIT behind it,
/// confirms acknowledgements without any of them standing behind a WAIT. But the server that is asked may not be the
/// one that acknowledged, and may lack what that one had: each call that acknowledges writes its number into a mark, in
/// the same step, and the confirmation counts only where the mark tells of all these calls.
class ack_mark
{
public:
    /// How often it is asked for.
    enum class use
    {
        often,
        once, ///< after which the mark is removed
    };

    /// @param redis  the connection whose writes are to be confirmed
    /// @param keys  what the keys of marks begin with
    ack_mark(connection& redis, const durability& wanted, const std::string& keys, use how = use::often);

    /// A call that acknowledges, from before it is sent until it has been answered or has failed.
    class call
    {
    public:
        /// @param mark  null: nothing is to be confirmed
        explicit call(ack_mark* mark);
        ~call();
        call(const call&) = delete;
        call& operator=(const call&) = delete;

        explicit operator bool() const noexcept { return mark_ != nullptr; }
        std::int64_t number() const noexcept { return number_; }
        /// The last call before it that may have been carried out: what does not know that one has lost it.
        std::int64_t after() const noexcept { return after_; }
        std::chrono::milliseconds life() const noexcept { return mark_->life_; }

        /// What it acknowledged is to be confirmed.
        void answered();

    private:
        ack_mark* mark_;
        std::int64_t number_ = 0;
        std::int64_t after_ = 0;
    };

    /// Waits until this server can be asked. Throws `errc::not_supported` where it cannot confirm what is wanted.
    asio::awaitable<void> check() { return confirming_->check_means(); }

    /// Waits until what calls have acknowledged, and an earlier `confirm` has not waited for, is as durable as was
    /// wanted. Throws `errc::unconfirmed` if that is not so within the time limit, or if the server has lost it.
    asio::awaitable<void> confirm();

    /// Removes the mark; no call follows. It would expire, so errors do not matter.
    asio::awaitable<void> remove(connection& redis) const;

    /// Where the mark is.
    const std::string& key() const noexcept { return key_; }
    /// The part of it that other marks do not have.
    const std::string& name() const noexcept { return name_; }

private:
    std::shared_ptr<connection> confirming_;
    std::string name_;
    std::string key_;
    std::chrono::milliseconds limit_;
    std::chrono::milliseconds life_;   ///< how long the mark outlives the last call
    std::chrono::milliseconds kept_;   ///< how long it outlives a question
    std::int64_t sent_ = 0;            ///< calls are numbered
    std::set<std::int64_t> under_way_; ///< not answered
    std::int64_t answered_ = 0;        ///< the last of those that were
    std::int64_t first_ = 0;           ///< the first of those that nobody has asked about; 0: there is none
};

} // namespace coworker::detail
