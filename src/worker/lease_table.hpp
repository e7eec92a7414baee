#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace coworker::detail {

/// A lease held by this worker, as far as time is concerned. Part of a running job.
struct held_lease
{
    using time_point = std::chrono::steady_clock::time_point;

    time_point since{};                  ///< not later than the lease's start at the server
    std::chrono::milliseconds length{0}; ///< how long it lasts; zero: as all in the table
    bool renewing = false;               ///< a renewal is under way: the token may change at any moment
    bool lost = false;                   ///< not held any more
    std::size_t index = 0;               ///< its place in the table
};

/// The leases of one queue that have to be kept up: which are to be renewed, and which can no longer be
/// trusted. Time is passed in.
class lease_table
{
public:
    using clock = std::chrono::steady_clock;
    using time_point = clock::time_point;

    explicit lease_table(std::chrono::milliseconds lease) : lease_{lease}, shortest_{lease} {}

    /// True if the table has to be looked at more often than before.
    bool add(held_lease& lease)
    {
        const auto before = tick();
        lease.index = leases_.size();
        leases_.push_back(&lease);
        shortest_ = std::min(shortest_, length_of(lease));
        return tick() < before;
    }

    /// A lease of the table began again, perhaps with another length. True as for `add`.
    bool renewed(held_lease& lease, time_point since, std::chrono::milliseconds length)
    {
        const auto before = tick();
        lease.since = since;
        lease.length = length;
        shortest_ = std::min(shortest_, length_of(lease));
        return tick() < before;
    }

    void remove(held_lease& lease)
    {
        leases_.back()->index = lease.index;
        leases_[lease.index] = leases_.back();
        leases_.pop_back();
        if (leases_.empty())
            shortest_ = lease_;
    }

    const std::vector<held_lease*>& all() const noexcept { return leases_; }

    /// Leases of which a third has passed, and which are not being renewed already.
    std::vector<held_lease*> due(time_point now) const { return older_than(now, 1, 3, false); }

    /// Leases that end so soon that the work on them must end first: nine tenths have passed.
    std::vector<held_lease*> ending(time_point now) const { return older_than(now, 9, 10, true); }

    /// How long to wait between looks at the table.
    std::chrono::milliseconds tick() const noexcept
    {
        return std::max(shortest_ / 12, std::chrono::milliseconds{5});
    }

private:
    std::chrono::milliseconds length_of(const held_lease& lease) const noexcept
    {
        return lease.length.count() > 0 ? lease.length : lease_;
    }

    /// Leases of which this part has passed.
    std::vector<held_lease*> older_than(time_point now, int numerator, int denominator,
                                        bool also_renewing) const
    {
        std::vector<held_lease*> found;
        for (auto* lease : leases_)
            if (!lease->lost && (also_renewing || !lease->renewing) &&
                now - lease->since >= length_of(*lease) * numerator / denominator)
                found.push_back(lease);
        return found;
    }

    std::chrono::milliseconds lease_;
    std::chrono::milliseconds shortest_; ///< not longer than the shortest of those held
    std::vector<held_lease*> leases_;
};

} // namespace coworker::detail
