// SPDX-License-Identifier: MIT
#include "worker/note_keeper.hpp"

#include "bounds.hpp"
#include "worker/queue_runner.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <optional>

namespace coworker::detail {
namespace {

/// Between two calls that store progress: people do not read faster.
constexpr std::chrono::seconds rest_between_calls{1};

} // namespace

note_keeper::note_keeper(queue_runner& queue) : queue_{queue}, has_notes_{queue.get_executor()} {}

void note_keeper::note(running_job& job, job_progress progress)
{
    if (job.has_ended || !queue_.source().can().keeps_notes)
        return;
    if (job.progress) {
        *job.progress = std::move(progress);
        return;
    }
    job.progress = std::make_unique<job_progress>(std::move(progress));
    noted_.push_back(&job);
    has_notes_.notify();
}

void note_keeper::remove(running_job& job)
{
    if (!job.progress)
        return;
    job.progress.reset();
    noted_.erase(std::find(noted_.begin(), noted_.end(), &job));
}

asio::awaitable<void> note_keeper::send_loop()
{
    asio::steady_timer rest{queue_.get_executor()};
    for (;;) {
        while (noted_.empty())
            co_await has_notes_.wait();
        std::optional<system_error> error;
        try {
            co_await send();
        } catch (const system_error& caught) {
            error = caught;
        }
        if (error)
            co_await queue_.recover_from(*error, event_kind::warning, 0);
        rest.expires_after(rest_between_calls);
        co_await rest.async_wait(asio::use_awaitable);
    }
}

/// What cannot be stored is left out: what is told next matters more.
asio::awaitable<void> note_keeper::send()
{
    const auto count = std::min(noted_.size(), max_batch);
    std::vector<job_note> notes(count);
    std::vector<running_job*> jobs{noted_.begin(), noted_.begin() + static_cast<std::ptrdiff_t>(count)};
    noted_.erase(noted_.begin(), noted_.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::size_t i = 0; i != count; ++i) {
        notes[i].job = &jobs[i]->job;
        notes[i].progress = std::move(*jobs[i]->progress);
        jobs[i]->progress.reset();
    }
    // Which leases are lost is found out by their renewals.
    (void)co_await queue_.source().store_notes(notes);
}

asio::awaitable<result<void>> note_keeper::save(running_job& job, std::string checkpoint)
{
    if (!queue_.source().can().keeps_notes)
        throw explained_error{errc::not_supported, "checkpoints are kept of jobs of managed queues"};
    if (checkpoint.size() > largest_checkpoint)
        throw system_error{errc::job_too_large, "a checkpoint has at most 1 MiB"};
    if (job.lost || job.given_up)
        co_return errc::lease_lost;
    std::vector<job_note> one(1);
    one[0].job = &job.job;
    one[0].checkpoint = std::move(checkpoint);
    job.job.has_checkpoint = true; // also when the answer gets lost
    const auto lost = co_await queue_.source().store_notes(one);
    if (!lost.empty() && !job.has_ended)
        queue_.leases().doubt(job);
    if (!lost.empty() || job.lost || job.given_up)
        co_return errc::lease_lost;
    co_return result<void>{};
}

asio::awaitable<std::string> note_keeper::checkpoint(running_job& job)
{
    auto text = co_await queue_.source().read_checkpoint(job.job);
    if (!text.empty())
        job.job.has_checkpoint = true;
    co_return text;
}

} // namespace coworker::detail
