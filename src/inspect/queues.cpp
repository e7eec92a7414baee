// SPDX-License-Identifier: MIT
#include "inspect/queues.hpp"

#include "inspect/count_managed_queues.hpp"
#include "inspect/history.hpp"
#include "inspect/parts.hpp"
#include "list/find_queues.hpp"
#include "list/keys.hpp"
#include "list/partitions.hpp"
#include "list/sizes.hpp"
#include "managed/managed_call.hpp"

#include <algorithm>
#include <iterator>

namespace coworker::detail {

using boost::redis::request;

namespace {

queue_info to_info(std::string name, const list_queue_sizes& sizes)
{
    queue_info info;
    info.queue = queue_ref::list(std::move(name));
    info.paused = sizes.paused;
    info.waiting = sizes.waiting;
    info.overdue = sizes.overdue;
    info.scheduled = sizes.scheduled;
    info.running = sizes.running;
    info.broken = sizes.broken;
    info.failed = sizes.failed;
    info.latency = sizes.oldest_waiting_age;
    info.workers = sizes.workers;
    info.notices = sizes.notices;
    info.totals = {sizes.total_succeeded, sizes.total_retried, sizes.total_failed,        sizes.total_broken,
                   sizes.total_recovered, sizes.total_dropped, sizes.total_dropped_broken};
    return info;
}

queue_info missing_queue(queue_ref queue)
{
    queue_info info;
    info.queue = std::move(queue);
    info.unreachable = 1;
    return info;
}

/// Those that nobody can use in a cluster are empty: that may change, as somebody may divide them.
asio::awaitable<std::vector<queue_info>> count_list_queues(shared_inspection self, survey& nodes,
                                                           std::vector<std::string> names)
{
    const auto is_reached = [&](const std::string& name) { return can_be_reached(*self->redis, name); };
    std::vector<std::string> reached;
    std::copy_if(names.begin(), names.end(), std::back_inserter(reached), is_reached);
    const auto sizes = co_await look_at_sizes(nodes, std::move(reached));
    std::vector<queue_info> infos;
    auto next = sizes.begin();
    for (auto& name : names) {
        const auto found = is_reached(name) ? *next++ : list_queue_sizes{};
        infos.push_back(found ? to_info(std::move(name), *found)
                              : missing_queue(queue_ref::list(std::move(name))));
    }
    co_return infos;
}

/// None if their node is missing.
asio::awaitable<queue_names> managed_queue_names(shared_inspection self, survey& nodes, std::string cursor,
                                                 std::size_t count)
{
    const auto offset = read_cursor_number(cursor);
    if (!self->may_have_managed())
        co_return queue_names{};
    request range;
    range.push("ZRANGE", self->prefix() + "queues", offset, offset + count - 1);
    reply answers;
    co_await nodes.exec(range, answers);
    queue_names page;
    if (is_of_missing_node(answers[0]))
        co_return page;
    throw_if_refused(answers[0]);
    page.names = read_array(answers[0]);
    if (page.names.size() == count)
        page.next = std::to_string(offset + count);
    co_return page;
}

} // namespace

void check_queue(const queue_ref& queue)
{
    if (queue.name().empty() || queue.name().size() > 512)
        throw system_error{errc::invalid_queue_name, "'" + queue.name().substr(0, 64) + "'"};
}

namespace {

asio::awaitable<std::vector<queue_info>> count_others(shared_inspection self, survey& nodes,
                                                      std::vector<std::string> names)
{
    bool is_there = names.empty();
    if (!is_there)
        is_there = co_await has_managed_node(self, nodes);
    if (is_there)
        co_return co_await count_managed_queues(self, std::move(names));
    std::vector<queue_info> infos;
    for (auto& name : names)
        infos.push_back(missing_queue(queue_ref::managed(std::move(name))));
    co_return infos;
}

/// As they are, partitions and all.
asio::awaitable<std::vector<queue_info>> show_undivided(shared_inspection self, survey& nodes,
                                                        std::vector<queue_ref> queues)
{
    std::vector<std::string> list_names, managed_names;
    for (const auto& queue : queues)
        (queue.is_managed() ? managed_names : list_names).push_back(queue.name());
    auto lists = co_await count_list_queues(self, nodes, std::move(list_names));
    auto others = co_await count_others(self, nodes, std::move(managed_names));
    const auto rates = co_await recent_rates(self, nodes, queues);
    std::vector<queue_info> infos;
    auto next_list = lists.begin(), next_other = others.begin();
    for (std::size_t i = 0; i != queues.size(); ++i) {
        infos.push_back(std::move(queues[i].is_managed() ? *next_other++ : *next_list++));
        infos.back().rates = rates[i];
    }
    co_return infos;
}

void add_part(queue_info& to, const queue_info& part)
{
    to.paused = to.paused || part.paused;
    to.notices = to.notices || part.notices;
    for (const auto number : {&queue_info::waiting, &queue_info::overdue, &queue_info::scheduled,
                              &queue_info::running, &queue_info::broken})
        to.*number += part.*number;
    to.unreachable += part.unreachable;
    if (part.failed)
        to.failed = to.failed.value_or(0) + *part.failed;
    if (part.latency)
        to.latency = std::max(to.latency.value_or(*part.latency), *part.latency);
    to.workers = std::max(to.workers, part.workers); // a worker fetches from all of them
    for (const auto number :
         {&queue_totals::succeeded, &queue_totals::retried, &queue_totals::failed, &queue_totals::broken,
          &queue_totals::lost, &queue_totals::dropped, &queue_totals::dropped_broken})
        to.totals.*number += part.totals.*number;
    for (const auto rate : {&jobs_per_minute::succeeded, &jobs_per_minute::failed, &jobs_per_minute::retried})
        to.rates.*rate += part.rates.*rate;
}

asio::awaitable<std::vector<queue_info>> show_all(shared_inspection self, survey& nodes,
                                                  std::vector<queue_ref> queues)
{
    const auto parts = co_await parts_of_each(self, nodes, queues);
    std::vector<queue_ref> all_parts;
    for (const auto& each : parts)
        all_parts.insert(all_parts.end(), each.begin(), each.end());
    auto infos = co_await show_undivided(self, nodes, std::move(all_parts));
    std::vector<queue_info> sums;
    auto next = infos.begin();
    for (std::size_t i = 0; i != queues.size(); ++i) {
        if (parts[i].empty()) {
            sums.push_back(missing_queue(std::move(queues[i])));
            continue;
        }
        auto& sum = sums.emplace_back(std::move(*next++));
        for (std::size_t part = 1; part != parts[i].size(); ++part)
            add_part(sum, *next++);
        const bool has_own = parts[i].front() == queues[i];
        sum.partitions = static_cast<unsigned>(parts[i].size()) - (has_own ? 1U : 0U);
        sum.queue = std::move(queues[i]);
    }
    co_return sums;
}

} // namespace

asio::awaitable<bool> has_managed_node(shared_inspection self, survey& nodes)
{
    if (!self->redis->in_cluster())
        co_return true;
    request ask;
    ask.push("EXISTS", self->prefix() + "queues");
    reply answers;
    co_await nodes.exec(ask, answers);
    co_return !is_of_missing_node(answers[0]);
}

asio::awaitable<std::vector<queue_info>> show_named_queues(shared_inspection self,
                                                           std::vector<queue_ref> queues)
{
    survey nodes{*self->redis};
    auto shown = co_await show_all(self, nodes, std::move(queues));
    co_await expect_some_node(nodes);
    co_return shown;
}

asio::awaitable<std::vector<queue_info>> show_partitions(shared_inspection self, queue_ref queue)
{
    const std::vector<queue_ref> one{queue};
    survey nodes{*self->redis};
    auto parts = co_await parts_of_each(self, nodes, one);
    if (parts.front().empty())
        throw system_error{errc::unavailable, nodes.missing().front()};
    std::erase(parts.front(), queue); // what is in it, is in none of them
    co_return co_await show_undivided(self, nodes, std::move(parts.front()));
}

asio::awaitable<queue_page> show_queues(shared_inspection self, queue_kind kind, std::string cursor,
                                        std::size_t count)
{
    count = std::clamp<std::size_t>(count, 1, 1000);
    survey nodes{*self->redis};
    queue_names found;
    if (kind == queue_kind::list)
        found = co_await list_queue_names(self, nodes, std::move(cursor), count);
    else
        found = co_await managed_queue_names(self, nodes, std::move(cursor), count);
    std::vector<queue_ref> queues;
    for (auto& name : found.names)
        queues.emplace_back(kind, std::move(name));
    queue_page page;
    page.next = std::move(found.next);
    page.queues = co_await show_all(self, nodes, std::move(queues));
    co_await expect_some_node(nodes);
    page.missing_nodes = nodes.missing();
    co_return page;
}

asio::awaitable<bool> queue_exists(shared_inspection self, queue_ref queue)
{
    request ask;
    if (queue.is_managed()) {
        const auto in = [&](const char* place) { return self->prefix() + "q:" + queue.name() + place; };
        ask.push("EXISTS", in("-work"), in("-locks"), in("-scheduled"), in("-depends"), in("-recur"));
        ask.push("SISMEMBER", self->prefix() + "paused_queues", queue.name());
        ask.push("ZSCORE", self->prefix() + "queues", queue.name());
        reply answers;
        survey nodes{*self->redis};
        co_await nodes.exec(ask, answers);
        if (is_of_missing_node(answers[0]))
            co_return true; // it may
        for (std::size_t i = 0; i != 3; ++i)
            throw_if_refused(answers[i]);
        co_return answers[0].integer() != 0 || answers[1].integer() != 0 || !answers[2].is_null();
    }
    const std::vector<queue_ref> one{queue};
    survey nodes{*self->redis};
    const auto parts = co_await parts_of_each(self, nodes, one);
    if (is_divided(queue, parts.front()))
        co_return true;
    if (!can_be_reached(*self->redis, queue.name()))
        co_return false;
    const list_keys keys{queue.name()};
    ask.push_range("EXISTS", keys.evidence());
    ask.push("SISMEMBER", known_queues_key,
             queue.name()); // for those that have been made known and are empty
    reply answers;
    co_await nodes.exec(ask, answers);
    if (is_of_missing_node(answers[0]))
        co_return true; // it may
    throw_if_refused(answers[0]);
    throw_if_refused(answers[1]);
    co_return answers[0].integer() != 0 || (!answers[1].is_error() && answers[1].integer() != 0);
}

asio::awaitable<result<queue_info>> show_queue(shared_inspection self, queue_ref queue)
{
    const bool exists = co_await queue_exists(self, queue);
    if (!exists)
        co_return errc::queue_not_found;
    std::vector<queue_ref> one{std::move(queue)};
    survey nodes{*self->redis};
    auto infos = co_await show_all(self, nodes, std::move(one));
    if (infos.front().is_missing())
        throw system_error{errc::unavailable, nodes.missing().front()};
    co_return std::move(infos.front());
}

asio::awaitable<void> set_paused(shared_inspection self, queue_ref queue, bool paused, bool delays)
{
    if (queue.is_managed()) {
        managed_call call{self->prefix(), !paused ? "unpause" : delays ? "pause_delays" : "pause"};
        call.add(queue.name());
        co_await tell_in_steps(*self->redis, std::move(call));
        co_return;
    }
    if (delays)
        throw explained_error{errc::invalid_option, "only a managed queue is paused with its delayed jobs"};
    const auto parts = co_await parts_of(self, queue);
    if (parts.empty()) // if it is divided later, it would not be paused
        refuse_undivided(queue.name());
    request set;
    for (const auto& part : parts) {
        const list_keys keys{part.name()};
        if (paused)
            set.push("SET", keys.paused, 1);
        else
            set.push("DEL", keys.paused);
    }
    co_await answers_of(*self->redis, set);
}

} // namespace coworker::detail
