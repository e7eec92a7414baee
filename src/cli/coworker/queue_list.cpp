#include "coworker/queue_list.hpp"

#include "list/keys.hpp"
#include "redis/client.hpp"
#include <coworker/managed_client.hpp>

#include <boost/redis/request.hpp>

#include <algorithm>

namespace coworker::cli {
namespace {

constexpr std::string_view key_prefix = "hworker-";

asio::awaitable<void> exec(session& redis, const boost::redis::request& request, detail::reply& answers)
{
    co_await redis.client().exec(request, answers);
    answers.throw_if_error();
}

/// The queue that a key belongs to; empty: none. The kinds of keys, such as "jobs", have no dash in them.
std::string_view queue_of(std::string_view key)
{
    if (!key.starts_with(key_prefix))
        return {};
    const auto dash = key.find('-', key_prefix.size());
    if (dash == key.npos)
        return {};
    const std::string name{key.substr(dash + 1)};
    const detail::list_keys keys{name};
    for (const auto* known : {&keys.jobs, &keys.progress, &keys.broken, &keys.failed, &keys.scheduled,
                              &keys.attempts, &keys.twins, &keys.failures, &keys.paused, &keys.counters,
                              &keys.workers, &keys.gone, &keys.monitor})
        if (*known == key)
            return key.substr(dash + 1);
    return {};
}

} // namespace

asio::awaitable<std::string> find_list_queues(session& redis, std::string cursor,
                                              std::set<std::string>& names)
{
    constexpr int keys_at_a_time = 1000;
    boost::redis::request scan;
    scan.push("SCAN", cursor, "MATCH", "hworker-*", "COUNT", keys_at_a_time);
    detail::reply answers;
    co_await exec(redis, scan, answers);
    // The nodes are: array, cursor, array, keys.
    const auto answer = answers[0];
    for (const auto* key = answer.first + 3; key < answer.last; ++key)
        if (const auto name = queue_of(key->value); !name.empty())
            names.emplace(name);
    co_return std::string{answer[0]};
}

asio::awaitable<std::vector<std::string>> list_queue_names(session& redis)
{
    std::set<std::string> names;
    std::string cursor = "0";
    do
        cursor = co_await find_list_queues(redis, std::move(cursor), names);
    while (cursor != "0");
    co_return std::vector<std::string>(names.begin(), names.end());
}

asio::awaitable<bool> list_queue_exists(session& redis, const std::string& name)
{
    const detail::list_keys keys{name};
    boost::redis::request exists;
    exists.push("EXISTS", keys.jobs, keys.progress, keys.broken, keys.failed, keys.scheduled, keys.attempts,
                keys.twins, keys.paused, keys.counters, keys.workers);
    detail::reply answers;
    co_await exec(redis, exists, answers);
    co_return answers[0].integer() != 0;
}

asio::awaitable<void> expect_queues(session& redis, const server_settings& server,
                                    const std::vector<queue_name>& queues)
{
    std::set<std::string> managed;
    if (std::any_of(queues.begin(), queues.end(), [](const queue_name& queue) { return queue.managed; })) {
        managed_client client{redis, server.managed()};
        const auto known = co_await client.queues();
        for (const auto& counts : known)
            managed.insert(counts.name);
    }
    for (const auto& queue : queues) {
        bool exists = managed.contains(queue.name);
        if (!queue.managed)
            exists = co_await list_queue_exists(redis, queue.name);
        if (!exists)
            throw failure{exit_code::not_found,
                          "there is no queue '" + queue.str() +
                              "', or it is empty and has never been worked on; 'coworker "
                              "queues' lists those there are"};
    }
}

} // namespace coworker::cli
