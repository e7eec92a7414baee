// SPDX-License-Identifier: MIT
#include "json/managed_submission.hpp"

#include "bounds.hpp"
#include "job_ids.hpp"
#include "text/json_spans.hpp"
#include "text/times.hpp"
#include "json/list_submission.hpp"
#include "json/members.hpp"

#include <map>

namespace coworker::detail {
namespace {

using job_readers = member_readers<managed_submission>;

using submitted = managed_submission&;

/// A reader that stores what `Read` makes of a member among the options of the job.
template<auto Read, auto... Path>
constexpr auto option = read_into<Read, &managed_submission::job, &new_managed_job::options, Path...>;

void read_until(submitted into, member_name name, json_text json)
{
    const auto until = member_text(name, json);
    if (until != "done" && until != "started")
        refuse_member(name, R"("done" or "started")");
    into.job.options.unique.until = until == "done" ? unique_until::done : unique_until::started;
}

void read_conflict(submitted into, member_name name, json_text json)
{
    static const std::map<std::string, on_conflict> words{
        {"keep", on_conflict::keep},
        {"replace", on_conflict::replace},
        {"replace_data", on_conflict::replace_data},
        {"replace_time", on_conflict::replace_time},
        {"refuse", on_conflict::refuse},
    };
    const auto found = words.find(member_text(name, json));
    if (found == words.end())
        refuse_member(name, "keep, replace, replace_data, replace_time or refuse");
    into.job.options.unique.conflict = found->second;
}

const job_readers& unique_members()
{
    static const job_readers readers{
        {"key", option<member_text, &managed_push_options::unique, &unique_rule::key>},
        {"fields", option<member_texts, &managed_push_options::unique, &unique_rule::fields>},
        {"whole_data", option<member_boolean, &managed_push_options::unique, &unique_rule::whole_data>},
        {"until", read_until},
        {"unique_for",
         [](submitted into, member_name name, json_text json) {
             into.job.options.unique.unique_for = member_time(name, json);
             if (into.job.options.unique.unique_for.count() == 0)
                 refuse_member(name, "a time longer than none; without it, 'until' says how long");
         }},
        {"on_conflict", read_conflict},
    };
    return readers;
}

void read_unique(submitted into, member_name name, json_text json)
{
    if (json.front() != '{')
        refuse_member(name, R"(an object such as {"key": "daily report"})");
    read_members(json, "'unique'", unique_members(), into);
    const auto& rule = into.job.options.unique;
    if (!rule.key.empty() + rule.fields.is_given() + rule.whole_data != 1)
        refuse_body("The member 'unique' has one of key, fields and whole_data.");
    if (rule.key.size() > 256)
        refuse_body("The member 'key' of 'unique' has more than 256 bytes.");
    if (rule.unique_for.count() > 0 && rule.until == unique_until::started)
        refuse_body("Give either 'unique_for' or 'until', not both.");
}

double read_at_least_zero(member_name name, json_text json)
{
    const auto number = member_number<double>(name, json, "a number");
    if (number < 0)
        refuse_member(name, "a number from zero on");
    return number;
}

const job_readers& backoff_members()
{
    static const job_readers readers{
        {"initial", [](submitted into, member_name name,
                       json_text json) { into.job.options.backoff->initial = member_time(name, json); }},
        {"factor", [](submitted into, member_name name,
                      json_text json) { into.job.options.backoff->factor = read_at_least_zero(name, json); }},
        {"maximum", [](submitted into, member_name name,
                       json_text json) { into.job.options.backoff->maximum = member_time(name, json); }},
        {"jitter",
         [](submitted into, member_name name, json_text json) {
             into.job.options.backoff->jitter = read_at_least_zero(name, json);
             if (into.job.options.backoff->jitter > 1)
                 refuse_member(name, "a number from 0 to 1");
         }},
    };
    return readers;
}

void read_backoff(submitted into, member_name name, json_text json)
{
    if (json.front() != '{')
        refuse_member(name, R"(an object such as {"initial": "5s", "factor": 3})");
    into.job.options.backoff.emplace();
    read_members(json, "'backoff'", backoff_members(), into);
}

void read_timeout(submitted into, member_name name, json_text json)
{
    into.job.options.timeout = member_time(name, json);
    if (into.job.options.timeout->count() <= 0)
        refuse_member(name, "greater than zero");
}

void read_metadata(submitted into, member_name name, json_text json)
{
    if (json.front() != '{')
        refuse_member(name, R"(an object such as {"tenant": "42"})");
    std::size_t bytes = 0;
    for (const auto& [key, value] : members_of(json)) {
        if (into.job.options.metadata.items().contains(key))
            refuse_member(name, "an object that has each name once");
        if (key.empty() || key.size() > max_metadata_name || value.front() != '"')
            refuse_member(name, "an object of strings, with names of 1 to 128 bytes");
        const auto text = string_of(value);
        bytes += key.size() + text.size();
        into.job.options.metadata.set(key, text);
    }
    if (into.job.options.metadata.items().size() > max_metadata || bytes > max_metadata_bytes)
        refuse_member(name, "at most 64 names and values of 8 KiB altogether");
}

/// A name as limits, order keys and groups have it.
std::string read_short_text(member_name name, json_text json)
{
    constexpr std::size_t longest = 256;
    auto text = member_text(name, json);
    if (text.size() > longest)
        refuse_member(name, "a text of 1 to 256 bytes");
    return text;
}

parent_failure read_parent_failure(member_name name, json_text json)
{
    const auto what = parse_parent_failure(member_text(name, json));
    if (!what)
        refuse_member(name, "wait, fail, skip or go_on");
    return *what;
}

const job_readers& job_members()
{
    static const job_readers readers = [] {
        job_readers all = job_option_members();
        all.emplace("id", [](submitted into, member_name name, json_text json) {
            into.job.options.jid = member_text(name, json);
            if (!is_valid_id(*into.job.options.jid))
                refuse_member(name, "a string of 1 to 256 bytes");
        });
        all.emplace("delay", option<member_time, &managed_push_options::delay>);
        all.emplace("run_at", read_into<member_point_in_time, &managed_submission::run_at>);
        all.emplace("depends_on", option<member_texts, &managed_push_options::depends>);
        all.emplace("on_parent_failure",
                    option<read_parent_failure, &managed_push_options::on_parent_failure>);
        all.emplace("reads_parents", option<member_boolean, &managed_push_options::reads_parents>);
        return all;
    }();
    return readers;
}

void read_kind(submitted into, member_name name, json_text json)
{
    if (!into.job.kind.empty())
        refuse_body("Give either 'kind' or 'klass', not both: they are the same.");
    into.job.kind = member_text(name, json);
}

} // namespace

const job_readers& job_option_members()
{
    static const job_readers readers{
        {"kind", read_kind},
        {"klass", read_kind}, // as qless calls it
        {"payload", [](submitted into, member_name, json_text json) { into.job.data = json; }},
        {"priority",
         [](submitted into, member_name name, json_text json) {
             into.job.options.priority = member_number<double>(name, json, "a number");
         }},
        {"retries",
         [](submitted into, member_name name, json_text json) {
             into.job.options.retries = member_number<unsigned>(name, json, "a whole number, not negative");
         }},
        {"tags", option<member_texts, &managed_push_options::tags>},
        {"limits", option<member_limits, &managed_push_options::limits>},
        {"order_key", option<read_short_text, &managed_push_options::order_key>},
        {"group", option<read_short_text, &managed_push_options::group>},
        {"timeout", read_timeout},
        {"expiry", option<member_time, &managed_push_options::expiry>},
        {"retention", option<member_time, &managed_push_options::retention>},
        {"result_retention",
         [](submitted into, member_name name, json_text json) {
             into.job.options.result_retention = member_time(name, json);
             if (into.job.options.result_retention->count() <= 0)
                 refuse_member(name, "greater than zero");
         }},
        {"backoff", read_backoff},
        {"metadata", read_metadata},
        {"batch", option<read_short_text, &managed_push_options::batch>},
        {"unique", read_unique},
    };
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
