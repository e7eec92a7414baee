// SPDX-License-Identifier: MIT
#include "list/list_queue/list_queue_state.hpp"

#include "list/sizes.hpp"

/// What can be seen of a list queue as a whole, and done to it.
namespace coworker {

using namespace detail;
using boost::redis::request;

asio::awaitable<list_queue_sizes> raw_list_queue::state::sizes(shared self)
{
    std::vector<std::string> name{self->name};
    survey here{*self->redis, survey::absence::is_waited_for};
    const auto sizes = co_await look_at_sizes(here, std::move(name));
    co_return sizes.front().value();
}

asio::awaitable<void> raw_list_queue::state::pause(shared self)
{
    request set;
    set.push("SET", self->keys.paused, 1);
    co_await ask(*self->redis, set);
}

asio::awaitable<void> raw_list_queue::state::resume(shared self)
{
    request remove;
    remove.push("DEL", self->keys.paused);
    co_await ask(*self->redis, remove);
}

asio::awaitable<void> raw_list_queue::state::destroy(shared self)
{
    const auto& keys = self->keys;
    request remove;
    remove.push("UNLINK", keys.jobs, keys.progress, keys.broken, keys.failed, keys.scheduled, keys.attempts,
                keys.duplicates, keys.failures, keys.paused, keys.counters, keys.workers, keys.gone,
                keys.monitor, keys.ids, keys.ready, keys.shared, keys.found, keys.reasons, keys.history,
                keys.cancelled, keys.remote, keys.purged, keys.plans, keys.schedules);
    self->told->is_told = self->redis->in_cluster(); // else the next push makes a new one
    co_await ask(*self->redis, remove);
    // On its own: in a cluster that key is in another slot, and what is deleted is deleted. The queue is only shown
    // among the known ones then.
    request forget;
    forget.push("SREM", known_queues_key, self->name);
    reply ignored;
    co_await self->redis->exec_aside(forget, ignored);
}

} // namespace coworker
