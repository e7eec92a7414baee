// SPDX-License-Identifier: MIT
#include "managed/read_job.hpp"

#include "managed/json_fields.hpp"
#include "text/bounded_time.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <array>
#include <cmath>

namespace coworker {

namespace json = boost::json;

namespace {

/// In the order of `managed_state`; the last one's own name is "recur".
constexpr std::array<std::string_view, 8> state_names = {"waiting", "scheduled", "depends",  "running",
                                                         "stalled", "failed",    "complete", "recurring"};

} // namespace

std::string_view to_string(managed_state state) noexcept
{
    const auto index = static_cast<std::size_t>(state);
    return index < state_names.size() ? state_names[index] : "unknown";
}

} // namespace coworker

namespace coworker::detail {
namespace {

/// "job 'x'", for messages.
std::string name_of(const json::value& value, std::string_view kind)
{
    const auto* object = value.if_object();
    const auto* jid = object ? object->if_contains("jid") : nullptr;
    std::string name{kind};
    if (jid && jid->is_string())
        name += " '" + std::string{jid->get_string()} + "'";
    return name;
}

std::optional<timestamp> time_if_any(double seconds)
{
    if (seconds == 0)
        return std::nullopt;
    return bounded_time(seconds);
}

/// A member if it is a text: a message's data may use the same names for anything.
std::string text_or_nothing(const json::object& object, std::string_view name)
{
    const auto* value = object.if_contains(name);
    return value && value->is_string() ? std::string{value->get_string()} : std::string{};
}

managed_history_entry read_entry(const json::value& value, std::string_view job)
{
    const json_fields fields{value, job};
    managed_history_entry entry;
    entry.when = bounded_time(fields.number("when"));
    entry.what = fields.text("what");
    if (entry.what == "put")
        entry.queue = text_or_nothing(fields.all(), "q");
    if (entry.what == "popped" || entry.what == "failed")
        entry.worker = text_or_nothing(fields.all(), "worker");
    if (entry.what == "failed")
        entry.group = text_or_nothing(fields.all(), "group");
    json::object rest{fields.all()};
    rest.erase("when");
    rest.erase("what");
    if (!rest.empty())
        entry.details = json::serialize(rest);
    return entry;
}

std::vector<managed_history_entry> read_history(const json_fields& job, std::string_view name)
{
    std::vector<managed_history_entry> history;
    const auto& entries = job.list("history");
    history.reserve(entries.size());
    for (const auto& entry : entries)
        history.push_back(read_entry(entry, name));
    return history;
}

std::optional<managed_failure> read_failure(const json_fields& job, std::string_view name)
{
    const auto* object = job.object("failure");
    if (!object)
        return std::nullopt;
    const json::value value{*object};
    const json_fields fields{value, name};
    return managed_failure{.group = fields.text("group"),
                           .message = fields.text("message"),
                           .when = time_if_any(fields.number("when")),
                           .worker = fields.text("worker")};
}

managed_state read_state(const json_fields& job, std::string_view job_name)
{
    const auto name = job.text("state");
    for (std::size_t i = 0; i != state_names.size(); ++i)
        if (state_names[i] == name)
            return static_cast<managed_state>(i);
    if (name == "recur")
        return managed_state::recurring;
    throw system_error{errc::not_decodable, std::string{job_name} + ": 'state' is '" + name + "'"};
}

} // namespace

managed_job to_job(const json::value& value)
{
    const auto name = name_of(value, "job");
    const json_fields fields{value, name};
    managed_job job;
    job.jid = fields.text("jid");
    job.kind = fields.text("klass");
    job.data = fields.text("data");
    job.state = read_state(fields, name);
    job.queue = fields.text("queue");
    job.worker = fields.text("worker");
    job.priority = fields.number("priority");
    job.tags = fields.texts("tags");
    job.expires = time_if_any(fields.number("expires"));
    job.retries = fields.whole("retries");
    job.remaining = fields.whole("remaining");
    job.history = read_history(fields, name);
    job.failure = read_failure(fields, name);
    job.spawned_from = fields.text("spawned_from_jid");
    job.dependents = fields.texts("dependents");
    job.dependencies = fields.texts("dependencies");
    job.tracked = fields.flag("tracked");
    return job;
}

managed_job read_job(std::string_view text)
{
    return to_job(parse_answer(text));
}

std::vector<managed_job> read_jobs(std::string_view text)
{
    const auto value = parse_answer(text);
    const auto& list = list_of(value, "the list of jobs");
    std::vector<managed_job> jobs;
    jobs.reserve(list.size());
    for (const auto& job : list)
        jobs.push_back(to_job(job));
    return jobs;
}

recurring_job read_recurring_job(std::string_view text)
{
    const auto value = parse_answer(text);
    const auto name = name_of(value, "recurring job");
    const json_fields fields{value, name};
    recurring_job job;
    job.jid = fields.text("jid");
    job.kind = fields.text("klass");
    job.data = fields.text("data");
    job.queue = fields.text("queue");
    job.priority = fields.number("priority");
    job.tags = fields.texts("tags");
    job.interval = bounded_time(fields.number("interval")).time_since_epoch();
    job.retries = fields.whole("retries");
    job.count = fields.whole("count");
    job.backlog = fields.whole("backlog");
    return job;
}

} // namespace coworker::detail
