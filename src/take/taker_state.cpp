// SPDX-License-Identifier: MIT
#include "take/taker_state.hpp"

#include "batch_size.hpp"
#include "bounds.hpp"
#include "take/holders.hpp"
#include "text/json_spans.hpp"
#include "worker/conclusion.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <span>

namespace coworker::detail {
namespace {

/// Those who take the same kinds wait in one line, in whichever order they name them.
lent_kinds kinds_of(const take_options& options)
{
    lent_kinds kinds;
    for (const auto& each : options.kinds) {
        if (each.versions.empty())
            kinds.emplace_back(each.kind.str(), 1U);
        for (const auto version : each.versions)
            kinds.emplace_back(each.kind.str(), version);
    }
    std::ranges::sort(kinds);
    kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
    return kinds;
}

asio::awaitable<bool> is_cancelled()
{
    const auto state = co_await asio::this_coro::cancellation_state;
    co_return state.cancelled() != asio::cancellation_type::none;
}

} // namespace

/// A call that takes jobs, which goes on when whoever has made it is gone.
struct taker_state::fetch_under_way
{
    explicit fetch_under_way(const asio::any_io_executor& executor) : ended{executor} {}

    signal ended;
    jobs_at_hand found{};
    std::exception_ptr error{};
    bool has_ended = false;
    bool is_wanted = true;
};

void taker_state::stop()
{
    is_stopped_ = true;
    for (const auto& [_, queue] : std::exchange(queues_, {}))
        queue->stop();
}

std::shared_ptr<lent_queue> taker_state::find(const queue_ref& queue, lent_kinds kinds)
{
    constexpr std::size_t most_known = 1000;
    const std::pair wanted{queue, std::move(kinds)};
    if (const auto known = queues_.find(wanted); known != queues_.end())
        return known->second;
    if (queues_.size() >= most_known)
        for (auto each = queues_.begin(); each != queues_.end(); ++each)
            if (!each->second->has_waiters()) {
                each->second->stop();
                queues_.erase(each);
                break;
            }
    auto made = std::make_shared<lent_queue>(redis_, queue, options_, wanted.second);
    if (is_stopped_)
        made->stop(); // nobody waits there, and it needs no monitor
    else
        queues_.emplace(wanted, made);
    return made;
}

// --- taking --------------------------------------------------------------------------

asio::awaitable<std::vector<taken_job>> taker_state::take(std::shared_ptr<taker_state> self, queue_ref name,
                                                          take_options options)
{
    std::vector<taken_job> result;
    if (self->is_stopped_)
        co_return result;
    co_await asio::this_coro::throw_if_cancelled(false);
    const auto queue = self->find(name, kinds_of(options));
    co_await queue->open();
    queue->keep_monitors();
    queue->note_worker(options.worker);
    const auto deadline = lent_queue::clock::now() + options.wait;
    auto found = co_await fetch_whole(self, queue, queue->parts_in_turn(), options);
    auto error = found.error;
    const bool can_wait = !error || self->has_others(*queue, error); // which may get a job
    if (found.jobs.empty() && options.wait.count() > 0 && can_wait) {
        lent_queue::place place{*queue};
        while (found.jobs.empty()) { // the wait is no part of the condition, for g++ 12's sake
            const auto ready = co_await place.wait_until(deadline);
            if (!ready)
                break;
            found = co_await fetch_whole(self, queue, std::vector(1, ready), options);
            error = found.error ? found.error : error;
            if (found.error && !self->has_others(*queue, found.error))
                break;
            if (found.jobs.empty())
                place.wait_again();
        }
    }
    if (found.jobs.empty() && error)
        std::rethrow_exception(error);
    for (std::size_t i = 0; i != found.jobs.size(); ++i)
        result.push_back(self->describe(name.kind(), found, i, options.worker));
    co_return result;
}

/// Whether another part of the queue may have a job, although one could not be asked.
bool taker_state::has_others(const lent_queue& queue, const std::exception_ptr& error) const
{
    if (!queue.is_divided() || redis_->in_cluster())
        return queue.is_divided();
    try {
        std::rethrow_exception(error);
    } catch (const system_error& thrown) {
        return !says_redis_is_away(thrown);
    }
}

asio::awaitable<jobs_at_hand> taker_state::fetch_whole(std::shared_ptr<taker_state> self,
                                                       std::shared_ptr<lent_queue> queue,
                                                       std::vector<std::shared_ptr<lent_part>> parts,
                                                       take_options options)
{
    const auto call = std::make_shared<fetch_under_way>(self->get_executor());
    asio::co_spawn(self->get_executor(), fetch_to_the_end(self, queue, std::move(parts), options, call),
                   [call](const std::exception_ptr&) {}); // it keeps what it has thrown
    bool is_given_up = co_await is_cancelled();
    while (!call->has_ended && !is_given_up) {
        try {
            co_await call->ended.wait();
        } catch (const system_error&) {
            is_given_up = true;
        }
    }
    if (is_given_up) {
        call->is_wanted = false;
        if (call->has_ended)
            asio::co_spawn(self->get_executor(), release(self, std::move(call->found), options.worker),
                           [](const std::exception_ptr&) {});
        throw system_error{asio::error::operation_aborted};
    }
    if (call->error)
        std::rethrow_exception(call->error);
    co_return std::move(call->found);
}

asio::awaitable<void> taker_state::fetch_to_the_end(std::shared_ptr<taker_state> self,
                                                    std::shared_ptr<lent_queue> queue,
                                                    std::vector<std::shared_ptr<lent_part>> parts,
                                                    take_options options,
                                                    std::shared_ptr<fetch_under_way> call)
{
    try {
        call->found = co_await self->fetch_first(*queue, std::move(parts), options);
    } catch (...) {
        call->error = std::current_exception();
    }
    call->has_ended = true;
    call->ended.notify();
    if (!call->is_wanted)
        co_await release(self, std::move(call->found), options.worker);
}

/// One part only: were a call to another one to fail, nobody would know of the jobs of the first.
asio::awaitable<jobs_at_hand> taker_state::fetch_first(const lent_queue& queue,
                                                       std::vector<std::shared_ptr<lent_part>> parts,
                                                       const take_options& options)
{
    jobs_at_hand found;
    std::exception_ptr error;
    const auto until = lent_queue::clock::now() + redis_->command_timeout();
    for (const auto& part : parts) {
        if (error && lent_queue::clock::now() >= until)
            break; // somebody waits
        try {
            lent_part::call call{*part, options.count, queue.weight_of(*part)};
            found = co_await fetch(part, options);
            call.ended(found.jobs.size(), found.waiting);
        } catch (const system_error&) {
            error = std::current_exception();
        }
        if (!found.jobs.empty())
            co_return found;
        queue.pass_over(*part);
    }
    found.error = error;
    co_return found;
}

asio::awaitable<jobs_at_hand> taker_state::fetch(std::shared_ptr<lent_part> part, const take_options& options)
{
    const auto source = part->source_for(options.worker);
    jobs_at_hand found;
    found.from = std::move(part);
    co_await fetch_fit(*source, options.count, found);
    std::exception_ptr error;
    try {
        co_await read_stored(*source, options, found);
    } catch (...) {
        error = std::current_exception();
    }
    if (!error)
        co_return found;
    co_await release_now(found, options.worker); // nobody else knows of them
    std::rethrow_exception(error);
}

/// Reads what earlier attempts have stored, as far as it is wanted. One job at a time: each may have 1 MiB.
asio::awaitable<void> taker_state::read_stored(job_source& source, const take_options& options,
                                               jobs_at_hand& found)
{
    found.checkpoints.resize(found.jobs.size());
    found.signals.resize(found.jobs.size());
    found.steps.resize(found.jobs.size());
    for (std::size_t i = 0; i != found.jobs.size(); ++i) {
        auto& job = found.jobs[i];
        if (options.checkpoints) {
            found.checkpoints[i] = co_await source.read_checkpoint(job);
            found.signals[i] = co_await source.read_signals(job);
            job.has_checkpoint = true; // or gets one
        }
        if (options.steps && job.has_steps)
            found.steps[i] = co_await source.read_steps(job);
    }
}

/// Ends jobs that cannot be run, and fetches others in their place.
asio::awaitable<void> taker_state::fetch_fit(job_source& source, std::size_t count, jobs_at_hand& found)
{
    const auto kind = found.from->kind();
    auto& jobs = found.jobs;
    auto fetched = co_await source.ack_and_fetch({}, count);
    while (!fetched.fetched.empty()) {
        std::vector<fetched_job> unfit;
        std::vector<outcome> outcomes;
        for (auto& job : fetched.fetched) {
            if (!job.decodable || (kind == queue_kind::list && !is_json(job.text())))
                outcomes.emplace_back(outcome::kind::broken,
                                      "the payload is not a JSON array of an id and a job");
            else if (auto refusal = refuse_to_start(job, std::nullopt, rules_of(job, source)))
                outcomes.push_back(std::move(*refusal));
            else {
                jobs.push_back(std::move(job));
                continue;
            }
            unfit.push_back(std::move(job));
        }
        if (unfit.empty())
            break;
        std::vector<acknowledgement> acks;
        for (std::size_t i = 0; i != unfit.size(); ++i)
            acks.push_back({&unfit[i], &outcomes[i]});
        fetched = co_await source.ack_and_fetch(acks, count - jobs.size());
    }
    found.waiting = fetched.waiting;
}

asio::awaitable<void> taker_state::release(std::shared_ptr<taker_state> self, jobs_at_hand jobs,
                                           std::string worker)
{
    co_await self->release_now(jobs, worker);
}

asio::awaitable<void> taker_state::release_now(const jobs_at_hand& jobs, const std::string& worker)
{
    if (jobs.jobs.empty())
        co_return;
    const auto source = jobs.from->source_for(worker);
    const auto back = coworker::release();
    std::vector<acknowledgement> acks;
    for (const auto& job : jobs.jobs)
        acks.push_back({&job, &back});
    try {
        co_await source->ack_and_fetch(acks, 0);
    } catch (const system_error&) { // their leases end
    }
}

taken_job taker_state::describe(queue_kind kind, const jobs_at_hand& found, std::size_t i,
                                std::string_view worker) const
{
    const auto& job = found.jobs[i];
    const auto own = job.details ? job.details->own_backoff(job.attempt) : std::nullopt;
    const auto delay = own                ? *own
                       : options_.backoff ? options_.backoff.get()(job.attempt)
                                          : std::chrono::milliseconds{0};
    taken_job result;
    result.id = job.id();
    result.kind = job.kind;
    result.data = job.text();
    result.attempt = job.attempt;
    result.retries_left = job.retries_left;
    result.lease = job.lease_time.count() > 0 ? job.lease_time : options_.lease;
    result.details = job.details;
    result.checkpoint = found.checkpoints[i];
    result.steps = found.steps[i];
    result.signals = found.signals[i];
    result.token = write_token(kind, found.from->partition(), job,
                               std::max(delay, std::chrono::milliseconds{0}), worker);
    return result;
}

// --- renewing ------------------------------------------------------

asio::awaitable<std::vector<result<renewed_lease>>>
taker_state::renew(std::shared_ptr<taker_state> self, queue_ref name, std::vector<leased_job> jobs)
{
    const auto queue = self->find(name);
    queue->keep_monitors();
    std::vector<result<renewed_lease>> results(jobs.size(), errc::lease_lost);
    const auto sorted = sort_by_holder(
        name, jobs, [](const auto& each) -> auto& { return each; });
    for (const auto& [who, all] : sorted) {
        const auto source = queue->part(who.partition)->source_for(who.worker);
        std::span<const std::size_t> rest{all};
        while (!rest.empty()) {
            const auto size = size_of_call(
                rest, [&](std::size_t place) -> auto& { return jobs[place].job; });
            std::vector<fetched_job*> part;
            for (const auto place : rest.first(size))
                part.push_back(&jobs[place].job);
            const auto lost = co_await source->renew(part);
            for (std::size_t i = 0; i != size; ++i) {
                if (std::find(lost.begin(), lost.end(), i) != lost.end())
                    continue;
                renewed_lease renewed;
                const auto& old = jobs[rest[i]];
                renewed.token =
                    write_token(name.kind(), old.partition, *part[i], old.retry_delay, old.worker);
                queue->note_worker(old.worker);
                renewed.lease = part[i]->lease_time.count() > 0 ? part[i]->lease_time : self->options_.lease;
                results[rest[i]] = std::move(renewed);
            }
            rest = rest.subspan(size);
        }
    }
    co_return results;
}

asio::awaitable<std::vector<result<void>>> taker_state::tell(std::shared_ptr<taker_state> self,
                                                             queue_ref name, std::vector<told_run> runs)
{
    const auto queue = self->find(name);
    std::vector<result<void>> results(runs.size());
    const auto sorted = sort_by_holder(
        name, runs, [](const auto& each) -> auto& { return each.of; });
    for (const auto& [who, all] : sorted) {
        const auto source = queue->part(who.partition)->source_for(who.worker);
        std::span<const std::size_t> rest{all};
        while (!rest.empty()) {
            const auto part = rest.first(batch_size(rest, [&](std::size_t place) {
                const auto& checkpoint = runs[place].checkpoint;
                std::size_t bytes = checkpoint ? checkpoint->size() : 0;
                for (const auto& line : runs[place].log)
                    bytes += line.text.size();
                return bytes;
            }));
            std::vector<job_note> notes;
            for (const auto place : part)
                notes.push_back({&runs[place].of.job, runs[place].progress, std::move(runs[place].checkpoint),
                                 std::move(runs[place].log)});
            const auto lost = co_await source->store_notes(notes);
            for (const auto i : lost)
                results[part[i]] = errc::lease_lost;
            rest = rest.subspan(part.size());
        }
    }
    co_return results;
}

asio::awaitable<std::vector<result<void>>>
taker_state::store_steps(std::shared_ptr<taker_state> self, queue_ref name, std::vector<step_of_run> steps)
{
    const auto queue = self->find(name);
    std::vector<result<void>> results(steps.size(), errc::lease_lost);
    const auto sorted = sort_by_holder(
        name, steps, [](const auto& each) -> auto& { return each.of; });
    for (const auto& [who, all] : sorted) {
        const auto source = queue->part(who.partition)->source_for(who.worker);
        std::span<const std::size_t> rest{all};
        while (!rest.empty()) {
            const auto part =
                rest.first(batch_size(rest, [&](std::size_t place) { return steps[place].value.size(); }));
            std::vector<job_step> stored;
            for (const auto place : part) {
                auto& each = stored.emplace_back();
                each.job = &steps[place].of.job;
                each.name = std::move(steps[place].name);
                each.value = std::move(steps[place].value);
            }
            const auto answers = co_await source->store_steps(stored);
            for (std::size_t i = 0; i != part.size(); ++i)
                results[part[i]] = answers.at(i);
            rest = rest.subspan(part.size());
        }
    }
    co_return results;
}

handle_options taker_state::rules_of(const fetched_job&, const job_source& source) const
{
    handle_options rules;
    rules.max_attempts = source.can().counts_attempts ? 0 : options_.max_attempts;
    rules.max_crashes = options_.max_crashes;
    return rules;
}

} // namespace coworker::detail
