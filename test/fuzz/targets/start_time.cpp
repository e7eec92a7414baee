// SPDX-License-Identifier: MIT
#include "fuzz/fuzz.hpp"

#include "list/start_time.hpp"

namespace coworker::fuzz {

/// Start times of leases, which any hworker may have written.
FUZZ_TARGET(start_time)
{
    const auto read = detail::parse_start_time(bytes);
    if (!read)
        return;
    claim(read->worker <= 999'999);
    const auto first = timestamp{std::chrono::sys_days{std::chrono::year{0} / 1 / 1}};
    const auto end = timestamp{std::chrono::sys_days{std::chrono::year{10'000} / 1 / 1}};
    if (read->started < first || read->started >= end) // an offset leads to a year that has no four digits
        return;
    const auto again = detail::parse_start_time(detail::format_start_time(read->started, read->worker));
    claim(again && again->started == read->started && again->worker == read->worker);
}

} // namespace coworker::fuzz
