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
asio::awaitable<std::int64_t> count_of(client& redis, const char* command, const std::string& key)
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

asio::awaitable<result<void>> raw_list_queue::retry_failed(std::string payload)
{
    const auto& keys = state_->keys;
    script_arguments arguments{keys.failed, keys.failures, keys.jobs, keys.ready};
    arguments.add_number(0);
    arguments.add(payload);
    const reply answer = co_await session_->client().call(find_script("list/retry_failed"), arguments);
    co_return found_or_not(answer.back().integer());
}

asio::awaitable<std::size_t> raw_list_queue::retry_all_failed()
{
    const auto& keys = state_->keys;
    auto& redis = session_->client();
    auto left = co_await count_of(redis, "LLEN", keys.failed);
    std::size_t total = 0;
    for (std::int64_t moved = 1; left > 0 && moved != 0; left -= moved) {
        script_arguments arguments{keys.failed, keys.failures, keys.jobs, keys.ready};
        arguments.add_number(next_batch(left));
        const reply answer = co_await redis.call(find_script("list/retry_failed"), arguments);
        moved = answer.back().integer();
        total += static_cast<std::size_t>(moved);
    }
    co_return total;
}

asio::awaitable<result<void>> raw_list_queue::delete_failed(std::string payload)
{
    script_arguments arguments{state_->keys.failed, state_->keys.failures};
    arguments.add(payload);
    const reply answer = co_await session_->client().call(find_script("list/delete_failed"), arguments);
    co_return found_or_not(answer.back().integer());
}

asio::awaitable<std::size_t> raw_list_queue::delete_all_failed()
{
    request remove;
    remove.push("MULTI");
    remove.push("LLEN", state_->keys.failed);
    remove.push("UNLINK", state_->keys.failed, state_->keys.failures);
    remove.push("EXEC");
    const reply answers = co_await ask(session_->client(), remove);
    co_return static_cast<std::size_t>(answers.back().integer(0));
}

asio::awaitable<result<void>> raw_list_queue::retry_broken(std::string payload)
{
    script_arguments arguments{state_->keys.broken, state_->keys.jobs, state_->keys.ready};
    arguments.add_number(0);
    arguments.add(payload);
    const reply answer = co_await session_->client().call(find_script("list/retry_broken"), arguments);
    co_return found_or_not(answer.back().integer());
}

asio::awaitable<std::size_t> raw_list_queue::retry_all_broken()
{
    const auto& keys = state_->keys;
    auto& redis = session_->client();
    auto left = co_await count_of(redis, "HLEN", keys.broken);
    std::size_t total = 0;
    for (std::int64_t moved = 1; left > 0 && moved != 0; left -= moved) {
        script_arguments arguments{keys.broken, keys.jobs, keys.ready};
        arguments.add_number(next_batch(left));
        const reply answer = co_await redis.call(find_script("list/retry_broken"), arguments);
        moved = answer.back().integer();
        total += static_cast<std::size_t>(moved);
    }
    co_return total;
}

asio::awaitable<result<void>> raw_list_queue::delete_broken(std::string payload)
{
    request remove;
    remove.push("HDEL", state_->keys.broken, payload);
    co_return found_or_not((co_await ask(session_->client(), remove))[0].integer());
}

asio::awaitable<std::size_t> raw_list_queue::delete_all_broken()
{
    request remove;
    remove.push("MULTI");
    remove.push("HLEN", state_->keys.broken);
    remove.push("UNLINK", state_->keys.broken);
    remove.push("EXEC");
    const reply answers = co_await ask(session_->client(), remove);
    co_return static_cast<std::size_t>(answers.back().integer(0));
}

asio::awaitable<result<void>> raw_list_queue::delete_waiting(std::string payload)
{
    request remove;
    remove.push("LREM", state_->keys.jobs, -1, payload);
    co_return found_or_not((co_await ask(session_->client(), remove))[0].integer());
}

asio::awaitable<result<void>> raw_list_queue::delete_scheduled(std::string member)
{
    request remove;
    remove.push("ZREM", state_->keys.scheduled, member);
    co_return found_or_not((co_await ask(session_->client(), remove))[0].integer());
}

asio::awaitable<void> raw_list_queue::pause()
{
    request set;
    set.push("SET", state_->keys.paused, 1);
    co_await ask(session_->client(), set);
}

asio::awaitable<void> raw_list_queue::resume()
{
    request remove;
    remove.push("DEL", state_->keys.paused);
    co_await ask(session_->client(), remove);
}

asio::awaitable<void> raw_list_queue::destroy()
{
    const auto& keys = state_->keys;
    request remove;
    remove.push("UNLINK", keys.jobs, keys.progress, keys.broken, keys.failed, keys.scheduled, keys.attempts,
                keys.twins, keys.failures, keys.paused, keys.counters, keys.workers, keys.gone, keys.monitor,
                keys.ids, keys.ready);
    remove.push("SREM", known_queues_key, name_);
    state_->is_known = false; // the next push makes a new one
    co_await ask(session_->client(), remove);
}

} // namespace coworker
