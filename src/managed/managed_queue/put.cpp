// SPDX-License-Identifier: MIT
#include "bounds.hpp"
#include "coworker/managed_queue.hpp"
#include "managed/checks.hpp"
#include "managed/managed_queue/gathered_put.hpp"
#include "managed/managed_queue/put_request.hpp"
#include "managed/unique_key.hpp"
#include "redis/room_wait.hpp"

#include <functional>
#include <numeric>

/// How jobs get into a managed queue.
namespace coworker {

using namespace detail;

namespace {

asio::awaitable<std::vector<push_result>> put_batches(kept_connection redis, managed_batches batches,
                                                      std::vector<std::string> jids)
{
    std::vector<push_result> results;
    std::vector<std::string> reasons;
    joint_confirmation confirmed;
    auto answers = co_await managed_batches::send(redis, std::move(batches), read_put, confirmed, &reasons);
    const auto why_not = confirmed.why_not();
    for (auto& each : answers)
        if (each) // the job that has its key may not be confirmed either
            results.emplace_back(std::move(*each)).unconfirmed = why_not;
        else
            results.push_back(push_result{.id = std::move(jids[results.size()]),
                                          .pushed = false,
                                          .error = each.error(),
                                          .refusal = std::move(reasons[results.size()])});
    co_return results;
}

asio::awaitable<std::vector<std::string>> jids_of_batches(kept_connection redis, managed_batches batches)
{
    std::vector<std::string> jids;
    joint_confirmation confirmed;
    for (auto& each : co_await managed_batches::send(redis, std::move(batches), read_put, confirmed))
        jids.push_back(std::move(each).value().id);
    confirmed.throw_if_not();
    co_return jids;
}

asio::awaitable<std::string> put_one(kept_connection redis, managed_call call)
{
    auto answer = co_await tell(redis, std::move(call), read_put);
    if (answer.error)
        throw system_error{answer.error, answer.refusal};
    co_return std::move(answer.id);
}

/// What a caller sees who does not want to know of each job.
asio::awaitable<std::vector<std::string>> jids_of(asio::awaitable<std::vector<push_result>> pushed)
{
    std::vector<std::string> jids;
    auto results = co_await std::move(pushed);
    for (const auto& each : results)
        if (each.error && each.error != errc::not_unique)
            throw system_error{each.error, each.refusal};
    for (auto& each : results) {
        if (!each.unconfirmed.empty())
            throw system_error{errc::unconfirmed, each.unconfirmed};
        jids.push_back(std::move(each.id));
    }
    co_return jids;
}

asio::awaitable<std::string> jid_of(asio::awaitable<std::vector<push_result>> pushed)
{
    auto results = co_await std::move(pushed);
    auto& only = results.front();
    if (only.error)
        throw system_error{only.error, only.refusal};
    if (!only.unconfirmed.empty())
        throw system_error{errc::unconfirmed, only.unconfirmed};
    co_return std::move(only.id);
}

/// Makes the calls for some jobs.
using make_batches = std::function<managed_batches(std::span<const new_managed_job>)>;

/// Puts jobs that have ids, in order, as many at a time as one script takes: where a queue is full, the next ones wait
/// with those that it has no room for.
asio::awaitable<std::vector<push_result>> put_with_room(kept_connection redis,
                                                        std::vector<new_managed_job> jobs, make_batches make)
{
    std::vector<push_result> results(jobs.size());
    for (std::size_t begin = 0; begin < jobs.size(); begin += max_batch) {
        room_wait room{redis->get_executor()};
        std::vector<std::size_t> left(std::min(max_batch, jobs.size() - begin));
        std::iota(left.begin(), left.end(), begin);
        for (;;) {
            std::vector<new_managed_job> part;
            std::vector<std::string> jids;
            for (const auto place : left)
                jids.emplace_back(*part.emplace_back(jobs[place]).options.jid);
            auto batches = make(part);
            auto done = co_await put_batches(redis, std::move(batches), std::move(jids));
            for (std::size_t i = 0; i != left.size(); ++i)
                results[left[i]] = std::move(done[i]);
            std::erase_if(left, [&](auto place) { return results[place].error != errc::queue_full; });
            if (left.empty())
                break;
            co_await room.wait();
        }
    }
    co_return results;
}

/// The calls for many jobs; `make_jid` makes one for each that has none, and `jids` gets all of them.
template<class MakeJid>
managed_batches batches_of(std::span<const new_managed_job> jobs, const managed_options& options,
                           const push_codecs& codecs, const std::string& worker, const std::string& queue,
                           MakeJid make_jid, std::vector<std::string>* jids = nullptr)
{
    managed_batches batches{options.prefix, "put_many"};
    for (const auto& job : jobs) {
        const auto jid = job.options.jid ? std::string{*job.options.jid} : make_jid();
        if (jids != nullptr)
            jids->push_back(jid);
        put_request request{job.kind, job.data, jid, job.options};
        check_put(request, options.max_job_size);
        const auto stored = codecs.stored(job.kind, job.data, options.max_job_size);
        request.stored = stored;
        batches.add([&](managed_call& call) { add_put(call, worker, queue, request); });
    }
    return batches;
}

} // namespace

std::span<const new_managed_job> managed_queue::changed(std::span<const new_managed_job> jobs,
                                                        std::vector<new_managed_job>& own) const
{
    if (!around_)
        return jobs;
    own.assign(jobs.begin(), jobs.end());
    for (auto& job : own)
        for (const auto& each : *around_)
            if (each.target<payload_codecs>() == nullptr) // they come last: push_codecs
                each(job);
    return own;
}

single_push managed_queue::push_encoded(std::string_view kind, const std::string& data,
                                        const managed_push_options& options) const
{
    if (!around_)
        return push_one(kind, data, options);
    const new_managed_job given{std::string{kind}, data, options};
    std::vector<new_managed_job> own;
    const auto& job = changed({&given, 1}, own).front();
    return push_one(job.kind, job.data, job.options);
}

single_push managed_queue::push_one(std::string_view kind, const std::string& data,
                                    const managed_push_options& options) const
{
    auto jid = options.jid ? std::string{*options.jid} : make_jid();
    put_request job{kind, data, jid, options};
    check_put(job, options_.max_job_size);
    if (options_.waits_for_room) {
        std::vector<new_managed_job> only{{std::string{kind}, data, options}};
        return {jid_of(push_with_room(std::move(only)))};
    }
    const auto stored = push_codecs{around_.get()}.stored(kind, data, options_.max_job_size);
    job.stored = stored;
    managed_call call{options_.prefix, "put"};
    add_put(call, redis_->name(), name_, job);
    const auto& over = confirmed_puts::of(around_.get(), redis_);
    if (is_given(options.unique)) // its answer may be more than a jid
        return {put_one(*over, std::move(call))};
    return {over, make_put(std::move(jid), std::move(call))};
}

effect managed_queue::encoded_push_effect(std::string_view kind, const std::string& data,
                                          const managed_push_options& options) const
{
    const new_managed_job given{std::string{kind}, data, options};
    std::vector<new_managed_job> own;
    const auto& job = changed({&given, 1}, own).front();
    const auto jid = job.options.jid ? std::string{*job.options.jid} : make_jid();
    put_request request{job.kind, job.data, jid, job.options};
    check_put(request, options_.max_job_size);
    const auto stored = push_codecs{around_.get()}.stored(job.kind, job.data, options_.max_job_size);
    request.stored = stored;
    if (is_given(job.options.unique) && job.options.unique.conflict == on_conflict::refuse)
        throw explained_error{errc::invalid_option, "a job that is pushed as an effect cannot be refused"};
    managed_call call{options_.prefix, "put"};
    add_put(call, redis_->name(), name_, request);
    effect what;
    what.words.emplace_back("put");
    const auto arguments = call.words().subspan(1); // without the time
    what.words.insert(what.words.end(), arguments.begin(), arguments.end());
    what.pushed = effect::pushed_job{name_, jid, job.kind, raw_json{job.data}};
    what.connection = redis_;
    what.prefix = options_.prefix.str();
    return what;
}

/// Pushes that wait for room: of jobs that the middleware has changed.
asio::awaitable<std::vector<push_result>>
managed_queue::push_with_room(std::vector<new_managed_job> jobs) const
{
    for (auto& job : jobs)
        if (!job.options.jid)
            job.options.jid = make_jid();
    const make_batches make = [queue = *this](std::span<const new_managed_job> some) {
        return batches_of(some, queue.options_, push_codecs{queue.around_.get()}, queue.redis_->name(),
                          queue.name_, [] { return std::string{}; });
    };
    (void)make(jobs); // what cannot be put is refused at once
    return put_with_room(*confirmed_puts::of(around_.get(), redis_), std::move(jobs), make);
}

asio::awaitable<std::vector<std::string>>
managed_queue::push_many(std::span<const new_managed_job> jobs) const
{
    std::vector<new_managed_job> own;
    if (options_.waits_for_room) {
        const auto given = changed(jobs, own);
        return jids_of(push_with_room({given.begin(), given.end()}));
    }
    return jids_of_batches(*confirmed_puts::of(around_.get(), redis_),
                           batches_of(changed(jobs, own), options_, push_codecs{around_.get()},
                                      redis_->name(), name_, [&] { return make_jid(); }));
}

asio::awaitable<std::vector<push_result>>
managed_queue::push_each(std::span<const new_managed_job> jobs) const
{
    std::vector<new_managed_job> own;
    if (options_.waits_for_room) {
        const auto given = changed(jobs, own);
        return push_with_room({given.begin(), given.end()});
    }
    std::vector<std::string> jids;
    auto batches = batches_of(
        changed(jobs, own), options_, push_codecs{around_.get()}, redis_->name(), name_,
        [&] { return make_jid(); }, &jids);
    return put_batches(*confirmed_puts::of(around_.get(), redis_), std::move(batches), std::move(jids));
}

asio::awaitable<std::vector<std::string>>
managed_queue::push_many_encoded(std::string_view kind, const std::vector<std::string>& texts,
                                 managed_push_options options) const
{
    if (options.jid)
        throw explained_error{errc::invalid_option, "one jid cannot be given to many jobs"};
    if (around_ || options_.waits_for_room) {
        std::vector<new_managed_job> jobs;
        for (const auto& data : texts)
            jobs.push_back({std::string{kind}, data, options});
        return push_many(jobs);
    }
    managed_batches batches{options_.prefix, "put_many"};
    for (const auto& data : texts) {
        const auto jid = make_jid();
        const put_request request{kind, data, jid, options};
        check_put(request, options_.max_job_size);
        batches.add([&](managed_call& call) { add_put(call, redis_->name(), name_, request); });
    }
    return jids_of_batches(*redis_, std::move(batches));
}

asio::awaitable<result<void>> managed_queue::requeue(const managed_job& job,
                                                     managed_push_options options) const
{
    if (options.jid && *options.jid != job.jid)
        throw explained_error{errc::invalid_job_id, "a job is requeued under its own jid; leave it out"};
    if (is_given(options.unique))
        throw explained_error{errc::invalid_option,
                              "a job that is requeued keeps the unique key that it has"};
    const put_request request{job.kind, job.data, job.jid, options};
    check_jid(job.jid);
    check_put_options(request); // kind and data are as they were found
    managed_call call{options_.prefix, "requeue"};
    add_put(call, redis_->name(), name_, request);
    return ask(*redis_, std::move(call));
}

} // namespace coworker
