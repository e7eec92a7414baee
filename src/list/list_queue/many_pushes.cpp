// SPDX-License-Identifier: MIT
#include "list/list_queue/many_pushes.hpp"

#include "bounds.hpp"
#include "list/find_queues.hpp"
#include "list/list_queue/list_queue_state.hpp"
#include "list/list_queue/push_forms.hpp"
#include "list/list_queue/submit.hpp"
#include "list/partition_set.hpp"
#include "redis/room_wait.hpp"

#include <algorithm>
#include <numeric>

/// How many jobs get into a list queue with one call.
namespace coworker {

using namespace detail;
using boost::redis::request;

namespace {

/// How many of the first go to Redis in one round trip of LPUSH.
std::size_t plain_part(const many_pushes& all, push_places places)
{
    std::size_t count = 0;
    for (std::size_t bytes = 0; count != places.size() && !is_full_push(count, bytes); ++count)
        bytes += all.payloads[places[count]].size();
    return count;
}

/// @param unknown  the queue's name, if it has to be made known; else empty
asio::awaitable<void> push_plain(connection& redis, const std::string& jobs, std::string_view unknown,
                                 const many_pushes& all, push_places places)
{
    request push;
    std::vector<std::string_view> payloads;
    std::size_t bytes = 0;
    for (const auto i : places)
        bytes += payloads.emplace_back(all.payloads[i]).size();
    push.reserve(bytes + payloads.size() * 16);
    for (std::span<const std::string_view> left{payloads}; !left.empty();) {
        const auto next = left.first(std::min(left.size(), pushes_per_command));
        push.push_range("LPUSH", jobs, next);
        left = left.subspan(next.size());
    }
    const auto commands = push.get_commands();
    if (!unknown.empty())
        push.push("SADD", known_queues_key, unknown);
    reply answers;
    co_await redis.exec(push, answers);
    for (std::size_t i = 0; i != commands; ++i) // failing to register the name does not fail the push
        if (answers[i].is_error())
            answers.throw_if_error();
}

asio::awaitable<void> send_one(const std::shared_ptr<connection>& redis, single_push one)
{
    const auto work = [&] { return std::move(one); };
    co_await start(redis->get_executor(), leaves_in_doubt, work, default_token{});
}

} // namespace

asio::awaitable<many_pushes> raw_list_queue::state::send_all(shared self, many_pushes all)
{
    if (self->partitions) {
        co_await partition_set::send(self->partitions, all);
        co_return all;
    }
    std::vector<std::size_t> places(all.ids.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    co_await send(self, all, places);
    co_return all;
}

asio::awaitable<void> raw_list_queue::state::send(shared self, many_pushes& all, push_places places)
{
    joint_confirmation confirmed;
    if (places.size() == 1)
        confirmed = co_await send_alone(self, all, places.front());
    else
        confirmed = co_await send_together(self, all, places);
    if (const auto why = confirmed.why_not(); !why.empty()) {
        all.unconfirmed.resize(all.ids.size());
        for (const auto i : places)
            all.unconfirmed[i] = why;
    }
}

// Others may be pushed at the same time, and go with it.
asio::awaitable<joint_confirmation> raw_list_queue::state::send_alone(shared self, many_pushes& all,
                                                                      std::size_t place)
{
    joint_confirmation confirmed;
    room_wait room{self->redis->get_executor()};
    std::vector<std::size_t> left{place};
    for (;;) {
        bool pushed = true, full = false;
        auto one = make_push(self, all.ids[place], all.payloads[place], all.how(place), &pushed);
        try {
            co_await confirmed.join(send_one(self->redis, std::move(one)));
        } catch (const system_error& error) {
            full = error.code() == errc::queue_full;
            if (!full)
                throw;
        }
        note(&many_pushes::refused, all, place, !pushed);
        note(&many_pushes::full, all, place, full);
        if (!self->is_to_be_repeated(all, left))
            co_return confirmed;
        co_await room.wait();
    }
}

bool raw_list_queue::state::is_to_be_repeated(const many_pushes& all, std::vector<std::size_t>& places) const
{
    if (!options.waits_for_room || all.full.empty())
        return false;
    std::erase_if(places, [&](auto i) { return all.full[i] == 0; });
    return !places.empty();
}

asio::awaitable<std::exception_ptr> raw_list_queue::state::submit_part(shared self, many_pushes& all,
                                                                       push_places places)
{
    std::vector<std::size_t> left{places.begin(), places.end()};
    room_wait room{self->redis->get_executor()};
    std::exception_ptr unconfirmed;
    for (;;) {
        if (auto why = co_await submit(*self->pushes, self->keys, self->options.max_waiting, all, left))
            unconfirmed = std::move(why);
        if (!self->is_to_be_repeated(all, left))
            co_return unconfirmed;
        co_await room.wait();
    }
}

// The first jobs that arrive make the queue known, so that it is listed before a worker opens it.
asio::awaitable<joint_confirmation> raw_list_queue::state::send_together(shared self, many_pushes& all,
                                                                         push_places places)
{
    self->pushes->pushes().send(self->pushes); // they began before
    const bool plain = std::ranges::all_of(places, [&](auto i) { return self->is_plain(all.how(i)); });
    auto& is_known = self->told->is_told;
    if (!is_known && (!plain || self->pushes != self->redis)) { // an error there concerns no job
        const std::set<std::string> unknown{self->name};
        co_await make_known(*self->redis, unknown);
        is_known = true;
    }
    joint_confirmation confirmed;
    while (!places.empty()) {
        const auto next = places.first(plain ? plain_part(all, places) : submitted_part(all, places));
        const std::string_view unknown = is_known ? std::string_view{} : self->name;
        if (plain)
            co_await confirmed.join(push_plain(*self->pushes, self->keys.jobs, unknown, all, next));
        else
            confirmed.add(co_await submit_part(self, all, next));
        is_known = true;
        places = places.subspan(next.size());
    }
    co_return confirmed;
}

} // namespace coworker
