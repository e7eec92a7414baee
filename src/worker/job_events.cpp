// SPDX-License-Identifier: MIT
#include "worker/job_events.hpp"

#include "worker/queue_runner.hpp"

namespace coworker::detail {
namespace {

event_kind kind_of(outcome::kind what, bool gives_up)
{
    switch (what) {
    case outcome::kind::success:
        return event_kind::succeeded;
    case outcome::kind::forward:
        return event_kind::forwarded;
    case outcome::kind::retry:
        return gives_up ? event_kind::failed : event_kind::retried;
    case outcome::kind::failure:
        return event_kind::failed;
    case outcome::kind::broken:
        return event_kind::broken;
    case outcome::kind::release:
        return event_kind::released;
    }
    return event_kind::failed;
}

/// @param given_up  where a message is kept that is not the outcome's own
event describe_end(const running_job& job, std::string& given_up)
{
    const auto what = job.result.what();
    // Where the source counts attempts itself, a retry is a failure when none is left.
    const bool gives_up = what == outcome::kind::retry && job.job.retries_left && *job.job.retries_left == 0;
    std::string_view message = job.result.reason();
    auto delay = job.result.delay().value_or(std::chrono::milliseconds{0});
    if (what == outcome::kind::forward) {
        message = job.result.managed()->next;
        delay = job.result.managed()->how.delay;
    } else if (gives_up) {
        message = given_up = given_up_text(job.result.reason(), job.job.attempt);
        delay = {};
    }
    const bool was_started = job.started != running_job::clock::time_point{};
    return {.kind = kind_of(what, gives_up),
            .queue = job.queue->name(),
            .job_id = job.job.id(),
            .message = message,
            .attempt = job.job.attempt,
            .duration = was_started ? job.ended - job.started : std::chrono::nanoseconds{0},
            .delay = delay};
}

} // namespace

void tell_of_start(const worker_life& life, const running_job& job)
{
    life.emit({.kind = event_kind::started,
               .queue = job.queue->name(),
               .job_id = job.job.id(),
               .attempt = job.job.attempt});
}

void tell_of_end(const worker_life& life, const running_job& job)
{
    if (!life.is_observed())
        return;
    std::string given_up;
    life.emit(describe_end(job, given_up));
}

void tell_of_doubt(const worker_life& life, const running_job& job)
{
    if (!life.is_observed())
        return;
    std::string given_up;
    auto told = describe_end(job, given_up);
    std::string text{to_string(told.kind)};
    if (!told.message.empty())
        text.append(" (").append(told.message).append(")");
    told.kind = event_kind::in_doubt;
    told.message = text;
    life.emit(told);
}

void tell_of_loss(const worker_life& life, const running_job& job, std::string_view why)
{
    life.emit({.kind = event_kind::lease_lost,
               .queue = job.queue->name(),
               .job_id = job.job.id(),
               .message = why,
               .attempt = job.job.attempt,
               .duration =
                   is_running(job) ? running_job::clock::now() - job.started : std::chrono::nanoseconds{0}});
}

} // namespace coworker::detail
