// SPDX-License-Identifier: MIT
#include "list/list_queue/list_queue_state.hpp"

#include "bounds.hpp"
#include "job_ids.hpp"
#include "list/list_queue/push_forms.hpp"
#include "list/list_queue/submit.hpp"
#include "list/partition_set.hpp"
#include "list/payload.hpp"

/// How jobs get into a list queue.
namespace coworker {

using namespace detail;

namespace {

void check_size(const std::string& job, const list_queue_options& options)
{
    if (options.max_job_size != 0 && job.size() > options.max_job_size)
        throw explained_error{errc::job_too_large, "the job has " + std::to_string(job.size()) +
                                                       " bytes, allowed are " +
                                                       std::to_string(options.max_job_size)};
}

void check_id(std::string_view id)
{
    if (!is_valid_name(id))
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

/// Jobs whose texts are as they are stored.
many_pushes make_pushes(std::vector<std::string> jobs, std::vector<push_options> options)
{
    many_pushes all{.options = std::move(options)};
    all.ids.reserve(jobs.size());
    all.payloads.reserve(jobs.size());
    for (std::size_t i = 0; i != jobs.size(); ++i) {
        const auto& id = all.how(i).id;
        const auto job = std::move(jobs[i]); // is not kept beside its payload
        all.payloads.push_back(make_payload(all.ids.emplace_back(id ? id->str() : new_job_id()), job));
    }
    return all;
}

asio::awaitable<std::vector<std::string>> ids_of(asio::awaitable<many_pushes> sent)
{
    auto all = co_await std::move(sent);
    if (const auto refused = std::ranges::count(all.full, true); refused != 0)
        throw system_error{errc::queue_full,
                           std::to_string(refused) + " of " + std::to_string(all.ids.size()) + " jobs"};
    for (const auto& why : all.unconfirmed)
        if (!why.empty())
            throw system_error{errc::unconfirmed, why};
    co_return std::move(all.ids);
}

asio::awaitable<std::string> id_of(asio::awaitable<many_pushes> sent)
{
    auto ids = co_await ids_of(std::move(sent));
    co_return std::move(ids.front());
}

asio::awaitable<std::vector<push_result>> results_of(asio::awaitable<many_pushes> sent)
{
    auto all = co_await std::move(sent);
    std::vector<push_result> results(all.ids.size());
    for (std::size_t i = 0; i != results.size(); ++i) {
        results[i].id = std::move(all.ids[i]);
        results[i].pushed = all.refused.empty() || all.refused[i] == 0;
        if (!all.full.empty() && all.full[i] != 0) {
            results[i].pushed = false;
            results[i].error = errc::queue_full;
        }
        if (!all.unconfirmed.empty())
            results[i].unconfirmed = std::move(all.unconfirmed[i]);
    }
    co_return results;
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
    std::vector<std::string> texts;
    std::vector<push_options> options;
    for (auto& each : jobs) {
        check_options(each.options, true);
        (void)encode(each.job).value();
        state_->make_stored(each.job.text);
        texts.push_back(std::move(each.job.text));
        options.push_back(std::move(each.options));
    }
    return results_of(state::send_all(state_, make_pushes(std::move(texts), std::move(options))));
}

single_push raw_list_queue::push_encoded(std::string job, push_options options) const
{
    // Checked at once: nothing is sent, and the caller hears of it.
    check_options(options, true);
    state_->make_stored(job);
    auto id = options.id ? options.id->str() : new_job_id();
    if (state_->options.waits_for_room) {
        std::vector<std::string> jobs;
        jobs.push_back(std::move(job));
        options.id = id; // is not made twice
        return {id_of(state::send_all(state_, make_pushes(std::move(jobs), {std::move(options)})))};
    }
    auto payload = make_payload(id, job);
    if (state_->partitions)
        return partition_set::make_push(state_->partitions, std::move(id), std::move(payload),
                                        std::move(options));
    return state::make_push(state_, std::move(id), std::move(payload), options, nullptr);
}

effect raw_list_queue::encoded_push_effect(std::string job, push_options options) const
{
    check_options(options, true);
    auto stored = job;
    state_->make_stored(stored);
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
        state_->make_stored(job);
    return ids_of(state::send_all(state_, make_pushes(std::move(jobs), {std::move(options)})));
}

void raw_list_queue::state::make_stored(std::string& job) const
{
    check_size(job, options);
    if (codecs.empty())
        return;
    job = codecs.encode(job, {name, {}});
    check_size(job, options);
}

bool raw_list_queue::state::is_plain(const push_options& how) const
{
    return options.max_waiting == 0 && detail::is_plain(how);
}

single_push raw_list_queue::state::make_push(const shared& self, std::string id, std::string payload,
                                             const push_options& how, bool* pushed)
{
    auto push = self->is_plain(how) ? make_plain_push(self->keys, std::move(id), std::move(payload))
                                    : make_submission({self, &self->keys}, std::move(id), std::move(payload),
                                                      how, self->options.max_waiting, pushed);
    push->name = self->told;
    return {self->pushes, std::move(push)};
}

} // namespace coworker
