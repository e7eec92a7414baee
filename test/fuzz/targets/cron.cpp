// SPDX-License-Identifier: MIT
#include "fuzz/fuzz.hpp"

#include "coworker/error.hpp"
#include "coworker/run_times.hpp"
#include "schedule/cron_line.hpp"

#include <algorithm>
#include <optional>

namespace coworker::fuzz {

using namespace detail;
using namespace std::chrono_literals;

namespace {

std::optional<cron_line> try_line(std::string_view text)
{
    try {
        return cron_line::parse(text);
    } catch (const explained_error& refused) {
        claim(refused.code() == errc::invalid_option);
        claim_sentence(refused.what(), text);
        return std::nullopt;
    }
}

constexpr wall_time begin_of(std::chrono::local_days day)
{
    return wall_time{day};
}

/// All minutes of some days by looking at each, beside those that `find` skips to.
void claim_minutes(const cron_line& line, wall_time from, wall_time end)
{
    auto next = line.find(from, end);
    for (auto minute = from; minute < end; minute += 1min) {
        const auto within = line.find(minute, minute + 1min);
        claim(within ? within == next : !next || *next >= minute + 1min);
        if (within)
            next = line.find(minute + 1min, end);
    }
    claim(!next);
}

} // namespace

/// Cron lines, and the schedules that have one. The first byte chooses the day to look at.
FUZZ_TARGET(cron)
{
    if (bytes.empty())
        return;
    const auto text = bytes.substr(1);
    const auto line = try_line(text);
    if (!line)
        return;
    const auto day = std::chrono::local_days{std::chrono::year{2024} / 2 / 27} +
                     std::chrono::days{3 * static_cast<unsigned char>(bytes[0])};
    const auto century = begin_of(day + std::chrono::days{36525});
    const auto first = line->find(begin_of(day), century);
    claim(!first || (*first >= begin_of(day) && *first < century && line->find(*first, century) == first));
    claim_minutes(*line, begin_of(day), begin_of(day) + 3h);
    const schedule when{.cron = text, .zone = "Europe/Berlin"};
    try {
        const timestamp after{std::chrono::sys_days{std::chrono::year{2026} / 3 / 28}};
        const auto times = next_times(when, after, 5);
        claim(first.has_value() && times.size() == 5 && times.front() > after);
        claim(std::adjacent_find(times.begin(), times.end(), std::greater_equal{}) == times.end());
    } catch (const explained_error& refused) {
        claim(refused.code() == errc::invalid_option && !first);
        claim_sentence(refused.what(), text);
    }
}

} // namespace coworker::fuzz
