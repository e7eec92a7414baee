// SPDX-License-Identifier: MIT
#include "inspect/queues.hpp"

#include "inspect/history.hpp"
#include "inspect/managed_counts.hpp"
#include "list/keys.hpp"
#include "list/sizes.hpp"
#include "managed/managed_call.hpp"

#include <algorithm>
#include <set>

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
    info.running = sizes.in_progress;
    info.broken = sizes.broken;
    info.failed = sizes.failed;
    info.latency = sizes.oldest_waiting_age;
    info.workers = sizes.workers;
    info.totals = {sizes.total_succeeded, sizes.total_retried, sizes.total_failed, sizes.total_broken,
                   sizes.total_recovered};
    return info;
}

asio::awaitable<std::vector<queue_info>> count_list_queues(shared_inspection self,
                                                           std::vector<std::string> names)
{
    const auto sizes = co_await look_at_sizes(*self->redis, names);
    std::vector<queue_info> infos;
    for (std::size_t i = 0; i != names.size(); ++i)
        infos.push_back(to_info(std::move(names[i]), sizes[i]));
    co_return infos;
}

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
        if (can_be_reached(*self->redis, found[i]))
            page.names.emplace_back(found[i]);
    co_return page;
}

asio::awaitable<queue_names> managed_queue_names(shared_inspection self, std::string cursor,
                                                 std::size_t count)
{
    const auto offset = read_cursor_number(cursor);
    if (!self->may_have_managed())
        co_return queue_names{};
    request range;
    range.push("ZRANGE", self->prefix() + "queues", offset, offset + count - 1);
    const reply answers = co_await answers_of(*self->redis, range);
    queue_names page;
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

asio::awaitable<std::vector<queue_info>> show_named_queues(shared_inspection self,
                                                           std::vector<queue_ref> queues)
{
    std::vector<std::string> list_names, managed_names;
    for (const auto& queue : queues)
        (queue.is_managed() ? managed_names : list_names).push_back(queue.name());
    auto lists = co_await count_list_queues(self, std::move(list_names));
    auto others = co_await count_managed_queues(self, std::move(managed_names));
    const auto rates = co_await recent_rates(self, queues);
    std::vector<queue_info> infos;
    auto next_list = lists.begin(), next_other = others.begin();
    for (std::size_t i = 0; i != queues.size(); ++i) {
        infos.push_back(std::move(queues[i].is_managed() ? *next_other++ : *next_list++));
        infos.back().rates = rates[i];
    }
    co_return infos;
}

asio::awaitable<queue_page> show_queues(shared_inspection self, queue_kind kind, std::string cursor,
                                        std::size_t count)
{
    count = std::clamp<std::size_t>(count, 1, 1000);
    queue_names found;
    if (kind == queue_kind::list)
        found = co_await list_queue_names(self, std::move(cursor), count);
    else
        found = co_await managed_queue_names(self, std::move(cursor), count);
    std::vector<queue_ref> queues;
    for (auto& name : found.names)
        queues.emplace_back(kind, std::move(name));
    queue_page page;
    page.next = std::move(found.next);
    page.queues = co_await show_named_queues(self, std::move(queues));
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
    if (cursor != "0")
        found.next = std::move(cursor);
    co_return found;
}

asio::awaitable<bool> queue_exists(shared_inspection self, queue_ref queue)
{
    request ask;
    if (queue.is_managed()) {
        const auto in = [&](const char* place) { return self->prefix() + "q:" + queue.name() + place; };
        ask.push("EXISTS", in("-work"), in("-locks"), in("-scheduled"), in("-depends"), in("-recur"));
        ask.push("SISMEMBER", self->prefix() + "paused_queues", queue.name());
        ask.push("ZSCORE", self->prefix() + "queues", queue.name());
        const reply answers = co_await answers_of(*self->redis, ask);
        co_return answers[0].integer() != 0 || answers[1].integer() != 0 || !answers[2].is_null();
    }
    const list_keys keys{queue.name()};
    ask.push_range("EXISTS", keys.evidence());
    ask.push("SISMEMBER", known_queues_key,
             queue.name()); // for those that have been made known and are empty
    const reply answers = co_await answers_of(*self->redis, ask);
    co_return answers[0].integer() != 0 || answers[1].integer() != 0;
}

asio::awaitable<result<queue_info>> show_queue(shared_inspection self, queue_ref queue)
{
    const bool exists = co_await queue_exists(self, queue);
    if (!exists)
        co_return errc::queue_not_found;
    std::vector<queue_ref> one{std::move(queue)};
    auto infos = co_await show_named_queues(self, std::move(one));
    co_return std::move(infos.front());
}

asio::awaitable<void> set_paused(shared_inspection self, queue_ref queue, bool paused)
{
    if (queue.is_managed()) {
        managed_call call{self->prefix(), paused ? "pause" : "unpause"};
        call.add(queue.name());
        co_await tell(*self->redis, std::move(call));
        co_return;
    }
    request set;
    const list_keys keys{queue.name()};
    if (paused)
        set.push("SET", keys.paused, 1);
    else
        set.push("DEL", keys.paused);
    co_await answers_of(*self->redis, set);
}

} // namespace coworker::detail
