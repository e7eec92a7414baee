// SPDX-License-Identifier: MIT
#include "list/partitions.hpp"

#include "list/list_queue/list_queue_state.hpp"
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

namespace {

unsigned read_partition_count(const reply::answer& answer)
{
    const auto number = answer.integer();
    if (number < 0 || number > most_partitions)
        throw_unexpected_answer("a number of partitions that no queue has");
    return static_cast<unsigned>(number);
}

} // namespace

asio::awaitable<unsigned> count_partitions(connection& redis, const std::string& queue)
{
    const auto key = partitions_key(queue);
    const reply answers = co_await redis.call(find_script("list/partitions"), script_arguments{key});
    co_return read_partition_count(answers.back());
}

namespace {

/// Pauses partitions that are not known yet if the queue is paused, so that nobody takes jobs from them.
asio::awaitable<void> pause_as_it_is(connection& redis, const std::string& queue, unsigned begin,
                                     unsigned end)
{
    const bool is_divided = begin != 0;
    if (!is_divided && redis.in_cluster())
        co_return; // there was no queue
    const auto old = is_divided ? partition_name(queue, 0) : queue;
    boost::redis::request look;
    look.push("EXISTS", list_keys{old}.paused);
    const auto home = redis.for_queue(old);
    const auto is_paused = co_await ask(*home, look);
    if (is_paused.back().integer() == 0)
        co_return;
    for (auto i = begin; i != end; ++i) {
        const auto part = partition_name(queue, i);
        boost::redis::request set;
        set.push("SET", list_keys{part}.paused, 1);
        const auto its_home = redis.for_queue(part);
        co_await ask(*its_home, set);
    }
}

} // namespace

asio::awaitable<unsigned> divide(connection& redis, const std::string& queue, unsigned asked)
{
    auto found = co_await count_partitions(redis, queue);
    if (found < asked) {
        co_await pause_as_it_is(redis, queue, found, asked);
        const auto key = partitions_key(queue);
        script_arguments arguments{key};
        arguments.add_number(asked);
        const reply answers = co_await redis.call(find_script("list/divide"), arguments);
        found = read_partition_count(answers.back());
    }
    if (asked != 0 && found > asked)
        redis.warn_once("list queue '" + queue + "' has " + std::to_string(found) +
                        " partitions in Redis, and this program asks for " + std::to_string(asked) + ": " +
                        std::to_string(found) + " are used");
    co_return found;
}

void refuse_undivided(const std::string& queue)
{
    const auto name = queue.substr(0, 64);
    throw explained_error{
        errc::invalid_queue_name,
        "'" + name +
            "': in a Redis Cluster a list queue has partitions, or its name stands in braces, such as '{" +
            name + "}'"};
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
    co_return read_partition_count(answers.back());
}

/// Says so once if the node of the cluster that has the number is away: one can only wait for it.
asio::awaitable<void> partition_watch::look_for_its_node()
{
    if (std::exchange(has_looked_, true) || !redis_->in_cluster())
        co_return;
    boost::redis::request look;
    look.push("EXISTS", partitions_key(queue_));
    reply ignored;
    const bool is_there = co_await redis_->exec_aside(look, ignored);
    if (!is_there)
        throw system_error{errc::unavailable, "the node of the cluster that knows how many partitions '" +
                                                  queue_ + "' has does not answer, and until it does only " +
                                                  std::to_string(known_) + (known_ == 1 ? " is" : " are") +
                                                  " known"};
}

asio::awaitable<std::pair<unsigned, unsigned>> partition_watch::wait()
{
    // There will be as many, whatever their number is: the node that knows it may be away.
    if (asked_ > known_)
        co_return std::pair{std::exchange(known_, asked_), asked_};
    co_await look_for_its_node();
    if (asked_ != 0 && !is_divided_)
        co_await divide(*redis_, queue_, asked_);
    is_divided_ = true;
    for (;;) {
        watch_.arm();
        const auto found = co_await read();
        if (found > known_)
            co_return std::pair{std::exchange(known_, found), found};
        co_await watch_.wait_until(polls_.next(*redis_, redis_->options().poll_interval));
    }
}

} // namespace coworker::detail
