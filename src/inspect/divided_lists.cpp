// SPDX-License-Identifier: MIT
#include "inspect/divided_lists.hpp"

#include "inspect/part_walk.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace coworker::detail {

asio::awaitable<job_page> show_divided_jobs(shared_inspection self, std::string queue, job_state state,
                                            std::string cursor, std::size_t count)
{
    count = std::clamp<std::size_t>(count, 1, 1000);
    const auto step = [&](const std::string& part, std::string from, std::size_t seen) {
        return show_list_jobs(self, part, state, std::move(from), count - seen);
    };
    co_return co_await walk_parts<job_page>(self, std::move(queue), std::move(cursor), &job_page::jobs, count,
                                            step);
}

asio::awaitable<job_page> find_divided_jobs(shared_inspection self, std::string queue, job_filter which,
                                            std::string cursor, std::size_t limit)
{
    constexpr std::size_t enough = 100;
    const auto step = [&](const std::string& part, std::string from, std::size_t) {
        return find_list_jobs(self, part, which, std::move(from), limit);
    };
    co_return co_await walk_parts<job_page>(self, std::move(queue), std::move(cursor), &job_page::jobs,
                                            enough, step);
}

asio::awaitable<result<job_info>> find_list_job(shared_inspection self, std::string queue, std::string id)
{
    // The last for one that began to run while the waiting jobs were read.
    static constexpr std::array places = {job_state::running, job_state::failed, job_state::scheduled,
                                          job_state::waiting, job_state::running};
    for (const auto state : places) {
        job_filter which;
        which.state = state;
        which.ids.push_back(id);
        std::string cursor;
        do {
            auto part = co_await find_divided_jobs(self, queue, which, cursor, 1000);
            if (!part.jobs.empty())
                co_return std::move(part.jobs.front());
            cursor = std::move(part.next);
        } while (!cursor.empty());
    }
    co_return errc::job_not_found;
}

asio::awaitable<failure_page> count_divided_failures(shared_inspection self, std::string queue,
                                                     std::string cursor, std::size_t limit)
{
    const auto step = [&](const std::string& part, std::string from, std::size_t) {
        return count_list_failures(self, part, std::move(from), limit);
    };
    co_return co_await walk_parts<failure_page>(self, std::move(queue), std::move(cursor),
                                                &failure_page::groups, limit, step);
}

asio::awaitable<bulk_result> act_on_divided_jobs(shared_inspection self, job_action action, std::string queue,
                                                 job_filter which, std::string cursor, std::size_t limit)
{
    const auto step = [&](const std::string& part, std::string from, std::size_t) {
        return act_on_list_jobs(self, action, part, which, std::move(from), limit);
    };
    // No further part once something was done: what was done is known even if the next one cannot be reached.
    co_return co_await walk_parts<bulk_result>(self, std::move(queue), std::move(cursor), &bulk_result::ids,
                                               1, step);
}

asio::awaitable<std::vector<action_result>> act_on_divided_keys(shared_inspection self, job_action action,
                                                                std::string queue,
                                                                std::vector<std::string> keys)
{
    const auto parts = co_await parts_of(self, queue_ref::list(std::move(queue)));
    std::vector<action_result> results(keys.size(), action_result::not_found);
    std::vector<std::size_t> missing(keys.size());
    std::iota(missing.begin(), missing.end(), std::size_t{0});
    for (const auto& part : parts) {
        std::vector<std::string> asked;
        for (const auto i : missing)
            asked.push_back(keys[i]);
        const auto found = co_await act_on_list_keys(self, action, part.name(), std::move(asked));
        std::vector<std::size_t> left;
        for (std::size_t i = 0; i != missing.size(); ++i) {
            results[missing[i]] = found[i];
            if (found[i] == action_result::not_found)
                left.push_back(missing[i]);
        }
        missing = std::move(left);
        if (missing.empty())
            break;
    }
    co_return results;
}

} // namespace coworker::detail
