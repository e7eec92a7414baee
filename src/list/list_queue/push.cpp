// SPDX-License-Identifier: MIT
#include "list/find_queues.hpp"
#include "list/list_queue/list_queue_state.hpp"

#include "bounds.hpp"
#include "job_ids.hpp"
#include "list/list_queue/push_forms.hpp"
#include "list/list_queue/submit.hpp"
#include "list/partition_set.hpp"
#include "list/payload.hpp"
#include "redis/joint_confirmation.hpp"

#include <algorithm>

/// How jobs get into a list queue.
namespace coworker {

using namespace detail;
using boost::redis::request;

namespace {

void check_size(const std::string& job, const list_queue_options& options)
{
    if (options.max_job_size != 0 && job.size() > options.max_job_size)
        throw explained_error{errc::job_too_large, "the job has " + std::to_string(job.size()) +
                                                       " bytes, allowed are " +
                                                       std::to_string(options.max_job_size)};
}

/// The job as it is stored, whose size is allowed, too.
void make_stored(std::string& job, const payload_codecs& codecs, const std::string& queue,
                 const list_queue_options& options)
{
    check_size(job, options);
    if (codecs.empty())
        return;
    job = codecs.encode(job, {queue, {}});
    check_size(job, options);
}

void check_id(std::string_view id)
{
    if (!is_valid_id(id))
        throw system_error{errc::invalid_job_id, "'" + std::string{id.substr(0, 64)} + "'"};
}

void check_options(const push_options& options, bool one_job)
{
    if (options.id && !one_job)
        throw explained_error{errc::invalid_option, "one id cannot be given to many jobs"};
    if (options.id)
        check_id(*options.id);
    if (options.at && options.delay.count() != 0)
        throw explained_error{errc::invalid_option, "give a delay or a time, not both"};
    if (options.unique_for.count() < 0 || (options.unique_for.count() != 0 && !options.id))
        throw explained_error{errc::invalid_option, "unique_for needs an id, and is not negative"};
}

bool may_run_now(const push_options& options)
{
    return !options.at && options.delay.count() <= 0 && options.unique_for.count() == 0;
}

/// An LPUSH does all that is asked for, and the id tells since when the job waits.
bool is_plain(const push_options& options)
{
    return may_run_now(options) && (!options.id || queued_at(*options.id));
}

/// Payloads that go to Redis in one round trip.
class push_chunk
{
public:
    bool is_full() const noexcept { return is_full_push(payloads_.size(), bytes_); }

    void add(std::string payload)
    {
        bytes_ += payload.size();
        payloads_.push_back(std::move(payload));
    }

    /// @param unknown  the queue's name, if it has to be made known; else empty
    asio::awaitable<void> push_now(connection& redis, const std::string& jobs, std::string_view unknown)
    {
        request push;
        push.reserve(bytes_ + payloads_.size() * 16);
        for (std::size_t begin = 0; begin < payloads_.size(); begin += pushes_per_command) {
            const auto end = std::min(begin + pushes_per_command, payloads_.size());
            push.push_range("LPUSH", jobs, payloads_.begin() + static_cast<std::ptrdiff_t>(begin),
                            payloads_.begin() + static_cast<std::ptrdiff_t>(end));
        }
        const auto commands = push.get_commands();
        if (!unknown.empty())
            push.push("SADD", known_queues_key, unknown);
        reply answers;
        co_await redis.exec(push, answers);
        for (std::size_t i = 0; i != commands; ++i) // failing to register the name does not fail the push
            if (answers[i].is_error())
                answers.throw_if_error();
    }

    asio::awaitable<void> push_later(connection& redis, const list_keys& keys, const push_options& options)
    {
        for (std::size_t begin = 0; begin < payloads_.size(); begin += max_batch) {
            script_arguments arguments{keys.scheduled, keys.counters};
            arguments.add(options.at ? "at" : "in");
            arguments.add_number(options.at ? to_milliseconds(*options.at) : options.delay.count());
            for (auto i = begin; i != std::min(begin + max_batch, payloads_.size()); ++i)
                arguments.add(payloads_[i]);
            co_await redis.call(find_script("list/push_later"), arguments);
        }
    }

private:
    std::vector<std::string> payloads_;
    std::size_t bytes_ = 0;
};

/// Where jobs go. The first that arrive make the queue known, so that it is listed before a worker opens it.
struct destination
{
    connection& redis;  ///< where the queue is made known
    connection& pushes; ///< where jobs are pushed: the same, or one that confirms them
    const list_keys& keys;
    const std::string& name;
    bool& is_known;
};

asio::awaitable<void> send(destination queue, push_options options, push_chunk chunk)
{
    const bool is_later = options.at || options.delay.count() > 0;
    const bool is_told_apart = is_later || &queue.pushes != &queue.redis; // an error there concerns no job
    const std::set<std::string> unknown{queue.name};
    if (!queue.is_known && is_told_apart)
        co_await make_known(queue.redis, unknown);
    if (is_later)
        co_await chunk.push_later(queue.pushes, queue.keys, options);
    else
        co_await chunk.push_now(queue.pushes, queue.keys.jobs,
                                queue.is_known || is_told_apart ? std::string_view{} : queue.name);
    queue.is_known = true;
}

} // namespace

single_push raw_list_queue::push_json(raw_json job, push_options options) const
{
    return push_encoded(encode(job).value(), std::move(options));
}

asio::awaitable<std::vector<std::string>> raw_list_queue::push_many_json(std::vector<raw_json> jobs,
                                                                         push_options options) const
{
    std::vector<std::string> texts;
    texts.reserve(jobs.size());
    for (auto& job : jobs) {
        (void)encode(job).value();
        texts.push_back(std::move(job.text));
    }
    return push_encoded(std::move(texts), std::move(options));
}

asio::awaitable<std::vector<push_result>> raw_list_queue::push_each_json(std::vector<raw_push> jobs) const
{
    for (auto& each : jobs) {
        check_options(each.options, true);
        (void)encode(each.job).value();
        make_stored(each.job.text, state_->codecs, state_->name, state_->options);
    }
    return state_->partitions ? partition_set::send_each(state_->partitions, std::move(jobs))
                              : state::send_each(state_, std::move(jobs));
}

single_push raw_list_queue::push_encoded(std::string job, push_options options) const
{
    // Checked at once: nothing is sent, and the caller hears of it.
    check_options(options, true);
    make_stored(job, state_->codecs, state_->name, state_->options);
    auto id = options.id ? options.id->str() : new_job_id();
    if (state_->partitions)
        return partition_set::make_push(state_->partitions, std::move(id), std::move(job),
                                        std::move(options));
    return state::make_push(state_, std::move(id), job, options, nullptr);
}

effect raw_list_queue::encoded_push_effect(std::string job, push_options options) const
{
    check_options(options, true);
    auto stored = job;
    make_stored(stored, state_->codecs, state_->name, state_->options);
    if (!may_run_now(options))
        throw explained_error{errc::not_supported,
                              "an effect can only push jobs to list queues that may run at once"};
    effect what;
    auto id = options.id ? options.id->str() : new_job_id();
    const auto to = state_->partitions ? state_->partitions->part_for_effect(options) : state_;
    what.words = {"LPUSH", to->keys.jobs, make_payload(id, stored)};
    what.pushed = effect::pushed_job{state_->name, std::move(id), {}, raw_json{std::move(job)}};
    what.connection = to->redis;
    return what;
}

asio::awaitable<std::vector<std::string>> raw_list_queue::push_encoded(std::vector<std::string> jobs,
                                                                       push_options options) const
{
    check_options(options, false);
    for (auto& job : jobs)
        make_stored(job, state_->codecs, state_->name, state_->options);
    return state_->partitions
               ? partition_set::send_many(state_->partitions, std::move(options), std::move(jobs))
               : state::send_many(state_, std::move(options), std::move(jobs));
}

single_push raw_list_queue::state::make_push(const shared& self, std::string id, std::string_view job,
                                             const push_options& how, bool* pushed)
{
    auto payload = make_payload(id, job);
    auto push = is_plain(how)
                    ? make_plain_push(self->keys, std::move(id), std::move(payload))
                    : make_submission({self, &self->keys}, std::move(id), std::move(payload), how, pushed);
    push->name = self->told;
    return {self->pushes, std::move(push)};
}

asio::awaitable<std::vector<std::string>> raw_list_queue::state::send_many(shared self, push_options options,
                                                                           std::vector<std::string> jobs)
{
    self->pushes->pushes().send(self->pushes); // they began before
    std::vector<std::string> ids;
    ids.reserve(jobs.size());
    joint_confirmation confirmed;
    for (auto job = jobs.begin(); job != jobs.end();) {
        push_chunk chunk;
        for (; job != jobs.end() && !chunk.is_full(); ++job) {
            ids.push_back(new_job_id());
            chunk.add(make_payload(ids.back(), *job));
        }
        const destination here{*self->redis, *self->pushes, self->keys, self->name, self->told->is_told};
        co_await confirmed.join(send(here, options, std::move(chunk)));
    }
    confirmed.throw_if_not();
    co_return ids;
}

asio::awaitable<std::vector<push_result>> raw_list_queue::state::send_each(shared self,
                                                                           std::vector<raw_push> jobs)
{
    std::vector<push_result> results(jobs.size());
    for (std::size_t i = 0; i != jobs.size(); ++i)
        results[i].id = jobs[i].options.id ? jobs[i].options.id->str() : new_job_id();
    if (jobs.size() == 1) { // others may be pushed at the same time
        const auto& only = jobs.front();
        auto& result = results.front();
        auto one = make_push(self, result.id, only.job.text, only.options, &result.pushed);
        const auto work = [&] { return std::move(one); };
        joint_confirmation confirmed;
        co_await confirmed.join([](const shared& me, auto& what) -> asio::awaitable<void> {
            co_await start(me->redis->get_executor(), leaves_in_doubt, what, default_token{});
        }(self, work));
        result.unconfirmed = confirmed.why_not();
        co_return results;
    }
    self->pushes->pushes().send(self->pushes); // they began before
    if (!std::all_of(jobs.begin(), jobs.end(), [](const auto& job) { return is_plain(job.options); })) {
        const std::set<std::string> unknown{self->name};
        if (!self->told->is_told)
            co_await make_known(*self->redis, unknown);
        self->told->is_told = true;
        co_await submit(*self->pushes, self->keys, jobs, results);
        co_return results;
    }
    const destination here{*self->redis, *self->pushes, self->keys, self->name, self->told->is_told};
    const push_options now;
    joint_confirmation confirmed;
    for (std::size_t i = 0; i != jobs.size();) {
        push_chunk chunk;
        for (; i != jobs.size() && !chunk.is_full(); ++i)
            chunk.add(make_payload(results[i].id, jobs[i].job.text));
        co_await confirmed.join(send(here, now, std::move(chunk)));
    }
    if (const auto why_not = confirmed.why_not(); !why_not.empty())
        for (auto& each : results)
            each.unconfirmed = why_not;
    co_return results;
}

} // namespace coworker
