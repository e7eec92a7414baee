// SPDX-License-Identifier: MIT
#include "gateway/api.hpp"

#include "bounds.hpp"
#include "gateway/page.hpp"
#include "gateway/wanted_durability.hpp"
#include "text/json_object.hpp"
#include "json/list_submission.hpp"

#include <boost/asio/error.hpp>

#include <algorithm>
#include <iterator>

/// POST /jobber/queue, and to a list queue
namespace coworker::detail {
namespace {

/// The jobs of one request that go into one queue, and where they stand in the request.
struct queue_batch
{
    std::vector<raw_push> jobs;
    std::vector<std::size_t> places;
};

/// @param remember  how long ids are remembered that clients gave
std::map<std::string, queue_batch> sort_by_type(list_submissions& all, std::chrono::milliseconds remember)
{
    std::map<std::string, queue_batch> batches;
    for (std::size_t i = 0; i != all.items.size(); ++i) {
        auto* const item = std::get_if<list_submission>(&all.items[i]);
        if (!item)
            continue;
        auto& batch = batches[item->type];
        auto& job = batch.jobs.emplace_back(std::move(item->what));
        if (job.options.id)
            job.options.unique_for = remember;
        batch.places.push_back(i);
    }
    return batches;
}

answer told_to_jobber(const push_result& done, bool)
{
    if (done.error)
        return problem_of(system_error{done.error});
    return {.status = done.pushed ? 201u : 200u, .body = "{\"job-id\":" + json_string(done.id) + "}\n"};
}

answer told(const push_result& done, bool is_confirmed)
{
    if (done.error)
        return problem_of(system_error{done.error});
    json_object out;
    out.text("id", done.id).text("result", done.pushed ? "pushed" : "kept");
    return pushed_answer(std::move(out), done, is_confirmed);
}

} // namespace

asio::awaitable<answer> api::push(const routed& where)
{
    return push_to_list(where);
}

asio::awaitable<answer> api::push_to_queue(const routed& where)
{
    return where.queue.is_managed() ? push_to_managed(where) : push_to_list(where);
}

/// Where no queue is named, each job has its own.
asio::awaitable<answer> api::push_to_list(const routed& where)
{
    const auto& name = where.queue.name();
    const bool has_queue = !name.empty();
    auto all = read_list_submissions(where.request.body, {options_.types, options_.jobs_per_request, name});
    const auto wanted =
        has_queue ? wanted_durability(where, options_.confirmation_limit) : durability::memory();
    const auto describe = has_queue ? told : told_to_jobber;
    if (!all.is_array)
        co_return co_await push_one(std::get<list_submission>(std::move(all.items.front())), wanted,
                                    describe);
    auto batches = sort_by_type(all, options_.remember_ids);
    std::vector<answer> answers(all.items.size());
    for (std::size_t i = 0; i != all.items.size(); ++i)
        if (const auto* const refused = std::get_if<refusal>(&all.items[i]))
            answers[i] = answer_of(*refused);
    bool is_away = false;
    for (auto& [type, batch] : batches) {
        // In parts, so that those queued before an error are told apart from the others.
        auto job = batch.jobs.begin();
        for (auto place = batch.places.begin(); place != batch.places.end();) {
            const auto size = std::min(static_cast<std::ptrdiff_t>(max_batch), batch.jobs.end() - job);
            std::vector<raw_push> part{std::move_iterator{job}, std::move_iterator{job + size}};
            job += size;
            std::vector<answer> of_part; // not a conditional expression, whose vector g++ 12 frees too early
            if (is_away)
                of_part.assign(part.size(), problem_of(system_error{errc::unavailable}));
            else
                of_part = co_await push_part(type, std::move(part), wanted, describe);
            is_away = is_away || of_part.front().status == 503; // each would wait as long for the same
            for (auto& each : of_part)
                answers[*place++] = std::move(each);
        }
    }
    co_return combine(answers);
}

/// What most requests want: the queue keeps no account of a job without an id, so there is nothing to wait for but Redis.
asio::awaitable<answer> api::push_one(list_submission job, durability wanted, describe_push describe)
{
    auto& how = job.what.options;
    if (how.id || wanted != durability::memory()) {
        if (how.id)
            how.unique_for = options_.remember_ids;
        std::vector<raw_push> only;
        only.push_back(std::move(job.what));
        auto answers = co_await push_part(std::move(job.type), std::move(only), wanted, describe);
        co_return std::move(answers.front());
    }
    try {
        const auto queue = lists_.get(job.type);
        push_result done;
        done.id = co_await queue.async_push_json(std::move(job.what.job), std::move(how), awaited);
        done.pushed = true;
        co_return describe(done, false);
    } catch (const system_error& error) {
        if (error.code() == asio::error::operation_aborted)
            throw;
        co_return problem_of(error);
    }
}

asio::awaitable<std::vector<answer>> api::push_part(std::string type, std::vector<raw_push> jobs,
                                                    durability wanted, describe_push describe)
{
    const auto count = jobs.size();
    std::vector<answer> answers;
    try {
        auto queue = lists_.get(type);
        if (wanted != durability::memory())
            queue = queue.with(wanted);
        const auto results = co_await queue.async_push_each_json(std::move(jobs), awaited);
        for (const auto& result : results)
            answers.push_back(describe(result, wanted != durability::memory()));
    } catch (const system_error& error) {
        if (error.code() == asio::error::operation_aborted)
            throw;
        answers.assign(count,
                       error.code() == errc::not_supported ? durability_refused(error) : problem_of(error));
    }
    co_return answers;
}

} // namespace coworker::detail
