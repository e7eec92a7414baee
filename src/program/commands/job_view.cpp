// SPDX-License-Identifier: MIT
#include "program/commands/job_view.hpp"

#include "program/terminal/plain_text.hpp"
#include "program/terminal/time_text.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <chrono>

namespace coworker::program {
namespace {

constexpr std::size_t message_width = 50, job_width = 60, id_width = 64;

/// Enough of a digest to tell the payloads of a queue apart.
std::string digest_of(std::string_view payload)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    EVP_Digest(payload.data(), payload.size(), digest, &size, EVP_sha256(), nullptr);
    return hexadecimal({reinterpret_cast<const char*>(digest), 8});
}

bool can_be_typed(std::string_view id)
{
    return !id.empty() && id.front() != '-' && id.front() != '@' && id.size() <= id_width &&
           escaped(id) == id;
}

std::string age(const std::optional<timestamp>& when, timestamp now)
{
    if (!when)
        return {};
    return format_age(std::chrono::floor<std::chrono::milliseconds>(now - *when));
}

std::string time_until(const std::optional<timestamp>& when, timestamp now)
{
    if (!when)
        return {};
    return "in " + format_age(std::chrono::ceil<std::chrono::milliseconds>(*when - now));
}

} // namespace

std::string name_of(const std::string& id, const std::string& payload)
{
    return can_be_typed(id) ? id : '@' + digest_of(payload);
}

job_view view_of(const queue_ref& queue, std::string state, list_job job)
{
    job_view view;
    view.queue = queue;
    view.state = std::move(state);
    view.id = name_of(job.id, job.payload);
    view.queued_at = queued_at(job.id);
    view.job = std::move(job.job);
    view.payload = std::move(job.payload);
    return view;
}

std::optional<timestamp> put_at(const managed_job& job)
{
    for (auto entry = job.history.rbegin(); entry != job.history.rend(); ++entry)
        if (entry->what == "put")
            return entry->when;
    return std::nullopt;
}

job_view view_of(managed_job job)
{
    job_view view;
    view.queue = queue_ref::managed(std::move(job.queue));
    view.state = to_string(job.state);
    view.queued_at = put_at(job);
    view.attempts = static_cast<std::size_t>(std::count_if(
        job.history.begin(), job.history.end(), [](const auto& entry) { return entry.what == "popped"; }));
    if (job.state == managed_state::running || job.state == managed_state::stalled) {
        view.worker = std::move(job.worker);
        for (const auto& entry : job.history)
            if (entry.what == "popped")
                view.started_at = entry.when;
    }
    if (job.failure && job.state == managed_state::failed) {
        view.group = std::move(job.failure->group);
        view.message = std::move(job.failure->message);
        view.failed_at = job.failure->when;
    }
    view.id = std::move(job.jid);
    view.kind = std::move(job.kind);
    view.job = std::move(job.data);
    return view;
}

job_view view_of(recurring_job job)
{
    job_view view;
    view.queue = queue_ref::managed(std::move(job.queue));
    view.state = to_string(managed_state::recurring);
    view.id = std::move(job.jid);
    view.kind = std::move(job.kind);
    view.job = std::move(job.data);
    return view;
}

json_line as_json(const job_view& job)
{
    json_line line;
    const auto text = [&](const char* name, const std::string& value) {
        if (!value.empty())
            line.text(name, value);
    };
    const auto time = [&](const char* name, const std::optional<timestamp>& value) {
        if (value)
            line.text(name, format_time(*value));
    };
    line.text("id", job.id).text("queue", shown_name(job.queue)).text("state", job.state);
    text("klass", job.kind);
    text("worker", job.worker);
    text("group", job.group);
    text("message", job.message);
    time("queued_at", job.queued_at);
    time("due_at", job.due_at);
    time("started_at", job.started_at);
    time("failed_at", job.failed_at);
    time("found_at", job.found_at);
    if (job.attempts)
        line.number("attempts", *job.attempts);
    if (!job.job.empty())
        line.json_or_text("job", job.job);
    text("payload", job.payload);
    return line;
}

job_listing::job_listing(output& out, bool json, timestamp now)
    : out_{out}, json_{json}, now_{now}, rows_{{{"ID"},
                                                {"QUEUE"},
                                                {"KLASS"},
                                                {"QUEUED", true},
                                                {"DUE", true},
                                                {"RUNS", true},
                                                {"FAILED", true},
                                                {"FOUND", true},
                                                {"ATTEMPTS", true},
                                                {"WORKER"},
                                                {"MESSAGE"},
                                                {"JOB"}}}
{}

void job_listing::add(const job_view& job)
{
    if (json_) {
        out_.line(as_json(job).str());
        return;
    }
    rows_.add({job.id, shortened(shown_name(job.queue), job_width), shortened(job.kind, message_width),
               age(job.queued_at, now_), time_until(job.due_at, now_), age(job.started_at, now_),
               age(job.failed_at, now_), age(job.found_at, now_),
               job.attempts ? std::to_string(*job.attempts) : std::string{},
               shortened(job.worker, message_width), cell{shortened(job.message, message_width), tone::bad},
               shortened(job.job.empty() ? job.payload : job.job, job_width)});
}

void job_listing::finish()
{
    if (json_)
        return;
    if (rows_.empty())
        out_.line("No jobs.");
    else
        rows_.write(out_);
}

} // namespace coworker::program
