// SPDX-License-Identifier: MIT
#include "bounds.hpp"
#include "coworker/managed_queue.hpp"
#include "gateway/api.hpp"
#include "gateway/page.hpp"
#include "gateway/wanted_durability.hpp"
#include "text/json_object.hpp"
#include "json/error_sentence.hpp"
#include "json/managed_submission.hpp"
#include "json/push_usable.hpp"

#include <algorithm>
#include <optional>

/// POST to a managed queue
namespace coworker::detail {
namespace {

answer problem_of_push(const system_error& error);

answer describe(const push_result& result, bool is_confirmed)
{
    if (result.error == errc::not_unique)
        return problem(409, "The job '" + result.id + "' has the unique key of this one.");
    if (result.error)
        return problem_of_push({result.error, result.refusal});
    json_object out;
    out.text("id", result.id)
        .text("result", result.pushed     ? "pushed"
                        : result.replaced ? "replaced"
                                          : "kept");
    return pushed_answer(std::move(out), result, is_confirmed);
}

/// What is wrong with a job that the queue refuses to push, or what Redis does.
answer problem_of_push(const system_error& error)
{
    if (error.code() != errc::job_too_large && is_about_a_job(error.code()))
        return problem(400, sentence_of(error));
    if (error.code() == errc::batch_not_found || error.code() == errc::batch_ended)
        return problem(409, sentence_of(error));
    if (error.code() == errc::not_supported)
        return durability_refused(error);
    return problem_of(error);
}

} // namespace

asio::awaitable<answer> api::push_to_managed(const routed& where)
{
    const auto wanted = wanted_durability(where, options_.confirmation_limit);
    auto all = read_managed_submissions(where.request.body, options_.jobs_per_request);
    // Of any size: `body_limit` is what bounds jobs here.
    const bool is_confirmed = wanted != durability::memory();
    managed_queue queue{redis_, where.queue.name(), {.prefix = options_.managed_prefix, .max_job_size = 0}};
    if (is_confirmed)
        queue = queue.with(wanted);
    std::optional<timestamp> now;
    bool is_away = false;
    std::vector<answer> answers(all.items.size());
    for (std::size_t begin = 0; begin < all.items.size(); begin += max_batch) {
        // In parts, so that those queued before an error are told apart from the others.
        std::vector<new_managed_job> part;
        std::vector<std::size_t> places;
        for (auto i = begin; i != std::min(begin + max_batch, all.items.size()); ++i) {
            if (const auto* const refused = std::get_if<refusal>(&all.items[i])) {
                answers[i] = answer_of(*refused);
                continue;
            }
            auto& item = std::get<managed_submission>(all.items[i]);
            if (item.run_at) {
                if (!now)
                    now = co_await inspector_.async_server_time(awaited);
                set_delay(item, *now);
            }
            part.push_back(std::move(item.job));
            places.push_back(i);
        }
        if (is_away) { // each would wait as long for the same
            for (const auto place : places)
                answers[place] = problem_of(system_error{errc::unavailable});
            continue;
        }
        const auto tried = co_await push_usable(queue, part);
        for (std::size_t i = 0; i != places.size(); ++i) {
            const auto* const result = std::get_if<push_result>(&tried[i]);
            answers[places[i]] = result != nullptr ? describe(*result, is_confirmed)
                                                   : problem_of_push(std::get<system_error>(tried[i]));
            is_away = is_away || answers[places[i]].status == 503;
        }
    }
    co_return all.is_array ? combine(answers) : answers.front();
}

} // namespace coworker::detail
