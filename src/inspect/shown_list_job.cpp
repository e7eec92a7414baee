// SPDX-License-Identifier: MIT
#include "inspect/shown_list_job.hpp"

#include "inspect/list_key.hpp"
#include "list/payload.hpp"
#include "list/start_time.hpp"
#include "text/bounded_time.hpp"
#include "text/numbers.hpp"

namespace coworker::detail {

namespace {

std::optional<timestamp> time_in(std::string_view start)
{
    const auto time = parse_start_time(start);
    return time ? std::optional{time->started} : std::nullopt;
}

/// Reads "time attempts message".
void read_failure(std::string_view record, job_info& job)
{
    const auto after_time = record.find(' ');
    const auto after_attempts = record.find(' ', after_time + 1);
    if (after_time == record.npos || after_attempts == record.npos)
        return;
    job.ended_at = time_in(record.substr(0, after_time));
    job.attempts = static_cast<unsigned>(std::strtoul(
        std::string{record.substr(after_time + 1, after_attempts - after_time - 1)}.c_str(), nullptr, 10));
    job.message = record.substr(after_attempts + 1);
}

void read_known(const shown_list_job& shown, const std::map<std::string, std::string>& workers, job_info& job)
{
    switch (job.state) {
    case job_state::scheduled:
        job.due_at = bounded_time(to_number<double>(shown.known).value_or(0) / 1000);
        break;
    case job_state::running:
        if (const auto start = parse_start_time(shown.known)) {
            job.started_at = start->started;
            if (const auto worker = workers.find(std::to_string(start->worker)); worker != workers.end())
                job.worker = worker->second;
        }
        break;
    case job_state::failed:
        read_failure(shown.known, job);
        break;
    case job_state::broken:
        job.ended_at = time_in(shown.known);
        job.message = shown.reason;
        break;
    default:
        break;
    }
}

} // namespace

job_info to_job(const shown_list_job& shown, const queue_ref& queue, job_state state,
                const std::map<std::string, std::string>& workers)
{
    job_info job;
    job.queue = queue;
    job.state = state;
    job.key = make_list_key(state, shown.payload);
    // A scheduled one has a text and a colon before the payload; without a colon it is a payload as a whole.
    const auto before = state == job_state::scheduled ? shown.payload.find(':') + 1 : 0;
    job.payload = shown.payload.substr(before);
    job.size = shown.size - before;
    if (job.size == job.payload.size())
        if (auto parts = split_payload(job.payload)) {
            job.id = parts->id();
            job.data = parts->job;
        }
    job.queued_at = queued_at(job.id);
    read_known(shown, workers, job);
    return job;
}

} // namespace coworker::detail
