// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>

namespace coworker::detail {

constexpr bool is_digit(char letter) noexcept
{
    return letter >= '0' && letter <= '9';
}

/// Reads the parts of a written time, one after the other, from the front of a text. A part that does not stand there
/// is nothing; how much of it was read then is not specified.
class time_reader
{
public:
    explicit time_reader(std::string_view text) : rest_{text} {}

    bool at_end() const noexcept { return rest_.empty(); }
    /// Whether the next character is this one. If so, skips it.
    bool skip(char letter) noexcept;

    /// Exactly so many digits, as a number.
    std::optional<int> number(std::size_t digits);
    /// All the digits that follow; maybe none.
    std::string_view digits() noexcept;

    /// "2026-11-21", a day that there is.
    std::optional<std::chrono::sys_days> day();
    /// "09:30", up to "23:59".
    std::optional<std::chrono::minutes> minutes();
    /// "29", up to "60": a leap second counts as the first of the next minute.
    std::optional<std::chrono::seconds> seconds();

private:
    std::string_view rest_;
};

/// The digits behind a dot; what lies below a microsecond is cut off.
std::chrono::microseconds microseconds_of(std::string_view fraction);

} // namespace coworker::detail
