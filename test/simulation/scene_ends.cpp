// SPDX-License-Identifier: MIT

// How a scene ends, and what has to be true then.
#include "simulation/scene.hpp"

#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <utility>

#include <fnmatch.h>

namespace coworker::test {

/// Monitors rest while nothing runs. A last job of each queue wakes them, and they strike off workers that were killed
/// meanwhile.
void scene::push_last_jobs()
{
    auto push = [this](simulated_process& me) -> asio::awaitable<void> {
        client redis{co_await asio::this_coro::executor, options_for(me)};
        for (const auto& name : list_queues_) {
            list_queue<numbered_job> queue{redis, name};
            co_await push_to_list(queue, account_.of(name, "last-" + name));
        }
        for (const auto& name : managed_queues_) {
            managed_queue queue{redis, name};
            co_await push_to_managed(queue, account_.of(name, "last-" + name));
        }
        co_await redis.async_stop();
    };
    all_.start(add_producer("last", std::move(push)));
    if (!all_.run(all_.now() + patience(), [this] { return is_over(); }))
        account_.violate("the last jobs have not ended in time");
    all_.run(all_.now() + minute, [] { return false; });
}

void scene::finish()
{
    const auto is_never = [] { return false; };
    all_.let_nothing_go_wrong();
    all_.run(all_.now() + 4 * minute, is_never); // who was killed or frozen is back, and cleans up
    push_last_jobs();
    for (const auto& each : all_.processes())
        all_.stop(*each);
    const auto have_ended = [this] {
        return std::ranges::all_of(all_.processes(), [](const auto& each) { return each->has_ended; });
    };
    if (!all_.run(all_.now() + 4 * minute, have_ended))
        account_.violate("a process does not stop");
    all_.run(all_.now() + 2 * minute, is_never);
    account_.check_ends();
    account_.check_effects();
    account_.check_counts();
    check_keys();
    check_end();
}

/// Whether each of these workers has a connection that Redis has not closed: its machine was lost.
bool scene::are_connected(const std::vector<std::string>& workers)
{
    std::string connections;
    for (const auto& text : all_.ask({"CLIENT", "LIST"}))
        connections += text;
    return std::ranges::all_of(workers, [&](const auto& worker) {
        return connections.find(" name=" + worker + ' ') != connections.npos;
    });
}

/// Only what docs/list-protocol.md and docs/managed-protocol.md say may be left of jobs that have ended.
void scene::check_keys()
{
    std::vector<std::string> patterns{"effects",
                                      "ql:config",
                                      "hworker-queues",
                                      "hworker-processes",
                                      "hworker-counters-*",
                                      "hworker-history-*",
                                      "hworker-ids-*",
                                      "hworker-failed-*",
                                      "hworker-failures-*",
                                      "ql:queues",
                                      "ql:completed",
                                      "ql:j:*",
                                      "ql:failures",
                                      "ql:f:*",
                                      "ql:s:stats:*",
                                      "ql:s:wait:*",
                                      "ql:s:run:*",
                                      "ql:coworker:own",
                                      "ql:coworker:history:*",
                                      "ql:coworker:workers:*",
                                      "ql:coworker:noted:*",
                                      "ql:coworker:retries:*",
                                      "ql:coworker:unique:*",
                                      "ql:coworker:sweep:*",
                                      "ql:coworker:result:*"};
    for (auto& more : may_leave())
        patterns.push_back(std::move(more));
    for (const auto& queue : list_queues_)
        if (const auto key = "hworker-workers-" + queue; are_connected(all_.ask({"HVALS", key})))
            patterns.push_back(key);
    if (are_connected(all_.ask({"ZRANGE", "ql:workers", "0", "-1"})))
        patterns.emplace_back("ql:workers");
    for (const auto& key : all_.ask({"KEYS", "*"}))
        if (std::ranges::none_of(
                patterns, [&](const auto& each) { return ::fnmatch(each.c_str(), key.c_str(), 0) == 0; }))
            account_.violate("a key is left: " + key);
}

} // namespace coworker::test
