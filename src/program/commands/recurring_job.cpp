// SPDX-License-Identifier: MIT
#include "program/commands/recurring_job.hpp"

#include "program/queue_name.hpp"
#include "program/terminal/record_text.hpp"
#include "program/terminal/time_text.hpp"
#include "json/job_text.hpp"

#include <chrono>

namespace coworker::program {
namespace {

void write_recurring(output& out, const recurring_job& job)
{
    std::string tags;
    for (const auto& tag : job.tags)
        tags += (tags.empty() ? "" : ", ") + tag;
    record_text text{out};
    text.line("id", job.jid);
    text.line("kind", job.kind);
    text.line("state", "recurring");
    text.line("queue", job.queue);
    text.line("interval", format_span(std::chrono::duration<double>{job.interval}));
    text.line("spawned", std::to_string(job.count));
    text.line("tags", tags);
    text.line("payload", job.data);
}

} // namespace

asio::awaitable<void> show_recurring(const inspector& all, const queue_ref& queue, const std::string& jid,
                                     surroundings& here)
{
    const auto recurring = co_await all.async_schedule(jid);
    const bool is_asked_for = recurring && (queue.name().empty() || recurring->job.queue == queue.name());
    if (!is_asked_for)
        throw failure{exit_code::not_found,
                      "there is no job '" + jid + "' in " +
                          (queue.name().empty() ? "a managed queue; for a list queue: coworker job QUEUE ID"
                                                : shown_name(queue))};
    if (here.json)
        here.out.line(detail::describe(*recurring, detail::json_for::terminals).str());
    else
        write_recurring(here.out, recurring->job);
}

} // namespace coworker::program
