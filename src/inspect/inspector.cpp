// SPDX-License-Identifier: MIT
#include "coworker/inspector.hpp"

#include "inspect/findings.hpp"
#include "inspect/history.hpp"
#include "inspect/jobs.hpp"
#include "inspect/queue_notices.hpp"
#include "inspect/queues.hpp"
#include "inspect/removal.hpp"
#include "inspect/server_look.hpp"
#include "inspect/workers.hpp"
#include "managed/checks.hpp"
#include "operation.hpp"
#include "redis/server_time.hpp"

#include <algorithm>

/// The calls check what they are given, and begin; the coroutines own what they need.
namespace coworker {

namespace {

/// Of managed queues, where an empty name stands for all of them.
void check_queue_or_all(const queue_ref& queue)
{
    if (!queue.is_managed() || !queue.name().empty())
        detail::check_queue(queue);
}

void check_id(const std::string& id)
{
    if (id.empty())
        throw explained_error{errc::invalid_job_id, "the id is empty; say which job is meant"};
}

void check_for_list(const queue_ref& queue, job_state state)
{
    if (state == job_state::failed || state == job_state::complete)
        check_queue_or_all(queue);
    else
        detail::check_queue(queue);
}

} // namespace

inspector::inspector(const client& redis, inspector_options options)
    : state_{std::make_shared<detail::inspection>()}
{
    state_->redis = detail::connection_of(redis).shared_from_this();
    state_->managed.prefix = options.managed_prefix;
    detail::check_options(state_->managed);
}

asio::any_io_executor inspector::get_executor() const
{
    return state_->redis->get_executor();
}

asio::awaitable<queue_page> inspector::queues(queue_kind kind, std::string cursor, std::size_t count) const
{
    return detail::show_queues(state_, kind, std::move(cursor), count);
}

asio::awaitable<std::vector<queue_info>> inspector::named_queues(std::vector<queue_ref> which) const
{
    for (const auto& queue : which)
        detail::check_queue(queue);
    return detail::show_named_queues(state_, std::move(which));
}

asio::awaitable<std::vector<queue_info>> inspector::partitions(queue_ref queue) const
{
    detail::check_queue(queue);
    if (queue.is_managed())
        throw explained_error{errc::invalid_option, "only list queues have partitions"};
    return detail::show_partitions(state_, std::move(queue));
}

asio::awaitable<queue_names> inspector::discover(std::string cursor) const
{
    return detail::discover_list_queues(state_, std::move(cursor));
}

asio::awaitable<bool> inspector::exists(queue_ref queue) const
{
    detail::check_queue(queue);
    return detail::queue_exists(state_, std::move(queue));
}

asio::awaitable<result<queue_info>> inspector::one_queue(queue_ref queue) const
{
    detail::check_queue(queue);
    return detail::show_queue(state_, std::move(queue));
}

asio::awaitable<queue_history> inspector::history(queue_ref queue, std::chrono::minutes span) const
{
    detail::check_queue(queue);
    return detail::show_history(state_, std::move(queue), span);
}

asio::awaitable<queue_history> inspector::histories(std::vector<queue_ref> queues,
                                                    std::chrono::minutes span) const
{
    for (const auto& queue : queues)
        detail::check_queue(queue);
    return detail::show_total_history(state_, std::move(queues), span);
}

asio::awaitable<server_info> inspector::server() const
{
    return detail::show_server(state_);
}

asio::awaitable<void> inspector::pause(queue_ref queue, bool paused, bool delays) const
{
    detail::check_queue(queue);
    return detail::set_paused(state_, std::move(queue), paused, delays);
}

asio::awaitable<void> inspector::set_notices(queue_ref queue, bool wanted) const
{
    detail::check_queue(queue);
    return detail::set_notices(state_, std::move(queue), wanted);
}

asio::awaitable<std::size_t> inspector::watch_notices(std::vector<queue_ref> queues,
                                                      std::chrono::milliseconds patience) const
{
    for (const auto& queue : queues)
        detail::check_queue(queue);
    return detail::watch_notices(state_, std::move(queues), patience);
}

asio::awaitable<worker_list> inspector::workers(std::optional<queue_kind> kind) const
{
    return detail::show_workers(state_, kind);
}

asio::awaitable<timestamp> inspector::time() const
{
    return [](detail::shared_inspection self) -> asio::awaitable<timestamp> {
        co_return co_await detail::server_time(*self->redis);
    }(state_);
}

asio::awaitable<purge_result> inspector::purge(queue_ref queue, job_state state) const
{
    detail::check_queue(queue);
    detail::check_purged_state(queue, state);
    return detail::purge_queue(state_, std::move(queue), state);
}

asio::awaitable<result<void>> inspector::remove_queue(queue_ref queue, queue_deletion how) const
{
    detail::check_queue(queue);
    return detail::delete_queue(state_, std::move(queue), how);
}

asio::awaitable<job_page> inspector::jobs(queue_ref queue, job_state state, std::string cursor,
                                          std::size_t count) const
{
    check_for_list(queue, state);
    if (queue.is_managed())
        return detail::show_managed_jobs(state_, queue.name(), state, std::move(cursor), count);
    return detail::show_divided_jobs(state_, queue.name(), state, std::move(cursor), count);
}

asio::awaitable<result<job_info>> inspector::job(queue_ref queue, std::string id) const
{
    check_queue_or_all(queue);
    check_id(id);
    if (queue.is_managed())
        return detail::find_managed_job(state_, queue.name(), std::move(id));
    return detail::find_list_job(state_, queue.name(), std::move(id));
}

asio::awaitable<job_page> inspector::find(queue_ref queue, job_filter which, std::string cursor,
                                          std::size_t limit) const
{
    check_for_list(queue, which.state);
    if (queue.is_managed())
        return detail::find_managed_jobs(state_, queue.name(), std::move(which), std::move(cursor), limit,
                                         std::min<std::size_t>(limit, 100));
    return detail::find_divided_jobs(state_, queue.name(), std::move(which), std::move(cursor), limit);
}

asio::awaitable<failure_page> inspector::failures(queue_ref queue, std::string cursor,
                                                  std::size_t limit) const
{
    check_queue_or_all(queue);
    return detail::show_failures(state_, std::move(queue), std::move(cursor), limit);
}

asio::awaitable<job_page> inspector::batch_jobs(std::string id, std::string cursor, std::size_t count) const
{
    detail::check_batch_id(id);
    if (!std::ranges::all_of(cursor, [](char digit) { return digit >= '0' && digit <= '9'; }))
        throw explained_error{errc::invalid_option, "the cursor is not one that was returned"};
    return detail::show_batch_jobs(state_, std::move(id), std::move(cursor), count);
}

asio::awaitable<failure_page> inspector::failure_groups(std::string cursor, std::size_t count) const
{
    return detail::show_failure_groups(state_, std::move(cursor), count);
}

asio::awaitable<std::vector<action_result>> inspector::act_on_keys(job_action action, queue_ref queue,
                                                                   text_list keys) const
{
    check_queue_or_all(queue);
    std::vector<std::string> names(keys.begin(), keys.end());
    if (queue.is_managed())
        return detail::act_on_managed_ids(state_, action, std::move(names));
    return detail::act_on_divided_keys(state_, action, queue.name(), std::move(names));
}

asio::awaitable<bulk_result> inspector::act_on_some(job_action action, queue_ref queue, job_filter which,
                                                    std::string cursor, std::size_t limit) const
{
    check_for_list(queue, which.state);
    return detail::act_on_some_jobs(state_, action, std::move(queue), std::move(which), std::move(cursor),
                                    limit);
}

asio::awaitable<std::size_t> inspector::act_on_all(job_action action, queue_ref queue, job_filter which) const
{
    check_for_list(queue, which.state);
    return detail::act_on_all_jobs(state_, action, std::move(queue), std::move(which));
}

asio::awaitable<schedule_page> inspector::schedules(queue_ref queue, std::string cursor,
                                                    std::size_t count) const
{
    detail::check_queue(queue);
    if (!queue.is_managed())
        throw explained_error{errc::invalid_option, "only managed queues have recurring jobs"};
    return detail::show_schedules(state_, queue.name(), std::move(cursor), count);
}

asio::awaitable<result<schedule_info>> inspector::schedule(std::string id) const
{
    check_id(id);
    return detail::find_schedule(state_, std::move(id));
}

asio::awaitable<std::vector<std::string>> inspector::tags(std::size_t offset, std::size_t count) const
{
    return detail::show_tags(state_, offset, count);
}

asio::awaitable<managed_statistics> inspector::statistics(queue_ref queue, std::optional<timestamp> day) const
{
    detail::check_queue(queue);
    if (!queue.is_managed())
        throw explained_error{errc::invalid_option, "only managed queues keep statistics by day"};
    return detail::show_statistics(state_, queue.name(), day);
}

asio::awaitable<finding_page> inspector::check(queue_ref queue, std::string cursor, bool repair,
                                               std::size_t count) const
{
    check_queue_or_all(queue);
    auto name = queue.is_managed() ? std::string{} : queue.name();
    return detail::show_findings(state_, std::move(name), std::move(cursor), repair, count);
}

template struct detail::operation<purge_result>;
template struct detail::operation<timestamp>;
template struct detail::operation<queue_page>;
template struct detail::operation<std::vector<queue_info>>;
template struct detail::operation<queue_names>;
template struct detail::operation<result<queue_info>>;
template struct detail::operation<worker_list>;
template struct detail::operation<queue_history>;
template struct detail::operation<server_info>;
template struct detail::operation<job_page>;
template struct detail::operation<result<job_info>>;
template struct detail::operation<failure_page>;
template struct detail::operation<std::vector<action_result>>;
template struct detail::operation<bulk_result>;
template struct detail::operation<schedule_page>;
template struct detail::operation<result<schedule_info>>;
template struct detail::operation<finding_page>;

} // namespace coworker
