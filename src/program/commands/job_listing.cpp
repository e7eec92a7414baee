// SPDX-License-Identifier: MIT
#include "program/commands/job_listing.hpp"

#include "program/queue_name.hpp"
#include "program/terminal/text_functions.hpp"
#include "program/terminal/time_text.hpp"
#include "json/job_text.hpp"

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

/// When a job ended, if that is what its state says.
std::optional<timestamp> ended_at(const job_info& job, job_state state)
{
    return job.state == state ? job.ended_at : std::nullopt;
}

/// With the name by which commands know it.
std::string json_of(job_info job)
{
    job.id = name_of(job);
    return detail::describe(job, detail::json_for::terminals).str();
}

} // namespace

std::string name_of(const job_info& job)
{
    const bool has_payload = job.id.empty() || !job.payload.empty();
    return has_payload && !can_be_typed(job.id) ? '@' + digest_of(job.payload) : job.id;
}

job_listing::job_listing(output& out, bool json, timestamp now)
    : out_{out}, json_{json}, now_{now}, rows_{{{"ID"},
                                                {"QUEUE"},
                                                {"KIND"},
                                                {"QUEUED", true},
                                                {"DUE", true},
                                                {"RUNS", true},
                                                {"COMPLETED", true},
                                                {"FAILED", true},
                                                {"FOUND", true},
                                                {"ATTEMPTS", true},
                                                {"WORKER"},
                                                {"MESSAGE"},
                                                {"PAYLOAD"}}}
{}

void job_listing::add(const job_info& job)
{
    ++size_;
    if (json_) {
        out_.line(json_of(job));
        return;
    }
    rows_.add({name_of(job), shortened(shown_name(job.queue), job_width), shortened(job.kind, message_width),
               age(job.queued_at, now_), time_until(job.due_at, now_), age(job.started_at, now_),
               age(ended_at(job, job_state::complete), now_), age(ended_at(job, job_state::failed), now_),
               age(ended_at(job, job_state::broken), now_),
               job.attempts != 0 ? std::to_string(job.attempts) : std::string{},
               shortened(job.worker, message_width), cell{shortened(job.message, message_width), tone::bad},
               shortened(job.data.empty() ? job.payload : job.data, job_width)});
}

void job_listing::finish()
{
    if (json_)
        return;
    if (size_ == 0)
        out_.line("No jobs.");
    else
        rows_.write(out_);
}

} // namespace coworker::program
