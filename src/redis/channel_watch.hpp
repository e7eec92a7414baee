// SPDX-License-Identifier: MIT
#pragma once

#include "enlisted.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::detail {

class channel_watch;

/// All channels that one connection listens to.
class channel_watches
{
public:
    void notify(std::string_view channel, std::string_view message);
    void notify_new_connection();

    /// Whether nobody listens.
    bool is_empty() const noexcept { return watches_.empty(); }
    /// Each once.
    std::vector<std::string> channels() const;
    /// Of these, the ones nobody listens to.
    std::vector<std::string> unwatched(const std::vector<std::string>& channels) const;

private:
    friend class channel_watch;
    enlisted<channel_watch> watches_;
};

/// Hears what is published on some channels. Listening begins with `client::listen`, and is begun again by the
/// client whenever it has to connect again.
///
/// The functions are called between other steps; they must be short and must not destroy the watch.
///
/// It is made on any thread. While it is enlisted, it is used and destroyed on the connection's executor.
class channel_watch
{
public:
    using receiver = std::function<void(std::string_view channel, std::string_view message)>;

    /// @param missed  called when the connection is a new one: messages may have been missed.
    channel_watch(
        std::shared_ptr<channel_watches> all, std::vector<std::string> channels, receiver receive,
        std::function<void()> missed = [] {});
    ~channel_watch();
    channel_watch(const channel_watch&) = delete;
    channel_watch& operator=(const channel_watch&) = delete;

    const std::vector<std::string>& channels() const noexcept { return channels_; }

    /// Enlisted watches are told of messages, and their channels are part of every new connection's set-up.
    void enlist();
    void withdraw();

private:
    friend class channel_watches;
    std::shared_ptr<channel_watches> all_;
    std::vector<std::string> channels_;
    receiver receive_;
    std::function<void()> missed_;
    bool is_enlisted_ = false;
};

} // namespace coworker::detail
