#include "program/commands/failed_jobs.hpp"

#include "program/commands/job_pages.hpp"

#include "managed/browse.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <coworker/managed_client.hpp>

#include <algorithm>
#include <optional>
#include <set>

namespace coworker::program {
namespace {

// --- list queues: a job's payload is its identity -----------------------------------

/// A failed or broken job that was asked for.
struct found_job
{
    std::string id, payload;
    bool broken = false;
};

asio::awaitable<std::vector<found_job>> find_jobs(client& redis, const server_settings& server,
                                                  const queue_name& queue, const failed_choice& choice,
                                                  const std::set<std::string>& ids)
{
    std::vector<found_job> found;
    page everything;
    everything.count = std::size_t(-1);
    const job_taker take = [&](job_view job) {
        if (ids.contains(job.id))
            found.push_back({std::move(job.id), std::move(job.payload), job.state == "broken"});
    };
    if (choice.failed)
        co_await visit_jobs(redis, server, queue, "failed", everything, take);
    if (choice.broken)
        co_await visit_jobs(redis, server, queue, "broken", everything, take);
    co_return found;
}

asio::awaitable<result<void>> act_on_one(raw_list_queue& queue, failed_action action, found_job& job)
{
    const bool retry = action == failed_action::retry;
    const auto awaited = with_diagnostics(asio::use_awaitable);
    if (job.broken)
        return retry ? queue.async_retry_broken(std::move(job.payload), awaited)
                     : queue.async_delete_broken(std::move(job.payload), awaited);
    return retry ? queue.async_retry_failed(std::move(job.payload), awaited)
                 : queue.async_delete_failed(std::move(job.payload), awaited);
}

asio::awaitable<acted_on> act_on_list(client& redis, const server_settings& server, const queue_name& name,
                                      failed_action action, const failed_choice& choice,
                                      const std::vector<std::string>& ids)
{
    raw_list_queue queue{redis, name.name};
    std::set<std::string> unknown{ids.begin(), ids.end()};
    auto found = co_await find_jobs(redis, server, name, choice, unknown);
    acted_on outcome;
    for (auto& job : found) {
        const auto answer = co_await act_on_one(queue, action, job);
        if (!answer) // somebody else was faster
            continue;
        ++outcome.done;
        unknown.erase(job.id);
    }
    outcome.unknown.assign(unknown.begin(), unknown.end());
    co_return outcome;
}

asio::awaitable<acted_on> act_on_whole_list(client& redis, const queue_name& name, failed_action action,
                                            const failed_choice& choice)
{
    raw_list_queue queue{redis, name.name};
    const bool retry = action == failed_action::retry;
    acted_on outcome;
    if (choice.failed && retry)
        outcome.done += co_await queue.async_retry_all_failed();
    if (choice.failed && !retry)
        outcome.done += co_await queue.async_delete_all_failed();
    if (choice.broken && retry)
        outcome.done += co_await queue.async_retry_all_broken();
    if (choice.broken && !retry)
        outcome.done += co_await queue.async_delete_all_broken();
    co_return outcome;
}

// --- managed queues -----------------------------------------------------------------

asio::awaitable<acted_on> act_on_managed(client& redis, const server_settings& server, const queue_name& name,
                                         failed_action action, const std::vector<std::string>& jids)
{
    managed_client client{redis, server.managed()};
    acted_on outcome;
    for (const auto& jid : jids) {
        if (action == failed_action::retry) {
            const std::optional<bool> retried = co_await detail::retry_failed(
                detail::connection_of(redis), server.prefix, redis.client_name(), jid, name.name);
            if (retried && *retried)
                ++outcome.done;
            else
                outcome.unknown.push_back(jid);
            continue;
        }
        const auto job = co_await client.async_get(jid);
        if (!job || job->state != managed_state::failed || job->queue != name.name) {
            outcome.unknown.push_back(jid);
            continue;
        }
        const result<void> answer = co_await client.async_cancel(jid);
        if (answer)
            ++outcome.done;
        else if (answer.error() == errc::job_not_found)
            outcome.unknown.push_back(jid);
        else
            outcome.refused.push_back(jid + ": " + answer.error().message());
    }
    co_return outcome;
}

asio::awaitable<std::vector<std::string>> failed_jids(client& redis, const server_settings& server,
                                                      const std::string& queue, const std::string& group)
{
    managed_client client{redis, server.managed()};
    std::vector<std::string> jids;
    const std::function<bool(managed_job&)> take = [&](managed_job& job) {
        jids.push_back(std::move(job.jid));
        return true;
    };
    co_await visit_failed(client, group, queue, take);
    std::reverse(jids.begin(), jids.end()); // oldest first, as they came; in that order Redis is quick, too
    co_return jids;
}

} // namespace

asio::awaitable<acted_on> act_on_jobs(client& redis, const server_settings& server, queue_name queue,
                                      failed_action action, failed_choice choice,
                                      std::vector<std::string> ids)
{
    acted_on outcome;
    if (queue.managed)
        outcome = co_await act_on_managed(redis, server, queue, action, ids);
    else
        outcome = co_await act_on_list(redis, server, queue, action, choice, ids);
    co_return outcome;
}

asio::awaitable<acted_on> act_on_all(client& redis, const server_settings& server, queue_name queue,
                                     failed_action action, failed_choice choice)
{
    acted_on outcome;
    if (queue.managed) {
        const auto jids = co_await failed_jids(redis, server, queue.name, choice.group);
        outcome = co_await act_on_managed(redis, server, queue, action, jids);
        outcome.unknown.clear(); // somebody else was faster
    } else {
        outcome = co_await act_on_whole_list(redis, queue, action, choice);
    }
    co_return outcome;
}

} // namespace coworker::program
