// SPDX-License-Identifier: MIT
#include "fuzz/fuzz.hpp"

#include "schedule/next_time.hpp"

#include <array>

namespace coworker::fuzz {

using namespace detail;
using namespace std::chrono_literals;

namespace {

constexpr std::array years = {1, 1901, 1970, 2026, 2037, 2038, 2100, 9998};

template<class Zone>
void claim_periods(const Zone& zone)
{
    for (const auto year : years) {
        const std::chrono::sys_seconds when = std::chrono::sys_days{std::chrono::year{year} / 7 / 1};
        const auto period = zone.at(when);
        claim(period.begin <= when && when < period.end);
        claim(std::chrono::abs(period.offset) <= 200h);
    }
}

void claim_runs(const time_zone& zone)
{
    static const std::array lines = {cron_line::parse("30 2 * * *"), cron_line::parse("*/20 * * * *")};
    for (const auto& line : lines)
        for (const auto year : years) {
            auto last = std::chrono::sys_seconds{std::chrono::sys_days{std::chrono::year{year} / 3 / 28}};
            for (int i = 0; i != 3; ++i) {
                const auto next = next_time(line, zone, last);
                if (!next)
                    break; // what a zone leaves out for a century
                claim(*next > last);
                last = *next;
            }
        }
}

} // namespace

/// Files of the time zone database, and the rules at their ends.
FUZZ_TARGET(zone)
{
    if (const auto zone = time_zone::parse(bytes)) {
        claim_periods(*zone);
        claim_runs(*zone);
    }
    if (const auto rule = posix_rule::parse(bytes))
        claim_periods(*rule);
}

} // namespace coworker::fuzz
