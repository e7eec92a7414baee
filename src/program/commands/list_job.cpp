// SPDX-License-Identifier: MIT
#include "program/commands/list_job.hpp"

#include "program/commands/job_listing.hpp"
#include "program/queue_name.hpp"
#include "program/terminal/record_text.hpp"
#include "program/terminal/time_text.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace coworker::program {
namespace {

/// Looks through all jobs of a list queue for one that is called so.
asio::awaitable<std::optional<job_info>> find_by_digest(const inspector& all, queue_ref queue,
                                                        const std::string& name)
{
    static constexpr std::array places = {job_state::running, job_state::failed, job_state::broken,
                                          job_state::scheduled, job_state::waiting};
    for (const auto state : places) {
        std::string cursor;
        do {
            auto page = co_await all.async_jobs(queue, state, std::move(cursor), 1000);
            const auto found =
                std::ranges::find_if(page.jobs, [&](const job_info& job) { return name_of(job) == name; });
            if (found != page.jobs.end())
                co_return std::move(*found);
            cursor = std::move(page.next);
        } while (!cursor.empty());
    }
    co_return std::nullopt;
}

asio::awaitable<std::optional<job_info>> find_by_name(const inspector& all, queue_ref queue,
                                                      const std::string& name)
{
    auto found = co_await all.async_job(queue, name);
    if (found)
        co_return std::move(*found);
    std::optional<job_info> other;
    if (name.front() == '@')
        other = co_await find_by_digest(all, queue, name);
    co_return other;
}

void write_list_job(output& out, const job_info& job)
{
    const auto time = [](const std::optional<timestamp>& when) {
        return when ? format_time(*when) : std::string{};
    };
    const bool is_bad = job.state == job_state::failed || job.state == job_state::broken;
    record_text text{out};
    text.line("id", name_of(job));
    text.line("state", std::string{to_string(job.state)}, is_bad ? tone::bad : tone::plain);
    text.line("queue", shown_name(job.queue));
    text.line("worker", job.worker);
    text.line("queued", time(job.queued_at));
    text.line("due", time(job.due_at));
    text.line("started", time(job.started_at));
    text.line(job.state == job_state::broken ? "found" : "failed", time(job.ended_at));
    text.line("attempts", job.attempts != 0 ? std::to_string(job.attempts) : "");
    text.line("message", job.message, tone::bad);
    text.line("payload", job.data.empty() ? job.payload : job.data);
}

} // namespace

asio::awaitable<void> show_list_job(const inspector& all, queue_ref queue, const std::string& name,
                                    surroundings& here)
{
    const auto job = co_await find_by_name(all, queue, name);
    if (!job)
        throw failure{exit_code::not_found, "there is no job '" + name + "' in " + shown_name(queue)};
    if (!here.json) {
        write_list_job(here.out, *job);
        co_return;
    }
    job_listing listing{here.out, true, {}};
    listing.add(*job);
}

} // namespace coworker::program
