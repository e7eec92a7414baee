// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace coworker::program {

/// Writes lines to a file from a thread of its own, so that whoever adds one never waits for whoever reads the file.
///
/// What cannot be written yet waits in memory, up to a limit. Lines beyond the limit are dropped and counted; when the
/// file takes text again, a line says how many they were.
///
/// @par Thread safety  Safe.
class log_writer
{
public:
    static constexpr std::size_t capacity = 1 << 20;

    /// @param file  must stay open
    /// @param describe_loss  makes the line that says how many lines were dropped
    log_writer(int file, std::function<std::string(std::uint64_t)> describe_loss);

    /// Waits until everything is written, but no longer than a second in which the file takes nothing.
    ~log_writer();

    log_writer(const log_writer&) = delete;
    log_writer& operator=(const log_writer&) = delete;

    /// @param line  without its end
    void add(std::string_view line);

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace coworker::program
