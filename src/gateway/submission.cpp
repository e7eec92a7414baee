// SPDX-License-Identifier: MIT
#include "gateway/submission.hpp"

#include "coworker/codec.hpp"
#include "job_ids.hpp"
#include "text/json_spans.hpp"
#include "text/times.hpp"
#include "text/utf8.hpp"

#include <algorithm>
#include <array>

namespace coworker::detail {
namespace {

/// The members of a job's object; empty are those that are not there.
struct members
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

[[noreturn]] void refuse(unsigned status, const std::string& detail)
{
    throw refusal{status, detail};
}

members read_members(std::string_view json, const submission_rules& rules)
{
    const bool has_type = rules.queue.empty();
    if (json.empty() || json.front() != '{')
        refuse(400, std::string{"A job is a JSON object such as {"} +
                        (has_type ? R"("type": "mail", )" : "") + R"("payload": {"to": "ada"}}.)");
    members found;
    for (const auto& member : members_of(json)) {
        auto* const place = found.find(member.name);
        if (!place || (place == &found.type && !has_type))
            refuse(400, "The member '" + member.name.substr(0, 64) + "' is not known; a job has " +
                            (has_type ? "type, " : "") + "payload, delay, run_at, id and key.");
        if (!place->empty())
            refuse(400, "The member '" + member.name + "' is there twice; remove one.");
        *place = member.value;
    }
    return found;
}

bool is_one_of(const std::string& queue, std::span<const std::string> types)
{
    return types.empty() || std::find(types.begin(), types.end(), queue) != types.end();
}

std::string read_type(std::string_view json, const submission_rules& rules)
{
    if (json.empty())
        refuse(400, "The member 'type' is missing; it says what kind of job this is.");
    if (json.front() != '"')
        refuse(400, "The member 'type' is not a string.");
    auto type = string_of(json);
    if (!is_queue_name(type))
        refuse(400, "The type is not valid: it has 1 to 512 bytes of UTF-8.");
    if (!is_one_of(type, rules.types))
        refuse(422, "The type '" + type + "' is not one of those that this gateway takes.");
    return type;
}

std::string read_id(std::string_view json)
{
    auto id = json.front() == '"' ? string_of(json) : std::string{};
    if (!is_valid_id(id))
        refuse(400, "The member 'id' is not a string of 1 to 256 bytes.");
    return id;
}

std::string read_key(std::string_view json)
{
    auto key = json.front() == '"' ? string_of(json) : std::string{};
    if (key.empty() || key.size() > 256)
        refuse(400, "The member 'key' is not a string of 1 to 256 bytes.");
    return key;
}

std::chrono::milliseconds read_delay(std::string_view json)
{
    const auto delay = parse_delay(json.front() == '"' ? string_of(json) : std::string{json});
    if (!delay)
        refuse(400, "The member 'delay' is neither a number of seconds nor a text such as \"90s\", \"5m\", "
                    "\"2h\" or \"1d\", from zero to ten years.");
    return *delay;
}

timestamp read_run_at(std::string_view json)
{
    const auto time = json.front() == '"' ? parse_rfc3339(string_of(json)) : std::nullopt;
    if (!time)
        refuse(400, "The member 'run_at' is not a time as RFC 3339 has it, such as "
                    "\"2026-11-21T09:30:00Z\" or \"2026-11-21T10:30:00+01:00\".");
    return *time;
}

} // namespace

submission read_submission(std::string_view json, const submission_rules& rules)
{
    const auto found = read_members(json, rules);
    submission result;
    result.type = rules.queue.empty() ? read_type(found.type, rules) : std::string{rules.queue};
    if (found.payload.empty())
        refuse(400, "The member 'payload' is missing; it may be any JSON value, null included.");
    result.what.job.text = found.payload;
    if (!found.delay.empty() && !found.run_at.empty())
        refuse(400, "Give either 'delay' or 'run_at', not both.");
    if (!found.delay.empty())
        result.what.options.delay = read_delay(found.delay);
    if (!found.run_at.empty())
        result.what.options.at = read_run_at(found.run_at);
    if (!found.id.empty())
        result.what.options.id = read_id(found.id);
    if (!found.key.empty())
        result.what.options.key = read_key(found.key);
    return result;
}

std::optional<std::chrono::milliseconds> parse_delay(std::string_view text)
{
    std::string with_unit{text};
    if (!text.empty() && text.back() >= '0' && text.back() <= '9')
        with_unit += 's';
    const auto delay = parse_duration(with_unit);
    return delay && *delay <= longest_delay ? delay : std::nullopt;
}

bool is_queue_name(std::string_view name) noexcept
{
    return !name.empty() && name.size() <= 512 && is_utf8(name);
}

void check_is_served(const std::string& queue, std::span<const std::string> types)
{
    if (!is_one_of(queue, types))
        refuse(403, "The queue '" + queue + "' is not one of those that this gateway serves.");
}

void check_number_of_jobs(std::size_t count, std::size_t max_jobs)
{
    if (count == 0)
        refuse(400, "The array has no jobs in it.");
    if (count > max_jobs)
        refuse(413, "The array has " + std::to_string(count) + " jobs; send at most " +
                        std::to_string(max_jobs) + " in one request.");
}

answer combine(const std::vector<answer>& answers)
{
    answer result{.status = answers.front().status, .body = "["};
    for (const auto& one : answers) {
        if (one.status != result.status)
            result.status = 207;
        std::string_view text = one.body;
        text.remove_suffix(1); // the line's end
        if (one.content_type == "application/json")
            result.body += "{\"status\":" + std::to_string(one.status) + ',' + std::string{text.substr(1)};
        else
            result.body += text;
        result.body += ',';
    }
    result.body.back() = ']';
    result.body += '\n';
    if (result.status == 503)
        result.fields.emplace_back("Retry-After", "1");
    return result;
}

void check_body(std::string_view body)
{
    const parsed_json parsed{body};
    if (parsed.error())
        refuse(400, "The body is not valid JSON: " + parsed.error().message() + '.');
}

submissions read_submissions(std::string_view body, const submission_rules& rules)
{
    check_body(body);
    const auto json = trimmed(body);
    submissions result;
    if (json.front() != '[') {
        result.items.emplace_back(read_submission(json, rules));
        return result;
    }
    result.is_array = true;
    const auto elements = elements_of(json);
    check_number_of_jobs(elements.size(), rules.max_jobs);
    for (const auto element : elements) {
        try {
            result.items.emplace_back(read_submission(element, rules));
        } catch (refusal& refused) {
            result.items.emplace_back(std::move(refused.what));
        }
    }
    return result;
}

} // namespace coworker::detail
