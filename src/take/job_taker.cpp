// SPDX-License-Identifier: MIT
#include "coworker/job_taker.hpp"

#include "bounds.hpp"
#include "inspect/queues.hpp"
#include "list/partitions.hpp"
#include "managed/checks.hpp"
#include "managed/managed_source/managed_source.hpp"
#include "operation.hpp"
#include "take/taker_state.hpp"
#include "text/json_spans.hpp"
#include "text/utf8.hpp"
#include "worker/job_steps.hpp"
#include "worker/note_keeper.hpp"

#include <boost/asio/dispatch.hpp>

#include <algorithm>
#include <utility>

/// The calls check what they are given, and begin; the coroutines own what they need.
namespace coworker {

namespace {

job_taker_options checked(job_taker_options options)
{
    managed_options managed;
    managed.prefix = options.managed_prefix;
    detail::check_options(managed);
    if (options.lease < std::chrono::milliseconds{100})
        throw explained_error{errc::invalid_option, "a lease is at least 100 ms"};
    return options;
}

void check_kinds(const option_list<taken_kind>& kinds)
{
    if (kinds.size() > detail::max_taken_kinds)
        throw explained_error{errc::invalid_option, "a take names at most 256 kinds"};
    for (const auto& each : kinds) {
        detail::check_name(each.kind, "a kind of jobs");
        if (each.kind.size() > detail::max_name || each.versions.size() > detail::max_taken_kinds)
            throw explained_error{errc::invalid_option,
                                  "a kind of jobs has at most 256 bytes, and 256 versions"};
        for (const auto version : each.versions)
            if (version == 0 || version > detail::max_version)
                throw explained_error{errc::invalid_option,
                                      "a version of jobs is a number from 1 to 1000000"};
    }
}

void check(const take_options& options)
{
    constexpr std::size_t longest_name = 256;
    detail::check_name(options.worker, "a worker's name");
    if (options.worker.size() > longest_name)
        throw explained_error{errc::invalid_option, "a worker's name has at most 256 bytes"};
    if (detail::is_connection_name(options.worker))
        throw explained_error{errc::invalid_option,
                              "this is the name of a connection; its jobs would be returned without one"};
    if (options.count == 0 || options.count > detail::max_batch)
        throw explained_error{errc::invalid_option, "a take is of 1 to 128 jobs"};
    check_kinds(options.kinds);
}

void check_checkpoint(std::string_view checkpoint)
{
    if (checkpoint.size() > detail::largest_checkpoint)
        throw explained_error{errc::job_too_large, "a checkpoint has at most 1 MiB"};
    if (!detail::is_json(checkpoint) || detail::trimmed(checkpoint) == "null")
        throw explained_error{errc::invalid_option, "a checkpoint is JSON, but not null"};
}

detail::leased_job read(const queue_ref& queue, std::string_view token)
{
    auto job = detail::read_token(queue.kind(), token);
    if (!job || (job->partition && !detail::can_be_divided(queue.name())))
        throw explained_error{errc::invalid_option,
                              "this is no token of a job of this kind of queue; pass it as it was given"};
    return std::move(*job);
}

} // namespace

job_taker::job_taker(const client& redis, job_taker_options options)
    : state_{std::make_shared<detail::taker_state>(detail::connection_of(redis).shared_from_this(),
                                                   checked(std::move(options)))}
{}

job_taker::~job_taker()
{
    if (const auto executor = state_ ? get_executor() : executor_type{})
        asio::dispatch(executor, [state = std::move(state_)] { state->stop(); });
}

job_taker::job_taker(job_taker&&) noexcept = default;

job_taker& job_taker::operator=(job_taker&& other) noexcept
{
    std::swap(state_, other.state_);
    const job_taker old{std::move(other)};
    return *this;
}

job_taker::executor_type job_taker::get_executor() const
{
    return state_->get_executor();
}

void job_taker::stop()
{
    asio::dispatch(get_executor(), [state = state_] { state->stop(); });
}

asio::awaitable<std::vector<taken_job>> job_taker::take(queue_ref queue, take_options options) const
{
    detail::check_queue(queue);
    check(options);
    if (options.checkpoints && !queue.is_managed())
        throw explained_error{errc::invalid_option, "a list queue keeps no checkpoints of its jobs"};
    if (options.steps && !queue.is_managed())
        throw explained_error{errc::invalid_option, "a list queue keeps no steps of its jobs"};
    if (!options.kinds.empty() && !queue.is_managed())
        throw explained_error{errc::invalid_option, "the jobs of a list queue have no kinds"};
    return detail::taker_state::take(state_, std::move(queue), std::move(options));
}

asio::awaitable<std::vector<result<renewed_lease>>> job_taker::renew(queue_ref queue, text_list tokens) const
{
    detail::check_queue(queue);
    std::vector<detail::leased_job> jobs;
    for (const auto& token : tokens)
        jobs.push_back(read(queue, token));
    return detail::taker_state::renew(state_, std::move(queue), std::move(jobs));
}

asio::awaitable<std::vector<result<void>>> job_taker::tell_progress(queue_ref queue,
                                                                    std::vector<told_progress> jobs) const
{
    constexpr std::size_t longest_message = 512;
    detail::check_queue(queue);
    if (!queue.is_managed())
        throw explained_error{errc::invalid_option, "a list queue keeps no progress of its jobs"};
    std::vector<detail::told_run> runs;
    for (const auto& each : jobs) {
        job_progress progress;
        progress.fraction = each.fraction > 0 ? std::min(each.fraction, 1.0) : 0; // nor what is no number
        progress.message = detail::make_utf8(std::string_view{each.message}.substr(0, longest_message));
        runs.emplace_back(read(queue, each.token)).progress = std::move(progress);
    }
    return detail::taker_state::tell(state_, std::move(queue), std::move(runs));
}

asio::awaitable<std::vector<result<void>>> job_taker::log(queue_ref queue, std::vector<told_log> jobs) const
{
    constexpr std::size_t most_lines = 100, longest = 1000;
    detail::check_queue(queue);
    if (!queue.is_managed())
        throw explained_error{errc::invalid_option, "a list queue keeps no log of its jobs"};
    std::vector<detail::told_run> runs;
    for (const auto& each : jobs) {
        if (each.lines.size() > most_lines)
            throw explained_error{errc::invalid_option, "a job logs at most 100 lines at a time"};
        auto& run = runs.emplace_back(read(queue, each.token));
        for (const std::string_view line : each.lines)
            run.log.push_back({{}, detail::make_utf8(line.substr(0, longest))});
    }
    return detail::taker_state::tell(state_, std::move(queue), std::move(runs));
}

asio::awaitable<std::vector<result<void>>> job_taker::save(queue_ref queue,
                                                           std::vector<saved_checkpoint> jobs) const
{
    detail::check_queue(queue);
    if (!queue.is_managed())
        throw explained_error{errc::invalid_option, "a list queue keeps no checkpoints of its jobs"};
    std::vector<detail::told_run> runs;
    for (auto& each : jobs) {
        check_checkpoint(each.checkpoint);
        auto& run = runs.emplace_back(read(queue, each.token));
        if (!run.of.job.has_checkpoint) // its success would leave the checkpoint behind
            throw explained_error{errc::invalid_option, "the job was taken without checkpoints"};
        run.checkpoint = each.checkpoint.str();
    }
    return detail::taker_state::tell(state_, std::move(queue), std::move(runs));
}

asio::awaitable<std::vector<result<void>>> job_taker::store_steps(queue_ref queue,
                                                                  std::vector<done_step> steps) const
{
    detail::check_queue(queue);
    if (!queue.is_managed())
        throw explained_error{errc::invalid_option, "a list queue keeps no steps of its jobs"};
    std::vector<detail::step_of_run> all;
    for (auto& each : steps) {
        detail::check_step_name(each.name);
        if (each.name.size() + each.value.size() > detail::max_step_bytes)
            throw explained_error{errc::job_too_large, "the steps of a job have at most 1 MiB"};
        if (!detail::is_json(each.value))
            throw explained_error{errc::invalid_option, "the value of a step is JSON"};
        auto& step = all.emplace_back(read(queue, each.token));
        step.name = each.name.str();
        step.value = each.value.str();
    }
    return detail::taker_state::store_steps(state_, std::move(queue), std::move(all));
}

asio::awaitable<std::vector<result<acknowledged_job>>>
job_taker::acknowledge(queue_ref queue, std::vector<ended_job> jobs) const
{
    detail::check_queue(queue);
    std::vector<detail::finished_run> runs;
    for (auto& each : jobs)
        runs.emplace_back(read(queue, each.token), std::move(each.result)).effects = std::move(each.effects);
    return detail::taker_state::acknowledge(state_, std::move(queue), std::move(runs));
}

template struct detail::operation<std::vector<taken_job>>;
template struct detail::operation<std::vector<result<renewed_lease>>>;
template struct detail::operation<std::vector<result<void>>>;
template struct detail::operation<std::vector<result<acknowledged_job>>>;

} // namespace coworker
