// SPDX-License-Identifier: MIT
#include "inspect/parts.hpp"
#include "inspect/queues.hpp"
#include "list/find_queues.hpp"
#include "list/keys.hpp"
#include "managed/managed_call.hpp"

#include <algorithm>
#include <set>

/// Which list queues there are.
namespace coworker::detail {

using boost::redis::request;

namespace {

/// In a cluster, those which are neither divided nor in one slot cannot be shown.
asio::awaitable<std::vector<std::string>> without_unreachable(shared_inspection self, survey& nodes,
                                                              std::vector<std::string> names)
{
    if (!self->redis->in_cluster())
        co_return names;
    std::vector<queue_ref> queues;
    for (const auto& name : names)
        queues.push_back(queue_ref::list(name));
    const auto parts = co_await parts_of_each(self, nodes, queues);
    std::vector<std::string> reachable;
    for (std::size_t i = 0; i != names.size(); ++i)
        if (can_be_reached(*self->redis, names[i]) || is_divided(queues[i], parts[i]))
            reachable.push_back(std::move(names[i]));
    co_return reachable;
}

/// Those of `wholes` that were not known, and now are.
asio::awaitable<std::vector<std::string>> make_wholes_known(survey& nodes, std::set<std::string> wholes)
{
    std::vector<std::string> added;
    if (wholes.empty())
        co_return added;
    request add;
    for (const auto& whole : wholes)
        add.push("SADD", known_queues_key, whole);
    reply answers;
    co_await nodes.exec(add, answers);
    std::size_t i = 0;
    for (const auto& whole : wholes) {
        const auto answer = answers[i++];
        if (answer.is_error() || answer.integer() == 1) // who may only read sees it with each part of the set
            added.push_back(whole);
    }
    co_return added;
}

/// Without partitions; the queues that they belong to are among the known ones, and those that were not are added.
asio::awaitable<std::vector<std::string>> gather_partitions(shared_inspection self, survey& nodes,
                                                            std::vector<std::string> names)
{
    const auto wholes = co_await whole_queues(self, nodes, names);
    std::set<std::string> divided;
    std::vector<std::string> kept;
    for (std::size_t i = 0; i != names.size(); ++i)
        if (wholes[i] == names[i])
            kept.push_back(std::move(names[i]));
        else
            divided.insert(wholes[i]);
    for (const auto& name : kept)
        divided.erase(name);
    for (auto& whole : co_await make_wholes_known(nodes, std::move(divided)))
        kept.push_back(std::move(whole));
    co_return co_await without_unreachable(self, nodes, std::move(kept));
}

/// Begins the cursor of a list that is read from the keys, since the node that has the known names is missing.
constexpr char of_keys = 'k';

/// Adds the names that stand in the keys of the nodes that can be reached. Returns the cursor to go on with; empty: that
/// was the end.
asio::awaitable<std::string> find_names(survey& nodes, std::string cursor, std::set<std::string>& names)
{
    constexpr int steps = 20; // of about a thousand keys
    if (cursor.empty())
        cursor = "0";
    for (int step = 0; step != steps && (step == 0 || cursor != "0"); ++step)
        cursor = co_await find_queues(nodes, std::move(cursor), names);
    co_return cursor == "0" ? std::string{} : cursor;
}

asio::awaitable<queue_names> names_by_keys(survey& nodes, std::string cursor)
{
    std::set<std::string> names;
    queue_names page;
    page.next = co_await find_names(nodes, std::move(cursor), names);
    page.names.assign(names.begin(), names.end());
    if (!page.next.empty())
        page.next.insert(page.next.begin(), of_keys);
    co_return page;
}

asio::awaitable<queue_names> known_names(survey& nodes, std::string cursor, std::size_t count)
{
    (void)read_cursor_number(cursor); // it is Redis' own, but throws for any other text
    request scan;
    scan.push("SSCAN", known_queues_key, cursor.empty() ? "0" : cursor, "COUNT", count);
    reply answers;
    co_await nodes.exec(scan, answers);
    const auto found = answers[0];
    if (is_of_missing_node(found))
        co_return co_await names_by_keys(nodes, {});
    throw_if_refused(found);
    // The nodes are: array, cursor, array, elements.
    queue_names page;
    if (found[0] != "0")
        page.next = found[0];
    for (std::size_t i = 2; i < found.size(); ++i)
        page.names.emplace_back(found[i]);
    co_return page;
}

} // namespace

asio::awaitable<queue_names> list_queue_names(shared_inspection self, survey& nodes, std::string cursor,
                                              std::size_t count)
{
    if (cursor.empty())
        co_await self->finder.go_on(nodes); // those that were filled behind everybody's back
    queue_names page;
    if (cursor.starts_with(of_keys))
        page = co_await names_by_keys(nodes, cursor.substr(1));
    else
        page = co_await known_names(nodes, std::move(cursor), count);
    page.names = co_await gather_partitions(self, nodes, std::move(page.names));
    co_return page;
}

asio::awaitable<queue_names> discover_list_queues(shared_inspection self, std::string cursor)
{
    survey nodes{*self->redis};
    std::set<std::string> names;
    queue_names found;
    found.next = co_await find_names(nodes, std::move(cursor), names);
    if (!names.empty())
        co_await make_known(nodes, names);
    found.names.assign(names.begin(), names.end());
    found.names = co_await whole_queues(self, nodes, std::move(found.names));
    std::sort(found.names.begin(), found.names.end());
    found.names.erase(std::unique(found.names.begin(), found.names.end()), found.names.end());
    co_await expect_some_node(nodes);
    found.missing_nodes = nodes.missing();
    co_return found;
}

asio::awaitable<std::vector<std::string>> all_known_names(survey& nodes)
{
    request ask;
    ask.push("SMEMBERS", known_queues_key);
    reply answers;
    co_await nodes.exec(ask, answers);
    if (is_of_missing_node(answers[0])) {
        const auto page = co_await names_by_keys(nodes, {});
        co_return page.names;
    }
    throw_if_refused(answers[0]);
    co_return read_array(answers[0]);
}

} // namespace coworker::detail
