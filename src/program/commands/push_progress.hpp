// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace coworker::program {

/// How far a push has come: a line on a terminal that changes; elsewhere nothing.
class push_progress
{
public:
    push_progress();
    ~push_progress() { clear(); }
    push_progress(const push_progress&) = delete;
    push_progress& operator=(const push_progress&) = delete;

    /// @param whole  bytes to be read; zero: not known
    void show(std::uint64_t queued, std::uint64_t read, std::uint64_t whole);

    /// A line that stays, on a terminal or not.
    void complain_of_line(std::uint64_t number, std::string_view complaint);

    void clear();

private:
    using clock = std::chrono::steady_clock;

    bool terminal_;
    bool shown_ = false;
    clock::time_point next_{};
};

} // namespace coworker::program
