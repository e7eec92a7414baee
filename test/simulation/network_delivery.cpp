// SPDX-License-Identifier: MIT

// How the simulated network hands on what is due.
#include "simulation/simulated_network.hpp"
#include "simulation/simulation.hpp"

#include <algorithm>
#include <cerrno>
#include <string_view>

#include <sys/socket.h>

namespace coworker::test {

bool simulated_network::is_deliverable(const direction& way) const
{
    return !way.queue.empty() && way.queue.front().due <= all_.now();
}

bool simulated_network::deliver_one()
{
    link* first = nullptr;
    const direction* way = nullptr;
    const auto consider = [&](link& on, const direction& of) {
        if (is_deliverable(of) && (way == nullptr || of.queue.front().due < way->queue.front().due)) {
            first = &on;
            way = &of;
        }
    };
    for (auto& each : links_) {
        if (each->host != nullptr || !all_.is_redis_frozen())
            consider(*each, each->to_redis);
        consider(*each, each->to_client);
    }
    if (first == nullptr)
        return false;
    ++count.pieces;
    all_.record().bytes(all_.now(), first->number, way == &first->to_redis, way->queue.front().bytes);
    if (way == &first->to_redis && first->host != nullptr)
        deliver_to_host(*first);
    else if (way == &first->to_redis)
        deliver_to_redis(*first);
    else
        deliver_to_client(*first);
    forget_closed();
    return true;
}

void simulated_network::deliver_to_redis(link& on)
{
    const auto bytes = std::move(on.to_redis.queue.front().bytes);
    on.to_redis.queue.pop_front();
    if (bytes.empty())
        close(on.server);
    for (std::string_view rest = bytes; !rest.empty() && on.server >= 0;) {
        const auto size = ::send(on.server, rest.data(), rest.size(), MSG_NOSIGNAL);
        if (size < 0 && errno != EAGAIN)
            break;
        rest.remove_prefix(size > 0 ? static_cast<std::size_t>(size) : 0);
        all_.let_redis_run();
    }
    if (bytes.empty())
        all_.let_redis_run();
}

void simulated_network::deliver_to_host(link& on)
{
    const auto bytes = std::move(on.to_redis.queue.front().bytes);
    on.to_redis.queue.pop_front();
    if (bytes.empty())
        close(on.server);
    else if (on.server >= 0 &&
             ::send(on.server, bytes.data(), bytes.size(), MSG_NOSIGNAL) < static_cast<ssize_t>(bytes.size()))
        send(on, on.to_client, {}); // it takes no more: requests are small
    on.host->is_runnable = on.host->is_alive();
}

void simulated_network::deliver_to_client(link& on)
{
    auto& next = on.to_client.queue.front();
    if (next.bytes.empty()) {
        close(on.client);
    } else if (on.client >= 0) {
        const auto size = ::send(on.client, next.bytes.data(), next.bytes.size(), MSG_NOSIGNAL);
        const bool is_full = size >= 0 || errno == EAGAIN;
        if (is_full && size < static_cast<ssize_t>(next.bytes.size())) {
            next.bytes.erase(0, size > 0 ? static_cast<std::size_t>(size) : 0);
            next.due = all_.now() + 100 * microsecond;
            if (on.owner != nullptr)
                on.owner->is_runnable = true;
            return;
        }
    }
    on.to_client.queue.pop_front();
    if (on.owner != nullptr)
        on.owner->is_runnable = true;
}

void simulated_network::forget_closed()
{
    std::erase_if(links_, [](const auto& each) {
        return each->client < 0 && each->server < 0 && each->to_redis.queue.empty() &&
               each->to_client.queue.empty();
    });
}

nanoseconds simulated_network::next_due() const
{
    auto first = never;
    for (const auto& each : links_) {
        if (!each->to_redis.queue.empty())
            first = std::min(first, std::max(each->to_redis.queue.front().due,
                                             each->host == nullptr ? all_.redis_frozen_until() : 0));
        if (!each->to_client.queue.empty())
            first = std::min(first, each->to_client.queue.front().due);
    }
    return first;
}

} // namespace coworker::test
