// SPDX-License-Identifier: MIT
#include "testing/memory_source.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <charconv>

namespace coworker::detail {
namespace {

/// How long the monitor rests while jobs are in progress: the clock that ends their leases is a test's.
constexpr std::chrono::milliseconds between_rounds{5};

/// A job's body is its number, its id and its text.
fetched_job make_job(const memory_store::lease& held)
{
    const auto& stored = held.what.job;
    const auto number = std::to_string(held.what.number) + ' ';
    fetched_job job;
    job.body = number + stored.id + stored.job.text;
    job.id_range = {number.size(), stored.id.size()};
    job.text_range = {number.size() + stored.id.size(), stored.job.text.size()};
    job.lease = held.token;
    job.attempt = stored.attempt;
    job.has_steps = !stored.steps.empty();
    job.retries_left = held.what.retries_left;
    job.kind = stored.kind;
    job.details = held.what.details;
    return job;
}

std::uint64_t number_of(const fetched_job& job)
{
    std::uint64_t number = 0;
    std::from_chars(job.body.data(), job.body.data() + job.body.size(), number);
    return number;
}

} // namespace

memory_source::memory_source(std::shared_ptr<memory_store> store)
    : store_{std::move(store)}, worker_{store_->add_worker()}
{}

memory_source::~memory_source()
{
    store_->worker_died(worker_);
}

asio::awaitable<void> memory_source::open()
{
    co_return;
}

asio::awaitable<job_source::fetch_result> memory_source::ack_and_fetch(std::span<const acknowledgement> acks,
                                                                       std::size_t count)
{
    // As an answer does, so that the worker's other loops have their turn.
    co_await asio::post(asio::use_awaitable);
    fetch_result result;
    const auto acknowledge = [&](std::size_t i) {
        const auto& job = *acks[i].job;
        if (!store_->acknowledge(number_of(job), *job.lease, job.in_doubt, worker_, *acks[i].result,
                                 acks[i].effects))
            result.lost.push_back(i);
    };
    std::vector<std::size_t> given_back;
    for (std::size_t i = 0; i != acks.size(); ++i) {
        if (acks[i].result->what() == outcome::kind::release)
            given_back.push_back(i);
        else
            acknowledge(i);
    }
    for (auto i = given_back.rbegin(); i != given_back.rend(); ++i) // each goes in front of the one before
        acknowledge(*i);
    for (const auto* held : store_->take(worker_, count, lease_))
        result.fetched.push_back(make_job(*held));
    co_return result;
}

asio::awaitable<std::vector<std::size_t>> memory_source::renew(std::span<fetched_job* const> jobs)
{
    std::vector<std::size_t> lost;
    for (std::size_t i = 0; i != jobs.size(); ++i) {
        auto& job = *jobs[i];
        if (auto token = store_->renew(number_of(job), *job.lease, job.in_doubt, worker_, lease_))
            job.lease = std::move(token);
        else
            lost.push_back(i);
    }
    co_return lost;
}

asio::awaitable<std::vector<std::size_t>> memory_source::store_notes(std::span<const job_note> notes)
{
    std::vector<std::size_t> lost;
    for (std::size_t i = 0; i != notes.size(); ++i) {
        const auto& job = *notes[i].job;
        auto* const held = store_->held_job(number_of(job), *job.lease, job.in_doubt, worker_);
        if (held == nullptr) {
            lost.push_back(i);
            continue;
        }
        if (notes[i].checkpoint)
            held->checkpoint = *notes[i].checkpoint;
        if (notes[i].progress) {
            held->progress = notes[i].progress;
            held->progress->told_at = store_->time().now();
        }
        for (const auto& [age, text] : notes[i].log)
            held->log.push_back(text);
    }
    co_return lost;
}

asio::awaitable<std::string> memory_source::read_checkpoint(const fetched_job& job)
{
    const auto* const held = store_->held_job(number_of(job), *job.lease, job.in_doubt, worker_);
    co_return held != nullptr ? held->checkpoint : std::string{};
}

asio::awaitable<std::vector<result<void>>> memory_source::store_steps(std::span<const job_step> steps)
{
    std::vector<result<void>> results;
    for (const auto& step : steps) {
        const auto& job = *step.job;
        auto* const held = store_->held_job(number_of(job), *job.lease, job.in_doubt, worker_);
        result<void> stored = errc::lease_lost;
        if (held != nullptr)
            stored = held->steps.emplace(step.name, step.value).first->second == step.value
                         ? result<void>{}
                         : result<void>{errc::not_unique};
        results.push_back(stored);
    }
    co_return results;
}

asio::awaitable<std::map<std::string, std::string>> memory_source::read_steps(const fetched_job& job)
{
    const auto* const held = store_->held_job(number_of(job), *job.lease, job.in_doubt, worker_);
    std::map<std::string, std::string> steps;
    if (held != nullptr)
        steps = held->steps;
    co_return steps;
}

asio::awaitable<wait_state> memory_source::begin_wait(const fetched_job& job, const job_wait& wait)
{
    co_return store_->begin_wait(number_of(job), *job.lease, job.in_doubt, worker_, wait);
}

asio::awaitable<void> memory_source::reconcile(std::span<const fetched_job* const> held)
{
    std::set<std::uint64_t> numbers;
    for (const auto* job : held)
        numbers.insert(number_of(*job));
    store_->reconcile(worker_, numbers);
    co_return;
}

asio::awaitable<job_source::recovery> memory_source::recover(std::chrono::milliseconds,
                                                             std::chrono::milliseconds grace)
{
    recovery result;
    result.recovered = store_->recover(grace);
    if (result.recovered != 0)
        result.reason = "their leases had ended, or their worker is gone";
    result.idle = store_->leases().empty();
    result.pause = between_rounds;
    co_return result;
}

asio::awaitable<job_source::wake_up> memory_source::wait_for_jobs()
{
    while (store_->waiting().empty() || store_->takes_nothing())
        co_await store_->changed();
    co_return wake_up::ready;
}

asio::awaitable<void> memory_source::wait_for_leases()
{
    while (store_->leases().empty())
        co_await store_->changed();
}

asio::awaitable<void> memory_source::close()
{
    store_->remove_worker(worker_);
    co_return;
}

} // namespace coworker::detail
