#include "http/list_text.hpp"

#include "http/base64url.hpp"
#include "text/json_object.hpp"
#include "text/json_spans.hpp"

namespace coworker::detail {
namespace {

/// The members that all jobs have.
json_object begin_job(const list_job& job, std::string_view identity)
{
    json_object out;
    out.text("key", to_base64url(identity)).text_if_any("id", job.id);
    return out;
}

/// The same, with the payload; as a text if it does not decode.
json_object begin_job_with_payload(const list_job& job, std::string_view identity)
{
    auto out = begin_job(job, identity);
    out.json_or_null("payload", job.job);
    if (!is_json(job.job))
        out.text("text", job.payload);
    return out;
}

} // namespace

std::string describe(const std::string& name, const list_queue_sizes& sizes,
                     const std::optional<job_rates>& rates)
{
    json_object totals;
    totals.number("succeeded", sizes.total_succeeded)
        .number("retried", sizes.total_retried)
        .number("failed", sizes.total_failed)
        .number("broken", sizes.total_broken)
        .number("recovered", sizes.total_recovered);
    json_object out;
    out.text("name", name)
        .boolean("paused", sizes.paused)
        .number("waiting", sizes.waiting)
        .number("in_progress", sizes.in_progress)
        .number("scheduled", sizes.scheduled)
        .number("overdue", sizes.overdue)
        .number("failed", sizes.failed)
        .number("broken", sizes.broken)
        .number("workers", sizes.workers);
    if (sizes.oldest_waiting_age)
        out.number("latency_seconds", static_cast<double>(sizes.oldest_waiting_age->count()) / 1000);
    else
        out.null("latency_seconds");
    out.object("totals", totals).json("rates", describe(rates));
    return out.str();
}

std::string describe(const list_job& job)
{
    return begin_job_with_payload(job, job.payload).str();
}

std::string describe(const list_job_in_progress& job)
{
    auto out = begin_job_with_payload(job, job.payload);
    out.time("started_at", job.started).text_if_any("holder", job.holder);
    return out.str();
}

std::string describe(const list_job_scheduled& job)
{
    auto out = begin_job_with_payload(job, job.member);
    out.time("due_at", job.due);
    return out.str();
}

std::string describe(const list_job_failed& job)
{
    auto out = begin_job_with_payload(job, job.payload);
    out.text("message", job.message).time("failed_at", job.failed_at).number("attempts", job.attempts);
    return out.str();
}

std::string describe(const list_job_broken& job)
{
    auto out = begin_job(job, job.payload);
    out.text("text", job.payload).text("reason", job.reason).time("found_at", job.found_at);
    return out.str();
}

} // namespace coworker::detail
