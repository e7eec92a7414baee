// SPDX-License-Identifier: MIT
#include "outbox/read_row.hpp"

#include "text/json_object.hpp"
#include "text/json_spans.hpp"
#include "json/list_submission.hpp"
#include "json/members.hpp"

namespace coworker::detail {
namespace {

/// What stands between the braces of the options; empty: nothing.
std::string_view members_of_options(std::string_view json)
{
    const auto object = trimmed(json);
    if (object.empty())
        return object;
    if (!is_json(object) || object.front() != '{')
        refuse_body(R"(The options are no JSON object such as {"priority": 10}.)");
    return trimmed(object.substr(1, object.size() - 2));
}

/// The job as HTTP would have it, so that one reader knows the members of both. Its parts are checked before: what is in
/// one of them cannot reach into another.
std::string submission_of(const outbox_row& row)
{
    if (!is_json(row.payload))
        refuse_body("The payload is not JSON, or is nested too deeply.");
    std::string json = R"({"payload":)" + row.payload;
    if (!row.kind.empty())
        json += R"(,"kind":)" + json_string(row.kind);
    if (const auto members = members_of_options(row.options); !members.empty())
        json.append(",").append(members);
    return json + '}';
}

[[noreturn]] void refuse_id()
{
    refuse_body("The options name an id; a job of the outbox has the id that its row has in job_id.");
}

} // namespace

// The rules want to know only that the row has a queue.
raw_push read_list_row(const outbox_row& row, std::chrono::milliseconds remember)
{
    if (!row.kind.empty())
        refuse_body("The row has a kind, which jobs of list queues have not; a managed queue is called "
                    "managed:NAME.");
    submission_rules rules;
    rules.queue = row.queue;
    auto submitted = read_list_submission(submission_of(row), rules);
    auto& options = submitted.what.options;
    if (options.id)
        refuse_id();
    if (!options.key.empty())
        refuse_body("The options have a key; a job whose id is remembered goes to the partition of its id.");
    options.id = row.job_id;
    options.unique_for = remember;
    return std::move(submitted.what);
}

managed_submission read_managed_row(const outbox_row& row, std::chrono::milliseconds remember)
{
    auto submitted = read_managed_submission(submission_of(row));
    auto& options = submitted.job.options;
    if (options.jid)
        refuse_id();
    const auto& rule = options.unique;
    if (!rule.key.empty() || rule.fields.is_given() || rule.whole_payload)
        refuse_body(
            "The options have 'unique'; a job of the outbox is unique by its row. A unique index in the "
            "database keeps rows from being written twice.");
    if (!options.order_key && !row.order_key.empty()) // so that they also run in order
        options.order_key = row.order_key;
    options.jid = row.job_id;
    options.unique.key = row.job_id;
    options.unique.unique_for = remember;
    return submitted;
}

} // namespace coworker::detail
