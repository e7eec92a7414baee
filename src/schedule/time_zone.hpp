// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/posix_rule.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::detail {

/// A time zone of the system's database.
///
/// An own reader of its files, because the library for this that g++ 12 could use, `date`, passes over the rule at the
/// end of each file: it is wrong after 2037, and everywhere where the files are of the slim kind.
class time_zone
{
public:
    /// UTC, which needs no database.
    time_zone() = default;

    /// Reads a zone, such as "Europe/Berlin", each time anew: so an updated database is used at once.
    /// @throws system_error  `errc::invalid_option` if there is no such zone.
    static time_zone load(const std::string& name);

    /// Reads the contents of a zone's file (RFC 9636). Nothing if they are damaged, or count leap seconds.
    static std::optional<time_zone> parse(std::string_view file);

    /// What holds at an instant.
    zone_period at(std::chrono::sys_seconds when) const;

private:
    struct change
    {
        std::chrono::sys_seconds when;
        std::chrono::seconds offset; ///< from then on
    };

    std::vector<change> changes_;    ///< in order
    std::chrono::seconds offset_{0}; ///< before all of them
    std::optional<posix_rule> rule_; ///< behind all of them
};

} // namespace coworker::detail
