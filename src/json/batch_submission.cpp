// SPDX-License-Identifier: MIT
#include "json/batch_submission.hpp"

#include "json/managed_submission.hpp"

namespace coworker::detail {
namespace {

struct callback_submission : managed_submission
{
    std::string queue{};
};

const member_readers<callback_submission>& callback_members()
{
    static const member_readers<callback_submission> readers = [] {
        member_readers<callback_submission> all{
            {"queue", [](callback_submission& into, const std::string& name,
                         std::string_view json) { into.queue = member_managed_queue(name, json).name(); }},
        };
        for (const auto& [name, read] : job_option_members())
            all.emplace(name, read);
        return all;
    }();
    return readers;
}

batch_job read_callback(const std::string& name, std::string_view json)
{
    if (json.front() != '{')
        refuse_member(name, R"(an object such as {"queue": "mail", "kind": "Done"})");
    callback_submission given;
    read_members(json, "'" + name + "'", callback_members(), given);
    check_job(given.job);
    if (given.queue.empty())
        refuse_body("The member 'queue' of '" + name +
                    "' is missing; it says which managed queue the job is pushed to.");
    batch_job job;
    job.queue = given.queue;
    job.kind = given.job.kind;
    job.data = given.job.data;
    job.options = given.job.options;
    return job;
}

const member_readers<batch_options>& batch_members()
{
    static const member_readers<batch_options> readers{
        {"id", read_into<member_text, &batch_options::id>},
        {"description", read_into<member_text, &batch_options::description>},
        {"parent", read_into<member_text, &batch_options::parent>},
        {"notice", read_into<member_boolean, &batch_options::notice>},
        {"retention", read_into<member_time, &batch_options::retention>},
        {"on_success", read_into<read_callback, &batch_options::on_success>},
        {"on_done", read_into<read_callback, &batch_options::on_done>},
        {"on_failure", read_into<read_callback, &batch_options::on_failure>},
    };
    return readers;
}

const member_readers<batch_cancel_options>& batch_cancel_members()
{
    static const member_readers<batch_cancel_options> readers{
        {"running", read_into<member_boolean, &batch_cancel_options::running>},
    };
    return readers;
}

} // namespace

batch_options read_batch_submission(const std::string& body)
{
    return read_object(body, "a batch", batch_members());
}

batch_cancel_options read_batch_cancel(const std::string& body)
{
    return read_object(body, "the body", batch_cancel_members());
}

} // namespace coworker::detail
