// SPDX-License-Identifier: MIT
#include "json/run_text.hpp"

#include "json/job_text.hpp"

#include <algorithm>

namespace coworker::detail {
namespace {

void add_managed(json_object& out, const managed_details& job)
{
    out.number("priority", job.priority)
        .number("retries_left", std::max(job.remaining, 0))
        .texts("tags", job.tags);
    if (job.timeout)
        out.number("timeout", in_seconds(*job.timeout));
    if (!job.metadata.empty())
        out.texts_by_name("metadata", job.metadata);
    if (!job.batch.empty())
        out.text("batch", job.batch);
    if (!job.parents.empty())
        out.texts("parents", job.parents);
}

} // namespace

json_object describe(const job_run& job)
{
    json_object out;
    out.text("id", job.id).text("queue", job.queue).number("attempt", job.attempt);
    out.text_if_any("kind", job.managed != nullptr ? job.managed->kind : std::string{});
    if (job.managed != nullptr)
        add_managed(out, *job.managed);
    if (job.queued_at)
        out.time("queued_at", job.queued_at);
    if (!job.checkpoint.empty())
        out.json_or_null("checkpoint", job.checkpoint);
    if (job.steps != nullptr && !job.steps->empty())
        out.values_by_name("steps", *job.steps);
    if (!job.signals.empty())
        add_signals(out, job.signals, job.slept, job.ended_jobs);
    return out.json_or_text("payload", job.payload);
}

} // namespace coworker::detail
