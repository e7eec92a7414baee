// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_events.hpp"

#include <deque>
#include <optional>

/// The parts of `managed_events` that need neither Redis nor a clock.
namespace coworker::detail {

/// What a message means.
///
/// @param channel  without its prefix: "log", or that of tracked jobs
/// @return nothing for a message that no script sends
std::optional<managed_event> read_event(std::string_view channel, std::string_view message);

/// Events that wait to be asked for.
class event_buffer
{
public:
    /// However few they are: texts of events may be large.
    static constexpr std::size_t most_bytes = 1024 * 1024;

    explicit event_buffer(std::size_t capacity) : capacity_{capacity} {}

    /// Keeps an event, or counts it as missed.
    void add(managed_event event);

    /// An unknown number of events was missed.
    void note_gap();

    std::optional<managed_event> take();
    void clear()
    {
        events_.clear();
        bytes_ = 0;
    }

private:
    bool ends_with_a_gap() const;

    std::size_t capacity_;
    std::deque<managed_event> events_;
    std::size_t bytes_ = 0;       ///< of their texts
    bool gap_is_unknown_ = false; ///< of the last event, if it is a gap
};

} // namespace coworker::detail
