#pragma once

#include "process/child_process.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace coworker::cli {

/// Passes text on to standard error, line by line, so that those of several processes do not mix. Never
/// blocks: whoever reads there may be slow, and a process that is told to end must be able to.
class error_stream
{
public:
    error_stream();

    /// As much as may wait. Add nothing while there is more.
    bool is_full() const noexcept { return waiting_.size() >= capacity; }

    void add(std::string_view text) { waiting_ += text; }

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
};

} // namespace coworker::cli
