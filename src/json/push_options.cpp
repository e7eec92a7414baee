// SPDX-License-Identifier: MIT
#include "json/push_options.hpp"

#include "text/json_object.hpp"

#include <algorithm>

namespace coworker::detail {
namespace {

member_readers<managed_push_options> readers_of(const std::vector<push_option>& rows, job_pushed when)
{
    member_readers<managed_push_options> readers;
    for (const auto& row : rows)
        if (when == job_pushed::now || !row.is_of_push)
            readers.emplace(row.name, row.value.read);
    return readers;
}

void read_unique(managed_push_options& into, member_name name, json_text json)
{
    static const auto readers = readers_of(options_of_unique(), job_pushed::now);
    if (json.front() != '{')
        refuse_member(name, R"(an object such as {"key": "daily report"})");
    read_members(json, "'unique'", readers, into);
    const auto& rule = into.unique;
    if (!rule.key.empty() + rule.fields.is_given() + rule.whole_payload != 1)
        refuse_body("A job is unique by exactly one of 'key', 'fields' and 'whole_payload'.");
    if (rule.unique_for.count() > 0 && rule.until == unique_until::started)
        refuse_body("Give either 'unique_for' or 'until', not both.");
}

void read_backoff(managed_push_options& into, member_name name, json_text json)
{
    static const auto readers = readers_of(options_of_backoff(), job_pushed::now);
    if (json.front() != '{')
        refuse_member(name, R"(an object such as {"initial": "5s", "factor": 3})");
    auto& wait = into.backoff.emplace();
    read_members(json, "'backoff'", readers, into);
    const auto given = members_of(json);
    const auto has = [&](std::string_view member) {
        return std::ranges::find(given, member, &json_member::name) != given.end();
    };
    if (!has("maximum"))
        wait.maximum = std::max(wait.maximum, wait.initial);
    else if (has("initial") && wait.maximum < wait.initial)
        refuse_body("The longest wait of a back-off is shorter than the first one.");
}

/// From INITIAL, or INITIAL..MAXIMUM.
std::string json_of_backoff(const option_texts& given)
{
    const auto& text = given.front();
    const auto dots = text.find("..");
    auto json = R"({"initial":)" + json_string(text.substr(0, dots));
    if (dots != text.npos)
        json += R"(,"maximum":)" + json_string(text.substr(dots + 2));
    return json + '}';
}

void write_unique(json_object& out, std::string_view name, const managed_push_options& from)
{
    const auto& rule = from.unique;
    if (rule.key.empty() && !rule.fields.is_given() && !rule.whole_payload)
        return;
    const std::string_view unused = rule.unique_for.count() > 0 ? "until" : "unique_for";
    json_object object{out.reader()};
    for (const auto& row : options_of_unique())
        if (row.name != unused)
            row.value.write(object, row.name, from);
    out.object(name, object);
}

template<class Member>
auto unique(Member unique_rule::*member)
{
    return [member](auto& options) -> auto&
    {
        return options.unique.*member;
    };
}

template<class Member>
auto backoff(Member exponential_backoff::*member)
{
    return [member](auto& options) -> auto&
    {
        return (*options.backoff).*member;
    };
}

} // namespace

option_words<parent_failure> words_of_parent_failure()
{
    return words_of(
        {parent_failure::wait, parent_failure::fail, parent_failure::skip, parent_failure::go_on});
}

const std::vector<push_option>& options_of_unique()
{
    static const std::vector<push_option> rows{
        {"key", "no job is pushed if one with this key is there",
         text_value(unique(&unique_rule::key), max_name), "--unique-key"},
        {"fields", "no job is pushed if one of its kind has the same in these members of its payload",
         texts_value(unique(&unique_rule::fields), "NAME"), "--unique-field"},
        {"whole_payload", "no job is pushed if one of its kind with the same payload is there",
         yes_value(unique(&unique_rule::whole_payload)), "--unique"},
        {"until", "until when a job counts as there",
         word_value(unique(&unique_rule::until), words_of({unique_until::done, unique_until::started}),
                    "WHEN"),
         "--unique-until"},
        {"unique_for", "how long a job counts as there, whatever becomes of it",
         time_value(unique(&unique_rule::unique_for), member_time_above_zero)},
        {"on_conflict", "what becomes of the job that is there, or whether this push fails",
         word_value(unique(&unique_rule::conflict),
                    words_of({on_conflict::keep, on_conflict::replace, on_conflict::replace_payload,
                              on_conflict::replace_time, on_conflict::refuse}))},
    };
    return rows;
}

const std::vector<push_option>& options_of_backoff()
{
    static const std::vector<push_option> rows{
        {"initial", "the wait before the first retry", time_value(backoff(&exponential_backoff::initial)),
         "-"},
        {"factor", "by how much the wait grows with each attempt",
         number_value(backoff(&exponential_backoff::factor), 0), "-"},
        {"maximum", "the longest wait", time_value(backoff(&exponential_backoff::maximum)), "-"},
        {"jitter", "the largest part of a wait that is left out at random",
         number_value(backoff(&exponential_backoff::jitter), 0, 1), "-"},
    };
    return rows;
}

const std::vector<push_option>& options_of_push()
{
    static const option_value unique_value{
        .read = read_unique, .schema = R"("$ref":"#/components/schemas/unique")", .write = write_unique};
    static const option_value backoff_value{
        .read = read_backoff,
        .schema = R"("$ref":"#/components/schemas/backoff")",
        .called = "TIMES",
        .json_of = json_of_backoff,
        .write = [](json_object& out, std::string_view name, const managed_push_options& from) {
            write_given(out, name, from.backoff);
        }};
    using given = managed_push_options;
    constexpr bool of_push = true;
    static const std::vector<push_option> rows{
        {"id", "a job that exists under this id is moved. Default: a new one",
         text_value(&given::jid, max_name), "-", of_push},
        {"delay", "how long to wait before the job may run", time_value(&given::delay), "-", of_push},
        {"priority", "larger runs first", number_value(&given::priority)},
        {"retries", "how often a job may be retried. Default: 5", count_value(&given::retries)},
        {"tags", "a tag, by which jobs are found", texts_value(&given::tags), "--tag"},
        {"limits", "a limit that the job is subject to, and the units that it takes",
         limits_value(&given::limits), "--limit"},
        {"order_key", "of the jobs with this key, one runs at a time, in the order pushed",
         text_value(&given::order_key, max_name)},
        {"group", "the groups of a queue take turns", text_value(&given::group, max_name)},
        {"timeout", "how long one run may take", time_value(&given::timeout, member_time_above_zero)},
        {"expiry", "a job that has not been started by then fails", time_value(&given::expiry)},
        {"backoff",
         "the wait before a retry: the first, such as 5s, or that and the longest, such as 5s..10m",
         backoff_value},
        {"retention", "how long the record of a job that has ended is kept", time_value(&given::retention)},
        {"result_retention", "how long what its handler returns is kept",
         time_value(&given::result_retention, member_time_above_zero)},
        {"metadata", "a name and a text that travel with the job to its handler",
         pairs_value(&given::metadata)},
        {"version", "the version of the payload: only workers that handle it take the job. Default: 1",
         number_from_one(&given::version, max_version), "--payload-version"},
        {"description", "what the job is for, for people", text_value(&given::description, max_description)},
        {"batch", "the batch that the job belongs to", text_value(&given::batch, max_batch_id, "ID")},
        {"depends_on", "the id of a job that has to be complete before", texts_value(&given::depends, "ID"),
         "--depends", of_push},
        {"wait_for_signal", "the name of a signal that has to come before, as a job has to be complete",
         text_value(&given::wait_for_signal, max_name), "", of_push},
        {"on_parent_failure", "what becomes of the job when one of those fails or is cancelled",
         word_value(&given::on_parent_failure, words_of_parent_failure()), "", of_push},
        {"reads_parents", "the handler reads what those have returned", yes_value(&given::reads_parents), "",
         of_push},
        {"unique", "whether the job is pushed if another like it is there", unique_value, "-", false,
         &options_of_unique()},
    };
    return rows;
}

const member_readers<managed_push_options>& push_option_readers(job_pushed when)
{
    static const auto of_push = readers_of(options_of_push(), job_pushed::now);
    static const auto of_later = readers_of(options_of_push(), job_pushed::later);
    return when == job_pushed::now ? of_push : of_later;
}

void write_push_options(json_object& out, const managed_push_options& options)
{
    for (const auto& row : options_of_push())
        if (!row.is_of_push)
            row.value.write(out, row.name, options);
}

void check_push_options(const managed_push_options& options)
{
    if (options.reads_parents && !options.depends.is_given())
        refuse_body("The member 'reads_parents' needs 'depends_on'.");
}

std::string schemas_of(const std::vector<push_option>& options, job_pushed when)
{
    option_texts all;
    for (const auto& row : options)
        if (!row.is_of_push || when == job_pushed::now)
            all.push_back(schema_member(row.name, row.value.schema, row.about));
    return joined_schemas(all);
}

} // namespace coworker::detail
