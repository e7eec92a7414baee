// SPDX-License-Identifier: MIT
#include "list/partitions.hpp"

#include "redis/cluster/key_slot.hpp"
#include "redis/script.hpp"

#include <algorithm>

namespace coworker::detail {

bool can_be_divided(std::string_view queue) noexcept
{
    constexpr std::size_t longest = 500; // with the number, the name is one of a list queue
    return queue.size() <= longest && queue.find_first_of("{}") == queue.npos;
}

std::string partition_name(const std::string& queue, unsigned index)
{
    return '{' + queue + ':' + std::to_string(index) + '}';
}

unsigned partition_of(std::string_view key, unsigned partitions) noexcept
{
    return slot_of(key) % partitions;
}

std::string partitions_key(const std::string& queue)
{
    return "hworker-partitions-" + queue;
}

asio::awaitable<unsigned> divide(connection& redis, const std::string& queue, unsigned asked)
{
    const auto key = partitions_key(queue);
    script_arguments arguments{key};
    arguments.add_number(asked);
    const reply answers = co_await redis.call(find_script("list/divide"), arguments);
    const auto found = static_cast<unsigned>(answers.back().integer());
    if (found > asked)
        redis.warn_once("list queue '" + queue + "' has " + std::to_string(found) +
                        " partitions in Redis, and this program asks for " + std::to_string(asked) + ": " +
                        std::to_string(found) + " are used");
    co_return found;
}

partition_watch::partition_watch(std::shared_ptr<connection> redis, std::string queue, unsigned asked,
                                 unsigned known)
    : redis_{std::move(redis)}, queue_{std::move(queue)}, asked_{asked}, known_{known},
      watch_{redis_->watches(), redis_->get_executor(), {partitions_key(queue_)}}
{}

asio::awaitable<unsigned> partition_watch::read()
{
    const auto key = partitions_key(queue_);
    const reply answers =
        co_await redis_->call_tracked(find_script("list/partitions"), script_arguments{key});
    co_return static_cast<unsigned>(answers.back().integer());
}

asio::awaitable<std::pair<unsigned, unsigned>> partition_watch::wait()
{
    if (asked_ > known_)
        co_await divide(*redis_, queue_, asked_);
    for (;;) {
        watch_.arm();
        const auto found = co_await read();
        if (found > known_)
            co_return std::pair{std::exchange(known_, found), found};
        co_await watch_.wait_until(polls_.next(*redis_, redis_->options().poll_interval));
    }
}

} // namespace coworker::detail
