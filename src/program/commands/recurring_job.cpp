// SPDX-License-Identifier: MIT
#include "program/commands/recurring_job.hpp"

#include "program/queue_name.hpp"
#include "program/terminal/json_line.hpp"
#include "program/terminal/record_text.hpp"
#include "program/terminal/time_text.hpp"

#include <chrono>

namespace coworker::program {
namespace {

void write_recurring(output& out, const recurring_job& job)
{
    std::string tags;
    for (const auto& tag : job.tags)
        tags += (tags.empty() ? "" : ", ") + tag;
    record_text text{out};
    text.line("jid", job.jid);
    text.line("kind", job.kind);
    text.line("state", "recurring");
    text.line("queue", job.queue);
    text.line("interval", format_span(std::chrono::duration<double>{job.interval}));
    text.line("spawned", std::to_string(job.count));
    text.line("tags", tags);
    text.line("data", job.data);
}

json_line record_of(const recurring_job& job)
{
    json_line line;
    line.text("jid", job.jid).text("kind", job.kind).text("state", "recurring").text("queue", job.queue);
    line.number("priority", job.priority).texts("tags", job.tags);
    line.number("interval_seconds", std::chrono::duration<double>{job.interval}.count());
    line.number("retries", job.retries).number("count", job.count).number("backlog", job.backlog);
    line.json_or_text("data", job.data);
    return line;
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
        here.out.line(record_of(recurring->job).str());
    else
        write_recurring(here.out, recurring->job);
}

} // namespace coworker::program
