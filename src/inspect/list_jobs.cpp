// SPDX-License-Identifier: MIT
#include "inspect/list_jobs.hpp"

#include "inspect/list_position.hpp"
#include "inspect/shown_list_job.hpp"
#include "list/deliverable.hpp"
#include "list/keys.hpp"
#include "text/times.hpp"

#include <algorithm>
#include <array>

/// Pages of a list queue's jobs, and finding one.
namespace coworker::detail {

namespace {

std::string_view name_for_look(job_state state) noexcept
{
    return state == job_state::running ? "progress" : to_string(state);
}

struct shown_keys
{
    std::string at, beside;
};

shown_keys keys_of(const std::string& queue, job_state state)
{
    const list_keys keys{queue};
    switch (state) {
    case job_state::waiting:
        return {keys.jobs, keys.jobs};
    case job_state::scheduled:
        return {keys.scheduled, keys.scheduled};
    case job_state::running:
        return {keys.progress, keys.progress};
    case job_state::failed:
        return {keys.failed, keys.failures};
    case job_state::broken:
        return {keys.broken, keys.reasons};
    default:
        throw explained_error{errc::invalid_option,
                              "the jobs of a list queue are waiting, scheduled, running, failed or broken"};
    }
}

using worker_names = std::map<std::string, std::string>;

asio::awaitable<worker_names> names_of_workers(shared_inspection self, std::string queue, job_state state)
{
    worker_names names;
    if (state != job_state::running)
        co_return names;
    boost::redis::request ask;
    ask.push("HGETALL", list_keys{queue}.workers);
    const reply answers = co_await answers_of(*self->redis, ask);
    const auto workers = answers[0];
    for (std::size_t i = 0; i + 1 < workers.size(); i += 2)
        names.emplace(workers[i], workers[i + 1]);
    co_return names;
}

/// Adds what a script has shown in four words each, behind its first word; returns how many.
std::size_t add_shown(const reply::answer& shown, const queue_ref& queue, job_state state,
                      const worker_names& workers, std::vector<job_info>& jobs)
{
    constexpr std::size_t words = 4;
    std::size_t count = 0;
    for (std::size_t i = 1; i + words <= shown.size(); i += words, ++count) {
        const shown_list_job job{shown[i], static_cast<std::size_t>(shown.integer(i + 1)), shown[i + 2],
                                 shown[i + 3]};
        if (state != job_state::running || job.payload != "false") // hworker's trace of an empty queue
            jobs.push_back(to_job(job, queue, state, workers));
    }
    return count;
}

/// The times between which jobs are to be, in milliseconds, and as start times begin, so that they can be compared.
/// What is not given is empty.
std::array<std::string, 4> bounds_of(const job_filter& which)
{
    std::array<std::string, 4> bounds;
    std::size_t place = 0;
    for (const auto& when : {which.since, which.until}) {
        if (when) {
            const auto since_epoch = when->time_since_epoch();
            bounds[place] =
                std::to_string(std::chrono::floor<std::chrono::milliseconds>(since_epoch).count());
            bounds[place + 2] = format_rfc3339(*when);
            bounds[place + 2].pop_back(); // the Z
        }
        ++place;
    }
    return bounds;
}

asio::awaitable<reply> look_at_list(shared_inspection self, std::string key, std::string beside,
                                    job_state state, std::uint64_t from, std::size_t count)
{
    script_arguments arguments{key, beside};
    arguments.add(name_for_look(state));
    arguments.add_number(static_cast<std::int64_t>(std::min<std::uint64_t>(from, 1'000'000'000'000)));
    arguments.add_number(static_cast<std::int64_t>(count));
    arguments.add_number(deliverable_size({}));
    co_return co_await self->redis->call(find_script("list/look"), arguments);
}

} // namespace

asio::awaitable<job_page> show_list_jobs(shared_inspection self, std::string queue, job_state state,
                                         std::string cursor, std::size_t count)
{
    const auto keys = keys_of(queue, state);
    count = std::clamp<std::size_t>(count, 1, 1000);
    const auto workers = co_await names_of_workers(self, queue, state);
    const auto position = co_await find_position(self, keys.at, state, std::move(cursor));
    const reply found = co_await look_at_list(self, keys.at, keys.beside, state, position.offset, count);
    const auto shown = found.back();
    job_page page;
    const auto seen = add_shown(shown, queue_ref::list(std::move(queue)), state, workers, page.jobs);
    if (shown[0] != "0")
        page.next = position.after(shown[0], seen, page.jobs);
    co_return page;
}

asio::awaitable<reply> search_list(shared_inspection self, std::string_view action, std::string queue,
                                   job_filter which, std::string cursor, std::size_t limit, std::size_t most)
{
    if (!which.group.empty() || !which.tag.empty() || !which.kind.empty() || !which.batch.empty())
        throw explained_error{errc::invalid_option,
                              "jobs of list queues have no groups, tags, kinds or batches"};
    (void)keys_of(queue, which.state); // throws for states that a list queue does not have
    const list_keys keys{queue};
    const auto bounds = bounds_of(which); // the arguments refer to them
    script_arguments arguments{keys.jobs,   keys.scheduled, keys.failed,   keys.failures,   keys.broken,
                               keys.found,  keys.reasons,   keys.attempts, keys.ready,      keys.progress,
                               keys.shared, keys.cancelled, keys.workers,  keys.duplicates, keys.counters};
    arguments.add(action);
    arguments.add(to_string(which.state));
    arguments.add(cursor);
    arguments.add_number(static_cast<std::int64_t>(std::clamp<std::size_t>(limit, 1, 1000)));
    arguments.add_number(static_cast<std::int64_t>(most));
    arguments.add_number(deliverable_size({}));
    arguments.add(which.contains.str());
    arguments.add(which.message.str());
    for (const auto& bound : bounds)
        arguments.add(bound);
    arguments.add(which.worker.str());
    for (const auto& id : which.ids)
        arguments.add(id);
    co_return co_await self->redis->call(find_script("list/search"), arguments);
}

asio::awaitable<job_page> find_list_jobs(shared_inspection self, std::string queue, job_filter which,
                                         std::string cursor, std::size_t limit)
{
    const auto state = which.state;
    const auto workers = co_await names_of_workers(self, queue, state);
    const reply found =
        co_await search_list(self, "show", queue, std::move(which), std::move(cursor), limit, 100);
    job_page page;
    page.next = found.back()[0];
    add_shown(found.back(), queue_ref::list(std::move(queue)), state, workers, page.jobs);
    co_return page;
}

} // namespace coworker::detail
