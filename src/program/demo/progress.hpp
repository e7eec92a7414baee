#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace coworker::demo {

/// A number with its thousands apart: 56,745.
std::string grouped(std::uint64_t number);

/// Shows how far a piece of work has come: one line that changes on a terminal, a line every few seconds
/// elsewhere.
class progress
{
public:
    progress();

    /// @param total  zero: not known
    void show(const std::string& what, std::size_t done, std::size_t total, const std::string& remark = {});

    /// A line that stays.
    void say(const std::string& text);

    /// Makes room for other output.
    void clear();

private:
    using clock = std::chrono::steady_clock;

    bool terminal_;
    bool shown_ = false;
    clock::time_point next_;
};

} // namespace coworker::demo
