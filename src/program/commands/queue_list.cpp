// SPDX-License-Identifier: MIT
#include "program/commands/queue_list.hpp"

#include "program/terminal/output.hpp"
#include "json/queue_words.hpp"

namespace coworker::program {

inspector inspect(const client& redis, const server_settings& server)
{
    inspector_options options;
    options.managed_prefix = server.prefix;
    return inspector{redis, std::move(options)};
}

asio::awaitable<std::set<std::string>> list_queue_names(const inspector& all, node_set& missing)
{
    std::set<std::string> names;
    std::string cursor;
    do {
        auto part = co_await all.async_discover(std::move(cursor));
        names.insert(part.names.begin(), part.names.end());
        missing.insert(part.missing_nodes.begin(), part.missing_nodes.end());
        cursor = std::move(part.next);
    } while (!cursor.empty());
    co_return names;
}

namespace {

/// Adds the queues that are known and were not found by their keys, since the node of these is away.
asio::awaitable<void> add_unreachable(const inspector& all, const std::set<std::string>& found,
                                      std::vector<queue_info>& queues, node_set& missing)
{
    std::string cursor;
    do {
        auto page = co_await all.async_queues(queue_kind::list, std::move(cursor));
        for (auto& queue : page.queues)
            if (queue.unreachable != 0 && !found.contains(queue.queue.name()))
                queues.push_back(std::move(queue));
        missing.insert(page.missing_nodes.begin(), page.missing_nodes.end());
        cursor = std::move(page.next);
    } while (!cursor.empty());
}

} // namespace

asio::awaitable<std::vector<queue_info>> list_queues(const inspector& all, node_set& missing)
{
    const auto names = co_await list_queue_names(all, missing);
    std::vector<queue_ref> wanted;
    for (const auto& name : names)
        wanted.push_back(queue_ref::list(name));
    auto queues = co_await all.async_queues(std::move(wanted));
    if (!missing.empty())
        co_await add_unreachable(all, names, queues, missing);
    co_return queues;
}

exit_code judge_missing(const node_set& missing)
{
    if (missing.empty())
        return exit_code::done;
    std::string names;
    for (const auto& node : missing)
        names += (names.empty() ? "" : ", ") + node;
    complain(names + ": does not answer; what this node of the cluster has is not shown");
    return exit_code::partly;
}

asio::awaitable<std::vector<queue_info>> managed_queues(const inspector& all, node_set& missing)
{
    std::vector<queue_info> queues;
    std::string cursor;
    do {
        auto page = co_await all.async_queues(queue_kind::managed, std::move(cursor));
        for (auto& queue : page.queues)
            queues.push_back(std::move(queue));
        missing.insert(page.missing_nodes.begin(), page.missing_nodes.end());
        cursor = std::move(page.next);
    } while (!cursor.empty());
    co_return queues;
}

asio::awaitable<queue_info> look_at(const inspector& all, queue_ref queue)
{
    std::vector<queue_ref> one{std::move(queue)};
    auto found = co_await all.async_queues(std::move(one));
    if (found.front().is_missing())
        throw system_error{errc::unavailable, shown_name(found.front().queue)};
    co_return std::move(found.front());
}

asio::awaitable<std::uint64_t> count_failed(const inspector& all, const queue_info& queue)
{
    if (queue.failed)
        co_return *queue.failed;
    std::uint64_t failed = 0;
    std::string cursor;
    do {
        auto page = co_await all.async_failures(queue.queue, std::move(cursor));
        for (const auto& group : page.groups)
            failed += group.count;
        cursor = std::move(page.next);
    } while (!cursor.empty());
    co_return failed;
}

asio::awaitable<void> expect_queue(const client& redis, const server_settings& server, queue_ref queue)
{
    const auto all = inspect(redis, server);
    const bool exists = co_await all.async_queue_exists(queue);
    if (!exists)
        throw failure{exit_code::not_found,
                      detail::complaint_of_missing(queue) + "; 'coworker queues' lists those there are"};
}

asio::awaitable<void> expect_queues(const client& redis, const server_settings& server,
                                    const std::vector<queue_ref>& queues)
{
    for (const auto& queue : queues)
        co_await expect_queue(redis, server, queue);
}

} // namespace coworker::program
