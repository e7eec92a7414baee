// SPDX-License-Identifier: MIT
#pragma once

#include "enlisted.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace coworker::detail {

namespace asio = boost::asio;

class key_watch;

/// All watches of one connection.
class key_watches
{
public:
    void notify(std::string_view key);
    void notify_all();

    /// Whether somebody waits for a change.
    bool is_awaited() const noexcept { return waiting_ != 0; }

private:
    friend class key_watch;
    void add(key_watch& watch);
    void remove(key_watch& watch);

    enlisted<key_watch> watches_;                                  ///< some have no keys
    std::unordered_multimap<std::string_view, key_watch*> by_key_; ///< there may be many
    std::size_t waiting_ = 0;
};

/// Wants to know when keys change that were read right behind CLIENT CACHING YES. Redis says it once; then
/// the keys have to be read again.
///
/// It is made on any thread, and used on the connection's executor. Once it was armed, it is known to the connection, and
/// is destroyed there, too.
class key_watch
{
public:
    using clock = std::chrono::steady_clock;

    key_watch(std::shared_ptr<key_watches> all, const asio::any_io_executor& executor,
              std::vector<std::string> keys);
    ~key_watch();
    key_watch(const key_watch&) = delete;
    key_watch& operator=(const key_watch&) = delete;

    /// Forgets changes so far. Call before reading the keys.
    void arm();

    /// One of the keys may have changed, or the connection is a new one.
    void notify();

    /// Waits for a change since `arm`, or until `deadline`. True if there was a change. Throws when
    /// cancelled.
    asio::awaitable<bool> wait_until(clock::time_point deadline);

private:
    friend class key_watches;
    std::shared_ptr<key_watches> all_;
    std::vector<std::string> keys_;
    asio::steady_timer timer_;
    bool is_enlisted_ = false;
    bool changed_ = false;
};

} // namespace coworker::detail
