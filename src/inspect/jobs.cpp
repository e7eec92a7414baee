// SPDX-License-Identifier: MIT
#include "inspect/jobs.hpp"

#include <algorithm>
#include <map>

namespace coworker::detail {

namespace {

constexpr std::size_t jobs_in_a_step = 1000;

using groups_by_message = std::map<std::pair<std::string, std::string>, failure_group>;

void merge(failure_group part, groups_by_message& groups)
{
    auto& group = groups[{part.group, part.message}];
    const auto count = group.count + part.count;
    if (group.count == 0 || part.newest_at >= group.newest_at)
        group = std::move(part);
    group.count = count;
}

} // namespace

asio::awaitable<bulk_result> act_on_some_jobs(shared_inspection self, job_action action, queue_ref queue,
                                              job_filter which, std::string cursor, std::size_t limit)
{
    if (queue.is_managed())
        return act_on_managed_jobs(std::move(self), action, queue.name(), std::move(which), std::move(cursor),
                                   limit);
    return act_on_divided_jobs(std::move(self), action, queue.name(), std::move(which), std::move(cursor),
                               limit);
}

asio::awaitable<std::size_t> act_on_all_jobs(shared_inspection self, job_action action, queue_ref queue,
                                             job_filter which)
{
    std::size_t done = 0;
    std::string cursor;
    do {
        auto part = co_await act_on_some_jobs(self, action, queue, which, cursor, jobs_in_a_step);
        done += part.ids.size();
        cursor = std::move(part.next);
    } while (!cursor.empty());
    co_return done;
}

asio::awaitable<failure_page> show_failures(shared_inspection self, queue_ref queue, std::string cursor,
                                            std::size_t limit)
{
    groups_by_message groups;
    failure_page page;
    page.next = std::move(cursor);
    for (std::size_t seen = 0; seen < limit && (seen == 0 || !page.next.empty()); seen += jobs_in_a_step) {
        const auto step = std::min(jobs_in_a_step, limit - seen);
        failure_page part;
        if (queue.is_managed())
            part = co_await count_managed_failures(self, queue.name(), page.next, step);
        else
            part = co_await count_divided_failures(self, queue.name(), page.next, step);
        page.next = std::move(part.next);
        for (auto& group : part.groups)
            merge(std::move(group), groups);
    }
    for (auto& group : groups)
        page.groups.push_back(std::move(group.second));
    std::sort(page.groups.begin(), page.groups.end(), [](const failure_group& a, const failure_group& b) {
        return a.count != b.count ? a.count > b.count : a.message < b.message;
    });
    co_return page;
}

} // namespace coworker::detail
