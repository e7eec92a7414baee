// SPDX-License-Identifier: MIT
#include "worker/job_steps.hpp"

#include "bounds.hpp"
#include "job_ids.hpp"
#include "text/utf8.hpp"
#include "worker/queue_runner.hpp"

#include <optional>
#include <vector>

namespace coworker::detail {
namespace {

job_steps& steps_of(running_job& job)
{
    if (!job.steps)
        job.steps = std::make_unique<job_steps>();
    return *job.steps;
}

[[noreturn]] void refuse_size()
{
    throw explained_error{errc::job_too_large, "a job has at most " + std::to_string(max_steps) +
                                                   " steps, with 1 MiB of names and values altogether"};
}

[[noreturn]] void refuse_name(const std::string& name)
{
    throw explained_error{errc::invalid_option, "this run has had a step '" + make_utf8(name) +
                                                    "' before: give each step of a job a name of its own"};
}

} // namespace

void check_step_name(std::string_view name)
{
    if (!is_valid_name(name))
        throw explained_error{errc::invalid_option,
                              "the name of a step is UTF-8, of 1 to " + std::to_string(max_name) + " bytes"};
}

/// Throws if another step of this run has the name.
std::shared_ptr<const void> job_steps::take_turn(const std::string& name)
{
    auto& place = begun_[name];
    if (done_.contains(name) || !place.expired())
        refuse_name(name);
    auto turn = std::make_shared<char>();
    place = turn;
    return turn;
}

asio::awaitable<void> job_steps::read(running_job& job)
{
    if (is_read_)
        co_return;
    if (job.job.has_steps) {
        const auto found = co_await job.queue->source().read_steps(job.job);
        for (const auto& [name, value] : found)
            add(name, value);
    }
    is_read_ = true; // what is stored from now on, this run has stored
}

void job_steps::add(const std::string& name, const std::string& value)
{
    if (stored_.emplace(name, value).second) // not those that are read twice at the same time
        bytes_ += name.size() + value.size();
}

asio::awaitable<begun_step> job_steps::begin(running_job& job, std::string name)
{
    if (!job.queue->source().can().keeps_steps)
        throw explained_error{errc::not_supported, "steps are kept of jobs of managed queues"};
    check_step_name(name);
    if (job.is_gone())
        throw system_error{errc::lease_lost};
    auto& steps = steps_of(job);
    begun_step begun;
    begun.turn = steps.take_turn(name);
    co_await steps.read(job);
    if (job.is_gone())
        throw system_error{errc::lease_lost};
    if (const auto found = steps.stored_.find(name); found != steps.stored_.end()) {
        begun.value = found->second;
        steps.done_.insert(name);
    } else if (steps.stored_.size() >= max_steps) {
        refuse_size();
    }
    co_return begun;
}

asio::awaitable<result<void>> job_steps::store(running_job& job, std::string name, std::string value)
{
    auto& steps = *job.steps;
    steps.done_.insert(name);
    if (steps.bytes_ + name.size() + value.size() > max_step_bytes)
        refuse_size();
    job.job.has_steps = true; // also when the answer gets lost
    std::vector<job_step> one(1);
    one[0].job = &job.job;
    one[0].name = name;
    one[0].value = value;
    std::optional<result<void>> stored;
    while (!stored && !job.is_gone()) {
        try {
            const auto answers = co_await job.queue->source().store_steps(one);
            stored = answers.at(0);
        } catch (const system_error& error) {
            if (error.code() != errc::in_doubt) // the next call waits for the next connection
                throw;
        }
    }
    if (stored && stored->error() == errc::lease_lost)
        job.queue->leases().told_lost(job);
    if (job.is_gone() || stored->error() == errc::lease_lost)
        co_return errc::lease_lost;
    if (stored->error() == errc::not_unique)
        refuse_name(name);
    if (stored->has_error())
        refuse_size();
    steps.add(name, value);
    co_return result<void>{};
}

asio::awaitable<std::map<std::string, std::string>> job_steps::read_all(running_job& job)
{
    auto& steps = steps_of(job);
    co_await steps.read(job);
    co_return steps.stored_;
}

} // namespace coworker::detail
