// SPDX-License-Identifier: MIT
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
    bool given_up = false;               ///< it was about to end, so the work on it was ended first
    bool must_renew = false;             ///< at once, to learn whether it is still held
    bool refused = false;                ///< the last renewal failed; it is repeated soon
    time_point not_before{};             ///< when to renew it at the earliest
    std::size_t index = 0;               ///< its place in the table

    /// Nobody is to work on it any more.
    bool is_gone() const noexcept { return lost || given_up; }
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

    /// A call that renews it begins.
    void renewing(held_lease& lease)
    {
        lease.renewing = true;
        lease.must_renew = false;
    }

    /// The call has not renewed it, for whatever reason: its time goes on as before. Repeated soon.
    void not_renewed(held_lease& lease, time_point now)
    {
        lease.renewing = false;
        lease.refused = true;
        lease.not_before = now + std::min<std::chrono::milliseconds>(tick(), longest_pause);
    }

    /// The call has renewed it, perhaps for another time than before. True as for `add`.
    bool renewed(held_lease& lease, time_point since, std::chrono::milliseconds length)
    {
        const auto before = tick();
        lease.renewing = lease.refused = false;
        lease.not_before = {};
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

    /// Whether it is still held has to be found out now.
    void renew_now(held_lease& lease)
    {
        lease.must_renew = true;
        lease.not_before = {};
    }
    /// Of each lease: the connection is a new one.
    void renew_all_now()
    {
        for (auto* lease : leases_)
            renew_now(*lease);
    }
    /// Whether there is one of which that is not known yet.
    bool awaits_renewal() const
    {
        return std::any_of(leases_.begin(), leases_.end(), [](const held_lease* lease) {
            return !lease->lost && (lease->must_renew || lease->renewing);
        });
    }

    /// The work on it was ended: it is not kept up any more.
    void give_up(held_lease& lease)
    {
        lease.given_up = true;
        lease.refused = lease.must_renew = false;
    }

    const std::vector<held_lease*>& all() const noexcept { return leases_; }

    /// Leases to be renewed now, and not being renewed already: those of which a third has passed, those that
    /// must be renewed, and those whose last renewal failed a little while ago.
    std::vector<held_lease*> due(time_point now) const
    {
        return those([&](const held_lease& lease) {
            const bool is_old = !lease.given_up && has_passed(lease, now, 1, 3);
            return !lease.renewing && now >= lease.not_before &&
                   (lease.must_renew || lease.refused || is_old);
        });
    }

    /// Leases that end so soon that the work on them must end first: nine tenths have passed.
    std::vector<held_lease*> ending(time_point now) const
    {
        return those(
            [&](const held_lease& lease) { return !lease.given_up && has_passed(lease, now, 9, 10); });
    }

    /// Whether this lease ends so soon, as seen from its table.
    bool is_ending(const held_lease& lease, time_point now) const { return has_passed(lease, now, 9, 10); }

    /// How long to wait between looks at the table.
    std::chrono::milliseconds tick() const noexcept
    {
        return std::max(shortest_ / 12, std::chrono::milliseconds{5});
    }

    /// How long to wait now until leases are renewed: not as long as that, if some have to be renewed sooner.
    clock::duration pause(time_point now) const
    {
        clock::duration least = tick();
        for (const auto* lease : leases_)
            if (!lease->lost && !lease->renewing && (lease->must_renew || lease->refused))
                least = std::min(least, std::max(lease->not_before - now, clock::duration{0}));
        return least;
    }

private:
    /// After a renewal that failed, at the most. Each is told of, so it is not repeated all the time.
    static constexpr std::chrono::milliseconds longest_pause{500};

    std::chrono::milliseconds length_of(const held_lease& lease) const noexcept
    {
        return lease.length.count() > 0 ? lease.length : lease_;
    }

    bool has_passed(const held_lease& lease, time_point now, int numerator, int denominator) const
    {
        return now - lease.since >= length_of(lease) * numerator / denominator;
    }

    /// Leases that are not lost, and of which something is true.
    template<class Condition>
    std::vector<held_lease*> those(Condition condition) const
    {
        std::vector<held_lease*> found;
        for (auto* lease : leases_)
            if (!lease->lost && condition(*lease))
                found.push_back(lease);
        return found;
    }

    std::chrono::milliseconds lease_;
    std::chrono::milliseconds shortest_; ///< not longer than the shortest of those held
    std::vector<held_lease*> leases_;
};

} // namespace coworker::detail
