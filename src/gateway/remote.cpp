// SPDX-License-Identifier: MIT
#include "gateway/api.hpp"
#include "gateway/effect_keys.hpp"
#include "gateway/remote_text.hpp"
#include "gateway/wanted_durability.hpp"
#include "submission/list_submission.hpp"

#include <boost/asio/error.hpp>

/// Workers over HTTP: they take jobs, renew their leases and acknowledge them.
namespace coworker::detail {
namespace {

job_taker_options taker_options(const gateway_options& options)
{
    job_taker_options result;
    result.managed_prefix = options.managed_prefix;
    result.lease = options.lease;
    return result;
}

/// What is wrong with a request, as the job taker says it.
[[noreturn]] void refuse(const system_error& error)
{
    throw refusal{400, std::string{"This cannot be done: "} + error.what() + '.'};
}

std::vector<std::string> ids_pushed_by(const job_effects& effects)
{
    std::vector<std::string> ids;
    for (const auto& each : effects.all())
        if (each.pushed)
            ids.push_back(each.pushed->id);
    return ids;
}

template<class Results, class Describe>
answer answer_each(bool is_array, const Results& results, Describe describe)
{
    std::vector<answer> answers;
    for (const auto& each : results)
        answers.push_back(describe(each));
    if (!is_array)
        return std::move(answers.front());
    auto all = combine(answers);
    if (all.status >= 300) // there are several problems, if only of one kind
        all.status = 207;
    return all;
}

} // namespace

job_taker make_taker(const client& redis, const gateway_options& options)
{
    return job_taker{redis, taker_options(options)};
}

asio::awaitable<answer> api::take(const routed& where, queue_kind kind)
{
    check_is_served(where.name, options_.types);
    auto wanted = read_take(where.request.body, kind);
    const auto worker = wanted.worker;
    const queue_ref queue{kind, where.name};
    std::vector<taken_job> jobs;
    try {
        jobs = co_await taker_.async_take(queue, std::move(wanted), awaited);
    } catch (const system_error& error) {
        if (error.code() == errc::invalid_option || error.code() == errc::not_serializable)
            refuse(error);
        throw;
    }
    answer result{.body = describe_taken(jobs)};
    if (!jobs.empty()) {
        std::vector<ended_job> back;
        for (const auto& job : jobs)
            back.emplace_back(job.token, release());
        result.if_undelivered = [this, queue, back = std::move(back)] { return give_back(queue, back); };
    }
    co_return result;
}

/// Jobs whose taker has gone.
asio::awaitable<void> api::give_back(queue_ref queue, std::vector<ended_job> jobs)
{
    try {
        co_await taker_.async_acknowledge(std::move(queue), std::move(jobs), {}, awaited);
    } catch (const system_error&) { // their leases end
    }
}

asio::awaitable<answer> api::renew(const routed& where, queue_kind kind)
{
    const auto tokens = read_tokens(where.request.body, options_.jobs_per_request);
    const text_list all{tokens.items};
    const queue_ref queue{kind, where.name};
    try {
        const auto results = co_await taker_.async_renew(queue, all, awaited);
        co_return answer_each(tokens.is_array, results, describe_renewal);
    } catch (const system_error& error) {
        if (error.code() == errc::invalid_option)
            refuse(error);
        throw;
    }
}

asio::awaitable<answer> api::tell_progress(const routed& where)
{
    auto told = read_progress_of_jobs(where.request.body, options_.jobs_per_request);
    const queue_ref queue{queue_kind::managed, where.name};
    try {
        const auto results = co_await taker_.async_tell_progress(queue, std::move(told.items), awaited);
        co_return answer_each(told.is_array, results, describe_told);
    } catch (const system_error& error) {
        if (error.code() == errc::invalid_option)
            refuse(error);
        throw;
    }
}

asio::awaitable<answer> api::save_checkpoints(const routed& where)
{
    auto told = read_checkpoints_of_jobs(where.request.body, options_.jobs_per_request);
    const queue_ref queue{queue_kind::managed, where.name};
    try {
        const auto results = co_await taker_.async_save(queue, std::move(told.items), awaited);
        co_return answer_each(told.is_array, results, describe_saved);
    } catch (const system_error& error) {
        if (error.code() == errc::invalid_option)
            refuse(error);
        if (error.code() == errc::job_too_large)
            throw refusal{413, "A checkpoint is too large; it may have 1 MiB. Nothing was stored."};
        throw;
    }
}

asio::awaitable<answer> api::acknowledge(const routed& where, queue_kind kind)
{
    const effect_rules rules{kind, options_.types,
                             [this](const text_list& words) { check_effect_keys(words, options_); }};
    const auto wanted = wanted_durability(where, options_.confirmation_limit);
    const bool is_confirmed = wanted != durability::memory();
    auto told = read_ended_jobs(where.request.body, rules, options_.jobs_per_request);
    const queue_ref queue{kind, where.name};
    std::vector<ended_job> ended;
    std::vector<std::vector<std::string>> pushed;
    for (auto& each : told.items) {
        if (!each.effects.empty())
            co_await effects_.add(each.job.effects, std::move(each.effects));
        pushed.push_back(ids_pushed_by(each.job.effects));
        ended.push_back(std::move(each.job));
    }
    try {
        const auto results = co_await taker_.async_acknowledge(queue, std::move(ended), {wanted}, awaited);
        auto next = pushed.begin();
        co_return answer_each(told.is_array, results, [&](const auto& one) {
            return describe_acknowledgement(one, *next++, is_confirmed);
        });
    } catch (const system_error& error) {
        if (error.code() == errc::not_supported && is_confirmed)
            co_return durability_refused(error, "acknowledged");
        if (error.code() == errc::invalid_option || error.code() == errc::not_supported)
            refuse(error);
        throw;
    }
}

} // namespace coworker::detail
