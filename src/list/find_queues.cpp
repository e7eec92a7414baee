// SPDX-License-Identifier: MIT
#include "list/find_queues.hpp"

#include "list/keys.hpp"
#include "list/partition_names.hpp"
#include "redis/cluster/key_slot.hpp"

#include <boost/redis/request.hpp>

namespace coworker::detail {

std::string_view queue_of_key(std::string_view key)
{
    constexpr std::string_view prefix = "hworker-";
    if (!key.starts_with(prefix))
        return {};
    const auto dash = key.find('-', prefix.size()); // kinds of keys, such as "jobs", have no dash in them
    if (dash == key.npos)
        return {};
    const std::string name{key.substr(dash + 1)};
    const list_keys keys{name};
    for (const auto* known :
         {&keys.jobs, &keys.progress, &keys.broken, &keys.failed, &keys.scheduled, &keys.attempts,
          &keys.duplicates, &keys.failures, &keys.paused, &keys.counters, &keys.workers, &keys.gone,
          &keys.monitor, &keys.shared, &keys.found, &keys.reasons, &keys.schedules})
        if (*known == key)
            return key.substr(dash + 1);
    return {};
}

bool can_be_reached(const connection& redis, std::string_view name)
{
    return !redis.in_cluster() || has_hash_tag(name);
}

asio::awaitable<std::string> find_queues(survey& nodes, std::string cursor, std::set<std::string>& names)
{
    constexpr int keys_at_a_time = 1000;
    // In a cluster: "number of the node:cursor there".
    const auto colon = cursor.find(':');
    auto node = colon == cursor.npos ? 0U : static_cast<std::size_t>(to_integer(cursor));
    const auto here = colon == cursor.npos ? cursor : cursor.substr(colon + 1);
    boost::redis::request scan;
    scan.push("SCAN", here, "MATCH", "hworker-*", "COUNT", keys_at_a_time);
    reply answers;
    const auto came = co_await nodes.exec_on_nth(node, scan, answers);
    if (came == node_answer::no_such_node) // that was the last one
        co_return "0";
    if (came == node_answer::missing)
        co_return std::to_string(node + 1) + ":0";
    answers.throw_if_error();
    // The nodes are: array, cursor, array, keys.
    const auto answer = answers[0];
    for (std::size_t i = 2; i < answer.size(); ++i)
        if (const auto divided = queue_of_partitions_key(answer[i]); !divided.empty())
            names.emplace(divided);
        else if (const auto name = queue_of_key(answer[i]);
                 !name.empty() && can_be_reached(nodes.redis(), name))
            names.emplace(name);
    if (!nodes.redis().in_cluster())
        co_return std::string{answer[0]};
    if (answer[0] == "0")
        ++node;
    co_return std::to_string(node) + ':' + std::string{answer[0]};
}

asio::awaitable<void> queue_finder::go_on(survey& nodes, std::size_t steps)
{
    const auto now = std::chrono::steady_clock::now();
    if (last_ && now - *last_ < std::chrono::seconds{1})
        co_return;
    last_ = now;
    std::set<std::string> names;
    try {
        // Two may be at it when Redis is slow: then keys are looked at twice.
        for (std::size_t step = 0; step != steps && (step == 0 || cursor_ != "0"); ++step)
            cursor_ = co_await find_queues(nodes, cursor_, names);
    } catch (const system_error& error) {
        if (error.code() != errc::command_refused) // who may not look sees those that are known
            throw;
    }
    if (!names.empty())
        co_await make_known(nodes, names);
}

asio::awaitable<void> make_known(connection& redis, const std::set<std::string>& names)
{
    survey here{redis, survey::absence::is_waited_for};
    co_await make_known(here, names);
}

asio::awaitable<void> make_known(survey& nodes, const std::set<std::string>& names)
{
    boost::redis::request add;
    add.push_range("SADD", known_queues_key, names);
    reply ignored;
    co_await nodes.exec(add, ignored);
}

} // namespace coworker::detail
