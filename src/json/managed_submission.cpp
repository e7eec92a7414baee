// SPDX-License-Identifier: MIT
#include "json/managed_submission.hpp"

#include "text/json_spans.hpp"
#include "json/members.hpp"
#include "json/push_options.hpp"

#include <chrono>

namespace coworker::detail {
namespace {

using job_readers = member_readers<managed_submission>;

using submitted = managed_submission&;

void read_kind(submitted into, member_name name, json_text json)
{
    if (!into.job.kind.empty())
        refuse_body("Give either 'kind' or 'klass', not both: they are the same.");
    into.job.kind = member_text(name, json);
}

/// What a job has however it is pushed, and its options.
job_readers readers_of_job(job_pushed when)
{
    job_readers all{
        {"kind", read_kind},
        {"klass", read_kind}, // as qless calls it
        {"payload", [](submitted into, member_name, json_text json) { into.job.data = json; }},
    };
    for (const auto& [member, read] : push_option_readers(when))
        all.emplace(member, [&read = read](submitted into, member_name name, json_text json) {
            read(into.job.options, name, json);
        });
    return all;
}

const job_readers& job_members()
{
    static const job_readers readers = [] {
        auto all = readers_of_job(job_pushed::now);
        all.emplace("run_at", read_into<member_point_in_time, &managed_submission::run_at>);
        return all;
    }();
    return readers;
}

} // namespace

const job_readers& job_option_members()
{
    static const auto readers = readers_of_job(job_pushed::later);
    return readers;
}

void set_delay(managed_submission& what, timestamp now)
{
    what.job.options.delay = std::chrono::ceil<std::chrono::milliseconds>(*what.run_at - now);
}

void check_job(const new_managed_job& job)
{
    if (job.kind.empty())
        refuse_body("The member 'kind' is missing; it says what kind of job this is.");
    if (is_json_false(job.data))
        refuse_body("The member 'payload' is false, with which no qless client can complete a job.");
    if (!job.options.unique.fields.empty() && job.data.str().front() != '{')
        refuse_body("The member 'payload' is no object, so the job cannot be unique by its fields.");
    check_push_options(job.options);
}

managed_submission read_managed_submission(std::string_view json)
{
    if (json.front() != '{')
        refuse_body(R"(A job is a JSON object such as {"kind": "Letter", "payload": {"to": "ada"}}.)");
    managed_submission result;
    read_members(json, "a job", job_members(), result);
    check_job(result.job);
    if (result.run_at && result.job.options.delay.count() != 0)
        refuse_body("Give either 'delay' or 'run_at', not both.");
    return result;
}

managed_submissions read_managed_submissions(std::string_view body, std::size_t max_jobs)
{
    check_body(body);
    const auto json = trimmed(body);
    managed_submissions result;
    if (json.front() != '[') {
        result.items.emplace_back(read_managed_submission(json));
        return result;
    }
    result.is_array = true;
    const auto elements = elements_of(json);
    check_number_of_jobs(elements.size(), max_jobs);
    for (const auto element : elements) {
        try {
            result.items.emplace_back(read_managed_submission(element));
        } catch (refusal& refused) {
            result.items.emplace_back(std::move(refused));
        }
    }
    return result;
}

} // namespace coworker::detail
