// SPDX-License-Identifier: MIT
#pragma once

#include "simulation/random_stream.hpp"

#include <chrono>
#include <cstdint>
#include <string_view>

namespace coworker::test {

/// How the handlers of a scene behave. Of 100 runs, so many do each of these; all others succeed.
struct behaviour
{
    std::chrono::milliseconds shortest{0}, longest{10'000}; ///< a run
    int longer = 20;                                        ///< one of 128 takes so many times as long
    int throws = 4, retries = 4, fails = 1, releases = 1;
    int ignores_cancellation = 2, blocks = 0, at_once = 0; ///< beside these; at once: in no time
    std::chrono::milliseconds longest_retry{20'000};
};

/// What a run does.
struct run_plan
{
    enum class end
    {
        succeeds,
        throws,
        retries,
        fails,
        releases
    };
    std::chrono::milliseconds length{0}, delay{0};
    end how = end::succeeds;
    bool ignores_cancellation = false, blocks = false;
};

/// It follows from the job and the attempt alone: whoever runs it, whatever has gone wrong before.
inline run_plan plan_run(const behaviour& all, std::uint64_t seed, std::string_view job, unsigned attempt)
{
    std::uint64_t sum = seed;
    for (const char c : job)
        sum = mixed(sum ^ static_cast<unsigned char>(c));
    std::uint64_t luck = mixed(sum + attempt);
    const auto draw = [&](std::uint64_t limit) { return (luck = mixed(luck)) % limit; };
    run_plan plan;
    const auto range = static_cast<std::uint64_t>((all.longest - all.shortest).count() + 1);
    plan.length = all.shortest + std::chrono::milliseconds{draw(range)};
    if (draw(128) == 0)
        plan.length *= all.longer;
    plan.delay = std::chrono::milliseconds{draw(static_cast<std::uint64_t>(all.longest_retry.count()) + 1)};
    plan.ignores_cancellation = static_cast<int>(draw(100)) < all.ignores_cancellation;
    plan.blocks = static_cast<int>(draw(100)) < all.blocks;
    if (all.at_once != 0 && static_cast<int>(draw(100)) < all.at_once)
        plan.length = std::chrono::milliseconds{0};
    auto left = static_cast<int>(draw(100));
    for (const auto& [share, how] : {std::pair{all.throws, run_plan::end::throws},
                                     {all.retries, run_plan::end::retries},
                                     {all.fails, run_plan::end::fails},
                                     {all.releases, run_plan::end::releases}})
        if ((left -= share) < 0) {
            plan.how = how;
            break;
        }
    return plan;
}

} // namespace coworker::test
