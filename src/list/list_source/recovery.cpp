// SPDX-License-Identifier: MIT
#include "list/list_source/recovery.hpp"
#include "text/bounded_time.hpp"

#include <algorithm>
#include <charconv>

namespace coworker::detail {

bool is_lease_of_any(std::span<const fetched_job* const> held, std::string_view payload,
                     std::string_view start)
{
    return std::any_of(held.begin(), held.end(), [&](const fetched_job* job) {
        return job->body == payload && (*job->lease == start || (job->in_doubt && *job->lease < start));
    });
}

std::optional<std::uint32_t> parse_worker_number(std::string_view text)
{
    constexpr std::uint32_t most = 999'999;
    std::uint32_t number = 0;
    const auto* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    // With zeros in front, it could not be found again under its number.
    if (error != std::errc{} || end != last || text.front() == '0' || number > most)
        return std::nullopt;
    return number;
}

absence find_absent(const worker_registry& workers, const std::map<std::uint32_t, std::int64_t>& gone_since,
                    const std::set<std::string>& connected, timestamp now, std::chrono::milliseconds grace)
{
    absence result;
    const auto now_ms = std::chrono::floor<std::chrono::milliseconds>(now.time_since_epoch());
    for (const auto& [number, name] : workers) {
        const auto gone = gone_since.find(number);
        if (connected.contains(name)) {
            if (gone != gone_since.end())
                result.back.push_back(number);
        } else if (gone == gone_since.end()) {
            result.newly_gone.push_back(number);
            result.is_anybody_gone = grace.count() != 0;
            result.wait = std::min(result.wait, grace);
        } else if (grace.count() == 0) {
            continue; // only the end of leases returns jobs
        } else if (name.empty()) {
            result.dead.emplace(number, timestamp{bounded_milliseconds(gone->second)});
        } else if (now_ms - bounded_milliseconds(gone->second) >= grace) {
            result.dead.emplace(number, now);
        } else {
            result.is_anybody_gone = true;
            const auto dead_at = bounded_milliseconds(gone->second) + grace;
            result.wait = std::min(result.wait, dead_at - now_ms);
        }
    }
    for (const auto& [number, since] : gone_since)
        if (!workers.contains(number))
            result.forgotten.push_back(number);
    return result;
}

} // namespace coworker::detail
