// SPDX-License-Identifier: MIT
#include "coworker/list_schedules.hpp"

#include "list/list_queue/list_queue_state.hpp"
#include "list/partitions.hpp"
#include "list/schedules_of_list.hpp"

/// What schedules of list queues push. All else is in src/schedule.
namespace coworker {

using namespace detail;

namespace {

void read_options(std::string_view, schedule_status& into)
{
    into.in_list_queue = true;
}

/// In a cluster, a queue without a hash tag has nothing but its partitions: the first of them has the schedules.
list_keys keys_with_schedules(const connection& redis, const std::string& queue)
{
    return list_keys{redis.in_cluster() && can_be_divided(queue) ? partition_name(queue, 0) : queue};
}

/// Lets the queue be found as soon as it has a schedule: it need not have had jobs.
asio::awaitable<bool> make_known(std::shared_ptr<connection> redis, std::string queue,
                                 asio::awaitable<bool> set)
{
    const bool is_changed = co_await std::move(set);
    if (is_changed) {
        boost::redis::request add;
        add.push("SADD", known_queues_key, queue);
        reply ignored; // not registering the name does no harm; the key may be at another node of a cluster
        co_await redis->exec_aside(add, ignored);
    }
    co_return is_changed;
}

} // namespace

std::shared_ptr<const schedule_place> detail::where_schedules_are(std::shared_ptr<connection> redis,
                                                                  const list_keys& keys)
{
    return std::make_shared<const schedule_place>(
        schedule_place{std::move(redis),
                       "list",
                       {keys.plans, keys.schedules},
                       {keys.jobs, keys.scheduled, keys.counters, keys.ready},
                       read_options});
}

list_schedules::list_schedules(const raw_list_queue& queue)
    : schedule_book{where_schedules_are(queue.state_->redis,
                                        keys_with_schedules(*queue.state_->redis, queue.name()))},
      queue_{queue}
{}

asio::awaitable<bool> list_schedules::set_encoded(std::string_view name, const schedule& when,
                                                  std::string job) const
{
    const auto& state = *queue_.state_;
    state.make_stored(job);
    if (job.size() > largest_scheduled_job)
        throw explained_error{errc::job_too_large, "a schedule's job has at most " +
                                                       std::to_string(largest_scheduled_job) + " bytes"};
    return make_known(state.redis, state.name, set(name, when, {state.name, {}, std::move(job), {}}));
}

} // namespace coworker
