// SPDX-License-Identifier: MIT
#pragma once

#include "exec/child_process.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace coworker::exec {

/// Passes text on to standard error, line by line, so that those of several processes do not mix. Never
/// blocks: whoever reads there may be slow, and a process that is told to end must be able to. Nobody who takes nothing
/// for some seconds is waited for: what comes then is dropped and counted.
class error_stream
{
public:
    using clock = std::chrono::steady_clock;

    /// How long whoever reads may take nothing.
    static constexpr std::chrono::seconds patience{5};

    error_stream();

    /// As much as may wait. Add nothing while there is more.
    bool is_full(clock::time_point now) const noexcept
    {
        return waiting_.size() >= capacity && !is_unread(now);
    }

    /// Whether the reader has stalled.
    bool is_unread(clock::time_point now) const noexcept
    {
        return wants_to_write() && now - moved_ >= patience;
    }

    /// When `is_unread` becomes true, if nothing is read until then.
    clock::time_point unread_from() const noexcept { return moved_ + patience; }

    /// The text, or its size alone, if nobody reads.
    void add(std::string_view text, clock::time_point now);

    /// How many bytes were dropped, once nothing waits any more; then 0 until there are more.
    std::uint64_t take_loss();

    /// Nothing more comes: the rest is a line, too.
    void end();

    /// There is something to write: `write` when `file` is ready.
    bool wants_to_write() const noexcept { return ready_size() != 0; }
    int file() const noexcept { return file_; }
    void write();

private:
    static constexpr std::size_t capacity = 4096; // what a pipe takes in one piece

    std::size_t ready_size() const noexcept;

    file_descriptor reopened_;
    int file_;
    bool is_socket_ = false;
    std::string waiting_;
    clock::time_point moved_ = clock::now(); ///< since when nothing has been written although something waits
    std::uint64_t lost_ = 0;                 ///< bytes
};

} // namespace coworker::exec
