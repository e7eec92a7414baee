// SPDX-License-Identifier: MIT
#include "managed/managed_source/absences.hpp"

#include "bounds.hpp"

#include <algorithm>

namespace coworker::detail {

std::set<std::string> absences::note(const std::set<std::string>& missing, milliseconds now,
                                     milliseconds grace)
{
    constexpr int many = 10; // times the grace: then nobody has looked for long
    const auto at_most = std::max(grace / 2, monitor_pause);
    const auto passed = std::max(now - looked_at_, milliseconds{0}); // the clock may have been put back
    if (passed > many * std::max(grace, monitor_pause))
        forget();
    looked_at_ = now;
    std::map<std::string, milliseconds> missing_for;
    std::set<std::string> dead;
    for (const auto& worker : missing) {
        const auto known = missing_for_.find(worker);
        const auto time =
            known != missing_for_.end() ? known->second + std::min(passed, at_most) : milliseconds{0};
        missing_for.emplace(worker, time);
        if (known != missing_for_.end() && time >= grace)
            dead.insert(worker);
    }
    missing_for_ = std::move(missing_for);
    return dead;
}

std::chrono::milliseconds absences::wait(milliseconds grace) const
{
    auto shortest = milliseconds::max();
    for (const auto& [_, time] : missing_for_)
        shortest = std::min(shortest, std::max(grace - time, milliseconds{1}));
    return shortest;
}

} // namespace coworker::detail
