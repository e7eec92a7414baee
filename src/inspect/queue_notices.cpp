// SPDX-License-Identifier: MIT
#include "inspect/queue_notices.hpp"

#include "coworker/notices.hpp"
#include "inspect/parts.hpp"
#include "inspect/queues.hpp"
#include "list/keys.hpp"

namespace coworker::detail {

using boost::redis::request;

namespace {

/// The hash that says of a queue whether there are notices, and its field.
struct notices_place
{
    std::string key, field;
};

notices_place place_of(const inspection& self, const queue_ref& queue)
{
    if (queue.is_managed())
        return {self.prefix() + "coworker:notices", queue.name()};
    return {list_keys{queue.name()}.counters, "notices"};
}

asio::awaitable<void> expect_undivided(shared_inspection self, const queue_ref& queue)
{
    if (queue.is_managed())
        co_return;
    const auto parts = co_await parts_of(self, queue);
    if (parts.empty() || is_divided(queue, parts))
        throw explained_error{errc::invalid_option, "notices are set for each partition of '" + queue.name() +
                                                        "', such as '{" + queue.name() + ":0}'"};
}

/// As the dashboard shows it.
bool is_deserted(const queue_info& queue)
{
    return queue.workers == 0U && queue.waiting != 0 && queue.running == 0 && !queue.paused;
}

} // namespace

asio::awaitable<void> set_notices(shared_inspection self, queue_ref queue, bool wanted)
{
    const auto place = place_of(*self, queue);
    request set;
    if (wanted) {
        co_await expect_undivided(self, queue);
        set.push("HSETNX", place.key, place.field, 0);
    } else {
        set.push("HDEL", place.key, place.field);
    }
    co_await answers_of(*self->redis, set);
}

asio::awaitable<std::size_t> watch_notices(shared_inspection self, std::vector<queue_ref> queues,
                                           std::chrono::milliseconds patience)
{
    const auto infos = co_await show_named_queues(self, std::move(queues));
    std::size_t due = 0;
    for (const auto& info : infos) {
        if (!info.notices || info.unreachable != 0)
            continue;
        const auto place = place_of(*self, info.queue);
        const auto notices = notices_queue(info.queue, self->prefix());
        script_arguments arguments{place.key};
        arguments.add(place.field);
        arguments.add(is_deserted(info) ? "1" : "0");
        arguments.add_number(std::chrono::ceil<std::chrono::seconds>(patience).count());
        arguments.add(notices);
        arguments.add(info.queue.name());
        arguments.add(to_string(info.queue.kind()));
        const reply answers = co_await self->redis->call(find_script("redis/watch_notices"), arguments);
        due += answers.back().integer() == 1 ? 1U : 0U;
    }
    co_return due;
}

} // namespace coworker::detail
