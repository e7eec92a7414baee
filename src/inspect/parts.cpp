// SPDX-License-Identifier: MIT
#include "inspect/parts.hpp"

#include "list/find_queues.hpp"
#include "list/keys.hpp"
#include "list/partition_names.hpp"
#include "list/partitions.hpp"

#include <limits>
#include <map>
#include <set>

namespace coworker::detail {

namespace {

using numbers_by_queue = std::map<std::string, unsigned>;

/// Stands for the number that nobody tells.
constexpr unsigned unknown_number = std::numeric_limits<unsigned>::max();

/// How many partitions queues have; those that are not divided are left out. It never sinks: so where its node is
/// missing, the last that was seen will do.
asio::awaitable<numbers_by_queue> numbers_of_partitions(shared_inspection self, survey& nodes,
                                                        std::set<std::string> queues)
{
    numbers_by_queue numbers;
    if (queues.empty())
        co_return numbers;
    boost::redis::request ask;
    for (const auto& queue : queues)
        ask.push("GET", partitions_key(queue));
    reply answers;
    co_await nodes.exec(ask, answers);
    std::size_t i = 0;
    for (const auto& queue : queues) {
        const auto answer = answers[i++];
        if (is_of_missing_node(answer)) {
            const auto seen = self->partitions.find(queue);
            numbers.emplace(queue, seen == self->partitions.end() ? unknown_number : seen->second);
            continue;
        }
        self->partitions.erase(queue);
        if (answer.is_error() || answer.is_null()) // a key of another type is no reason to show no queue
            continue;
        if (const auto number = read_number_of_partitions(answer.text()); number != 0)
            numbers[queue] = self->partitions[queue] = number;
    }
    co_return numbers;
}

queue_parts list_parts(const connection& redis, const queue_ref& queue, unsigned number)
{
    queue_parts parts;
    if (number == unknown_number)
        return parts;
    if (number == 0 || !redis.in_cluster()) // in a cluster the keys of the whole would be in several slots
        parts.push_back(queue);
    for (unsigned i = 0; i != number; ++i)
        parts.push_back(queue_ref::list(partition_name(queue.name(), i)));
    return parts;
}

} // namespace

asio::awaitable<std::vector<queue_parts>> parts_of_each(shared_inspection self, survey& nodes,
                                                        std::vector<queue_ref> queues)
{
    std::set<std::string> names;
    for (const auto& queue : queues)
        if (!queue.is_managed() && can_be_divided(queue.name()))
            names.insert(queue.name());
    const auto numbers = co_await numbers_of_partitions(self, nodes, std::move(names));
    std::vector<queue_parts> all;
    for (const auto& queue : queues) {
        const auto number = queue.is_managed() ? numbers.end() : numbers.find(queue.name());
        all.push_back(list_parts(*self->redis, queue, number == numbers.end() ? 0U : number->second));
    }
    co_return all;
}

asio::awaitable<queue_parts> parts_of(shared_inspection self, queue_ref queue)
{
    const std::vector<queue_ref> one{queue};
    survey here{*self->redis, survey::absence::is_waited_for};
    auto all = co_await parts_of_each(self, here, one);
    auto& parts = all.front();
    if (!queue.is_managed() && !is_divided(queue, parts) && !can_be_reached(*self->redis, queue.name()))
        parts.clear();
    co_return std::move(parts);
}

bool is_divided(const queue_ref& queue, const queue_parts& parts) noexcept
{
    return parts.size() != 1 || parts.front() != queue;
}

asio::awaitable<std::vector<std::string>> whole_queues(shared_inspection self, survey& nodes,
                                                       std::vector<std::string> names)
{
    std::set<std::string> candidates;
    for (const auto& name : names)
        if (const auto place = read_partition_name(name))
            candidates.emplace(place->queue);
    const auto numbers = co_await numbers_of_partitions(self, nodes, std::move(candidates));
    for (auto& name : names)
        if (const auto place = read_partition_name(name))
            if (const auto number = numbers.find(std::string{place->queue});
                number != numbers.end() && number->second != unknown_number && place->index < number->second)
                name = number->first;
    co_return names;
}

asio::awaitable<void> forget_partitions(shared_inspection self, std::string queue)
{
    boost::redis::request forget;
    forget.push("DEL", partitions_key(queue));
    co_await answers_of(*self->redis, forget);
    boost::redis::request hide;
    hide.push("SREM", known_queues_key, queue);
    reply ignored;
    co_await self->redis->exec_aside(hide, ignored);
}

} // namespace coworker::detail
