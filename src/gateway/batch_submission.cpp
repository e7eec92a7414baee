// SPDX-License-Identifier: MIT
#include "gateway/batch_submission.hpp"

#include "submission/managed_submission.hpp"

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
                         std::string_view json) { into.queue = member_text(name, json); }},
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
    using item = batch_options&;
    using word = const std::string&;
    using json_text = std::string_view;
    static const member_readers<batch_options> readers{
        {"id", [](item into, word name, json_text json) { into.id = member_text(name, json); }},
        {"description",
         [](item into, word name, json_text json) { into.description = member_text(name, json); }},
        {"parent", [](item into, word name, json_text json) { into.parent = member_text(name, json); }},
        {"retention", [](item into, word name, json_text json) { into.retention = member_time(name, json); }},
        {"on_success",
         [](item into, word name, json_text json) { into.on_success = read_callback(name, json); }},
        {"on_done", [](item into, word name, json_text json) { into.on_done = read_callback(name, json); }},
        {"on_failure",
         [](item into, word name, json_text json) { into.on_failure = read_callback(name, json); }},
    };
    return readers;
}

const member_readers<batch_cancel_options>& batch_cancel_members()
{
    static const member_readers<batch_cancel_options> readers{
        {"running",
         [](batch_cancel_options& into, const std::string& name, std::string_view json) {
             if (json != "true" && json != "false")
                 refuse_member(name, "true or false");
             into.running = json == "true";
         }},
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
