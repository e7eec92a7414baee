// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace coworker::detail {

/// A field of a cron line: what its values are, and how it is read. Values become a bit each.
struct cron_field
{
    std::string_view name;
    unsigned first, count; ///< of the values; after the last one comes the first again
    unsigned last;         ///< that may be written; of days of the week one more, since Sunday is 0 and 7
    std::span<const std::string_view> names{}; ///< of the values from `first` on
    std::string_view more{};                   ///< what else it may hold, for refusals

    /// Values, ranges and steps between commas. @throws system_error  `errc::invalid_option`
    std::uint64_t read(std::string_view text) const;

    /// One of the parts between commas.
    std::uint64_t read_part(std::string_view text) const;

    /// A value, by number or name.
    unsigned read_value(std::string_view text) const;

    unsigned read_number(std::string_view text) const;

    [[noreturn]] void refuse(const std::string& why) const;
};

/// Calls `read` with each of the parts between commas.
template<class Function>
void for_each_part(std::string_view text, Function read)
{
    for (;;) {
        const auto comma = text.find(',');
        read(text.substr(0, comma));
        if (comma == text.npos)
            return;
        text.remove_prefix(comma + 1);
    }
}

/// Letters of ASCII count alike, large or small.
bool is_same_word(std::string_view a, std::string_view b);

inline constexpr bool has_value(std::uint64_t values, unsigned value)
{
    return (values >> value & 1) != 0;
}

} // namespace coworker::detail
