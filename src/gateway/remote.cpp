// SPDX-License-Identifier: MIT
#include "gateway/api.hpp"
#include "gateway/effect_keys.hpp"
#include "gateway/page.hpp"
#include "gateway/remote_text.hpp"
#include "json/error_sentence.hpp"

#include <boost/asio/error.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <variant>

/// Workers over HTTP: they take jobs, renew their leases and acknowledge them.
namespace coworker::detail {
namespace {

job_taker_options taker_options(const gateway_options& options)
{
    job_taker_options result;
    result.managed_prefix = options.managed_prefix;
    result.lease = options.lease;
    result.max_crashes = options.max_crashes;
    return result;
}

/// What is wrong with a request, as the job taker says it.
refusal refusal_of(const system_error& error)
{
    return refusal{error.code() == errc::job_too_large ? 413u : 400u, sentence_of(error)};
}

std::vector<std::string> ids_pushed_by(const job_effects& effects)
{
    std::vector<std::string> ids;
    for (const auto& each : effects.all())
        if (each.pushed)
            ids.push_back(each.pushed->id);
    return ids;
}

/// Whether an error says that one of the jobs of a request cannot be used: then nothing has been sent to Redis.
bool is_about_a_token(const error_code& code)
{
    return code == errc::invalid_option || code == errc::job_too_large || code == errc::not_serializable;
}

/// Does something with jobs that were taken. One that cannot be used keeps no other away.
template<class Item>
class each_job
{
public:
    using reader = std::function<for_each_job<Item>()>;
    using call = std::function<asio::awaitable<std::vector<answer>>(std::vector<Item>)>;

    /// @param read  reads the jobs; called again if one of them turns out to be of no use
    /// @param carry_out  does it with jobs; throws a `refusal` or what `is_about_a_token` before it does anything
    each_job(reader read, call carry_out) : read_{std::move(read)}, carry_out_{std::move(carry_out)} {}

    asio::awaitable<answer> run()
    {
        auto given = read_();
        answers_.resize(given.items.size());
        const auto places = put_usable_in_line(given);
        const std::size_t all_at_once = std::max<std::size_t>(places.size(), 1);
        const bool is_done = co_await try_part(places, all_at_once, !given.is_array);
        if (!is_done) {
            given = read_(); // what was tried is gone
            const auto again = put_usable_in_line(given);
            co_await try_part(again, 1, false);
        }
        if (!given.is_array)
            co_return std::move(answers_.front());
        auto all = combine(answers_);
        if (all.status >= 300) // there are several problems, if only of one kind
            all.status = 207;
        co_return all;
    }

private:
    std::vector<std::size_t> put_usable_in_line(for_each_job<Item>& given)
    {
        std::vector<std::size_t> places;
        line_.clear();
        for (std::size_t i = 0; i != given.items.size(); ++i) {
            if (auto* const item = std::get_if<Item>(&given.items[i])) {
                line_.push_back(std::move(*item));
                places.push_back(i);
            } else {
                answers_[i] = answer_of(std::get<refusal>(given.items[i]));
            }
        }
        return places;
    }

    /// @param size  how many jobs at a time
    /// @param must  what is wrong is thrown, and not kept as an answer
    /// @return  whether that needs not be tried in smaller parts
    asio::awaitable<bool> try_part(std::vector<std::size_t> places, std::size_t size, bool must)
    {
        for (std::size_t begin = 0; begin != places.size(); begin += size) {
            std::vector<Item> part{
                std::move_iterator{line_.begin() + static_cast<std::ptrdiff_t>(begin)},
                std::move_iterator{line_.begin() + static_cast<std::ptrdiff_t>(begin + size)}};
            std::optional<refusal> refused;
            std::vector<answer> done;
            try {
                done = co_await carry_out_(std::move(part));
            } catch (const refusal& why) {
                refused = why;
            } catch (const system_error& error) {
                if (!is_about_a_token(error.code()))
                    throw;
                refused = refusal_of(error);
            }
            if (refused && must)
                throw *refused;
            if (refused && size > 1)
                co_return false;
            if (refused)
                done.push_back(answer_of(*refused));
            for (std::size_t i = 0; i != size; ++i)
                answers_[places[begin + i]] = std::move(done[i]);
        }
        co_return true;
    }

    reader read_;
    call carry_out_;
    std::vector<Item> line_;
    std::vector<answer> answers_;
};

template<class Result>
asio::awaitable<std::vector<answer>> describe_each(asio::awaitable<std::vector<result<Result>>> call,
                                                   answer (*describe)(const result<Result>&))
{
    const auto results = co_await std::move(call);
    std::vector<answer> answers;
    for (const auto& each : results)
        answers.push_back(describe(each));
    co_return answers;
}

/// Reads jobs from a body, has the job taker do something with them, and tells of each what became of it.
template<class Item, class Call, class Result>
asio::awaitable<answer> do_with_each(std::string_view body, std::size_t most,
                                     for_each_job<Item> (*read)(std::string_view, std::size_t), Call call,
                                     answer (*describe)(const result<Result>&))
{
    each_job<Item> all{
        [=] { return read(body, most); },
        [=](std::vector<Item> jobs) { return describe_each(call(std::move(jobs)), describe); }};
    co_return co_await all.run();
}

} // namespace

job_taker make_taker(const client& redis, const gateway_options& options)
{
    return job_taker{redis, taker_options(options)};
}

asio::awaitable<answer> api::take(const routed& where)
{
    auto wanted = read_take(where.request.body, where.queue.kind());
    const auto worker = wanted.worker;
    const auto& queue = where.queue;
    std::vector<taken_job> jobs;
    try {
        jobs = co_await taker_.async_take(queue, std::move(wanted), awaited);
    } catch (const system_error& error) {
        if (error.code() == errc::invalid_option || error.code() == errc::not_serializable)
            throw refusal_of(error);
        throw;
    }
    answer result{.body = describe_taken(jobs, queue)};
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
        co_await taker_.async_acknowledge(std::move(queue), std::move(jobs), awaited);
    } catch (const system_error&) { // their leases end
    }
}

asio::awaitable<answer> api::renew(const routed& where)
{
    const auto call = [this, queue = where.queue](std::vector<std::string> tokens) {
        return taker_.async_renew(queue, text_list{tokens}, awaited);
    };
    return do_with_each(where.request.body, options_.jobs_per_request, read_tokens, call, describe_renewal);
}

asio::awaitable<answer> api::tell_progress(const routed& where)
{
    const auto call = [this, queue = where.queue](std::vector<told_progress> told) {
        return taker_.async_tell_progress(queue, std::move(told), awaited);
    };
    return do_with_each(where.request.body, options_.jobs_per_request, read_progress_of_jobs, call,
                        describe_told);
}

asio::awaitable<answer> api::tell_log(const routed& where)
{
    const auto call = [this, queue = where.queue](std::vector<told_log> told) {
        return taker_.async_log(queue, std::move(told), awaited);
    };
    return do_with_each(where.request.body, options_.jobs_per_request, read_logs_of_jobs, call,
                        describe_told);
}

asio::awaitable<answer> api::save_checkpoints(const routed& where)
{
    const auto call = [this, queue = where.queue](std::vector<saved_checkpoint> told) {
        return taker_.async_save(queue, std::move(told), awaited);
    };
    return do_with_each(where.request.body, options_.jobs_per_request, read_checkpoints_of_jobs, call,
                        describe_saved);
}

asio::awaitable<answer> api::store_steps(const routed& where)
{
    const auto call = [this, queue = where.queue](std::vector<done_step> steps) {
        return taker_.async_store_steps(queue, std::move(steps), awaited);
    };
    return do_with_each(where.request.body, options_.jobs_per_request, read_steps_of_jobs, call,
                        describe_step);
}

asio::awaitable<answer> api::acknowledge(const routed& where)
{
    const effect_rules rules{where.queue.kind(), options_.types,
                             [this](const text_list& words) { check_effect_keys(words, options_); }};
    const auto& queue = where.queue;
    each_job<told_end> all{
        [&] { return read_ended_jobs(where.request.body, rules, options_.jobs_per_request); },
        [this, queue](std::vector<told_end> told) { return end_each(queue, std::move(told)); }};
    try {
        co_return co_await all.run();
    } catch (const system_error& error) {
        if (error.code() != errc::not_supported)
            throw;
        throw refusal_of(error);
    }
}

asio::awaitable<std::vector<answer>> api::end_each(queue_ref queue, std::vector<told_end> told)
{
    std::vector<ended_job> ended;
    std::vector<std::vector<std::string>> pushed;
    for (auto& each : told) {
        if (!each.effects.empty())
            co_await effects_.add(each.job.effects, std::move(each.effects));
        pushed.push_back(ids_pushed_by(each.job.effects));
        ended.push_back(std::move(each.job));
    }
    const auto results = co_await taker_.async_acknowledge(std::move(queue), std::move(ended), awaited);
    std::vector<answer> answers;
    for (std::size_t i = 0; i != results.size(); ++i)
        answers.push_back(describe_acknowledgement(results[i], pushed[i]));
    co_return answers;
}

} // namespace coworker::detail
