// SPDX-License-Identifier: MIT
#include "coworker/managed_details.hpp"
#include "gateway/remote_text.hpp"
#include "text/base64.hpp"
#include "json/job_text.hpp"
#include "json/queue_words.hpp"
#include "json/run_text.hpp"

/// What workers over HTTP are told.
namespace coworker::detail {
namespace {

json_object describe_taken_job(const taken_job& job, const std::string& queue)
{
    job_run run;
    run.id = job.id;
    run.queue = queue;
    run.attempt = job.attempt;
    run.payload = job.data;
    run.checkpoint = job.checkpoint;
    run.steps = &job.steps;
    run.signals = job.signals.received;
    run.slept = job.signals.slept;
    run.ended_jobs = job.signals.ended_jobs;
    run.managed = dynamic_cast<const managed_details*>(job.details.get());
    auto out = describe(run);
    return out.number("lease_seconds", in_seconds(job.lease)).text("token", to_base64url(job.token));
}

answer lease_lost()
{
    return problem(
        409, "The lease of this job has ended or was renewed with another token; another worker may have the "
             "job. Stop working on it.");
}

} // namespace

std::string describe_taken(const std::vector<taken_job>& jobs, const queue_ref& queue)
{
    const auto name = call_queue(queue);
    json_object out;
    out.objects("jobs", jobs, [&](const auto& job) { return describe_taken_job(job, name); });
    return out.str() + '\n';
}

answer describe_renewal(const result<renewed_lease>& renewed)
{
    if (!renewed)
        return lease_lost();
    json_object out;
    out.text("token", to_base64url(renewed->token)).number("lease_seconds", in_seconds(renewed->lease));
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

answer describe_step(const result<void>& done)
{
    if (done.error() == errc::not_unique)
        return problem(422, "This step of the job has another value, which stays: whoever takes the job with "
                            "'steps' finds it there.");
    if (done.error() == errc::job_too_large)
        return problem(413, "A job has at most 1,000 steps, with 1 MiB of names and values altogether.");
    return describe_saved(done);
}

answer describe_acknowledgement(const result<acknowledged_job>& done, const std::vector<std::string>& pushed)
{
    if (!done)
        return lease_lost();
    if (!done->failure.empty())
        return problem(422, "The job has failed with '" + done->failure +
                                "', and none of its effects was carried out.");
    json_object out;
    out.boolean("acknowledged", true);
    if (!pushed.empty())
        out.texts("pushed", pushed);
    return {.body = out.str() + '\n'};
}

} // namespace coworker::detail
