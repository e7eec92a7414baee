// SPDX-License-Identifier: MIT
#include "inspect/managed_jobs.hpp"

#include "bounds.hpp"
#include "managed/managed_call.hpp"
#include "managed/read_look.hpp"
#include "text/bounded_time.hpp"

#include <algorithm>

/// What is done to jobs of managed queues, in batches, and finding them.
namespace coworker::detail {

namespace {

std::string_view managed_word(job_action action) noexcept
{
    switch (action) {
    case job_action::retry:
        return "retry";
    case job_action::remove:
    case job_action::cancel:
        return "delete";
    case job_action::run_now:
        return "run";
    default:
        return "release";
    }
}

action_result managed_result(std::int64_t answer) noexcept
{
    switch (answer) {
    case 1:
        return action_result::done;
    case 0:
        return action_result::refused;
    case -2:
        return action_result::depended_on;
    default:
        return action_result::not_found;
    }
}

/// As scripts take times; empty: none.
std::string seconds_text(const std::optional<timestamp>& when)
{
    if (!when)
        return {};
    const auto since_epoch = when->time_since_epoch();
    const auto whole = std::chrono::floor<std::chrono::seconds>(since_epoch);
    const auto micros = std::chrono::floor<std::chrono::microseconds>(since_epoch - whole).count();
    const auto fraction = std::to_string(1'000'000 + micros).substr(1);
    return std::to_string(whole.count()) + '.' + fraction;
}

/// Calls managed/search.
asio::awaitable<reply> search_managed(shared_inspection self, std::string_view action, std::string queue,
                                      job_filter which, std::string cursor, std::size_t limit,
                                      std::size_t most, std::optional<timestamp> there = {})
{
    if (which.state == job_state::broken)
        throw explained_error{errc::invalid_option, "managed queues have no broken jobs"};
    managed_call call{self->prefix(), "search"};
    call.add(self->redis->name()).add(action).add(to_string(which.state)).add(cursor);
    call.add_number(std::clamp<std::size_t>(limit, 1, 1000)).add_number(most);
    const auto add = [&](std::string_view name, std::string_view value) {
        if (!value.empty())
            call.add(name).add(value);
    };
    add("queue", queue);
    add("group", which.group);
    add("text", which.contains);
    add("tag", which.tag);
    add("message", which.message);
    add("holder", which.worker);
    add("klass", which.kind);
    add("batch", which.batch);
    add("since", seconds_text(which.since));
    add("until", seconds_text(which.until));
    add("there", seconds_text(there));
    for (const auto& id : which.ids)
        call.add("jid").add(id);
    co_return co_await call_managed(*self->redis, std::move(call));
}

std::vector<std::string> ids_from(std::size_t begin, const reply::answer& answer)
{
    std::vector<std::string> ids;
    for (std::size_t i = begin; i != answer.size(); ++i)
        ids.emplace_back(answer[i]);
    return ids;
}

bulk_result read_bulk_result(const reply::answer& answer)
{
    bulk_result result;
    result.next = answer[0];
    result.refused = static_cast<std::size_t>(answer.integer(1));
    result.ids = ids_from(2, answer);
    return result;
}

} // namespace

asio::awaitable<job_page> find_managed_jobs(shared_inspection self, std::string queue, job_filter which,
                                            std::string cursor, std::size_t limit, std::size_t most)
{
    const auto state = which.state;
    const reply answers = co_await search_managed(self, "show", std::move(queue), std::move(which),
                                                  std::move(cursor), limit, most);
    job_page page;
    page.next = answers.back()[0];
    page.jobs = co_await read_managed_jobs(self, ids_from(1, answers.back()), state);
    co_return page;
}

asio::awaitable<bulk_result> act_on_managed_jobs(shared_inspection self, job_action action, std::string queue,
                                                 job_filter which, std::string cursor, std::size_t limit)
{
    const reply answers = co_await search_managed(self, managed_word(action), std::move(queue),
                                                  std::move(which), std::move(cursor), limit, max_batch);
    co_return read_bulk_result(answers.back());
}

asio::awaitable<bulk_result> delete_managed_jobs(shared_inspection self, std::string queue, job_filter which,
                                                 std::string cursor, std::size_t limit, timestamp there)
{
    const reply answers = co_await search_managed(self, "delete", std::move(queue), std::move(which),
                                                  std::move(cursor), limit, max_batch, there);
    co_return read_bulk_result(answers.back());
}

asio::awaitable<failure_page> count_managed_failures(shared_inspection self, std::string queue,
                                                     std::string cursor, std::size_t limit)
{
    job_filter which;
    const reply answers = co_await search_managed(self, "count", std::move(queue), std::move(which),
                                                  std::move(cursor), limit, limit);
    const auto answer = answers.back();
    failure_page page;
    page.next = answer[0];
    constexpr std::size_t words = 5;
    for (std::size_t i = 1; i + words <= answer.size(); i += words) {
        auto& group = page.groups.emplace_back();
        group.group = answer[i];
        group.message = answer[i + 1];
        group.count = static_cast<std::uint64_t>(answer.integer(i + 2));
        if (const auto seconds = answer.integer(i + 3); seconds > 0)
            group.newest_at = bounded_time(seconds);
        group.newest_id = answer[i + 4];
    }
    co_return page;
}

asio::awaitable<failure_page> show_failure_groups(shared_inspection self, std::string cursor,
                                                  std::size_t count)
{
    const reply answers = co_await call_managed(*self->redis, managed_call{self->prefix(), "failed"});
    const auto counts = read_failed_groups(answers.back().text());
    failure_page page;
    auto each = counts.upper_bound(cursor); // which is the name of the last group of the page before
    for (; each != counts.end() && page.groups.size() < std::max<std::size_t>(count, 1); ++each) {
        auto& group = page.groups.emplace_back();
        group.group = each->first;
        group.count = each->second;
    }
    if (each != counts.end())
        page.next = page.groups.back().group;
    co_return page;
}

asio::awaitable<std::vector<action_result>> act_on_managed_ids(shared_inspection self, job_action action,
                                                               std::vector<std::string> ids)
{
    std::vector<action_result> results;
    for (std::size_t begin = 0; begin != ids.size();) {
        managed_call call{self->prefix(), "act"};
        call.add(self->redis->name()).add(managed_word(action));
        const auto end = std::min(ids.size(), begin + max_batch);
        for (auto i = begin; i != end; ++i)
            call.add(ids[i]);
        const reply answers = co_await call_managed(*self->redis, std::move(call));
        const auto answer = answers.back();
        if (answer.size() == 0 || answer.size() > end - begin)
            throw_unexpected_answer("not as many results as there were jobs");
        for (std::size_t i = 0; i != answer.size(); ++i)
            results.push_back(managed_result(answer.integer(i)));
        begin += answer.size(); // a call that takes long leaves the rest to the next one
    }
    co_return results;
}

} // namespace coworker::detail
