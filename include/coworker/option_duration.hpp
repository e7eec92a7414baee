// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <concepts>

namespace coworker {

/// A duration of an option: `Unit`, a century at most (36 525 days).
///
/// Made from any duration that converts to `Unit`, and used like one. What is longer than a century counts as a
/// century, so that `std::chrono::milliseconds::max()` and `std::chrono::years{300}` mean "for ever". Clocks and
/// Redis can add such a time to the present. What is less than minus a century counts as minus a century.
template<class Unit>
class option_duration_of : public Unit
{
public:
    /// A century.
    static constexpr Unit longest = std::chrono::days{36'525};

    /// Zero.
    constexpr option_duration_of() noexcept : Unit{0} {}
    /// So many units.
    constexpr explicit option_duration_of(std::integral auto count) noexcept : Unit{within(Unit{count})} {}
    /// A duration of any other unit.
    template<class Count, class Period>
    requires std::convertible_to<std::chrono::duration<Count, Period>, Unit>
    constexpr option_duration_of(const std::chrono::duration<Count, Period>& length) noexcept
        : Unit{within(length)}
    {}

private:
    /// Compared as a floating-point number: it need not fit `Unit`.
    template<class Duration>
    static constexpr Unit within(const Duration& length) noexcept
    {
        using seconds = std::chrono::duration<double>;
        if (seconds{length} >= seconds{longest})
            return longest;
        return seconds{length} <= -seconds{longest} ? Unit{-longest} : Unit{length};
    }
};

/// A duration of an option, in milliseconds.
using option_duration = option_duration_of<std::chrono::milliseconds>;

} // namespace coworker
