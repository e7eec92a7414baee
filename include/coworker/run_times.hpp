// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/option_duration.hpp"
#include "coworker/text.hpp"
#include "coworker/timestamp.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace coworker {

/// What happens to runs that were missed: no process that carries out schedules was there, or Redis was not.
enum class missed_runs
{
    skip, ///< Runs that are more than a minute late are left out.
    once, ///< Only the last of the runs that are due takes place.
    all,  ///< Each takes place, the oldest first.
};

/// "skip", "once" or "all".
std::string_view to_string(missed_runs missed) noexcept;

/// The one of that name, if there is one.
std::optional<missed_runs> parse_missed_runs(std::string_view name) noexcept;

/// When something runs: at the times of a cron line, or at fixed intervals. Give one of `cron` and `every`.
///
/// Around a switch of daylight saving, cron lines behave as in Vixie cron. A line whose minute or hour begins with
/// `*` follows the clock on the wall. In an hour that comes twice it runs both times, and never in one that is left
/// out. Any other line runs once for each of its times. "30 2 * * *" runs at the switch on the day without 2:30. On
/// the day that has two, it runs at the first. A day that a zone leaves out altogether is no day: nothing runs for
/// it.
struct schedule
{
    /// Five fields: minute, hour, day of month, month, day of week (0 to 7; 0 and 7 are Sunday). Six: the second stands
    /// in front. Each is `*`, a value, a range (`1-5`; `22-2` goes on at 0) or a list (`1,3`). `*`, values and ranges
    /// may have a step (`*/10`, `5/15`, `8-18/2`). Months and days of the week have names (`jan`, `mon`).
    ///
    /// Days of the month may be `L` (the last) and `L-3` (three days before it). `15W` is the day from Monday to Friday
    /// that is nearest to the 15th, in the same month; `LW` is the last one. Days of the week may be `mon#2` (the
    /// second Monday of the month) and `friL` (the last Friday). `?` is `*` there. If both days are restricted, one of
    /// them has to fit, as always in cron.
    ///
    /// Or one of `@hourly`, `@daily`, `@midnight`, `@weekly`, `@monthly`, `@yearly`, `@annually`.
    text cron{};

    /// The time zone of the cron line, such as "Europe/Berlin": a name of the system's time zone database (package
    /// tzdata). "UTC" needs no database.
    text zone = "UTC";

    /// The time between two runs: at least one second. They do not drift.
    option_duration_of<std::chrono::seconds> every{0};

    /// With `every`: a time of a run. All others are a multiple of `every` away from it. The default is midnight, so 10
    /// minutes are the full ten minutes of each hour.
    timestamp anchor{};

    /// What happens to runs that were missed.
    missed_runs missed = missed_runs::once;

    /// No run is earlier. Empty: they begin at once.
    std::optional<timestamp> begin{};

    /// No run is later; one at this time takes place. Empty: they do not end.
    std::optional<timestamp> end{};

    /// How many jobs it pushes in all, those of `schedules::async_run_now` with them. 0: any number. `next_times` does not
    /// know how many there were, so it leaves this out.
    std::uint64_t most_runs = 0;

    /// Each job waits for a time between zero and this, which its id decides. So what is due at the same moment is
    /// spread. The run keeps its time. Whole seconds; 0: it does not wait.
    option_duration_of<std::chrono::seconds> jitter{0};
};

/// The next `count` runs later than `after`; fewer if there are no more within a century. Needs no Redis.
///
/// @throws system_error  `errc::invalid_option`; the message names the member, the field of a cron line, and what is
///   allowed.
std::vector<timestamp> next_times(const schedule& when, timestamp after, std::size_t count = 10);

} // namespace coworker
