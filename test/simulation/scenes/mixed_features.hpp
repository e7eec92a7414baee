// SPDX-License-Identifier: MIT
#pragma once

#include "simulation/random_stream.hpp"
#include "support/account.hpp"

#include <coworker/managed_options.hpp>

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace coworker::test {

/// The ids of the jobs that were pushed with a unique key, by key.
using jobs_of_keys = std::map<std::string, std::vector<std::string>>;

/// Draws the features of a job of the queue "letters": any that go together. The account hears what follows from them.
inline managed_push_options mixed_features(job_record& job, random_stream& random, jobs_of_keys& keys)
{
    using std::chrono::seconds;
    managed_push_options options;
    const auto some = [&](std::int64_t from, std::int64_t to) { return seconds{random.between(from, to)}; };
    const auto earlier = [&] {
        return "job-" + std::to_string(random.below(static_cast<std::size_t>(job.number)));
    };
    if (random.chance(0.3)) {
        job.limits.emplace_back("narrow", 1);
        options.limits.push_back(limit_use{"narrow"});
    }
    if (random.chance(0.3)) {
        const auto units = static_cast<int>(random.between(1, 3));
        job.limits.emplace_back("wide", units);
        options.limits.push_back(limit_use{"wide", static_cast<std::uint32_t>(units)});
    }
    if (random.chance(0.3))
        options.group = "group-" + std::to_string(random.below(3));
    if (random.chance(0.3))
        options.priority = static_cast<double>(random.between(-5, 5));
    if (random.chance(0.2)) { // the order is that of the pushes, so the job may wait for nothing else
        job.line = "line-" + std::to_string(random.below(3));
        options.order_key = job.line;
    } else {
        if (random.chance(0.2))
            options.delay = some(0, 30);
        if (random.chance(0.3) && job.number > 0) {
            options.depends = text_list{earlier(), earlier()};
            const auto answer = random.below(3);
            options.on_parent_failure = answer == 0   ? parent_failure::fail
                                        : answer == 1 ? parent_failure::skip
                                                      : parent_failure::go_on;
            job.may_go = answer != 2;
        }
        if (random.chance(0.1)) {
            options.expiry = some(5, 60);
            job.may_go = true;
        }
        if (random.chance(0.15)) {
            job.unique = "key-" + std::to_string(random.below(3));
            options.unique.key = job.unique;
            options.limits = limit_list{}; // another push may replace its options
            job.limits.clear();
            options.unique.conflict = random.chance(0.5) ? on_conflict::keep : on_conflict::replace_time;
            auto& others = keys[job.unique];
            if (options.unique.conflict != on_conflict::keep) { // one that has no key may wait for who has it
                options.depends = text_list{};
                options.on_parent_failure = parent_failure::go_on;
                if (!others.empty()) // the one that it replaces may be among them
                    options.depends = text_list{others[random.below(others.size())], others.back()};
            }
            others.push_back(job.id);
        }
    }
    if (random.chance(0.1))
        options.timeout = some(15, 30);
    if (random.chance(0.3))
        options.tags = text_list{"tag-" + std::to_string(random.below(3))};
    if (random.chance(0.3)) {
        options.retention = seconds{0};
        job.retention = 0;
    }
    if (random.chance(0.2) && job.line.empty() && job.limits.empty() && !options.group && job.unique.empty())
        job.next = "parcels";
    return options;
}

} // namespace coworker::test
