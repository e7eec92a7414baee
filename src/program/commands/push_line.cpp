// SPDX-License-Identifier: MIT
#include "program/commands/push_line.hpp"

#include "job_ids.hpp"
#include "program/terminal/text_functions.hpp"

#include <coworker/codec.hpp>

#include <boost/json/error.hpp>
#include <boost/json/value.hpp>

#include <algorithm>

namespace coworker::program {
namespace {

namespace json = boost::json;

/// The text of a member, or of a whole number in it.
std::optional<std::string> text_member(const json::value& job, const std::string& name)
{
    const auto* object = job.if_object();
    const auto* member = object ? object->if_contains(name) : nullptr;
    if (!member)
        return std::nullopt;
    if (const auto* text = member->if_string())
        return std::string{*text};
    if (const auto* number = member->if_int64())
        return std::to_string(*number);
    if (const auto* number = member->if_uint64())
        return std::to_string(*number);
    return std::nullopt;
}

std::string complaint_of(const json::value& value, const line_fields& fields, line_job& job)
{
    if (!fields.id.empty()) {
        job.id = text_member(value, fields.id);
        if (!job.id)
            return "it has no member \"" + fields.id + "\" with a text or a whole number for an id";
        if (!detail::is_valid_name(*job.id))
            return "its id, \"" + shortened(*job.id, 64) + "\", has not 1 to 256 bytes";
    }
    if (!fields.kind.empty()) {
        auto kind = text_member(value, fields.kind);
        if (!kind || kind->empty())
            return "it has no member \"" + fields.kind + "\" with a text for the kind";
        job.kind = *std::move(kind);
    }
    if (!fields.key.empty()) {
        auto key = text_member(value, fields.key);
        if (!key || key->empty())
            return "it has no member \"" + fields.key + "\" with a text or a whole number for the key";
        job.key = *std::move(key);
    }
    return {};
}

bool is_array_of_objects(const json::value& value)
{
    const auto* const elements = value.if_array();
    return elements && !elements->empty() &&
           std::ranges::all_of(*elements, [](const json::value& each) { return each.is_object(); });
}

} // namespace

line_job read_line_job(std::string line, const line_fields& fields)
{
    line_job job;
    const detail::parsed_json parsed{line};
    job.complaint = parsed.error() ? "it is not JSON: " + parsed.error().message()
                                   : complaint_of(parsed.value(), fields, job);
    job.is_cut_off = parsed.error() == json::error::incomplete;
    job.looks_like_jobs = !parsed.error() && is_array_of_objects(parsed.value());
    job.json = std::move(line);
    return job;
}

} // namespace coworker::program
