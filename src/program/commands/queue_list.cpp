#include "program/commands/queue_list.hpp"

#include "list/find_queues.hpp"
#include "list/keys.hpp"
#include "redis/connection.hpp"
#include <coworker/managed_client.hpp>

#include <boost/redis/request.hpp>

#include <algorithm>

namespace coworker::program {
namespace {

asio::awaitable<void> exec(client& redis, const boost::redis::request& request, detail::reply& answers)
{
    co_await detail::connection_of(redis).exec(request, answers);
    answers.throw_if_error();
}

} // namespace

asio::awaitable<std::vector<std::string>> list_queue_names(client& redis)
{
    std::set<std::string> names;
    std::string cursor = "0";
    do
        cursor = co_await detail::find_queues(detail::connection_of(redis), std::move(cursor), names);
    while (cursor != "0");
    co_return std::vector<std::string>(names.begin(), names.end());
}

asio::awaitable<bool> list_queue_exists(client& redis, const std::string& name)
{
    const detail::list_keys keys{name};
    boost::redis::request exists;
    exists.push("EXISTS", keys.jobs, keys.progress, keys.broken, keys.failed, keys.scheduled, keys.attempts,
                keys.twins, keys.paused, keys.counters, keys.workers);
    detail::reply answers;
    co_await exec(redis, exists, answers);
    co_return answers[0].integer() != 0;
}

asio::awaitable<void> expect_queues(client& redis, const server_settings& server,
                                    const std::vector<queue_name>& queues)
{
    std::set<std::string> managed;
    if (std::any_of(queues.begin(), queues.end(), [](const queue_name& queue) { return queue.managed; })) {
        managed_client client{redis, server.managed()};
        const auto known = co_await client.async_queues();
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

} // namespace coworker::program
