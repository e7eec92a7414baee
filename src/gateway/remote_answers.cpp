// SPDX-License-Identifier: MIT
#include "coworker/managed_details.hpp"
#include "gateway/base64url.hpp"
#include "gateway/remote_text.hpp"
#include "text/json_object.hpp"

/// What workers over HTTP are told.
namespace coworker::detail {
namespace {

/// Milliseconds as seconds, for people and programs.
double seconds(std::chrono::milliseconds time)
{
    return static_cast<double>(time.count()) / 1000;
}

json_object describe(const taken_job& job)
{
    json_object out;
    out.text("id", job.id).text_if_any("kind", job.kind).json_or_text("data", job.data);
    out.number("attempt", job.attempt).number("lease_seconds", seconds(job.lease));
    if (job.retries_left)
        out.number("retries_left", *job.retries_left);
    if (const auto* own = dynamic_cast<const managed_details*>(job.details.get())) {
        out.number("priority", own->priority).texts("tags", own->tags);
        if (own->timeout)
            out.number("timeout_seconds", seconds(*own->timeout));
        out.texts_by_name("metadata", own->metadata).text_if_any("batch", own->batch);
        if (!own->parents.empty())
            out.texts("parents", own->parents);
    }
    if (!job.checkpoint.empty())
        out.json_or_null("checkpoint", job.checkpoint);
    out.text("token", to_base64url(job.token));
    return out;
}

answer lease_lost()
{
    return problem(
        409, "The lease of this job has ended or was renewed with another token; another worker may have the "
             "job. Stop working on it.");
}

} // namespace

std::string describe_taken(const std::vector<taken_job>& jobs)
{
    return json_object{}.objects("jobs", jobs, [](const auto& job) { return describe(job); }).str() + '\n';
}

answer describe_renewal(const result<renewed_lease>& renewed)
{
    if (!renewed)
        return lease_lost();
    json_object out;
    out.text("token", to_base64url(renewed->token)).number("lease_seconds", seconds(renewed->lease));
    return {.body = out.str() + '\n'};
}

answer describe_told(const result<void>& done)
{
    return done ? answer{.body = "{\"told\":true}\n"} : lease_lost();
}

answer describe_saved(const result<void>& done)
{
    return done ? answer{.body = "{\"saved\":true}\n"} : lease_lost();
}

answer describe_acknowledgement(const result<acknowledged_job>& done, const std::vector<std::string>& pushed)
{
    if (!done)
        return lease_lost();
    if (!done->failure.empty())
        return problem(422,
                       "The job has failed, and none of its effects was carried out: " + done->failure + '.');
    json_object out;
    out.boolean("acknowledged", true);
    if (!pushed.empty())
        out.texts("pushed", pushed);
    return {.body = out.str() + '\n'};
}

} // namespace coworker::detail
