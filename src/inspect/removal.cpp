// SPDX-License-Identifier: MIT
#include "inspect/removal.hpp"

#include "inspect/jobs.hpp"
#include "inspect/parts.hpp"
#include "inspect/queues.hpp"
#include "list/keys.hpp"
#include "managed/managed_call.hpp"
#include "redis/server_time.hpp"

#include <algorithm>
#include <array>

namespace coworker::detail {

namespace {

constexpr std::array purged_states = {job_state::depends, job_state::scheduled, job_state::waiting,
                                      job_state::stalled, job_state::failed,    job_state::broken};

// --- list queues ---------------------------------------------------------------------

asio::awaitable<std::size_t> purge_list(shared_inspection self, std::string queue, job_state state)
{
    constexpr std::int64_t forgotten_at_once = 1000;
    const list_keys keys{queue};
    std::int64_t purged = -1, left = 1;
    while (left != 0) {
        script_arguments arguments{keys.jobs,  keys.scheduled, keys.failed,   keys.failures, keys.broken,
                                   keys.found, keys.reasons,   keys.attempts, keys.ready,    keys.purged};
        arguments.add(to_string(state));
        arguments.add_number(forgotten_at_once);
        arguments.add(purged == -1 ? "" : "taken");
        const reply answers = co_await self->redis->call(find_script("list/purge"), arguments);
        if (purged == -1)
            purged = answers.back().integer(0);
        left = answers.back().integer(1);
    }
    co_return static_cast<std::size_t>(purged);
}

/// @returns  what the script does
asio::awaitable<std::int64_t> delete_list_queue(shared_inspection self, std::string queue, queue_deletion how)
{
    const list_keys keys{queue};
    script_arguments arguments{keys.jobs,       keys.progress, keys.scheduled, keys.failed,   keys.broken,
                               keys.duplicates, keys.attempts, keys.failures,  keys.paused,   keys.counters,
                               keys.workers,    keys.gone,     keys.monitor,   keys.ids,      keys.ready,
                               keys.shared,     keys.found,    keys.reasons,   keys.history,  keys.cancelled,
                               keys.remote,     keys.purged,   keys.plans,     keys.schedules};
    arguments.add(!how.with_jobs ? "0" : how.while_used ? "1" : "idle");
    const reply answer = co_await self->redis->call(find_script("list/delete_queue"), arguments);
    const auto done = answer.back().integer();
    if (done == 1) {
        boost::redis::request forget; // on its own: in a cluster that key is in another slot
        forget.push("SREM", known_queues_key, queue);
        reply ignored;
        co_await self->redis->exec_aside(forget, ignored);
    }
    co_return done;
}

asio::awaitable<result<void>> delete_list_parts(shared_inspection self, queue_ref queue, queue_deletion how,
                                                bool has_jobs)
{
    const auto parts = co_await parts_of(self, queue);
    const bool divided = is_divided(queue, parts);
    if (divided && !how.with_jobs && has_jobs) // before one of them is deleted
        co_return errc::queue_not_empty;
    for (const auto& part : parts) {
        const auto done = co_await delete_list_queue(self, part.name(), how);
        if (done != 1)
            co_return done == 0 ? errc::queue_not_empty : errc::queue_in_use;
    }
    if (divided)
        co_await forget_partitions(self, queue.name());
    co_return result<void>{};
}

// --- managed queues ------------------------------------------------------------------

/// Jobs for which others wait that are purged with them go in a later round.
asio::awaitable<purge_result> purge_managed(shared_inspection self, std::string queue, job_state state)
{
    constexpr std::size_t looked_at_once = 1000;
    const auto begun = co_await server_time(*self->redis->for_prefix(self->prefix()));
    job_filter which;
    which.state = state;
    if (state == job_state::failed)
        which.until = begun;
    purge_result all;
    std::size_t done = 0;
    do {
        done = all.kept = 0;
        std::string cursor;
        do {
            auto part =
                co_await delete_managed_jobs(self, queue, which, std::move(cursor), looked_at_once, begun);
            done += part.ids.size();
            all.kept += part.refused;
            cursor = std::move(part.next);
        } while (!cursor.empty());
        all.purged += done;
    } while (done != 0 && all.kept != 0);
    co_return all;
}

asio::awaitable<void> end_recurring(shared_inspection self, std::string queue)
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

/// Calls queue_remove.lua until all is done.
/// @param only  "schedules", or empty: all
/// @returns  false if the queue has jobs
asio::awaitable<bool> remove_belongings(shared_inspection self, std::string queue, std::string_view only)
{
    std::string cursor;
    do {
        managed_call call{self->prefix(), "queue_remove"};
        call.add(queue).add(cursor);
        if (!only.empty())
            call.add(only);
        const reply answers = co_await call_managed(*self->redis, std::move(call));
        if (answers.back().integer(1) == -1)
            co_return false;
        cursor = answers.back()[0];
    } while (!cursor.empty());
    co_return true;
}

asio::awaitable<void> remove_jobs(shared_inspection self, queue_ref queue, bool running_ones)
{
    co_await remove_belongings(self, queue.name(), "schedules"); // they would push others
    co_await end_recurring(self, queue.name());
    if (running_ones) {
        job_filter running;
        running.state = job_state::running;
        co_await act_on_all_jobs(self, job_action::remove, queue, std::move(running));
    }
    for (const auto state : purged_states)
        if (state != job_state::broken)
            co_await purge_managed(self, queue.name(), state);
}

} // namespace

void check_purged_state(const queue_ref& queue, job_state state)
{
    const bool of_managed = state == job_state::depends || state == job_state::stalled;
    const bool of_lists = state == job_state::broken;
    if (std::ranges::find(purged_states, state) == purged_states.end())
        throw explained_error{errc::invalid_option,
                              state == job_state::running
                                  ? "jobs that run are not purged; they can be cancelled"
                                  : "complete jobs are in no queue; they go when their time is over"};
    if (queue.is_managed() ? of_lists : of_managed)
        throw explained_error{errc::invalid_option, "a queue of this kind has no jobs in that state"};
}

asio::awaitable<purge_result> purge_queue(shared_inspection self, queue_ref queue, job_state state)
{
    if (queue.is_managed())
        co_return co_await purge_managed(self, queue.name(), state);
    purge_result all;
    const auto parts = co_await parts_of(self, queue);
    for (const auto& part : parts)
        all.purged += co_await purge_list(self, part.name(), state);
    co_return all;
}

asio::awaitable<result<void>> delete_queue(shared_inspection self, queue_ref queue, queue_deletion how)
{
    const bool exists = co_await queue_exists(self, queue);
    if (!exists)
        co_return errc::queue_not_found;
    std::vector<queue_ref> one{queue};
    const auto infos = co_await show_named_queues(self, std::move(one));
    const auto& info = infos.front();
    if (!how.while_used && (info.running != 0 || info.workers.value_or(0) != 0))
        co_return errc::queue_in_use;
    if (!queue.is_managed()) {
        const bool has_jobs =
            info.waiting + info.scheduled + info.running + info.broken + info.failed.value_or(0) != 0;
        co_return co_await delete_list_parts(self, queue, how, has_jobs);
    }
    if (how.with_jobs)
        co_await remove_jobs(self, queue, how.while_used);
    const bool removed = co_await remove_belongings(self, queue.name(), {});
    co_return removed ? result<void>{} : result<void>{errc::queue_not_empty};
}

} // namespace coworker::detail
