// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/list_queue.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace coworker::test {

/// What became of numbers that were pushed while something happened to the servers.
struct job_account
{
    using clock = std::chrono::steady_clock;

    std::set<int> acknowledged;
    std::set<int> unknown; ///< or not carried out
    std::map<int, int> runs;
    clock::time_point last_start = clock::now();
    clock::duration longest_pause{}; ///< between the starts of two jobs

    asio::awaitable<void> push(list_queue<int> queue, int number)
    {
        bool is_there = false;
        try {
            co_await queue.async_push(number);
            is_there = true;
        } catch (const system_error&) {
        }
        (is_there ? acknowledged : unknown).insert(number);
    }

    void start(int number)
    {
        ++runs[number];
        const auto now = clock::now();
        longest_pause = std::max(longest_pause, now - last_start);
        last_start = now;
    }

    /// Numbers of acknowledged jobs from `first` to before `end` that have not run.
    std::vector<int> missing(int first = 0, int end = std::numeric_limits<int>::max()) const
    {
        std::vector<int> numbers;
        for (const int number : acknowledged)
            if (number >= first && number < end && !runs.contains(number))
                numbers.push_back(number);
        return numbers;
    }

    /// Of the numbers before `end`, those that have run.
    std::ptrdiff_t count_of_runs_before(int end) const
    {
        return std::distance(runs.begin(), runs.lower_bound(end));
    }

    std::ptrdiff_t ran_again() const
    {
        return std::count_if(runs.begin(), runs.end(), [](const auto& each) { return each.second > 1; });
    }
};

} // namespace coworker::test
