// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/event.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace coworker::test {

namespace asio = boost::asio;

/// An event as it was told, kept.
struct recorded_event
{
    event_kind kind;
    std::string queue, job_id, message;
    std::size_t count;
    unsigned attempt;
    std::chrono::nanoseconds duration;
    std::chrono::milliseconds delay;
    std::chrono::steady_clock::time_point when;
};

/// Remembers events, and lets a test wait for them.
class event_log
{
public:
    explicit event_log(const asio::any_io_executor& executor);

    /// For a worker's or a client's options. Valid longer than this object.
    observer observe() const;

    /// Waits until `count` events of a kind have been told since the beginning; returns the last of these.
    /// Throws when they do not come in time.
    asio::awaitable<recorded_event> wait_for(event_kind kind, std::size_t count = 1) const;

    /// Waits until the condition holds; asked again after every event.
    asio::awaitable<void> wait_until(std::string what, std::function<bool(const event_log&)> condition) const;

    std::size_t count(event_kind kind) const;
    /// The sum of the events' own counts: jobs taken, recovered, renewed.
    std::size_t total(event_kind kind) const;
    std::vector<recorded_event> of(event_kind kind) const;
    const std::vector<recorded_event>& all() const noexcept;
    /// For messages: one word per event.
    std::string tell() const;

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace coworker::test
