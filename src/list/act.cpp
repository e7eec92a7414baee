// SPDX-License-Identifier: MIT
#include "list/list_queue_state.hpp"

#include "limits.hpp"

#include <algorithm>

/// What can be done to the jobs in a list queue.
namespace coworker {

using namespace detail;
using boost::redis::request;

namespace {

result<void> found_or_not(std::int64_t count)
{
    if (count == 0)
        return errc::job_not_found;
    return {};
}

/// How much there is now, by LLEN or HLEN. Not more is moved, or a job that fails again at once would be moved
/// for ever.
asio::awaitable<std::int64_t> count_of(connection& redis, const char* command, const std::string& key)
{
    request count;
    count.push(command, key);
    co_return (co_await ask(redis, count))[0].integer();
}

std::int64_t next_batch(std::int64_t left)
{
    return std::min(left, static_cast<std::int64_t>(max_batch));
}

} // namespace

asio::awaitable<result<void>> raw_list_queue::state::retry_failed(shared self, std::string payload)
{
    const auto& keys = self->keys;
    script_arguments arguments{keys.failed, keys.failures, keys.jobs, keys.attempts, keys.ready};
    arguments.add_number(0);
    arguments.add(payload);
    const reply answer = co_await self->redis->call(find_script("list/retry_failed"), arguments);
    co_return found_or_not(answer.back().integer());
}

asio::awaitable<std::size_t> raw_list_queue::state::retry_all_failed(shared self)
{
    const auto& keys = self->keys;
    auto& redis = *self->redis;
    auto left = co_await count_of(redis, "LLEN", keys.failed);
    std::size_t total = 0;
    for (std::int64_t moved = 1; left > 0 && moved != 0; left -= moved) {
        script_arguments arguments{keys.failed, keys.failures, keys.jobs, keys.attempts, keys.ready};
        arguments.add_number(next_batch(left));
        const reply answer = co_await redis.call(find_script("list/retry_failed"), arguments);
        moved = answer.back().integer();
        total += static_cast<std::size_t>(moved);
    }
    co_return total;
}

asio::awaitable<result<void>> raw_list_queue::state::delete_failed(shared self, std::string payload)
{
    script_arguments arguments{self->keys.failed, self->keys.failures};
    arguments.add(payload);
    const reply answer = co_await self->redis->call(find_script("list/delete_failed"), arguments);
    co_return found_or_not(answer.back().integer());
}

asio::awaitable<std::size_t> raw_list_queue::state::delete_all_failed(shared self)
{
    request remove;
    remove.push("MULTI");
    remove.push("LLEN", self->keys.failed);
    remove.push("UNLINK", self->keys.failed, self->keys.failures);
    remove.push("EXEC");
    const reply answers = co_await ask(*self->redis, remove);
    co_return static_cast<std::size_t>(answers.back().integer(0));
}

asio::awaitable<result<void>> raw_list_queue::state::retry_broken(shared self, std::string payload)
{
    const auto& keys = self->keys;
    script_arguments arguments{keys.broken, keys.jobs, keys.found, keys.reasons, keys.ready};
    arguments.add_number(0);
    arguments.add(payload);
    const reply answer = co_await self->redis->call(find_script("list/retry_broken"), arguments);
    co_return found_or_not(answer.back().integer());
}

asio::awaitable<std::size_t> raw_list_queue::state::retry_all_broken(shared self)
{
    const auto& keys = self->keys;
    auto& redis = *self->redis;
    auto left = co_await count_of(redis, "HLEN", keys.broken);
    std::size_t total = 0;
    for (std::int64_t moved = 1; left > 0 && moved != 0; left -= moved) {
        script_arguments arguments{keys.broken, keys.jobs, keys.found, keys.reasons, keys.ready};
        arguments.add_number(next_batch(left));
        const reply answer = co_await redis.call(find_script("list/retry_broken"), arguments);
        moved = answer.back().integer();
        total += static_cast<std::size_t>(moved);
    }
    co_return total;
}

asio::awaitable<result<void>> raw_list_queue::state::delete_broken(shared self, std::string payload)
{
    const auto& keys = self->keys;
    script_arguments arguments{keys.broken, keys.found, keys.reasons};
    arguments.add(payload);
    const reply answer = co_await self->redis->call(find_script("list/delete_broken"), arguments);
    co_return found_or_not(answer.back().integer());
}

asio::awaitable<std::size_t> raw_list_queue::state::delete_all_broken(shared self)
{
    request remove;
    remove.push("MULTI");
    remove.push("HLEN", self->keys.broken);
    remove.push("UNLINK", self->keys.broken, self->keys.found, self->keys.reasons);
    remove.push("EXEC");
    const reply answers = co_await ask(*self->redis, remove);
    co_return static_cast<std::size_t>(answers.back().integer(0));
}

asio::awaitable<result<void>> raw_list_queue::state::delete_waiting(shared self, std::string payload)
{
    request remove;
    remove.push("LREM", self->keys.jobs, -1, payload);
    co_return found_or_not((co_await ask(*self->redis, remove))[0].integer());
}

asio::awaitable<result<void>> raw_list_queue::state::delete_scheduled(shared self, std::string member)
{
    request remove;
    remove.push("ZREM", self->keys.scheduled, member);
    co_return found_or_not((co_await ask(*self->redis, remove))[0].integer());
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
                keys.twins, keys.failures, keys.paused, keys.counters, keys.workers, keys.gone, keys.monitor,
                keys.ids, keys.ready, keys.shared, keys.found, keys.reasons, keys.history);
    self->told->is_told = false; // the next push makes a new one
    co_await ask(*self->redis, remove);
    // On its own: in a cluster that key is in another slot, and what is deleted is deleted. The queue is only shown
    // among the known ones then.
    request forget;
    forget.push("SREM", known_queues_key, self->name);
    reply ignored;
    co_await self->redis->exec(forget, ignored);
}

} // namespace coworker
