// SPDX-License-Identifier: MIT
#include "inspect/jobs.hpp"

#include "inspect/parts.hpp"
#include "inspect/queues.hpp"
#include "list/keys.hpp"
#include "managed/managed_call.hpp"

#include <algorithm>
#include <array>
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

asio::awaitable<bool> delete_list_queue(shared_inspection self, std::string queue, bool with_jobs)
{
    const list_keys keys{queue};
    script_arguments arguments{keys.jobs,       keys.progress, keys.scheduled, keys.failed,  keys.broken,
                               keys.duplicates, keys.attempts, keys.failures,  keys.paused,  keys.counters,
                               keys.workers,    keys.gone,     keys.monitor,   keys.ids,     keys.ready,
                               keys.shared,     keys.found,    keys.reasons,   keys.history, keys.cancelled,
                               keys.remote};
    arguments.add(with_jobs ? "1" : "0");
    const reply answer = co_await self->redis->call(find_script("list/delete_queue"), arguments);
    if (answer.back().integer() == 0)
        co_return false;
    boost::redis::request forget; // on its own: in a cluster that key is in another slot
    forget.push("SREM", known_queues_key, queue);
    reply ignored;
    co_await self->redis->exec_aside(forget, ignored);
    co_return true;
}

asio::awaitable<bool> has_jobs(shared_inspection self, queue_ref queue)
{
    std::vector<queue_ref> one{std::move(queue)};
    const auto infos = co_await show_named_queues(self, std::move(one));
    const auto& info = infos.front();
    co_return info.waiting + info.scheduled + info.running + info.broken + info.failed.value_or(0) != 0;
}

asio::awaitable<result<void>> delete_list_parts(shared_inspection self, queue_ref queue, bool with_jobs)
{
    const auto parts = co_await parts_of(self, queue);
    const bool divided = is_divided(queue, parts);
    if (divided && !with_jobs) {
        const bool is_used = co_await has_jobs(self, queue); // before one of them is deleted
        if (is_used)
            co_return errc::queue_not_empty;
    }
    for (const auto& part : parts) {
        const bool deleted = co_await delete_list_queue(self, part.name(), with_jobs);
        if (!deleted)
            co_return errc::queue_not_empty;
    }
    if (divided)
        co_await forget_partitions(self, queue.name());
    co_return result<void>{};
}

asio::awaitable<void> end_schedules(shared_inspection self, std::string queue)
{
    bool goes_on = true;
    while (goes_on) {
        const auto part = co_await read_sorted(self, self->prefix() + "q:" + queue + "-recur", "-inf", "+inf",
                                               false, {}, 100);
        for (const auto& id : part.members) {
            managed_call call{self->prefix(), "unrecur"};
            call.add(id);
            co_await tell(*self->redis, std::move(call));
        }
        goes_on = !part.next.empty(); // those shown are gone
    }
}

asio::awaitable<void> delete_managed_jobs(shared_inspection self, queue_ref queue)
{
    co_await end_schedules(self, queue.name());
    static constexpr std::array states = {job_state::depends, job_state::scheduled, job_state::waiting,
                                          job_state::running, job_state::stalled,   job_state::failed};
    for (const auto state : states) {
        job_filter all;
        all.state = state;
        co_await act_on_all_jobs(self, job_action::remove, queue, std::move(all));
    }
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

asio::awaitable<result<void>> delete_queue(shared_inspection self, queue_ref queue, bool with_jobs)
{
    const bool exists = co_await queue_exists(self, queue);
    if (!exists)
        co_return errc::queue_not_found;
    if (!queue.is_managed())
        co_return co_await delete_list_parts(self, queue, with_jobs);
    if (with_jobs)
        co_await delete_managed_jobs(self, queue);
    boost::redis::request ask;
    const auto in = [&](const char* place) { return self->prefix() + "q:" + queue.name() + place; };
    ask.push("EXISTS", in("-work"), in("-locks"), in("-scheduled"), in("-depends"), in("-recur"));
    const reply answers = co_await answers_of(*self->redis, ask);
    if (answers[0].integer() != 0)
        co_return errc::queue_not_empty;
    managed_call call{self->prefix(), "queue_forget"};
    call.add(queue.name());
    co_await tell(*self->redis, std::move(call));
    boost::redis::request forget; // behind that: only what is known has a history
    for (const auto* kind : {"coworker:history:", "coworker:workers:"})
        forget.push("UNLINK", self->prefix() + kind + queue.name());
    co_await answers_of(*self->redis, forget);
    co_return result<void>{};
}

} // namespace coworker::detail
