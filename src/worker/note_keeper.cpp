// SPDX-License-Identifier: MIT
#include "worker/note_keeper.hpp"

#include "bounds.hpp"
#include "worker/queue_runner.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <optional>

namespace coworker::detail {
namespace {

/// Between two calls that store progress: people do not read faster.
constexpr std::chrono::seconds rest_between_calls{1};

std::vector<noted_line> with_ages(std::vector<logged_line> lines)
{
    const auto now = running_job::clock::now();
    std::vector<noted_line> noted;
    noted.reserve(lines.size());
    for (auto& each : lines)
        noted.push_back({std::chrono::floor<std::chrono::milliseconds>(now - each.at), std::move(each.text)});
    return noted;
}

} // namespace

note_keeper::note_keeper(queue_runner& queue) : queue_{queue}, has_notes_{queue.get_executor()} {}

void note_keeper::note(running_job& job, job_progress progress)
{
    if (auto* const note = note_of(job))
        note->progress = std::move(progress);
}

void note_keeper::log(running_job& job, logged_line line)
{
    if (auto* const note = note_of(job))
        note->add(std::move(line));
}

told_note* note_keeper::note_of(running_job& job)
{
    if (job.has_ended || !queue_.source().can().keeps_notes)
        return nullptr;
    if (!job.note) {
        job.note = std::make_unique<told_note>();
        job.noted_at = noted_.size();
        noted_.push_back(&job);
        has_notes_.notify();
    }
    return job.note.get();
}

void note_keeper::job_ended(running_job& job)
{
    job.noting = job.sends_log ? 1 : 0;
    if (!job.note)
        return;
    auto log = with_ages(std::move(job.note->log));
    remove(job);
    const auto group = group_.lock();
    if (log.empty() || job.is_gone() || !group || group->is_cancelled())
        return;
    ++job.noting;
    group->spawn(store_last(job, std::move(log)));
}

asio::awaitable<void> note_keeper::store_last(running_job& job, std::vector<noted_line> log)
{
    // A source may store them at once, and the caller is not done with the job.
    co_await asio::post(asio::use_awaitable);
    std::vector<job_note> one(1);
    one[0].job = &job.job;
    one[0].log = std::move(log);
    try {
        (void)co_await queue_.source().store_notes(one);
    } catch (const system_error& error) {
        if (error.code() ==
            asio::error::operation_aborted) // the worker has ended, and perhaps the job is gone
            throw;
        // the lines are for people, and the outcome matters
    }
    queue_.noted(job);
}

void note_keeper::remove(running_job& job)
{
    job.note.reset();
    const auto place = job.noted_at;
    auto& among = place < noted_.size() && noted_[place] == &job ? noted_ : sending_;
    among[place] = among.back();
    among[place]->noted_at = place;
    among.pop_back();
}

asio::awaitable<void> note_keeper::send_loop(std::shared_ptr<task_group> group)
{
    group_ = group;
    group.reset();
    asio::steady_timer rest{queue_.get_executor()};
    for (;;) {
        while (noted_.empty() && sending_.empty())
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

/// All that was told until now, one call after the other; what is told meanwhile is for the next time.
asio::awaitable<void> note_keeper::send()
{
    if (sending_.empty()) // else the last call has failed
        std::swap(sending_, noted_);
    while (!sending_.empty())
        co_await send_some();
}

/// What cannot be stored is left out: what is told next matters more.
asio::awaitable<void> note_keeper::send_some()
{
    const auto count = std::min(sending_.size(), max_batch);
    std::vector<job_note> notes(count);
    std::vector<running_job*> logging;
    for (auto& each : notes) {
        auto& job = *sending_.back();
        each.job = &job.job;
        each.progress = std::move(job.note->progress);
        each.log = with_ages(std::move(job.note->log));
        remove(job);
        job.sends_log = !each.log.empty();
        if (job.sends_log)
            logging.push_back(&job);
    }
    std::exception_ptr problem;
    // Which leases are lost is found out by their renewals.
    try {
        (void)co_await queue_.source().store_notes(notes);
    } catch (const system_error& error) {
        if (error.code() ==
            asio::error::operation_aborted) // the worker has ended, and perhaps the jobs are gone
            throw;
        problem = std::current_exception();
    }
    for (auto* const job : logging) {
        job->sends_log = false;
        if (job->has_ended)
            queue_.noted(*job);
    }
    if (problem)
        std::rethrow_exception(problem);
}

asio::awaitable<result<void>> note_keeper::save(running_job& job, std::string checkpoint)
{
    if (!queue_.source().can().keeps_notes)
        throw explained_error{errc::not_supported, "checkpoints are kept of jobs of managed queues"};
    if (checkpoint.size() > largest_checkpoint)
        throw explained_error{errc::job_too_large, "a checkpoint has at most 1 MiB"};
    if (job.is_gone())
        co_return errc::lease_lost;
    std::vector<job_note> one(1);
    one[0].job = &job.job;
    one[0].checkpoint = std::move(checkpoint);
    job.job.has_checkpoint = true; // also when the answer gets lost
    const auto lost = co_await queue_.source().store_notes(one);
    if (!lost.empty())
        queue_.leases().told_lost(job);
    if (!lost.empty() || job.is_gone())
        co_return errc::lease_lost;
    co_return result<void>{};
}

asio::awaitable<std::string> note_keeper::checkpoint(running_job& job)
{
    try {
        auto text = co_await queue_.source().read_checkpoint(job.job);
        if (!text.empty())
            job.job.has_checkpoint = true;
        co_return text;
    } catch (...) {
        job.job.has_checkpoint = true; // for all that is known, so a success removes it
        throw;
    }
}

} // namespace coworker::detail
