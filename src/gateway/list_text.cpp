// SPDX-License-Identifier: MIT
#include "gateway/list_text.hpp"

#include "gateway/base64url.hpp"
#include "text/json_object.hpp"
#include "text/json_spans.hpp"

namespace coworker::detail {
namespace {

/// The state is a part of keys: a job has to be named where it is.
std::string key_prefix(job_state state)
{
    return std::string{to_string(state)} + ' ';
}

void add_payload(json_object& out, const job_info& job)
{
    out.json_or_null("payload", job.data);
    if (!is_json(job.data)) // it does not decode
        out.text("text", job.payload);
}

void add_job(json_object& out, const job_info& job)
{
    out.text("key", to_base64url(key_prefix(job.state) + job.key)).text_if_any("id", job.id);
    if (job.state == job_state::broken) {
        out.text("text", job.payload).text("reason", job.message).time("found_at", job.ended_at);
        return;
    }
    add_payload(out, job);
    if (job.state == job_state::running)
        out.time("started_at", job.started_at).text_if_any("holder", job.worker);
    if (job.state == job_state::scheduled)
        out.time("due_at", job.due_at);
    if (job.state == job_state::failed)
        out.text("message", job.message).time("failed_at", job.ended_at).number("attempts", job.attempts);
}

} // namespace

std::string describe_list_job(const job_info& job)
{
    json_object out;
    add_job(out, job);
    return out.str();
}

std::string describe_found_list_job(const job_info& job)
{
    json_object out;
    out.text("state", to_string(job.state));
    add_job(out, job);
    return out.str();
}

std::optional<std::string> read_job_key(std::string_view key, job_state state)
{
    auto text = from_base64url(key);
    if (!text)
        return std::nullopt;
    const auto prefix = key_prefix(state);
    return text->starts_with(prefix) ? text->substr(prefix.size()) : std::string{};
}

} // namespace coworker::detail
