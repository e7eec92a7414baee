#include "http/list_text.hpp"

#include "http/base64url.hpp"
#include "http/object_writer.hpp"

namespace coworker::detail {
namespace {

/// The members that all jobs have.
object_writer begin_job(const list_job& job, std::string_view identity)
{
    object_writer out;
    out.text("key", to_base64url(identity)).text_if_any("id", job.id);
    return out;
}

/// The same, with the payload; as a text if it does not decode.
object_writer begin_job_with_payload(const list_job& job, std::string_view identity)
{
    auto out = begin_job(job, identity);
    const bool is_json = is_json_text(job.job);
    out.json("payload", is_json ? job.job : "null");
    if (!is_json)
        out.text("text", job.payload);
    return out;
}

} // namespace

std::string describe(const std::string& name, const list_queue_sizes& sizes,
                     const std::optional<job_rates>& rates)
{
    object_writer totals;
    totals.number("succeeded", sizes.total_succeeded)
        .number("retried", sizes.total_retried)
        .number("failed", sizes.total_failed)
        .number("broken", sizes.total_broken)
        .number("recovered", sizes.total_recovered);
    object_writer out;
    out.text("name", name)
        .flag("paused", sizes.paused)
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
        out.json("latency_seconds", "null");
    out.json("totals", std::move(totals).finish()).rates("rates", rates);
    return std::move(out).finish();
}

std::string describe(const list_job& job)
{
    return begin_job_with_payload(job, job.payload).finish();
}

std::string describe(const list_job_in_progress& job)
{
    auto out = begin_job_with_payload(job, job.payload);
    out.time("started_at", job.started).text_if_any("holder", job.holder);
    return std::move(out).finish();
}

std::string describe(const list_job_scheduled& job)
{
    auto out = begin_job_with_payload(job, job.member);
    out.time("due_at", job.due);
    return std::move(out).finish();
}

std::string describe(const list_job_failed& job)
{
    auto out = begin_job_with_payload(job, job.payload);
    out.text("message", job.message).time("failed_at", job.failed_at).number("attempts", job.attempts);
    return std::move(out).finish();
}

std::string describe(const list_job_broken& job)
{
    auto out = begin_job(job, job.payload);
    out.text("text", job.payload).text("reason", job.reason).time("found_at", job.found_at);
    return std::move(out).finish();
}

} // namespace coworker::detail
