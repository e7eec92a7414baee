// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "coworker/managed_events.hpp"

#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace coworker::detail {

/// What an event stream keeps to.
struct event_stream_limits
{
    /// How many events wait for a client that reads slowly; of further ones it is told how many there were.
    std::size_t capacity = 1'000;
    /// After how long without an event a comment is sent, so that nobody thinks the connection dead.
    std::chrono::milliseconds heartbeat{15'000};
};

/// What happens to the jobs of managed queues, as server-sent events for one client.
class event_stream : public std::enable_shared_from_this<event_stream>
{
public:
    event_stream(const client& redis, const std::string& managed_prefix, event_stream_limits limits = {});

    /// Completes when every later event will be in the stream.
    asio::awaitable<void> begin();
    /// The next part of the stream; empty at its end.
    asio::awaitable<std::string> next();
    /// Ends it.
    void stop();

private:
    void wait_for_event();

    std::chrono::milliseconds heartbeat_;
    managed_events events_;
    asio::steady_timer timer_;
    std::optional<managed_event> event_;
    bool is_waiting_ = false;
    bool is_over_ = false;
};

/// "event: completed\ndata: {…}\n\n"; empty for the second message of an event that is published twice.
std::string describe_event(const managed_event& what);

} // namespace coworker::detail
