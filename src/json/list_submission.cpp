// SPDX-License-Identifier: MIT
#include "json/list_submission.hpp"

#include "bounds.hpp"
#include "job_ids.hpp"
#include "text/json_spans.hpp"
#include "text/times.hpp"
#include "json/members.hpp"

#include <algorithm>

namespace coworker::detail {
namespace {

/// The members of a job's object; empty are those that are not there.
struct list_job_texts
{
    std::string_view type, payload, delay, run_at, id, key;

    std::string_view* find(std::string_view name)
    {
        if (name == "type")
            return &type;
        if (name == "payload")
            return &payload;
        if (name == "delay")
            return &delay;
        if (name == "run_at")
            return &run_at;
        if (name == "key")
            return &key;
        return name == "id" ? &id : nullptr;
    }
};

list_job_texts read_texts_of_job(std::string_view json, const submission_rules& rules)
{
    const bool has_type = rules.queue.empty();
    if (json.empty() || json.front() != '{')
        refuse_body(std::string{"A job is a JSON object such as {"} +
                    (has_type ? R"("type": "mail", )" : "") + R"("payload": {"to": "ada"}}.)");
    list_job_texts found;
    for (const auto& member : members_of(json)) {
        auto* const place = found.find(member.name);
        if (!place || (place == &found.type && !has_type))
            refuse_body("The member " + in_quotes(member.name) + " is not known; a job has " +
                        (has_type ? "type, " : "") + "payload, delay, run_at, id and key.");
        if (!place->empty())
            refuse_body("The member '" + member.name + "' is there twice; remove one.");
        *place = member.value;
    }
    return found;
}

bool is_among(const std::string& queue, std::span<const std::string> types)
{
    return types.empty() || std::find(types.begin(), types.end(), queue) != types.end();
}

std::string read_type(std::string_view json, const submission_rules& rules)
{
    if (json.empty())
        refuse_body("The member 'type' is missing; it says what kind of job this is.");
    if (json.front() != '"')
        refuse_body("The member 'type' is not a string.");
    auto type = string_of(json);
    if (!is_queue_name(type))
        refuse_body("The type is not valid: it has 1 to 512 bytes of UTF-8.");
    if (!is_among(type, rules.types))
        throw refusal{422, "The type '" + type + "' is not one of those that this gateway takes."};
    return type;
}

std::string read_id(std::string_view json)
{
    auto id = json.front() == '"' ? string_of(json) : std::string{};
    if (!is_valid_name(id))
        refuse_body("The member 'id' is not a string of 1 to 256 bytes.");
    return id;
}

std::string read_key(std::string_view json)
{
    auto key = json.front() == '"' ? string_of(json) : std::string{};
    if (key.empty() || key.size() > max_name)
        refuse_body("The member 'key' is not a string of 1 to 256 bytes.");
    return key;
}

/// In jobber's words.
std::chrono::milliseconds read_delay(std::string_view json)
{
    const auto delay = parse_delay(json.front() == '"' ? string_of(json) : std::string{json});
    if (!delay)
        refuse_body("The member 'delay' is neither a number of seconds nor a text such as \"90s\", \"5m\", "
                    "\"2h\" or \"1d\", from zero to ten years.");
    return *delay;
}

} // namespace

list_submission read_list_submission(std::string_view json, const submission_rules& rules)
{
    const auto found = read_texts_of_job(json, rules);
    list_submission result;
    result.type = rules.queue.empty() ? read_type(found.type, rules) : std::string{rules.queue};
    if (found.payload.empty())
        refuse_body("The member 'payload' is missing; it may be any JSON value, null included.");
    result.what.job.text = found.payload;
    if (!found.delay.empty() && !found.run_at.empty())
        refuse_body("Give either 'delay' or 'run_at', not both.");
    if (!found.delay.empty())
        result.what.options.delay = read_delay(found.delay);
    if (!found.run_at.empty())
        result.what.options.at = member_point_in_time("run_at", found.run_at);
    if (!found.id.empty())
        result.what.options.id = read_id(found.id);
    if (!found.key.empty())
        result.what.options.key = read_key(found.key);
    return result;
}

void check_is_served(const std::string& queue, std::span<const std::string> types)
{
    if (!is_among(queue, types))
        throw refusal{403, "The queue '" + queue + "' is not one of those that this gateway serves."};
}

list_submissions read_list_submissions(std::string_view body, const submission_rules& rules)
{
    check_body(body);
    const auto json = trimmed(body);
    list_submissions result;
    if (json.front() != '[') {
        result.items.emplace_back(read_list_submission(json, rules));
        return result;
    }
    result.is_array = true;
    const auto elements = elements_of(json);
    check_number_of_jobs(elements.size(), rules.max_jobs);
    for (const auto element : elements) {
        try {
            result.items.emplace_back(read_list_submission(element, rules));
        } catch (refusal& refused) {
            result.items.emplace_back(std::move(refused));
        }
    }
    return result;
}

} // namespace coworker::detail
