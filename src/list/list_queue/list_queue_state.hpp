// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/list_queue.hpp"
#include "coworker/payload_codec.hpp"
#include "list/keys.hpp"
#include "list/list_queue/many_pushes.hpp"
#include "redis/connection/connection.hpp"
#include "redis/joint_confirmation.hpp"

#include <boost/redis/request.hpp>

namespace coworker {

/// What the calls of a queue need. They are coroutines that keep it: the queue may be gone when they begin.
struct raw_list_queue::state
{
    state(std::string queue, const list_queue_options& how, std::shared_ptr<detail::connection> connection)
        : name{std::move(queue)}, options{how}, keys{name}, redis{std::move(connection)}, pushes{redis}
    {
        // In a cluster the set of names is in another node, which may be away: those who look for queues find them.
        told->is_told = redis->in_cluster();
    }

    using shared = std::shared_ptr<state>;

    /// @param pushed  see `make_submission`
    static detail::single_push make_push(const shared& self, std::string id, std::string payload,
                                         const push_options& how, bool* pushed);
    static asio::awaitable<detail::many_pushes> send_all(shared self, detail::many_pushes all);
    /// Those at these places, to this queue, which is not divided.
    static asio::awaitable<void> send(shared self, detail::many_pushes& all, detail::push_places places);
    static asio::awaitable<detail::joint_confirmation> send_alone(shared self, detail::many_pushes& all,
                                                                  std::size_t place);
    static asio::awaitable<detail::joint_confirmation> send_together(shared self, detail::many_pushes& all,
                                                                     detail::push_places places);

    /// In order, by one call of `submit`, or several where pushes wait for room.
    static asio::awaitable<std::exception_ptr> submit_part(shared self, detail::many_pushes& all,
                                                           detail::push_places places);
    /// Makes a job's text what is stored, whose size is allowed, too.
    void make_stored(std::string& job) const;
    /// An LPUSH does all that is asked for.
    bool is_plain(const push_options& how) const;
    /// Leaves those that the queue was too full for, if their pushes wait for room.
    bool is_to_be_repeated(const detail::many_pushes& all, std::vector<std::size_t>& places) const;

    static asio::awaitable<list_queue_sizes> sizes(shared self);
    static asio::awaitable<void> pause(shared self);
    static asio::awaitable<void> resume(shared self);
    static asio::awaitable<void> destroy(shared self);

    std::string name;
    list_queue_options options;
    detail::list_keys keys;
    std::shared_ptr<detail::connection> redis;
    std::shared_ptr<detail::connection> pushes; ///< where jobs are pushed: one that confirms them, or `redis`
    payload_codecs codecs;
    std::shared_ptr<detail::told_name> told =
        std::make_shared<detail::told_name>(detail::known_queues_key, name);
    std::shared_ptr<partition_set>
        partitions{}; ///< null: the queue is not divided, as far as this program says
};

} // namespace coworker

namespace coworker::detail {

/// Sends a request and returns the answers; throws if one of them is an error.
asio::awaitable<reply> ask(connection& redis, const boost::redis::request& what);

} // namespace coworker::detail
