// SPDX-License-Identifier: MIT
#include "inspect/workers.hpp"

#include "bounds.hpp"
#include "inspect/connections.hpp"
#include "inspect/parts.hpp"
#include "inspect/queues.hpp"
#include "list/keys.hpp"
#include "managed/json_fields.hpp"
#include "managed/managed_call.hpp"
#include "managed/managed_source/managed_source.hpp"
#include "managed/read_look.hpp"
#include "redis/process_record.hpp"
#include "redis/server_time.hpp"
#include "text/bounded_time.hpp"
#include "text/numbers.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <span>
#include <string>

/// Who is there, and what they hold.
namespace coworker::detail {

namespace {

using workers_by_name = std::map<std::string, worker_info>;

/// Jobs in progress of a queue that are looked at to see who holds them.
constexpr std::int64_t most_held = 20'000;

/// Queues that are asked about in one request.
constexpr std::size_t queues_at_once = 16;

worker_load& load_of(worker_info& worker, const std::string& queue)
{
    const auto is_of_queue = [&](const auto& each) { return each.queue.name() == queue; };
    auto load =
        std::find_if(worker.loads.begin(), worker.loads.end(), is_of_queue); // by another partition of it
    if (load == worker.loads.end()) {
        load = worker.loads.insert(load, worker_load{});
        load->queue = queue_ref::list(queue);
    }
    return *load;
}

void note_seen(worker_info& worker, timestamp when)
{
    worker.seen_at = std::max(worker.seen_at.value_or(when), when);
}

/// What holders.lua has answered.
void add_holders(const std::string& queue, const reply::answer& answer, workers_by_name& workers,
                 std::set<std::string>& seen)
{
    const auto holders = reply::part(answer, 0), remote = reply::part(answer, 1);
    for (std::size_t i = 0; i + 1 < holders.size(); i += 2)
        load_of(workers[std::string{holders[i]}], queue).running +=
            static_cast<std::uint64_t>(holders.integer(i + 1));
    for (std::size_t i = 0; i + 1 < remote.size(); i += 2) {
        auto& worker = workers[std::string{remote[i]}];
        load_of(worker, queue);
        note_seen(worker, bounded_time(to_number<double>(remote[i + 1]).value_or(0) / 1000));
        seen.emplace(remote[i]);
    }
}

asio::awaitable<void> add_list_workers(shared_inspection self, survey& nodes, workers_by_name& workers,
                                       std::set<std::string>& seen)
{
    auto queues = co_await all_known_names(nodes);
    std::erase_if(queues, [&](const auto& name) { return !can_be_reached(*self->redis, name); });
    const auto wholes = co_await whole_queues(self, nodes, queues);
    std::size_t next = 0;
    for (std::span<const std::string> rest{queues}; !rest.empty();) {
        const auto some = rest.first(std::min(rest.size(), queues_at_once));
        rest = rest.subspan(some.size());
        const std::vector<list_keys> keys(some.begin(), some.end());
        std::vector<script_arguments> calls;
        calls.reserve(keys.size());
        for (const auto& each : keys) {
            auto& call = calls.emplace_back(each.progress, each.workers, each.remote);
            call.add_number(most_held);
            call.add_number(remote_worker_age.count());
        }
        const reply found = co_await nodes.call_each(find_script("list/holders"), calls);
        for (std::size_t i = 0; i != some.size(); ++i)
            if (const auto& whole = wholes[next++]; !is_of_missing_node(found[i]))
                add_holders(whole, found[i], workers, seen);
    }
}

/// Adds who has asked for jobs or renewed a lease of late: that is all that is known of workers whose connection is not to
/// be seen, such as those over HTTP. A time far ahead was written before Redis' clock was set back. One that is less so may be
/// that of a client whose own clock is ahead.
asio::awaitable<void> add_seen(shared_inspection self, workers_by_name& workers, std::set<std::string>& seen)
{
    const auto redis = self->redis->for_prefix(self->prefix());
    const auto now = co_await server_time(*redis);
    const auto seconds = [](auto time) {
        return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
    };
    boost::redis::request ask;
    ask.push("ZRANGEBYSCORE", self->prefix() + "workers", seconds(now - remote_worker_age),
             seconds(now + remote_worker_age), "WITHSCORES");
    const reply answers = co_await answers_of(*redis, ask);
    const auto found = answers[0];
    for (std::size_t i = 0; i + 2 < found.size(); i += 3) { // member and score stand in an array of their own
        if (const auto worker = workers.find(std::string{found[i + 1]}); worker != workers.end())
            note_seen(worker->second, bounded_time(to_number<double>(found[i + 2]).value_or(0)));
        seen.emplace(found[i + 1]);
    }
}

asio::awaitable<void> add_managed_workers(shared_inspection self, survey& nodes, workers_by_name& workers,
                                          std::set<std::string>& seen)
{
    const bool is_there = co_await has_managed_node(self, nodes);
    if (!is_there)
        co_return;
    const reply answer = co_await call_managed(*self->redis, managed_call{self->prefix(), "workers"});
    for (auto& worker : read_workers(answer.back().text())) {
        auto& load = workers[worker.name].loads.emplace_back();
        load.queue = queue_ref::managed({});
        load.running = worker.running;
        load.stalled = worker.stalled;
    }
    co_await add_seen(self, workers, seen);
}

void read_process(std::string_view record, worker_info& worker)
{
    try {
        const auto value = parse_answer(record);
        const json_fields fields{value, "the process"};
        worker.host = fields.text("host");
        worker.process = static_cast<std::uint32_t>(fields.count("process"));
        worker.version = fields.text("version");
        worker.started = bounded_time(fields.number("started"));
    } catch (const system_error&) {
        // somebody else's text; nothing depends on it
    }
}

asio::awaitable<void> add_processes(survey& nodes, workers_by_name& workers)
{
    boost::redis::request ask;
    ask.push("HGETALL", processes_key);
    reply answers;
    co_await nodes.exec(ask, answers);
    if (answers[0].is_error()) // who may not look sees the rest
        co_return;
    const auto records = answers[0];
    for (std::size_t i = 0; i + 1 < records.size(); i += 2)
        if (const auto worker = workers.find(std::string{records[i]}); worker != workers.end())
            read_process(records[i + 1], worker->second);
}

bool runs_anything(const worker_info& worker)
{
    return std::ranges::any_of(worker.loads, [](const worker_load& load) { return load.running != 0; });
}

bool holds_anything(const worker_info& worker)
{
    return std::ranges::any_of(worker.loads,
                               [](const worker_load& load) { return load.running + load.stalled != 0; });
}

/// Whether it is there, or it cannot be known whether it is.
bool is_present(const worker_info& worker, bool connections_are_known, const std::set<std::string>& seen)
{
    if (worker.connected)
        return true;
    if (worker.name.empty())
        return false;
    // Whoever has such a name has a connection, or is gone. Connections of other clients of managed queues have other
    // names, and say nothing of them: a lease that has not ended does.
    return !connections_are_known ||
           (!is_connection_name(worker.name) && (seen.contains(worker.name) || runs_anything(worker)));
}

} // namespace

asio::awaitable<worker_list> show_workers(shared_inspection self, std::optional<queue_kind> kind)
{
    survey nodes{*self->redis};
    workers_by_name found;
    std::set<std::string> seen;
    if (kind != queue_kind::managed)
        co_await add_list_workers(self, nodes, found, seen);
    if (kind != queue_kind::list && self->may_have_managed())
        co_await add_managed_workers(self, nodes, found, seen);
    co_await add_processes(nodes, found);
    // After the registries: who is in one of them must be in the list.
    const auto connections = co_await list_connections(nodes);
    co_await expect_some_node(nodes);
    worker_list list;
    for (auto& [name, worker] : found) {
        worker.name = name;
        if (connections)
            if (const auto line = connections->find(name); line != connections->end()) {
                worker.connected = true;
                worker.address = line->second.address;
                worker.connected_since = line->second.since;
            }
        worker.present = is_present(worker, connections.has_value(), seen);
        if (worker.present || holds_anything(worker))
            list.workers.push_back(std::move(worker));
    }
    list.missing_nodes = nodes.missing();
    co_return list;
}

} // namespace coworker::detail
