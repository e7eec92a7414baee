// SPDX-License-Identifier: MIT
#include "inspect/parts.hpp"
#include "inspect/queues.hpp"
#include "list/keys.hpp"

#include <algorithm>
#include <set>

/// Which list queues there are.
namespace coworker::detail {

using boost::redis::request;

namespace {

/// In a cluster, those which are neither divided nor in one slot cannot be shown.
asio::awaitable<std::vector<std::string>> without_unreachable(shared_inspection self,
                                                              std::vector<std::string> names)
{
    if (!self->redis->in_cluster())
        co_return names;
    std::vector<queue_ref> queues;
    for (const auto& name : names)
        queues.push_back(queue_ref::list(name));
    const auto parts = co_await parts_of_each(self, queues);
    std::vector<std::string> reachable;
    for (std::size_t i = 0; i != names.size(); ++i)
        if (can_be_reached(*self->redis, names[i]) || is_divided(queues[i], parts[i]))
            reachable.push_back(std::move(names[i]));
    co_return reachable;
}

/// Those of `wholes` that were not known, and now are.
asio::awaitable<std::vector<std::string>> make_wholes_known(shared_inspection self,
                                                            std::set<std::string> wholes)
{
    std::vector<std::string> added;
    if (wholes.empty())
        co_return added;
    request add;
    for (const auto& whole : wholes)
        add.push("SADD", known_queues_key, whole);
    reply answers;
    co_await self->redis->exec(add, answers);
    std::size_t i = 0;
    for (const auto& whole : wholes) {
        const auto answer = answers[i++];
        if (answer.is_error() || answer.integer() == 1) // who may only read sees it with each part of the set
            added.push_back(whole);
    }
    co_return added;
}

/// Without partitions; the queues that they belong to are among the known ones, and those that were not are added.
asio::awaitable<std::vector<std::string>> gather_partitions(shared_inspection self,
                                                            std::vector<std::string> names)
{
    const auto wholes = co_await whole_queues(self, names);
    std::set<std::string> divided;
    std::vector<std::string> kept;
    for (std::size_t i = 0; i != names.size(); ++i)
        if (wholes[i] == names[i])
            kept.push_back(std::move(names[i]));
        else
            divided.insert(wholes[i]);
    for (const auto& name : kept)
        divided.erase(name);
    for (auto& whole : co_await make_wholes_known(self, std::move(divided)))
        kept.push_back(std::move(whole));
    co_return co_await without_unreachable(self, std::move(kept));
}

} // namespace

asio::awaitable<queue_names> list_queue_names(shared_inspection self, std::string cursor, std::size_t count)
{
    if (cursor.empty())
        co_await self->finder.go_on(*self->redis); // those that were filled behind everybody's back
    (void)read_cursor_number(cursor);              // it is Redis' own, but throws for any other text
    request scan;
    scan.push("SSCAN", known_queues_key, cursor.empty() ? "0" : cursor, "COUNT", count);
    const reply answers = co_await answers_of(*self->redis, scan);
    // The nodes are: array, cursor, array, elements.
    const auto found = answers[0];
    queue_names page;
    if (found[0] != "0")
        page.next = found[0];
    for (std::size_t i = 2; i < found.size(); ++i)
        page.names.emplace_back(found[i]);
    page.names = co_await gather_partitions(self, std::move(page.names));
    co_return page;
}

asio::awaitable<queue_names> discover_list_queues(shared_inspection self, std::string cursor)
{
    constexpr int steps = 20; // of about a thousand keys
    if (cursor.empty())
        cursor = "0";
    std::set<std::string> names;
    for (int step = 0; step != steps && (step == 0 || cursor != "0"); ++step)
        cursor = co_await find_queues(*self->redis, std::move(cursor), names);
    if (!names.empty())
        co_await make_known(*self->redis, names);
    queue_names found;
    found.names.assign(names.begin(), names.end());
    found.names = co_await whole_queues(self, std::move(found.names));
    std::sort(found.names.begin(), found.names.end());
    found.names.erase(std::unique(found.names.begin(), found.names.end()), found.names.end());
    if (cursor != "0")
        found.next = std::move(cursor);
    co_return found;
}

} // namespace coworker::detail
