// SPDX-License-Identifier: MIT
#include "bounds.hpp"
#include "inspect/list_jobs.hpp"
#include "inspect/list_key.hpp"
#include "list/keys.hpp"
#include "list/start_time.hpp"

#include <algorithm>

/// What is done to jobs of a list queue, in batches.
namespace coworker::detail {

namespace {

std::string_view word_of(job_action action)
{
    switch (action) {
    case job_action::retry:
        return "retry";
    case job_action::remove:
        return "delete";
    case job_action::run_now:
        return "run";
    case job_action::cancel:
        return "cancel";
    default:
        throw explained_error{
            errc::invalid_option,
            "a running job of a list queue cannot be given back; it can be cancelled, and then retried"};
    }
}

/// Adds jobs from the `begin`th key on to a call, as many as belong in one; returns the first that is not among them.
/// A key that is none is asked for in a state that has no jobs.
std::size_t add_batch(const std::vector<std::string>& keys, std::size_t begin, script_arguments& arguments)
{
    std::size_t bytes = 0, i = begin;
    for (; i != keys.size() && i - begin < max_batch && (i == begin || bytes < max_batch_bytes); ++i) {
        const auto parts = split_list_key(keys[i]);
        arguments.add(parts ? to_string(parts->state) : "waiting");
        arguments.add(parts ? parts->payload : std::string_view{});
        bytes += keys[i].size();
    }
    return i;
}

action_result to_result(std::int64_t answer)
{
    return answer == 1   ? action_result::done
           : answer == 0 ? action_result::not_found
                         : action_result::refused;
}

} // namespace

asio::awaitable<std::vector<action_result>> act_on_list_keys(shared_inspection self, job_action action,
                                                             std::string queue, std::vector<std::string> keys)
{
    const auto word = word_of(action);
    const list_keys in{queue};
    std::vector<action_result> results;
    for (std::size_t begin = 0; begin != keys.size();) {
        script_arguments arguments{in.jobs,   in.scheduled, in.failed,   in.failures,   in.broken,
                                   in.found,  in.reasons,   in.attempts, in.ready,      in.progress,
                                   in.shared, in.cancelled, in.workers,  in.duplicates, in.counters};
        arguments.add(word);
        const auto end = add_batch(keys, begin, arguments);
        const reply answers = co_await self->redis->call(find_script("list/act"), arguments);
        const auto answer = answers.back();
        if (answer.size() == 0 || answer.size() > end - begin)
            throw_unexpected_answer("not as many results as there were jobs");
        for (std::size_t i = 0; i != answer.size(); ++i)
            results.push_back(to_result(answer.integer(i)));
        begin += answer.size(); // a call that takes long leaves the rest to the next one
    }
    co_return results;
}

asio::awaitable<bulk_result> act_on_list_jobs(shared_inspection self, job_action action, std::string queue,
                                              job_filter which, std::string cursor, std::size_t limit)
{
    const auto word = word_of(action);
    const reply answers = co_await search_list(self, word, std::move(queue), std::move(which),
                                               std::move(cursor), limit, max_batch);
    const auto answer = answers.back();
    bulk_result result;
    result.next = answer[0];
    for (std::size_t i = 1; i != answer.size(); ++i)
        result.ids.emplace_back(answer[i]);
    co_return result;
}

asio::awaitable<failure_page> count_list_failures(shared_inspection self, std::string queue,
                                                  std::string cursor, std::size_t limit)
{
    job_filter which;
    const reply answers = co_await search_list(self, "count", std::move(queue), std::move(which),
                                               std::move(cursor), limit, limit);
    const auto answer = answers.back();
    failure_page page;
    page.next = answer[0];
    constexpr std::size_t words = 4;
    for (std::size_t i = 1; i + words <= answer.size(); i += words) {
        auto& group = page.groups.emplace_back();
        group.message = answer[i];
        group.count = static_cast<std::uint64_t>(answer.integer(i + 1));
        const auto record = answer[i + 2];
        if (const auto time = parse_start_time(record.substr(0, record.find(' '))))
            group.newest_at = time->started;
        group.newest_id = answer[i + 3];
    }
    co_return page;
}

} // namespace coworker::detail
