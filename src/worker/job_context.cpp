// SPDX-License-Identifier: MIT
#include "coworker/job_context.hpp"

#include "text/spans.hpp"
#include "worker/queue_runner.hpp"

namespace coworker {

const std::string& job_context::queue() const noexcept
{
    return job_->queue->name();
}

std::string_view job_context::id() const noexcept
{
    return job_->job.id();
}

const job_details* job_context::any_details() const noexcept
{
    return job_->job.details.get();
}

std::string_view job_context::kind() const noexcept
{
    return job_->job.kind;
}

unsigned job_context::attempt() const noexcept
{
    return job_->job.attempt;
}

std::optional<timestamp> job_context::queued_at() const
{
    return coworker::queued_at(job_->job.id());
}

const std::string& job_context::lease_token() const noexcept
{
    return *job_->job.lease;
}

bool job_context::cancelled() const noexcept
{
    return job_->told_to_end != detail::end_reason::none;
}

asio::cancellation_slot job_context::cancellation_slot() noexcept
{
    if (!job_->context_signal)
        job_->context_signal.emplace();
    return job_->context_signal->slot();
}

asio::awaitable<result<void>> job_context::extend()
{
    return job_->queue->leases().extend(*job_);
}

void job_context::set_timeout(std::chrono::milliseconds limit)
{
    using clock = detail::running_job::clock;
    job_->queue->handlers().limit_run(
        *job_, limit.count() > 0 ? clock::now() + detail::bounded(limit) : clock::time_point::max(),
        detail::end_reason::timeout);
}

asio::any_io_executor job_context::get_executor() const
{
    return job_->queue->get_executor();
}

} // namespace coworker
