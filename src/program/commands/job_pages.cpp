// SPDX-License-Identifier: MIT
#include "program/commands/job_pages.hpp"

#include "program/exit_code.hpp"

#include <coworker/managed_queue.hpp>

#include <algorithm>

namespace coworker::program {
namespace {

/// Redis drops a connection when 32 MB of answers wait for it.
constexpr std::size_t jobs_at_a_time = 20;

void complete(job_view& view, const list_job&)
{
    (void)view;
}
void complete(job_view& view, const list_job_scheduled& job)
{
    view.due_at = job.due;
}
void complete(job_view& view, const list_job_in_progress& job)
{
    view.started_at = job.started;
    view.worker = job.holder;
}
void complete(job_view& view, const list_job_failed& job)
{
    view.message = job.message;
    view.failed_at = job.failed_at;
    if (job.attempts != 0)
        view.attempts = job.attempts;
}
void complete(job_view& view, const list_job_broken& job)
{
    view.found_at = job.found_at;
    view.message = job.reason;
}

/// Jobs of a list queue in one state.
class list_visit
{
public:
    list_visit(raw_list_queue& queue, std::string state, page part, const job_taker& take)
        : queue_{queue}, name_{queue_ref::list(queue.name())}, state_{std::move(state)}, part_{part},
          take_{take}
    {}

    /// Jobs that have an order, which `look` shows from an offset on.
    template<class Look>
    asio::awaitable<void> in_order(Look look)
    {
        while (part_.count != 0) {
            const auto wanted = std::min(part_.count, jobs_at_a_time);
            auto jobs = co_await look(queue_, part_.offset, wanted);
            for (auto& job : jobs)
                hand_over(job);
            part_.offset += jobs.size();
            part_.count -= jobs.size();
            if (jobs.size() < wanted)
                break;
        }
    }

    /// Jobs that have none.
    template<class Look>
    asio::awaitable<void> scanned(Look look)
    {
        std::uint64_t cursor = 0;
        do {
            auto jobs = co_await look(queue_, cursor, jobs_at_a_time);
            for (auto& job : jobs.items) {
                if (part_.offset != 0) {
                    --part_.offset;
                } else if (part_.count != 0) {
                    --part_.count;
                    hand_over(job);
                }
            }
            cursor = jobs.next;
        } while (cursor != 0 && part_.count != 0);
    }

private:
    template<class Job>
    void hand_over(Job& job)
    {
        auto view = view_of(name_, state_, std::move(static_cast<list_job&>(job)));
        complete(view, job);
        take_(std::move(view));
    }

    raw_list_queue& queue_;
    queue_ref name_;
    std::string state_;
    page part_;
    const job_taker& take_;
};

asio::awaitable<void> visit_list(client& redis, const std::string& name, const std::string& state, page part,
                                 const job_taker& take)
{
    raw_list_queue queue{redis, name};
    list_visit visit{queue, state, part, take};
    if (state == "waiting")
        co_await visit.in_order(
            [](raw_list_queue& of, auto from, std::size_t count) { return of.async_waiting(from, count); });
    else if (state == "scheduled")
        co_await visit.in_order(
            [](raw_list_queue& of, auto from, std::size_t count) { return of.async_scheduled(from, count); });
    else if (state == "failed")
        co_await visit.in_order(
            [](raw_list_queue& of, auto from, std::size_t count) { return of.async_failed(from, count); });
    else if (state == "running")
        co_await visit.scanned([](raw_list_queue& of, auto from, std::size_t count) {
            return of.async_in_progress(from, count);
        });
    else if (state == "broken")
        co_await visit.scanned(
            [](raw_list_queue& of, auto from, std::size_t count) { return of.async_broken(from, count); });
    else
        refuse("the jobs of a list queue are waiting, scheduled, running, failed or broken");
}

asio::awaitable<void> visit_next(managed_queue& queue, page part, const job_taker& take)
{
    constexpr std::size_t most = 500;
    if (part.offset + part.count > most)
        refuse("of the jobs that wait in a managed queue the first 500 can be shown: choose --offset and "
               "--count "
               "accordingly");
    auto jobs = co_await queue.async_peek(part.offset + part.count);
    for (auto i = part.offset; i < jobs.size(); ++i)
        take(view_of(std::move(jobs[i])));
}

asio::awaitable<void> hand_over(managed_client& client, std::vector<std::string> jids, managed_state state,
                                const job_taker& take)
{
    if (state == managed_state::recurring) {
        for (const auto& jid : jids) {
            auto job = co_await client.async_recurring(jid);
            if (job)
                take(view_of(*std::move(job)));
        }
    } else {
        auto jobs = co_await client.async_multiget(jids);
        for (auto& job : jobs) {
            auto view = view_of(std::move(job));
            view.state = to_string(state); // the record of a stalled job says that it runs
            take(std::move(view));
        }
    }
}

asio::awaitable<void> visit_in_state(managed_client& client, managed_queue& queue, managed_state state,
                                     page part, const job_taker& take)
{
    while (part.count != 0) {
        const auto wanted = std::min(part.count, jobs_at_a_time);
        auto jids = co_await queue.async_jobs(state, part.offset, wanted);
        const auto found = jids.size();
        co_await hand_over(client, std::move(jids), state, take);
        part.offset += found;
        part.count -= std::min(found, part.count);
        if (found < wanted)
            break;
    }
}

asio::awaitable<void> visit_managed(client& redis, const server_settings& server, const std::string& name,
                                    const std::string& state, page part, const job_taker& take)
{
    managed_queue queue{redis, name, server.managed()};
    managed_client client{redis, server.managed()};
    if (state == "waiting") {
        co_await visit_next(queue, part, take);
        co_return;
    }
    if (state == "failed") {
        const std::function<bool(managed_job&)> take_part = [&](managed_job& job) {
            if (part.offset != 0) {
                --part.offset;
                return true;
            }
            take(view_of(std::move(job)));
            return --part.count != 0;
        };
        co_await visit_failed(client, {}, name, take_part);
        co_return;
    }
    for (const auto each : {managed_state::running, managed_state::stalled, managed_state::scheduled,
                            managed_state::depends, managed_state::recurring})
        if (state == to_string(each)) {
            co_await visit_in_state(client, queue, each, part, take);
            co_return;
        }
    refuse(
        "the jobs of a managed queue are waiting, scheduled, depends, running, stalled, recurring or failed; "
        "complete ones belong to no queue, and 'coworker job JID' shows one");
}

} // namespace

asio::awaitable<void> visit_jobs(client& redis, const server_settings& server, const queue_ref& queue,
                                 const std::string& state, page part, const job_taker& take)
{
    if (queue.is_managed())
        return visit_managed(redis, server, queue.name(), state, part, take);
    return visit_list(redis, queue.name(), state, part, take);
}

asio::awaitable<void> visit_failed(managed_client& client, const std::string& group, const std::string& queue,
                                   const std::function<bool(managed_job&)>& take)
{
    std::vector<std::string> groups;
    if (group.empty()) {
        const auto all = co_await client.async_failed_groups();
        for (const auto& each : all)
            groups.push_back(each.first);
    } else {
        groups.push_back(group);
    }
    for (const auto& each : groups)
        for (std::size_t offset = 0;;) {
            const auto part = co_await client.async_failed(each, offset, jobs_at_a_time);
            auto jobs = co_await client.async_multiget(part.jids);
            for (auto& job : jobs)
                if ((queue.empty() || job.queue == queue) && !take(job))
                    co_return;
            offset += part.jids.size();
            if (part.jids.size() < jobs_at_a_time)
                break;
        }
}

} // namespace coworker::program
